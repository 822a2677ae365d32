//! ServerHello (6.4.5.2.2).

use super::client_hello::session_id;
use super::extensions::Extensions;
use super::{encode, kind};
use crate::Error;
use crate::codec::{Reader, vector};

pub(crate) struct ServerHello {
    pub(crate) version: u16,
    pub(crate) random: [u8; 32],
    pub(crate) session_id: Vec<u8>,
    pub(crate) suite: u16,
    pub(crate) extensions: Extensions,
}

impl ServerHello {
    pub(crate) fn read(body: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(body, "ServerHello");
        let version = reader.u16()?;
        let random = reader.array()?;
        let session_id = session_id(&mut reader)?;
        let suite = reader.u16()?;
        if reader.u8()? != 0 {
            return Err(Error::IllegalParameter("a compression method"));
        }
        Ok(Self {
            version,
            random,
            session_id,
            suite,
            extensions: Extensions::read(reader, false)?,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(kind::SERVER_HELLO, |out| {
            out.extend(self.version.to_be_bytes());
            out.extend(self.random);
            vector::<1>(out, |out| out.extend(&self.session_id));
            out.extend(self.suite.to_be_bytes());
            out.push(0); // compression: null
            self.extensions.write(out);
        })
    }
}
