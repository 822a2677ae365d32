//! Handshakes and data between two ends of rustls.

mod common;

use std::io::Write;
use std::sync::Arc;

use common::{Authority, BOTH, By, HOST, client, connect, server};
use kuaimi_rustls::{
    CURVE_SM2, ClientVerifier, SM2SIG_SM3, Sm2Key, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3, Ticketer,
    in_front_of, strict,
};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::server::NoServerSessionStorage;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{HandshakeKind, ProtocolVersion};

#[test]
fn both_suites_by_both_verifiers() {
    let root = Authority::new("Root");
    let below = root.below("Issuing");
    for authority in [&root, &below] {
        for by in BOTH {
            for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
                let mut provider = strict();
                provider.cipher_suites = vec![suite];
                let client = common::client_with(provider, authority, by, None);
                let server = server(&authority.server(), by, None);
                let mut pair = connect(&Arc::new(client), &Arc::new(server));
                pair.run().unwrap();
                let version = pair.client.protocol_version();
                assert_eq!(version, Some(ProtocolVersion::TLSv1_3));
                assert_eq!(pair.client.negotiated_cipher_suite(), Some(suite));
                assert_eq!(pair.server.negotiated_cipher_suite(), Some(suite));
                let group = pair.client.negotiated_key_exchange_group().unwrap();
                assert_eq!(group.name(), CURVE_SM2.name());
                assert_eq!(pair.server.server_name(), Some(HOST));
                pair.exchange(b"a message");
            }
        }
    }
}

#[test]
fn clients_with_certificates() {
    let authority = Authority::new("Root");
    for by in BOTH {
        let server = Arc::new(server(&authority.server(), by, Some(&authority)));
        let holder = authority.client();
        let mut pair = connect(&Arc::new(client(&authority, by, Some(&holder))), &server);
        pair.run().unwrap();
        let found = pair.server.peer_certificates().unwrap();
        assert_eq!(&*found[0], holder.certificates()[0].as_der());
        pair.exchange(b"a message");

        // Without one it is refused.
        let mut pair = connect(&Arc::new(client(&authority, by, None)), &server);
        let refusal = pair.run().unwrap_err();
        assert_eq!(refusal.error, rustls::Error::NoCertificatesPresented);
    }
    // Unless that is permitted.
    let verifier = ClientVerifier::new(&[authority.certificate().clone()], &strict());
    let own = authority.server();
    let own = kuaimi_rustls::certified_key(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
    let server = common::server_builder(strict())
        .with_client_cert_verifier(Arc::new(verifier.allow_unauthenticated()))
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    let client = Arc::new(client(&authority, By::Kuaimi, None));
    connect(&client, &Arc::new(server)).run().unwrap();
}

/// All ways in which the algorithms of certificates are written, of the server and of the client.
#[test]
fn all_forms_of_keys_and_signatures() {
    let ec: &[u8] = &hex::decode("06072a8648ce3d020106082a811ccf5501822d").unwrap();
    let sm2: &[u8] = &hex::decode("06082a811ccf5501822d").unwrap();
    let keys = [
        ec.to_vec(),
        sm2.to_vec(),
        [sm2, &[5, 0]].concat(),
        [sm2, sm2].concat(),
    ];
    let plain = hex::decode("06082a811ccf55018375").unwrap();
    let signatures = [plain.clone(), [plain.as_slice(), &[5, 0]].concat()];
    let root = Authority::new("Root");
    let (server_file, client_file) = (root.server(), root.client());
    for key in &keys {
        for signature in &signatures {
            let change = |name: &str, holder: &common::Holder| {
                let old = &holder.certificates()[0];
                root.holder(name, &common::rewritten(&root, old, key, signature))
            };
            let (own, clients) = (
                change("server", &server_file),
                change("client", &client_file),
            );
            for by in BOTH {
                let server = server(&own, by, Some(&root));
                let client = client(&root, by, Some(&clients));
                let result = connect(&Arc::new(client), &Arc::new(server)).run();
                // rustls tries one form only for what it verifies with webpki in a handshake.
                match (by, key == ec) {
                    (By::Kuaimi, _) | (By::Webpki, true) => result.unwrap(),
                    (By::Webpki, false) => drop(result.unwrap_err()),
                }
            }
        }
    }
}

/// webpki verifies chains whose authorities have keys and signatures in any form.
#[test]
fn authorities_in_all_forms_by_webpki() {
    let root = Authority::new("Root");
    let sm2 = hex::decode("06082a811ccf5501822d").unwrap();
    let null = hex::decode("06082a811ccf550183750500").unwrap();
    for key in [
        sm2.clone(),
        [sm2.as_slice(), &[5, 0]].concat(),
        [&*sm2, &*sm2].concat(),
    ] {
        let below = root.below("Issuing");
        let own = below.server();
        let issuer = common::rewritten(&root, below.issuer(), &key, &null);
        let chain = own.certificates()[0].to_pem() + &issuer.to_pem();
        let own = common::Holder {
            key: own.key,
            chain,
        };
        for by in BOTH {
            let (client, server) = (client(&root, by, None), server(&own, by, None));
            connect(&Arc::new(client), &Arc::new(server)).run().unwrap();
        }
    }
}

#[test]
fn rustls_loads_keys_itself() {
    let authority = Authority::new("Root");
    let own = authority.server();
    let chain: Vec<_> = CertificateDer::pem_slice_iter(own.chain.as_bytes())
        .collect::<Result<_, _>>()
        .unwrap();
    let pkcs8 = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).unwrap();
    let sec1 = {
        use kuaimi::encoding::{EncodeEcPrivateKey, LineEnding};
        let key = common::authority::secret("server");
        let pem = key.to_sec1_pem(LineEnding::LF).unwrap();
        PrivateKeyDer::from_pem_slice(pem.as_bytes()).unwrap()
    };
    for key in [pkcs8, sec1] {
        let server = common::server_builder(strict())
            .with_no_client_auth()
            .with_single_cert(chain.clone(), key)
            .unwrap();
        let client = Arc::new(client(&authority, By::Webpki, None));
        connect(&client, &Arc::new(server)).run().unwrap();
    }
    // The key of somebody else.
    let other = authority.client();
    let key = PrivateKeyDer::from_pem_slice(other.key.as_bytes()).unwrap();
    let result = common::server_builder(strict())
        .with_no_client_auth()
        .with_single_cert(chain, key);
    assert_eq!(
        result.unwrap_err(),
        rustls::Error::InconsistentKeys(rustls::InconsistentKeys::KeyMismatch)
    );
}

#[test]
fn a_key_in_a_device() {
    /// Counts what it is asked, and fails on the third question.
    #[derive(Debug)]
    struct Device(kuaimi::sm2::SigningKey, std::sync::Mutex<usize>);

    impl kuaimi_pki::Signer for Device {
        fn public_key(&self) -> &kuaimi::sm2::PublicKey {
            self.0.public_key()
        }

        fn sign_digest(
            &self,
            digest: &[u8; 32],
        ) -> Result<kuaimi::sm2::Signature, kuaimi_pki::Error> {
            let mut asked = self.1.lock().unwrap();
            *asked += 1;
            match *asked {
                3 => Err(kuaimi_pki::Error::Argument("the device does not answer")),
                _ => Ok(self.0.sign_digest(digest)?),
            }
        }
    }

    let authority = Authority::new("Root");
    let key = common::authority::signer("server").0;
    let device = Sm2Key::with_signer(Arc::new(Device(key, Default::default())));
    let chain = authority.server().certificates();
    let chain = chain.iter().map(|one| one.as_der().to_vec().into());
    let own = CertifiedKey::new(chain.collect(), Arc::new(device));
    own.keys_match().unwrap();
    let mut server = common::server_builder(strict())
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    server.session_storage = Arc::new(NoServerSessionStorage {});
    let server = Arc::new(server);
    let client = Arc::new(client(&authority, By::Webpki, None));
    for _ in 0..2 {
        connect(&client, &server).run().unwrap();
    }
    let refusal = connect(&client, &server).run().unwrap_err();
    assert!(
        refusal
            .error
            .to_string()
            .contains("the device does not answer"),
        "{}",
        refusal.error
    );
    connect(&client, &server).run().unwrap();
}

#[test]
fn sessions_are_resumed() {
    let authority = Authority::new("Root");
    let ticketer = Ticketer::new().unwrap();
    for stateless in [false, true] {
        for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
            let mut provider = strict();
            provider.cipher_suites = vec![suite];
            let client = Arc::new(common::client_with(provider, &authority, By::Kuaimi, None));
            let mut server = server(&authority.server(), By::Kuaimi, None);
            if stateless {
                server.ticketer = ticketer.clone();
                server.session_storage = Arc::new(NoServerSessionStorage {});
            }
            let server = Arc::new(server);
            let kinds: Vec<_> = (0..3)
                .map(|_| {
                    let mut pair = connect(&client, &server);
                    pair.run().unwrap();
                    pair.exchange(b"a message");
                    assert_eq!(pair.client.handshake_kind(), pair.server.handshake_kind());
                    pair.client.handshake_kind().unwrap()
                })
                .collect();
            let expected = [
                HandshakeKind::Full,
                HandshakeKind::Resumed,
                HandshakeKind::Resumed,
            ];
            assert_eq!(kinds, expected, "{suite:?}, stateless: {stateless}");
        }
    }
}

/// RFC 8446, clause 4.2.11, would allow it, as both suites have SM3; rustls's servers want the same
/// suite, and then there is a full handshake.
#[test]
fn a_session_of_the_other_suite_is_no_error() {
    let authority = Authority::new("Root");
    let client = Arc::new(client(&authority, By::Webpki, None));
    let first = server(&authority.server(), By::Webpki, None);
    let mut only_ccm = strict();
    only_ccm.cipher_suites = vec![TLS_SM4_CCM_SM3];
    let mut second = common::server_with(only_ccm, &authority.server(), By::Webpki, None);
    second.session_storage = first.session_storage.clone();
    connect(&client, &Arc::new(first)).run().unwrap();
    let mut pair = connect(&client, &Arc::new(second));
    pair.run().unwrap();
    let suite = pair.client.negotiated_cipher_suite();
    assert_eq!(suite, Some(TLS_SM4_CCM_SM3));
    assert_eq!(pair.client.handshake_kind(), Some(HandshakeKind::Full));
    pair.exchange(b"a message");
}

#[test]
fn tickets_of_another_server_mean_a_full_handshake() {
    let authority = Authority::new("Root");
    let client = Arc::new(client(&authority, By::Webpki, None));
    for _ in 0..2 {
        let mut server = server(&authority.server(), By::Webpki, None);
        server.ticketer = Ticketer::new().unwrap();
        let mut pair = connect(&client, &Arc::new(server));
        pair.run().unwrap();
        assert_eq!(pair.client.handshake_kind(), Some(HandshakeKind::Full));
    }
}

#[test]
fn early_data() {
    use std::io::Read;

    let authority = Authority::new("Root");
    let mut client = client(&authority, By::Webpki, None);
    client.enable_early_data = true;
    let client = Arc::new(client);
    let mut server = server(&authority.server(), By::Webpki, None);
    server.max_early_data_size = 1000;
    let server = Arc::new(server);
    connect(&client, &server).run().unwrap();
    let mut pair = connect(&client, &server);
    pair.client
        .early_data()
        .unwrap()
        .write_all(b"early")
        .unwrap();
    pair.run().unwrap();
    assert!(pair.client.is_early_data_accepted());
    let mut found = [0; 5];
    let mut early = pair.server.early_data().unwrap();
    early.read_exact(&mut found).unwrap();
    assert_eq!(&found, b"early");
}

#[test]
fn keys_are_updated() {
    let authority = Authority::new("Root");
    let (client, server) = (
        Arc::new(client(&authority, By::Webpki, None)),
        Arc::new(server(&authority.server(), By::Webpki, None)),
    );
    let mut pair = connect(&client, &server);
    pair.run().unwrap();
    for _ in 0..3 {
        pair.client.refresh_traffic_keys().unwrap();
        pair.exchange(b"after the client's update");
        pair.server.refresh_traffic_keys().unwrap();
        pair.exchange(b"after the server's update");
    }
}

#[test]
fn a_client_without_a_share_is_asked_again() {
    let authority = Authority::new("Root");
    let mut provider = in_front_of(ring::default_provider());
    provider.kx_groups.rotate_left(1);
    let client = common::client_with(provider, &authority, By::Webpki, None);
    let server = server(&authority.server(), By::Webpki, None);
    let mut pair = connect(&Arc::new(client), &Arc::new(server));
    pair.run().unwrap();
    let kind = Some(HandshakeKind::FullWithHelloRetryRequest);
    assert_eq!(pair.client.handshake_kind(), kind);
    pair.exchange(b"a message");
}

#[test]
fn application_protocols_are_negotiated() {
    let authority = Authority::new("Root");
    let mut client = client(&authority, By::Webpki, None);
    client.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let mut server = server(&authority.server(), By::Webpki, None);
    server.alpn_protocols = vec![b"http/1.1".to_vec()];
    let server = Arc::new(server);
    let mut pair = connect(&Arc::new(client.clone()), &server);
    pair.run().unwrap();
    assert_eq!(pair.client.alpn_protocol(), Some(&b"http/1.1"[..]));

    client.alpn_protocols = vec![b"smtp".to_vec()];
    let refusal = connect(&Arc::new(client), &server).run().unwrap_err();
    assert_eq!(refusal.error, rustls::Error::NoApplicationProtocol);
}

#[test]
fn large_data_under_both_suites() {
    let authority = Authority::new("Root");
    let data: Vec<u8> = (0..3_000_000u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    for suite in [TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3] {
        let mut provider = strict();
        provider.cipher_suites = vec![suite];
        let client = common::client_with(provider, &authority, By::Webpki, None);
        let server = server(&authority.server(), By::Webpki, None);
        let mut pair = connect(&Arc::new(client), &Arc::new(server));
        pair.run().unwrap();
        for length in [0, 1, 15, 16, 17, 16383, 16384, 16385] {
            pair.exchange(&data[..length]);
        }
        pair.exchange(&data);
    }
}

/// Small fragments, so that every message of the handshake is in several records.
#[test]
fn messages_in_many_fragments() {
    let authority = Authority::new("Root");
    for length in [64, 100, 1000] {
        let mut client = client(&authority, By::Webpki, None);
        let mut server = server(&authority.server(), By::Webpki, None);
        client.max_fragment_size = Some(length);
        server.max_fragment_size = Some(length);
        let mut pair = connect(&Arc::new(client), &Arc::new(server));
        pair.run().unwrap();
        pair.exchange(&[7; 5000]);
    }
}

/// Two ends of which one or both also have another provider's algorithms.
#[test]
fn in_front_of_another_provider() {
    let authority = Authority::new("Root");
    let own = authority.server();
    for (server_side, client_side, expected) in [
        (in_front_of(ring::default_provider()), strict(), 0x00c6),
        (strict(), in_front_of(ring::default_provider()), 0x00c6),
        (
            in_front_of(ring::default_provider()),
            in_front_of(ring::default_provider()),
            0x00c6,
        ),
    ] {
        let server = common::server_with(server_side, &own, By::Kuaimi, None);
        let client = common::client_with(client_side, &authority, By::Kuaimi, None);
        let mut pair = connect(&Arc::new(client), &Arc::new(server));
        pair.run().unwrap();
        let suite = pair.client.negotiated_cipher_suite().unwrap();
        assert_eq!(u16::from(suite.suite()), expected);
        let group = pair.client.negotiated_key_exchange_group().unwrap();
        assert_eq!(group.name(), CURVE_SM2.name());
    }
}

/// One server with two certificates: ordinary clients of both versions get the ordinary one.
#[test]
fn clients_of_both_kinds() {
    /// SM2's for those who can verify it.
    #[derive(Debug)]
    struct Two {
        sm2: Arc<CertifiedKey>,
        other: Arc<CertifiedKey>,
    }

    impl rustls::server::ResolvesServerCert for Two {
        fn resolve(&self, hello: rustls::server::ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
            let is_shangmi = hello.signature_schemes().contains(&SM2SIG_SM3);
            Some(if is_shangmi { &self.sm2 } else { &self.other }.clone())
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("openssl")
        .current_dir(&folder)
        .args(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=p256"
                .split(' '),
        )
        .args("-addext basicConstraints=critical,CA:FALSE -days 2".split(' '))
        .args(["-addext", &format!("subjectAltName=DNS:{HOST}")])
        .args(["-keyout", "p256.key", "-out", "p256.crt"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let provider = in_front_of(ring::default_provider());
    let certificate = CertificateDer::from_pem_file(folder.path().join("p256.crt")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.path().join("p256.key")).unwrap();
    let other = CertifiedKey::from_der(vec![certificate.clone()], key, &provider).unwrap();

    let authority = Authority::new("Root");
    let own = authority.server();
    let sm2 = kuaimi_rustls::certified_key(own.chain.as_bytes(), own.key.as_bytes(), None).unwrap();
    let server = common::server_builder(provider)
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Two {
            sm2: Arc::new(sm2),
            other: Arc::new(other),
        }));
    let server = Arc::new(server);

    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let ordinary = rustls::ClientConfig::builder_with_provider(ring::default_provider().into())
            .with_protocol_versions(&[version])
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let mut pair = connect(&Arc::new(ordinary), &server);
        pair.run().unwrap();
        assert_eq!(pair.client.protocol_version(), Some(version.version));
        pair.exchange(b"a message");
    }
    for provider in [strict(), in_front_of(ring::default_provider())] {
        let client = common::client_with(provider, &authority, By::Webpki, None);
        let mut pair = connect(&Arc::new(client), &server);
        pair.run().unwrap();
        let suite = pair.client.negotiated_cipher_suite();
        assert_eq!(suite, Some(TLS_SM4_GCM_SM3));
    }
}

#[cfg(feature = "mlkem")]
#[test]
fn with_ml_kem() {
    use kuaimi_rustls::CURVE_SM2_MLKEM768;

    let authority = Authority::new("Root");
    let both = || {
        let mut provider = strict();
        provider.kx_groups.insert(0, CURVE_SM2_MLKEM768);
        provider
    };
    for (of_client, of_server, expected) in [
        (both(), both(), CURVE_SM2_MLKEM768),
        (both(), strict(), CURVE_SM2),
        (strict(), both(), CURVE_SM2),
    ] {
        let client = common::client_with(of_client, &authority, By::Webpki, None);
        let server = common::server_with(of_server, &authority.server(), By::Webpki, None);
        let mut pair = connect(&Arc::new(client), &Arc::new(server));
        pair.run().unwrap();
        let group = pair.client.negotiated_key_exchange_group().unwrap();
        assert_eq!(group.name(), expected.name());
        // The client sends both shares, so nobody is asked again.
        assert_eq!(pair.client.handshake_kind(), Some(HandshakeKind::Full));
        pair.exchange(b"a message");
    }
}
