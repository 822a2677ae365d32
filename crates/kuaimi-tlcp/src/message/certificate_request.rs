//! CertificateRequest (6.4.5.5).

use super::{encode, kind};
use crate::Error;
use crate::codec::{Reader, vector};

/// The type of certificates with keys of SM2, `ecdsa_sign`.
pub(crate) const ECDSA_SIGN: u8 = 64;

pub(crate) struct CertificateRequest {
    pub(crate) types: Vec<u8>,
    /// The names of the authorities in DER.
    pub(crate) authorities: Vec<Vec<u8>>,
}

impl CertificateRequest {
    pub(crate) fn read(body: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(body, "CertificateRequest");
        let types = reader.vec8()?.rest().to_vec();
        if types.is_empty() {
            return Err(reader.malformed());
        }
        let mut list = reader.vec16()?;
        reader.finish()?;
        let mut authorities = Vec::new();
        while !list.is_empty() {
            authorities.push(list.vec16()?.rest().to_vec());
        }
        Ok(Self { types, authorities })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(kind::CERTIFICATE_REQUEST, |out| {
            vector::<1>(out, |out| out.extend(&self.types));
            vector::<2>(out, |out| {
                for name in &self.authorities {
                    vector::<2>(out, |out| out.extend(name));
                }
            });
        })
    }
}
