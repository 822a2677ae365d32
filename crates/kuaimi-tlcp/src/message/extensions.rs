//! The extensions of the hellos (GM/T 0024-2023; RFC 6066 and RFC 7301): those that change what is
//! done here. Others are skipped.

use crate::Error;
use crate::codec::{Reader, vector};

pub(crate) const SERVER_NAME: u16 = 0;
pub(crate) const ALPN: u16 = 16;
pub(crate) const RENEGOTIATION_INFO: u16 = 0xff01;

/// What is known of a hello's extensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions {
    /// The name of a host; an answer of the server's has an empty one.
    pub(crate) server_name: Option<String>,
    pub(crate) alpn: Option<Vec<Vec<u8>>>,
    /// RFC 5746: always empty, as there is no renegotiation.
    pub(crate) renegotiation_info: bool,
    /// All numbers, in order.
    pub(crate) numbers: Vec<u16>,
}

impl Extensions {
    /// What is left of a hello: nothing, or a vector of extensions.
    pub(crate) fn read(mut rest: Reader<'_>, is_client: bool) -> Result<Self, Error> {
        let mut found = Self::default();
        if rest.is_empty() {
            return Ok(found);
        }
        let mut list = rest.vec16()?;
        rest.finish()?;
        while !list.is_empty() {
            let number = list.u16()?;
            let mut content = list.vec16()?;
            // The list is at most 64 KiB: 16384 extensions without content.
            if found.numbers.len() >= 64 {
                return Err(Error::IllegalParameter("more than 64 extensions"));
            }
            if found.numbers.contains(&number) {
                return Err(Error::IllegalParameter("an extension twice"));
            }
            found.numbers.push(number);
            match number {
                SERVER_NAME if is_client => found.server_name = server_name(content)?,
                SERVER_NAME => content.finish()?,
                ALPN => found.alpn = Some(alpn(content)?),
                RENEGOTIATION_INFO => {
                    let info = content.vec8()?;
                    content.finish()?;
                    if !info.is_empty() {
                        return Err(Error::IllegalParameter("a renegotiation"));
                    }
                    found.renegotiation_info = true;
                }
                _ => {}
            }
        }
        Ok(found)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut list = Vec::new();
        if let Some(name) = &self.server_name {
            list.extend(SERVER_NAME.to_be_bytes());
            vector::<2>(&mut list, |out| {
                if !name.is_empty() {
                    vector::<2>(out, |out| {
                        out.push(0); // host_name
                        vector::<2>(out, |out| out.extend(name.as_bytes()));
                    });
                }
            });
        }
        if let Some(protocols) = &self.alpn {
            list.extend(ALPN.to_be_bytes());
            vector::<2>(&mut list, |out| {
                vector::<2>(out, |out| {
                    for protocol in protocols {
                        vector::<1>(out, |out| out.extend(protocol));
                    }
                });
            });
        }
        if self.renegotiation_info {
            list.extend(RENEGOTIATION_INFO.to_be_bytes());
            vector::<2>(&mut list, |out| out.push(0));
        }
        // Some old peers know no extensions: without one, the field is left out.
        if !list.is_empty() {
            vector::<2>(out, |out| out.extend(&list));
        }
    }
}

/// The host's name (RFC 6066, 3). Names of other types are skipped.
fn server_name(mut content: Reader<'_>) -> Result<Option<String>, Error> {
    let malformed = content.malformed();
    let mut list = content.vec16()?;
    content.finish()?;
    if list.is_empty() {
        return Err(malformed);
    }
    let mut found = None;
    while !list.is_empty() {
        let kind = list.u8()?;
        let name = list.vec16()?.rest();
        if kind != 0 {
            continue;
        }
        if found.is_some() {
            return Err(Error::IllegalParameter("two names of a host"));
        }
        let name = core::str::from_utf8(name).map_err(|_| malformed.clone())?;
        if name.is_empty() || !name.is_ascii() || name.contains('\0') {
            return Err(malformed);
        }
        found = Some(name.to_ascii_lowercase());
    }
    Ok(found)
}

/// The protocols (RFC 7301, 3.1).
fn alpn(mut content: Reader<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let malformed = content.malformed();
    let mut list = content.vec16()?;
    content.finish()?;
    let mut protocols = Vec::new();
    while !list.is_empty() {
        let protocol = list.vec8()?.rest();
        if protocol.is_empty() {
            return Err(malformed);
        }
        protocols.push(protocol.to_vec());
    }
    match protocols.is_empty() {
        true => Err(malformed),
        false => Ok(protocols),
    }
}
