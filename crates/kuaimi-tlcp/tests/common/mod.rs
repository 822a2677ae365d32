//! A small authority and its pairs of certificates, and two sides that talk in memory.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::PeerName;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, name};

use crate::{ClientConfig, Connection, Error, Identity, Trust};

/// The name that the server's certificates are for.
pub const HOST: &str = "tlcp.example";

pub fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
}

/// A certificate with its key.
#[derive(Clone)]
pub struct Holder {
    pub certificate: Certificate,
    pub key: PrivateKey,
}

/// A pair of certificates with their keys.
#[derive(Clone)]
pub struct Pair {
    pub signing: Holder,
    pub encrypting: Holder,
}

pub fn key(name: &str) -> PrivateKey {
    PrivateKey::from_bytes(&kuaimi::sm3::digest(name.as_bytes())).unwrap()
}

/// Valid from so many days before now to so many after.
pub fn validity(before: u64, after: u64) -> Validity {
    let date = |seconds| DateTime::from_unix_duration(Duration::from_secs(seconds)).unwrap();
    Validity {
        not_before: date(now() - before * 86400),
        not_after: date(now() + after * 86400),
    }
}

fn builder(name: &str, key: &PrivateKey, purpose: Purpose) -> CertificateBuilder {
    let serial = &kuaimi::sm3::digest(format!("{name}{purpose:?}").as_bytes())[..8];
    CertificateBuilder::new(
        name::parse(&format!("CN={name}")).unwrap(),
        key.public_key(),
        validity(1, 365),
    )
    .purpose(purpose)
    .unwrap()
    .serial(&[&[1], serial].concat())
    .unwrap()
}

fn signer(key: &PrivateKey) -> Deterministic {
    Deterministic(SigningKey::new(key.clone()))
}

impl Holder {
    pub fn root(name: &str) -> Self {
        let key = key(name);
        let builder = builder(name, &key, Purpose::Authority { path_len: None });
        Self {
            certificate: builder.self_sign(&signer(&key)).unwrap(),
            key,
        }
    }

    pub fn issue(&self, name: &str, purpose: Purpose, host: Option<&str>) -> Self {
        self.issue_with(name, purpose, host, |builder| builder)
    }

    pub fn issue_with(
        &self,
        name: &str,
        purpose: Purpose,
        host: Option<&str>,
        edit: impl FnOnce(CertificateBuilder) -> CertificateBuilder,
    ) -> Self {
        let key = key(&format!("{name} {purpose:?}"));
        let mut builder = builder(name, &key, purpose);
        if let Some(host) = host {
            builder
                .extensions()
                .dns(host)
                .unwrap()
                .ip([127, 0, 0, 1].into())
                .unwrap();
        }
        let certificate = edit(builder)
            .sign(&self.certificate, &signer(&self.key))
            .unwrap();
        Self { certificate, key }
    }

    pub fn pair(&self, name: &str, host: Option<&str>) -> Pair {
        Pair {
            signing: self.issue(name, Purpose::Signing, host),
            encrypting: self.issue(name, Purpose::Encryption, host),
        }
    }

    pub fn key_pem(&self) -> String {
        self.key.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
    }
}

impl Pair {
    pub fn identity(&self, authorities: &[Certificate]) -> Identity {
        Identity::new(
            self.signing.certificate.clone(),
            SigningKey::new(self.signing.key.clone()),
            self.encrypting.certificate.clone(),
            self.encrypting.key.clone(),
            authorities,
        )
        .unwrap()
    }
}

/// What most tests use.
pub struct Lab {
    pub root: Holder,
    pub server: Pair,
    pub client: Pair,
}

impl Lab {
    pub fn get() -> &'static Self {
        static LAB: OnceLock<Lab> = OnceLock::new();
        LAB.get_or_init(|| {
            let root = Holder::root("TLCP Root");
            let server = root.pair("server", Some(HOST));
            let client = root.pair("client", None);
            Lab {
                root,
                server,
                client,
            }
        })
    }

    pub fn trust(&self) -> Trust {
        Trust::new(std::slice::from_ref(&self.root.certificate)).unwrap()
    }

    pub fn server(&self) -> Identity {
        self.server.identity(&[])
    }

    pub fn client(&self) -> Identity {
        self.client.identity(&[])
    }

    /// Writes the certificates and keys as files, for other programs.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let write = |name: &str, text: String| std::fs::write(folder.join(name), text);
        let root = self.root.certificate.to_pem();
        write("root.crt", root.clone())?;
        for (name, pair) in [("server", &self.server), ("client", &self.client)] {
            for (half, holder) in [("sign", &pair.signing), ("encrypt", &pair.encrypting)] {
                write(&format!("{name}-{half}.crt"), holder.certificate.to_pem())?;
                write(&format!("{name}-{half}.pem"), holder.key_pem())?;
            }
            // GmSSL takes one file with both certificates and their authority.
            let both = [&pair.signing, &pair.encrypting].map(|one| one.certificate.to_pem());
            write(&format!("{name}-chain.crt"), both.concat() + &root)?;
            write(&format!("{name}-chain-sign.crt"), both[0].clone() + &root)?;
        }
        Ok(())
    }
}

pub fn host() -> PeerName {
    PeerName::new(HOST).unwrap()
}

pub fn connect(config: &Arc<ClientConfig>) -> Connection {
    Connection::client(Arc::clone(config), host()).unwrap()
}

/// How bytes travel from one side to the other.
#[derive(Clone, Copy, Debug)]
pub enum Travel {
    /// All that is there at once.
    Whole,
    /// A byte at a time.
    Bytes,
}

/// Carries all that one side has to send to the other, and gives its error.
pub fn carry(from: &mut Connection, to: &mut Connection, travel: Travel) -> Result<bool, Error> {
    let mut network = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut network).unwrap();
    }
    let any = !network.is_empty();
    give(to, &network, travel)?;
    Ok(any)
}

/// Gives bytes to a side.
pub fn give(to: &mut Connection, mut network: &[u8], travel: Travel) -> Result<(), Error> {
    while !network.is_empty() {
        let length = match travel {
            Travel::Whole => network.len(),
            Travel::Bytes => 1,
        };
        let (mut part, rest) = network.split_at(length);
        while !part.is_empty() {
            to.read_tls(&mut part).unwrap();
            to.process_new_packets()?;
        }
        network = rest;
    }
    Ok(())
}

/// What became of the two sides: their errors.
pub type Outcome = [Option<Error>; 2];

/// Carries bytes both ways until nothing moves: the errors of client and server.
pub fn run(client: &mut Connection, server: &mut Connection, travel: Travel) -> Outcome {
    let mut errors = [None, None];
    loop {
        let to_server = carry(client, server, travel);
        let to_client = carry(server, client, travel);
        let moved = matches!(to_server, Ok(true) | Err(_)) && errors[1].is_none()
            || matches!(to_client, Ok(true) | Err(_)) && errors[0].is_none();
        if let Err(error) = to_server {
            errors[1].get_or_insert(error);
        }
        if let Err(error) = to_client {
            errors[0].get_or_insert(error);
        }
        if !moved {
            return errors;
        }
    }
}
