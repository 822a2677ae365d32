//! A small authority, and holders of its certificates, the same ones each time.

use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi::sm3;
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, name};

use super::{HOST, NOW};

/// Who issues certificates, with those above it.
#[derive(Clone)]
pub struct Authority {
    root: Certificate,
    /// The issuing certificate, which is the root or one below it.
    issuer: Certificate,
    key: Deterministic,
}

/// A key and a chain, as files.
#[derive(Clone)]
pub struct Holder {
    pub key: String,
    pub chain: String,
}

impl Holder {
    pub fn certificates(&self) -> Vec<Certificate> {
        Certificate::read_all(self.chain.as_bytes()).unwrap()
    }
}

pub fn secret(name: &str) -> PrivateKey {
    PrivateKey::from_bytes(&sm3::digest(name.as_bytes())).unwrap()
}

pub fn signer(name: &str) -> Deterministic {
    Deterministic(SigningKey::new(secret(name)))
}

pub fn pem(key: &PrivateKey) -> String {
    key.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
}

fn date(seconds: u64) -> DateTime {
    DateTime::from_unix_duration(std::time::Duration::from_secs(seconds)).unwrap()
}

/// A year, half of which is over.
fn validity(now: u64) -> Validity {
    Validity::days(date(now - 180 * 86400), 365).unwrap()
}

pub fn builder(subject: &str, purpose: Purpose, now: u64) -> CertificateBuilder {
    let name = name::parse(&format!("CN={subject}")).unwrap();
    let public = *signer(subject).0.public_key();
    CertificateBuilder::new(name, &public, validity(now))
        .purpose(purpose)
        .unwrap()
        .serial(&[&[1], &sm3::digest(subject.as_bytes())[..8]].concat())
        .unwrap()
}

impl Authority {
    /// A root at [`NOW`].
    pub fn new(name: &str) -> Self {
        Self::at(name, NOW)
    }

    pub fn at(name: &str, now: u64) -> Self {
        let key = signer(name);
        let purpose = Purpose::Authority { path_len: None };
        let root = builder(name, purpose, now).self_sign(&key).unwrap();
        Self {
            issuer: root.clone(),
            root,
            key,
        }
    }

    /// An authority below this one.
    pub fn below(&self, name: &str) -> Self {
        let purpose = Purpose::Authority { path_len: None };
        let certificate = builder(name, purpose, NOW);
        let certificate = certificate.sign(&self.issuer, &self.key).unwrap();
        Self {
            root: self.root.clone(),
            issuer: certificate,
            key: signer(name),
        }
    }

    pub fn certificate(&self) -> &Certificate {
        &self.root
    }

    pub fn issuer(&self) -> &Certificate {
        &self.issuer
    }

    pub fn key(&self) -> &Deterministic {
        &self.key
    }

    /// The files of a holder with this certificate.
    pub fn holder(&self, name: &str, certificate: &Certificate) -> Holder {
        let mut chain = certificate.to_pem();
        if self.issuer != self.root {
            chain += &self.issuer.to_pem();
        }
        Holder {
            key: pem(&secret(name)),
            chain,
        }
    }

    pub fn issue(
        &self,
        name: &str,
        purpose: Purpose,
        edit: impl FnOnce(CertificateBuilder) -> CertificateBuilder,
    ) -> Holder {
        let certificate = edit(builder(name, purpose, NOW));
        let certificate = certificate.sign(&self.issuer, &self.key).unwrap();
        self.holder(name, &certificate)
    }

    /// A server for [`HOST`].
    pub fn server(&self) -> Holder {
        self.server_at(HOST, NOW)
    }

    pub fn server_at(&self, host: &str, now: u64) -> Holder {
        let mut certificate = builder("server", Purpose::Server, now);
        certificate.extensions().dns(host).unwrap();
        let certificate = certificate.sign(&self.issuer, &self.key).unwrap();
        self.holder("server", &certificate)
    }

    pub fn client(&self) -> Holder {
        self.issue("client", Purpose::Client, |builder| builder)
    }
}
