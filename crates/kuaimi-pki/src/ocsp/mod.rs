//! The Online Certificate Status Protocol (RFC 6960), with SM2 and SM3.
//!
//! | to do | with |
//! | --- | --- |
//! | name a certificate | [`CertId`] |
//! | ask | [`RequestBuilder`] |
//! | read what is asked | [`Request`] |
//! | answer | [`ResponseBuilder`] |
//! | read an answer and verify it | [`Response`], [`Check`] |
//!
//! Nothing here talks over a network: requests and responses are bytes.

mod builder;
mod cert_id;
mod request;
mod response;
mod verify;

use alloc::vec::Vec;

pub use builder::{ResponseBuilder, Unsigned};
pub use cert_id::{CertId, HashAlgorithm};
pub use request::{Request, RequestBuilder};
pub use response::{Response, ResponseStatus, Single, Status};
pub use verify::{Check, Verified};
pub(crate) use verify::{Responder, is_responder};

use crate::ber::{self, Elements, Malformed};
use crate::extensions::BorrowedExtension;
use crate::{Error, oid};

/// The maximum length of a request or a response in bytes.
pub const MAX_LEN: usize = 1 << 20;
/// The most certificates that one request or response may be about.
pub const MAX_SINGLES: usize = 10_000;
/// The maximum length of a nonce in bytes (RFC 9654).
pub const MAX_NONCE_LEN: usize = 128;

const WHAT: &str = "list of extensions of OCSP";
/// The most extensions in one list.
const MAX_EXTENSIONS: usize = 100;

/// Extensions of requests and responses: the nonce, and whether there are critical ones that are
/// not known.
#[derive(Default)]
struct Extensions {
    nonce: Option<Vec<u8>>,
    unknown_critical: bool,
}

impl Extensions {
    /// Reads `content`, a SEQUENCE OF Extension.
    fn read(content: &[u8]) -> Result<Self, Malformed> {
        let mut list = Elements::inside(content, ber::SEQUENCE, WHAT)?;
        let mut found = Self::default();
        let mut count = 0;
        while !list.is_empty() {
            let BorrowedExtension {
                id,
                critical,
                content,
            } = BorrowedExtension::read(&mut list)?;
            count += 1;
            if count > MAX_EXTENSIONS {
                return Err(list.malformed());
            }
            if id == oid::OCSP_NONCE.as_bytes() {
                if found.nonce.is_some() {
                    return Err(list.malformed());
                }
                // Old programs write the nonce without the inner OCTET STRING.
                let inner = Elements::inside(content, ber::OCTET_STRING, WHAT);
                found.nonce = Some(inner.map_or(content, |inner| inner.rest()).to_vec());
            } else if critical {
                found.unknown_critical = true;
            }
        }
        Ok(found)
    }
}

/// The extension nonce, in a SEQUENCE OF Extension.
fn nonce_extensions(nonce: &[u8]) -> Vec<u8> {
    let extension = BorrowedExtension {
        id: oid::OCSP_NONCE.as_bytes(),
        critical: false,
        content: &ber::element(ber::OCTET_STRING, &[nonce]),
    };
    ber::element(ber::SEQUENCE, &[&extension.to_der()])
}

fn check_nonce(nonce: &[u8]) -> Result<(), Error> {
    if nonce.is_empty() || nonce.len() > MAX_NONCE_LEN {
        return Err(Error::Argument("a nonce has 1 to 128 bytes"));
    }
    Ok(())
}
