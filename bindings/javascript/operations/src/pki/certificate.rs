//! Certificates and requests, read.

use alloc::vec::Vec;

use kuaimi::sm3;
use kuaimi_pki::{Certificate, Request};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{facts, frame, identities, verdict};
use crate::Result;

/// A hash of bytes: SM3 (0), SHA-256 (1) or SHA-1 (2).
pub fn pki_fingerprint(data: &[u8], hash: u32) -> Result<Vec<u8>> {
    Ok(match hash {
        0 => sm3::digest(data).to_vec(),
        1 => Sha256::digest(data).to_vec(),
        2 => Sha1::digest(data).to_vec(),
        _ => return Err(argument!("there is no such hash")),
    })
}

/// The certificates in any form that files have, as a list.
pub fn pki_certificates_read(data: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let all = Certificate::read_all(data)?;
    let all: Vec<&[u8]> = all.iter().map(Certificate::as_der).collect();
    frame::list(&all)
}

/// What a certificate says.
pub fn pki_certificate_facts(certificate: &[u8]) -> Result<Vec<u8>> {
    facts::of_certificate(&Certificate::from_der(certificate)?)
}

/// Whether the key of a certificate signed another one. Nothing else is looked at.
pub fn pki_certificate_verify(certificate: &[u8], issuer: &[u8], empty: u32) -> Result<bool> {
    let certificate = Certificate::from_der(certificate)?;
    let issuer = Certificate::from_der(issuer)?;
    verdict(certificate.verify_signature(issuer.public_key(), identities(empty)))
}

/// The request in any form that files have, in DER.
pub fn pki_request_read(data: &[u8]) -> Result<Vec<u8>> {
    Ok(Request::read(data)?.as_der().to_vec())
}

/// What a request says.
pub fn pki_request_facts(request: &[u8]) -> Result<Vec<u8>> {
    facts::of_request(&Request::from_der(request)?)
}

/// Whether the holder of its key signed a request.
pub fn pki_request_verify(request: &[u8], empty: u32) -> Result<bool> {
    verdict(Request::from_der(request)?.verify(identities(empty)))
}
