//! Handshakes between two ends of rustls 0.24, and between 0.24 and 0.23.

mod common;

use std::io::{Read, Write};
use std::sync::Arc;

use common::{Authority, By, HOST, Holder};
use kuaimi_rustls::v0_24::{
    ClientVerifier, ServerVerifier, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, credentials, strict,
};
use rustls_0_24::crypto::kx::NamedGroup;
use rustls_0_24::crypto::{CryptoProvider, SingleCredential, TicketerFactory};
use rustls_0_24::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls_0_24::time_provider::TimeProvider;
use rustls_0_24::{
    ClientConfig, ClientSide, Connection, ConnectionTrafficSecrets, HandshakeKind, RootCertStore,
    ServerConfig, ServerSide, Tcp, Tls13CipherSuite, VecInput,
};

#[derive(Debug)]
struct At;

impl TimeProvider for At {
    fn current_time(&self) -> Option<UnixTime> {
        rustls::time_provider::TimeProvider::current_time(&common::At(common::NOW))
    }
}

fn only(suite: &'static Tls13CipherSuite) -> CryptoProvider {
    CryptoProvider {
        tls13_cipher_suites: vec![suite].into(),
        ..strict()
    }
}

fn client(
    provider: CryptoProvider,
    root: &Authority,
    by: By,
    own: Option<&Holder>,
) -> ClientConfig {
    let verifier = ServerVerifier::new(&[root.certificate().clone()], &provider);
    let builder = ClientConfig::builder_with_details(Arc::new(provider), Arc::new(At));
    let builder = match by {
        By::Webpki => {
            let mut roots = RootCertStore::empty();
            let der = root.certificate().as_der().to_vec();
            roots.add(CertificateDer::from(der)).unwrap();
            builder.with_root_certificates(roots)
        }
        By::Kuaimi => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier)),
    };
    match own {
        None => builder.with_no_client_auth().unwrap(),
        Some(own) => {
            let own = credentials(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
            builder
                .with_client_credential_resolver(Arc::new(SingleCredential::from(own)))
                .unwrap()
        }
    }
}

fn server(provider: CryptoProvider, own: &Holder, clients: Option<&Authority>) -> ServerConfig {
    let builder = ServerConfig::builder_with_details(Arc::new(provider.clone()), Arc::new(At));
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(root) => {
            let anchors = [root.certificate().clone()];
            builder.with_client_cert_verifier(Arc::new(ClientVerifier::new(&anchors, &provider)))
        }
    };
    let own = credentials(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
    builder
        .with_server_credential_resolver(Arc::new(SingleCredential::from(own)))
        .unwrap()
}

/// An end, with what it has received and what it has to send.
struct End<Side: rustls_0_24::SideData> {
    connection: Connection<Side, Tcp>,
    input: VecInput,
    sent: Vec<u8>,
    plain: Vec<u8>,
}

impl<Side: rustls_0_24::SideData> End<Side> {
    fn new(connection: Connection<Side, Tcp>, sent: Vec<u8>) -> Self {
        Self {
            connection,
            input: VecInput::default(),
            sent,
            plain: Vec::new(),
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), rustls_0_24::Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            self.input.read(&mut rest).unwrap();
            self.connection
                .read_tls(&mut self.input, &mut self.sent)
                .handle_all(&mut self.plain)?;
        }
        Ok(())
    }
}

fn ends(
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> (End<ClientSide>, End<ServerSide>) {
    let mut sent = Vec::new();
    let name = ServerName::try_from(HOST).unwrap();
    let connection = client.connect(name).build(&mut sent).unwrap();
    let client = End::new(connection, sent);
    let server = End::new(Connection::new(server.clone()).unwrap(), Vec::new());
    (client, server)
}

fn run(
    client: &mut End<ClientSide>,
    server: &mut End<ServerSide>,
) -> Result<(), rustls_0_24::Error> {
    while !client.sent.is_empty() || !server.sent.is_empty() {
        server.take(&std::mem::take(&mut client.sent))?;
        client.take(&std::mem::take(&mut server.sent))?;
    }
    Ok(())
}

fn exchange(client: &mut End<ClientSide>, server: &mut End<ServerSide>) {
    let message = [7; 20_000];
    client
        .connection
        .write((&message).into(), &mut client.sent)
        .unwrap();
    server
        .connection
        .write((&message).into(), &mut server.sent)
        .unwrap();
    run(client, server).unwrap();
    assert_eq!(std::mem::take(&mut client.plain), message);
    assert_eq!(std::mem::take(&mut server.plain), message);
}

#[test]
fn both_suites_with_sessions_and_client_certificates() {
    let root = Authority::new("Root");
    let authority = root.below("Issuing");
    for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
        for by in common::BOTH {
            let mut with_tickets = server(only(suite), &authority.server(), Some(&root));
            with_tickets.ticketer = Some(kuaimi_rustls::v0_24::Tickets.ticketer().unwrap());
            let with_tickets = Arc::new(with_tickets);
            let client = Arc::new(client(only(suite), &root, by, Some(&authority.client())));
            for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
                let (mut one, mut other) = ends(&client, &with_tickets);
                run(&mut one, &mut other).unwrap();
                assert_eq!(one.connection.handshake_kind(), Some(kind), "{by:?}");
                let group = one.connection.negotiated_key_exchange_group().unwrap();
                assert_eq!(group.name(), NamedGroup::curveSM2);
                exchange(&mut one, &mut other);
                one.connection.refresh_traffic_keys(&mut one.sent).unwrap();
                exchange(&mut one, &mut other);
            }
        }
    }
}

#[test]
fn refusals() {
    let root = Authority::new("Root");
    let stranger = Authority::new("Stranger");
    let of_server = Arc::new(server(strict(), &root.server(), Some(&root)));
    for by in common::BOTH {
        let doubting = Arc::new(client(strict(), &stranger, by, None));
        let (mut one, mut other) = ends(&doubting, &of_server);
        let error = run(&mut one, &mut other).unwrap_err();
        let expected = rustls_0_24::error::CertificateError::UnknownIssuer;
        assert_eq!(error, rustls_0_24::Error::InvalidCertificate(expected));
        let anonymous = Arc::new(client(strict(), &root, by, None));
        let (mut one, mut other) = ends(&anonymous, &of_server);
        assert!(run(&mut one, &mut other).is_err());
    }
}

/// What a kernel would be given.
#[test]
fn secrets_are_handed_out() {
    let root = Authority::new("Root");
    for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
        let mut of_client = client(only(suite), &root, By::Webpki, None);
        of_client.enable_secret_extraction = true;
        let mut of_server = server(only(suite), &root.server(), None);
        of_server.enable_secret_extraction = true;
        let (mut one, mut other) = ends(&Arc::new(of_client), &Arc::new(of_server));
        run(&mut one, &mut other).unwrap();
        let one = one.connection.dangerous_extract_secrets().unwrap();
        let other = other.connection.dangerous_extract_secrets().unwrap();
        let keys = |secrets: &ConnectionTrafficSecrets| match secrets {
            ConnectionTrafficSecrets::Sm4Gcm { key, iv } => {
                assert!(std::ptr::eq(suite, TLS_SM4_GCM_SM3));
                (key.as_ref().to_vec(), iv.as_ref().to_vec())
            }
            ConnectionTrafficSecrets::Sm4Ccm { key, iv } => {
                assert!(std::ptr::eq(suite, TLS_SM4_CCM_SM3));
                (key.as_ref().to_vec(), iv.as_ref().to_vec())
            }
            _ => panic!("another algorithm"),
        };
        assert_eq!(keys(&one.tx.1), keys(&other.rx.1));
        assert_eq!(keys(&one.rx.1), keys(&other.tx.1));
        assert_eq!(keys(&one.tx.1).0.len(), 16);
    }
}

#[cfg(feature = "mlkem")]
#[test]
fn with_ml_kem() {
    use kuaimi_rustls::v0_24::{CURVE_SM2, CURVE_SM2_MLKEM768};

    let root = Authority::new("Root");
    let both = CryptoProvider {
        kx_groups: vec![CURVE_SM2_MLKEM768, CURVE_SM2].into(),
        ..strict()
    };
    let of_client = Arc::new(client(both.clone(), &root, By::Webpki, None));
    for (provider, expected) in [(both, CURVE_SM2_MLKEM768), (strict(), CURVE_SM2)] {
        let of_server = Arc::new(server(provider, &root.server(), None));
        let (mut one, mut other) = ends(&of_client, &of_server);
        run(&mut one, &mut other).unwrap();
        let group = one.connection.negotiated_key_exchange_group().unwrap();
        assert_eq!(group.name(), expected.name());
        let kind = one.connection.handshake_kind();
        assert_eq!(kind, Some(HandshakeKind::Full));
        exchange(&mut one, &mut other);
    }
}

/// A client of rustls 0.24 and a server of 0.23.
#[test]
fn both_versions() {
    let root = Authority::new("Root");
    let of_client = client(strict(), &root, By::Kuaimi, None);
    let mut sent = Vec::new();
    let name = ServerName::try_from(HOST).unwrap();
    let connection = Arc::new(of_client).connect(name).build(&mut sent).unwrap();
    let mut client = End::new(connection, sent);
    let of_server = common::server(&root.server(), By::Webpki, None);
    let mut server = rustls::ServerConnection::new(Arc::new(of_server)).unwrap();
    let mut message_sent = false;
    loop {
        let flight = std::mem::take(&mut client.sent);
        let mut rest = flight.as_slice();
        while !rest.is_empty() {
            server.read_tls(&mut rest).unwrap();
            server.process_new_packets().unwrap();
        }
        let mut answer = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut answer).unwrap();
        }
        if flight.is_empty() && answer.is_empty() {
            if message_sent {
                break;
            }
            message_sent = true;
            let end = &mut client;
            end.connection
                .write(b"a message".into(), &mut end.sent)
                .unwrap();
            server.writer().write_all(b"an answer").unwrap();
        }
        client.take(&answer).unwrap();
    }
    let mut found = [0; 9];
    server.reader().read_exact(&mut found).unwrap();
    assert_eq!(&found, b"a message");
    assert_eq!(client.plain, b"an answer");
}
