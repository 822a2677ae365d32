//! Certificate (6.4.5.3 and 6.4.5.7): the signing certificate, the encrypting one, and then their
//! authorities.

use kuaimi_pki::Certificate;

use super::{encode, kind};
use crate::Error;
use crate::codec::{Reader, vector};

/// The most certificates that a peer may send.
const MAX_CERTIFICATES: usize = 16;

pub(crate) fn read(body: &[u8]) -> Result<Vec<Certificate>, Error> {
    let mut reader = Reader::new(body, "Certificate");
    let mut list = reader.vec24()?;
    reader.finish()?;
    let mut all = Vec::new();
    while !list.is_empty() {
        let der = list.vec24()?.rest();
        if der.is_empty() {
            return Err(list.malformed());
        }
        if all.len() == MAX_CERTIFICATES {
            return Err(Error::IllegalParameter("more than 16 certificates"));
        }
        all.push(Certificate::from_der(der).map_err(Error::MalformedCertificate)?);
    }
    Ok(all)
}

pub(crate) fn encode_all(certificates: &[Certificate]) -> Vec<u8> {
    encode(kind::CERTIFICATE, |out| {
        vector::<3>(out, |out| {
            for certificate in certificates {
                vector::<3>(out, |out| out.extend(certificate.as_der()));
            }
        });
    })
}
