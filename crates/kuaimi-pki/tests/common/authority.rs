//! A small authority: certificates for tests, the same ones each time.

#![allow(dead_code, reason = "each test uses some of it")]

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi::sm3;
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::{Extensions, Purpose};
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::external::der::asn1::ObjectIdentifier;
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, name};

/// 2026-06-01 00:00:00 UTC, when all certificates are valid.
pub const NOW: u64 = 1_780_272_000;
pub const DAY: u64 = 86400;

pub const CA: Purpose = Purpose::Authority { path_len: None };

/// A holder of a key and a certificate.
#[derive(Clone)]
pub struct Holder {
    pub certificate: Certificate,
    pub key: Deterministic,
}

/// The key that belongs to `name`.
pub fn key(name: &str) -> Deterministic {
    let secret = sm3::digest(name.as_bytes());
    Deterministic(SigningKey::new(PrivateKey::from_bytes(&secret).unwrap()))
}

pub fn date(text: &str) -> DateTime {
    text.parse().unwrap()
}

pub fn validity() -> Validity {
    Validity::days(date("2026-01-01T00:00:00Z"), 365).unwrap()
}

fn builder(
    subject: &str,
    key: &Deterministic,
    purpose: Purpose,
    validity: Validity,
    edit: impl FnOnce(&mut Extensions),
) -> CertificateBuilder {
    let id = sm3::digest(format!("{subject} {:?}", key.0.public_key()).as_bytes());
    let mut builder =
        CertificateBuilder::new(name::parse(subject).unwrap(), key.0.public_key(), validity)
            .purpose(purpose)
            .unwrap()
            .serial(&[&[1], &id[..8]].concat())
            .unwrap();
    edit(builder.extensions());
    builder
}

/// A self-signed authority with the name `CN=` and `name`.
pub fn root(name: &str) -> Holder {
    root_with(name, |_| {})
}

pub fn root_with(name: &str, edit: impl FnOnce(&mut Extensions)) -> Holder {
    let key = key(name);
    let builder = builder(&format!("CN={name}"), &key, CA, validity(), edit);
    Holder {
        certificate: builder.self_sign(&key).unwrap(),
        key,
    }
}

impl Holder {
    /// A certificate for `CN=name`, whose key belongs to that name.
    pub fn issue(&self, name: &str, purpose: Purpose) -> Holder {
        self.issue_with(name, purpose, |_| {})
    }

    pub fn issue_with(
        &self,
        name: &str,
        purpose: Purpose,
        edit: impl FnOnce(&mut Extensions),
    ) -> Holder {
        self.issue_full(&format!("CN={name}"), key(name), purpose, validity(), edit)
    }

    pub fn issue_full(
        &self,
        subject: &str,
        key: Deterministic,
        purpose: Purpose,
        validity: Validity,
        edit: impl FnOnce(&mut Extensions),
    ) -> Holder {
        let builder = builder(subject, &key, purpose, validity, edit);
        Holder {
            certificate: builder.sign(&self.certificate, &self.key).unwrap(),
            key,
        }
    }
}

/// An element of DER.
pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        length @ 0..0x80 => out.push(length as u8),
        length @ 0x80..0x100 => out.extend([0x81, length as u8]),
        length @ 0x100..0x10000 => out.extend([0x82, (length >> 8) as u8, length as u8]),
        length => out.extend([
            0x83,
            (length >> 16) as u8,
            (length >> 8) as u8,
            length as u8,
        ]),
    }
    out.extend(content);
    out
}

pub fn oid(text: &str) -> ObjectIdentifier {
    text.parse().unwrap()
}
