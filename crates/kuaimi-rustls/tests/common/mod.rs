//! What the tests share: an authority, configurations, and connections in memory.

#![allow(dead_code, reason = "each test uses some of it")]

pub mod authority;
pub mod wire;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kuaimi_rustls::{ClientVerifier, ServerVerifier, certified_key, strict};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::sign::SingleCertAndKey;
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};

pub use authority::{Authority, Holder};

/// 2026-06-01 00:00:00 UTC, when the certificates are valid.
pub const NOW: u64 = 1_780_272_000;
pub const HOST: &str = "bank.example";

/// A clock that stands still.
#[derive(Debug)]
pub struct At(pub u64);

impl TimeProvider for At {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(self.0)))
    }
}

/// Which verifier a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// rustls's own.
    Webpki,
    /// Kuaimi's.
    Kuaimi,
}

pub const BOTH: [By; 2] = [By::Webpki, By::Kuaimi];

pub fn roots(authority: &Authority) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let der = authority.certificate().as_der().to_vec();
    roots.add(CertificateDer::from(der)).unwrap();
    roots
}

pub fn client_builder(
    provider: CryptoProvider,
) -> rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier> {
    ClientConfig::builder_with_details(Arc::new(provider), Arc::new(At(NOW)))
        .with_safe_default_protocol_versions()
        .unwrap()
}

pub fn server_builder(
    provider: CryptoProvider,
) -> rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier> {
    ServerConfig::builder_with_details(Arc::new(provider), Arc::new(At(NOW)))
        .with_safe_default_protocol_versions()
        .unwrap()
}

/// A client that trusts `authority`, with `own` certificate.
pub fn client(authority: &Authority, by: By, own: Option<&Holder>) -> ClientConfig {
    client_with(strict(), authority, by, own)
}

pub fn client_with(
    provider: CryptoProvider,
    authority: &Authority,
    by: By,
    own: Option<&Holder>,
) -> ClientConfig {
    let verifier = ServerVerifier::new(&[authority.certificate().clone()], &provider);
    let builder = client_builder(provider);
    let builder = match by {
        By::Webpki => builder.with_root_certificates(roots(authority)),
        By::Kuaimi => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier)),
    };
    match own {
        None => builder.with_no_client_auth(),
        Some(own) => {
            let own = certified_key(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
            builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(own)))
        }
    }
}

/// A server with `own` certificate, which asks clients for one if it has `clients`.
pub fn server(own: &Holder, by: By, clients: Option<&Authority>) -> ServerConfig {
    server_with(strict(), own, by, clients)
}

pub fn server_with(
    provider: CryptoProvider,
    own: &Holder,
    by: By,
    clients: Option<&Authority>,
) -> ServerConfig {
    let builder = server_builder(provider.clone());
    let builder = match (clients, by) {
        (None, _) => builder.with_no_client_auth(),
        (Some(authority), By::Webpki) => {
            let verifier = WebPkiClientVerifier::builder_with_provider(
                Arc::new(roots(authority)),
                Arc::new(provider),
            );
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
        (Some(authority), By::Kuaimi) => {
            let anchors = [authority.certificate().clone()];
            builder.with_client_cert_verifier(Arc::new(ClientVerifier::new(&anchors, &provider)))
        }
    };
    let own = certified_key(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
    builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(own)))
}

/// Two ends that have not exchanged anything.
pub fn connect(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> wire::Pair {
    connect_to(HOST, client, server)
}

pub fn connect_to(
    name: &str,
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> wire::Pair {
    let name = ServerName::try_from(name.to_owned()).unwrap();
    wire::Pair {
        client: ClientConnection::new(client.clone(), name).unwrap(),
        server: ServerConnection::new(server.clone()).unwrap(),
    }
}

/// The time, for programs that have no other clock.
pub fn real_time() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// A certificate whose algorithms are written in other ways: what stands for the key's algorithm,
/// and for the signature's, each the content of an AlgorithmIdentifier.
pub fn rewritten(
    authority: &Authority,
    certificate: &kuaimi_pki::Certificate,
    key: &[u8],
    signature: &[u8],
) -> kuaimi_pki::Certificate {
    let (_, tbs, _) = der::split(certificate.as_der());
    let (_, tbs, _) = der::split(tbs);
    let mut fields = der::elements(tbs);
    // version, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
    fields[2] = der::tlv(0x30, signature);
    let (_, info, _) = der::split(&fields[6]);
    let bits = der::elements(info)[1].clone();
    fields[6] = der::tlv(0x30, &[der::tlv(0x30, key), bits].concat());
    let tbs = der::tlv(0x30, &fields.concat());
    let signed = authority.key().0.sign_deterministic(&tbs).to_der();
    let bits = der::tlv(0x03, &[&[0], signed.as_bytes()].concat());
    let whole = der::tlv(0x30, &[tbs, der::tlv(0x30, signature), bits].concat());
    kuaimi_pki::Certificate::from_der(&whole).unwrap()
}

pub mod der {
    //! Just enough DER to take a certificate apart.

    /// The tag, the content and what follows the first element.
    pub fn split(bytes: &[u8]) -> (u8, &[u8], &[u8]) {
        let (header, length) = match bytes[1] {
            short @ 0..=0x7f => (2, usize::from(short)),
            0x81 => (3, usize::from(bytes[2])),
            _ => (4, usize::from(bytes[2]) << 8 | usize::from(bytes[3])),
        };
        let (element, rest) = bytes.split_at(header + length);
        (bytes[0], &element[header..], rest)
    }

    /// The elements in `content`, whole.
    pub fn elements(mut content: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        while !content.is_empty() {
            let (_, _, rest) = split(content);
            found.push(content[..content.len() - rest.len()].to_vec());
            content = rest;
        }
        found
    }

    pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let mut out = match length {
            0..0x80 => vec![tag, length as u8],
            0x80..0x100 => vec![tag, 0x81, length as u8],
            _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        };
        out.extend(content);
        out
    }
}
