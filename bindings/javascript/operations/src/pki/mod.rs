//! Certificates, requests, lists of revoked certificates, chains, messages and files of keys under
//! a password (`kuaimi_pki`).
//!
//! In WebAssembly this is a module of its own. Certificates go in and out in DER, private keys as
//! numbers of 32 bytes, and public keys as points of 65. What certificates say goes out as JSON
//! (`facts`), with bytes in hexadecimal. Nothing is signed here: an operation gives the digest,
//! and another takes the signature, so that a key in a device is no other case than one in memory.

mod certificate;
mod chain;
mod crl;
mod facts;
mod frame;
mod keys;
mod make;
mod message;

pub use certificate::{
    pki_certificate_facts, pki_certificate_verify, pki_certificates_read, pki_fingerprint,
    pki_request_facts, pki_request_read, pki_request_verify,
};
pub use chain::{pki_verifier_new, pki_verifier_verify};
pub use crl::{
    pki_crl_der, pki_crl_entries, pki_crl_facts, pki_crl_find, pki_crl_new, pki_crl_verify,
    pki_crls_read,
};
pub use keys::{
    pki_cfca_read, pki_cfca_returned_key, pki_cfca_write, pki_key_response_open, pki_pkcs12_read,
    pki_pkcs12_write,
};
pub use make::{
    Unsigned, pki_certificate_prepare, pki_crl_prepare, pki_request_prepare, pki_unsigned,
    pki_unsigned_finish,
};
pub use message::{
    Message, pki_message_decrypt, pki_message_digests, pki_message_encrypt, pki_message_finish,
    pki_message_kind, pki_message_prepare, pki_message_sign_and_encrypt, pki_message_verify,
};

use alloc::vec::Vec;
use core::time::Duration;

use kuaimi::sm2::{PublicKey, Signature};
use kuaimi_pki::Certificate;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::external::der::asn1::ObjectIdentifier;
use kuaimi_pki::public_key::Identities;

use crate::Result;
use crate::signature_form::SignatureReading;

/// The certificates of a list.
fn certificates(list: &[u8]) -> Result<Vec<Certificate>> {
    let all = frame::items(list)?;
    Ok(all
        .into_iter()
        .map(Certificate::from_der)
        .collect::<core::result::Result<_, _>>()?)
}

/// The usual identity alone (0), or also the empty one (1).
fn identities(number: u32) -> Identities {
    match number {
        0 => Identities::Default,
        _ => Identities::DefaultOrEmpty,
    }
}

fn time(bytes: &[u8]) -> Result<DateTime> {
    DateTime::from_unix_duration(Duration::from_secs(frame::number(bytes)?))
        .map_err(|_| argument!("a time is between the years 1970 and 9999"))
}

fn oid(text: &[u8]) -> Result<ObjectIdentifier> {
    frame::text(text)?
        .parse()
        .map_err(|_| argument!("this is no object identifier"))
}

fn point(bytes: &[u8]) -> Result<PublicKey> {
    Ok(PublicKey::from_sec1_bytes(bytes)?)
}

/// A signature in DER, or `r ‖ s`, as devices give it.
fn signature(bytes: &[u8]) -> Result<Signature> {
    Ok(SignatureReading::of(0)?.read(bytes)?)
}

/// Whether a signature is right; another reason than that is an error.
fn verdict(found: core::result::Result<(), kuaimi_pki::Error>) -> Result<bool> {
    match found {
        Ok(()) => Ok(true),
        Err(kuaimi_pki::Error::Signature) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|_| argument!("this cannot be written as JSON"))
}
