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
