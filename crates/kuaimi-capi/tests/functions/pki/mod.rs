//! Certificates, chains, messages and PKCS #12, of an authority that the Rust library makes.

mod authority;
mod certificates;
mod chains;
mod encrypted;
mod files;
mod signed;
mod steps;
mod verdicts;

use std::ptr::null_mut;

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi::sm3;
use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::{Certificate, name};

/// 2026-06-01 00:00:00 UTC, when all certificates are valid.
pub(crate) const NOW: u64 = 1_780_272_000;
/// 2026-01-01 00:00:00 UTC, from when on they are.
const START: u64 = 1_767_225_600;
const DAY: u64 = 86400;

/// `error!(function(…))`: what a function that fails returns.
macro_rules! error {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the arguments are references, slices with their lengths, and handles that are not
        // freed yet.
        unsafe { $name($($argument),*) }
    };
}
/// `new!(function(…))`: the handle that a function puts behind its last argument.
macro_rules! new {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let mut handle = std::ptr::null_mut();
        call!($name($($argument,)* &mut handle));
        handle
    }};
}
/// `number!(function(…))`: the number there.
macro_rules! number {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let mut number = Default::default();
        call!($name($($argument,)* &mut number));
        number
    }};
}
pub(crate) use {error, new, number};

/// A certificate and its key, in Rust and behind handles.
pub(crate) struct Holder {
    pub(crate) certificate: Certificate,
    signer: SigningKey,
    pub(crate) handle: *mut kuaimi_certificate,
    pub(crate) key: *mut kuaimi_sm2_private_key,
}

impl Holder {
    pub(crate) fn new(name: &str, purpose: Purpose, issuer: Option<&Self>) -> Self {
        let secret = sm3::digest(name.as_bytes());
        let signer = SigningKey::new(PrivateKey::from_bytes(&secret).expect("a key"));
        let start = "2026-01-01T00:00:00Z".parse().expect("a date");
        let validity = Validity::days(start, 365).expect("a validity");
        let subject = name::parse(&format!("CN={name},O=Example")).expect("a name");
        let mut builder = CertificateBuilder::new(subject, signer.public_key(), validity)
            .purpose(purpose)
            .and_then(|it| it.serial(&[1, secret[0], secret[1]]))
            .expect("a certificate");
        let host = format!("{name}.example");
        builder.extensions().dns(&host).expect("a host");
        let certificate = match issuer {
            Some(issuer) => builder.sign(&issuer.certificate, &issuer.signer),
            None => builder.self_sign(&signer),
        };
        let certificate = certificate.expect("a certificate");
        let der = certificate.as_der();
        Self {
            handle: new!(kuaimi_certificate_read(der.as_ptr(), der.len())),
            key: new!(kuaimi_sm2_private_key_from_bytes(secret.as_ptr(), 32)),
            certificate,
            signer,
        }
    }

    pub(crate) fn root() -> Self {
        Self::new("root", Purpose::Authority { path_len: None }, None)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        free!(kuaimi_certificate_free(self.handle); kuaimi_sm2_private_key_free(self.key));
    }
}

/// The certificate behind a handle, in DER; it is freed.
pub(crate) fn der_of(certificate: *mut kuaimi_certificate) -> Vec<u8> {
    let form = KUAIMI_CERTIFICATE_DER;
    let der = output!(|out, len| kuaimi_certificate_write(certificate, form, out, len));
    free!(kuaimi_certificate_free(certificate));
    der
}

fn read(bytes: &[u8]) -> Result<*mut kuaimi_certificate, kuaimi_error> {
    let mut handle = null_mut();
    match error!(kuaimi_certificate_read(
        bytes.as_ptr(),
        bytes.len(),
        &mut handle
    )) {
        KUAIMI_OK => Ok(handle),
        error => {
            assert!(handle.is_null());
            Err(error)
        }
    }
}
