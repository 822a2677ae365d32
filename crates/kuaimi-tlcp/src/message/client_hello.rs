//! ClientHello (6.4.5.2.1).

use super::extensions::Extensions;
use super::{encode, kind};
use crate::Error;
use crate::codec::{Reader, vector};

/// The mark of RFC 5746 among the cipher suites, in the place of an empty extension.
pub(crate) const RENEGOTIATION_SCSV: u16 = 0x00ff;

pub(crate) struct ClientHello {
    pub(crate) version: u16,
    pub(crate) random: [u8; 32],
    pub(crate) session_id: Vec<u8>,
    pub(crate) suites: Vec<u16>,
    pub(crate) extensions: Extensions,
}

impl ClientHello {
    pub(crate) fn read(body: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(body, "ClientHello");
        let version = reader.u16()?;
        let random = reader.array()?;
        let session_id = session_id(&mut reader)?;
        let mut list = reader.vec16()?;
        let mut suites = Vec::new();
        while !list.is_empty() {
            suites.push(list.u16()?);
        }
        let compressions = reader.vec8()?.rest();
        if suites.is_empty() || compressions.is_empty() {
            return Err(reader.malformed());
        }
        if !compressions.contains(&0) {
            return Err(Error::IllegalParameter("no compression method null"));
        }
        Ok(Self {
            version,
            random,
            session_id,
            suites,
            extensions: Extensions::read(reader, true)?,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(kind::CLIENT_HELLO, |out| {
            out.extend(self.version.to_be_bytes());
            out.extend(self.random);
            vector::<1>(out, |out| out.extend(&self.session_id));
            vector::<2>(out, |out| {
                for suite in &self.suites {
                    out.extend(suite.to_be_bytes());
                }
            });
            out.extend([1, 0]); // compression: null
            self.extensions.write(out);
        })
    }
}

/// At most 32 bytes.
pub(super) fn session_id(reader: &mut Reader<'_>) -> Result<Vec<u8>, Error> {
    let id = reader.vec8()?.rest();
    if id.len() > 32 {
        return Err(reader.malformed());
    }
    Ok(id.to_vec())
}
