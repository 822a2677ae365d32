//! What is refused, by whom, and with which alert.

mod common;

use std::sync::Arc;

use common::wire::{Refusal, Side};
use common::{Authority, BOTH, By, NOW, client, connect, connect_to, der, server};
use kuaimi::sm2::{DEFAULT_ID, SigningKey};
use kuaimi_pki::chain::Revocation;
use kuaimi_pki::crl::CrlBuilder;
use kuaimi_pki::extensions::Purpose;
use kuaimi_rustls::{
    CURVE_SM2, Error, SM2SIG_SM3, ServerVerifier, Sm2Key, certified_key, in_front_of, strict,
};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup, ring,
};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    AlertDescription, CertificateError, NamedGroup, PeerIncompatible, PeerMisbehaved,
    SignatureAlgorithm, SignatureScheme,
};

/// Whether `refusal` is of `by`, with `error` and an alert that the other side could read.
#[track_caller]
fn assert_refused(refusal: Refusal, by: Side, error: rustls::Error, alert: AlertDescription) {
    assert_eq!((refusal.by, refusal.error), (by, error));
    assert_eq!(refusal.other, Some(rustls::Error::AlertReceived(alert)));
}

/// A server whose certificate is not accepted.
#[track_caller]
fn certificate_refused(
    client: rustls::ClientConfig,
    server: rustls::ServerConfig,
    name: &str,
) -> CertificateError {
    let refusal = connect_to(name, &Arc::new(client), &Arc::new(server)).run();
    let refusal = refusal.unwrap_err();
    assert_eq!(refusal.by, Side::Client);
    match refusal.error {
        rustls::Error::InvalidCertificate(error) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_expired_and_a_future_certificate() {
    let authority = Authority::new("Root");
    for by in BOTH {
        for (now, expired) in [(NOW + 400 * 86400, true), (NOW - 400 * 86400, false)] {
            let own = authority.server_at(common::HOST, now);
            // The other certificate is valid.
            let error = certificate_refused(
                client(&authority, by, None),
                server(&own, by, None),
                common::HOST,
            );
            assert_eq!(
                AlertDescription::from(error.clone()),
                AlertDescription::CertificateExpired
            );
            let is_not_yet = matches!(
                error,
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }
            );
            assert_eq!(is_not_yet, expired, "{by:?}: {error:?}");
        }
    }
}

#[test]
fn another_host_and_another_authority() {
    let authority = Authority::new("Root");
    let stranger = Authority::new("Stranger");
    // The same name, another key.
    for by in BOTH {
        let own = authority.server();
        for name in ["other.example", "www.bank.example", "192.0.2.1"] {
            let (client, server) = (client(&authority, by, None), server(&own, by, None));
            let error = certificate_refused(client, server, name);
            assert_eq!(
                AlertDescription::from(error.clone()),
                AlertDescription::BadCertificate,
                "{by:?}, {name}: {error:?}"
            );
        }
        let (client, server) = (client(&stranger, by, None), server(&own, by, None));
        let error = certificate_refused(client, server, common::HOST);
        assert_eq!(error, CertificateError::UnknownIssuer, "{by:?}");
    }
}

#[test]
fn a_certificate_signed_under_the_identity_of_handshakes() {
    let authority = Authority::new("Root");
    let own = &authority.server().certificates()[0];
    let signed = |id: &[u8]| {
        let key = authority.key().0.private_key().clone();
        let signature = SigningKey::with_id(key, id).unwrap();
        let signature = signature.sign_deterministic(own.tbs()).to_der();
        let (_, whole, _) = der::split(own.as_der());
        let mut fields = der::elements(whole);
        fields[2] = der::tlv(3, &[&[0], signature.as_bytes()].concat());
        let der = der::tlv(0x30, &fields.concat());
        authority.holder("server", &kuaimi_pki::Certificate::from_der(&der).unwrap())
    };
    for by in BOTH {
        let good = server(&signed(DEFAULT_ID), by, None);
        connect(&Arc::new(client(&authority, by, None)), &Arc::new(good))
            .run()
            .unwrap();
        for id in [kuaimi::sm2::TLS13_ID, b""] {
            let (client, server) = (client(&authority, by, None), server(&signed(id), by, None));
            let error = certificate_refused(client, server, common::HOST);
            assert_eq!(error, CertificateError::BadSignature, "{by:?}");
        }
    }
    // The empty identity, where it is permitted.
    let provider = strict();
    let verifier = ServerVerifier::new(&[authority.certificate().clone()], &provider)
        .identities(kuaimi_pki::public_key::Identities::DefaultOrEmpty);
    let client = common::client_builder(provider)
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    let server = server(&signed(b""), By::Kuaimi, None);
    connect(&Arc::new(client), &Arc::new(server)).run().unwrap();
}

/// A key that signs handshakes under another identity, or in another way.
#[derive(Debug)]
struct Wrong(SigningKey, Sign);

type Sign = fn(&SigningKey, &[u8]) -> Vec<u8>;

impl rustls::sign::SigningKey for Wrong {
    fn choose_scheme(&self, _: &[SignatureScheme]) -> Option<Box<dyn rustls::sign::Signer>> {
        Some(Box::new(Self(self.0.clone(), self.1)))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Unknown(8)
    }
}

impl rustls::sign::Signer for Wrong {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rustls::Error> {
        Ok(self.1(&self.0, message))
    }

    fn scheme(&self) -> SignatureScheme {
        SM2SIG_SM3
    }
}

#[test]
fn a_handshake_signed_wrongly() {
    let authority = Authority::new("Root");
    let wrong: [Sign; 6] = [
        // Under the identity of certificates.
        |key, message| key.sign(message).unwrap().to_der().as_bytes().to_vec(),
        // Under the right one, but without DER.
        |key, message| {
            let key = SigningKey::with_id(key.private_key().clone(), kuaimi::sm2::TLS13_ID);
            key.unwrap().sign(message).unwrap().to_bytes().to_vec()
        },
        // Of the digest, as TLCP does.
        |key, message| {
            let key = SigningKey::with_id(key.private_key().clone(), kuaimi::sm2::TLS13_ID);
            let signature = key.unwrap().sign(&kuaimi::sm3::digest(message)).unwrap();
            signature.to_der().as_bytes().to_vec()
        },
        // Something after the DER.
        |key, message| {
            let key = SigningKey::with_id(key.private_key().clone(), kuaimi::sm2::TLS13_ID);
            let signature = key.unwrap().sign(message).unwrap().to_der();
            [signature.as_bytes(), &[0]].concat()
        },
        // With another key.
        |_, message| {
            let key = common::authority::secret("another");
            let key = SigningKey::with_id(key, kuaimi::sm2::TLS13_ID).unwrap();
            key.sign(message).unwrap().to_der().as_bytes().to_vec()
        },
        |_, _| Vec::new(),
    ];
    let bad = rustls::Error::InvalidCertificate(CertificateError::BadSignature);
    for (number, sign) in wrong.into_iter().enumerate() {
        for by in BOTH {
            let certified = |name: &str, holder: &common::Holder| {
                let key = Wrong(common::authority::signer(name).0, sign);
                let chain = holder.certificates();
                let chain = chain.iter().map(|one| one.as_der().to_vec().into());
                CertifiedKey::new(chain.collect(), Arc::new(key))
            };
            // The server's.
            let server_side = common::server_builder(strict())
                .with_no_client_auth()
                .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified(
                    "server",
                    &authority.server(),
                ))));
            let of_client = Arc::new(client(&authority, by, None));
            let refusal = connect(&of_client, &Arc::new(server_side)).run();
            assert_refused(
                *refusal.unwrap_err(),
                Side::Client,
                bad.clone(),
                AlertDescription::DecryptError,
            );
            // The client's.
            let provider = strict();
            let client = common::client_builder(provider)
                .with_root_certificates(common::roots(&authority))
                .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(certified(
                    "client",
                    &authority.client(),
                ))));
            let server = server(&authority.server(), by, Some(&authority));
            let refusal = connect(&Arc::new(client), &Arc::new(server)).run();
            let refusal = refusal.unwrap_err();
            assert_eq!(
                (refusal.by, refusal.error),
                (Side::Server, bad.clone()),
                "{number}"
            );
        }
    }
}

/// A group that sends a share that was changed.
#[derive(Debug)]
struct Changed(fn(&mut Vec<u8>));

struct ChangedShare(Box<dyn ActiveKeyExchange>, Vec<u8>);

impl SupportedKxGroup for Changed {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, rustls::Error> {
        let key = CURVE_SM2.start()?;
        let mut share = key.pub_key().to_vec();
        self.0(&mut share);
        Ok(Box::new(ChangedShare(key, share)))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, rustls::Error> {
        let mut completed = CURVE_SM2.start_and_complete(peer)?;
        self.0(&mut completed.pub_key);
        Ok(completed)
    }

    fn name(&self) -> NamedGroup {
        CURVE_SM2.name()
    }
}

impl ActiveKeyExchange for ChangedShare {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, rustls::Error> {
        self.0.complete(peer)
    }

    fn pub_key(&self) -> &[u8] {
        &self.1
    }

    fn group(&self) -> NamedGroup {
        CURVE_SM2.name()
    }
}

#[test]
fn shares_that_are_no_points() {
    let authority = Authority::new("Root");
    static CHANGES: [Changed; 6] = [
        // Off the curve.
        Changed(|share| share[64] ^= 1),
        // Another form.
        Changed(|share| share[0] = 6),
        Changed(|share| share.truncate(33)),
        Changed(|share| share.push(0)),
        Changed(|share| share[1..].fill(0xff)),
        // The point at infinity.
        Changed(|share| *share = vec![0]),
    ];
    let misbehaved = rustls::Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);
    for change in &CHANGES {
        let mut provider = strict();
        provider.kx_groups = vec![change];
        let changed = common::client_with(provider.clone(), &authority, By::Webpki, None);
        let good = server(&authority.server(), By::Webpki, None);
        let refusal = connect(&Arc::new(changed), &Arc::new(good)).run();
        assert_refused(
            *refusal.unwrap_err(),
            Side::Server,
            misbehaved.clone(),
            AlertDescription::IllegalParameter,
        );
        let changed = common::server_with(provider, &authority.server(), By::Webpki, None);
        let good = client(&authority, By::Webpki, None);
        let refusal = connect(&Arc::new(good), &Arc::new(changed)).run();
        assert_eq!(refusal.unwrap_err().error, misbehaved);
    }
}

#[test]
fn nothing_in_common() {
    let authority = Authority::new("Root");
    // An ordinary client and a strict server, and the other way.
    let ordinary = ring::default_provider();
    let client = common::client_with(ordinary.clone(), &authority, By::Webpki, None);
    let server = server(&authority.server(), By::Webpki, None);
    let refusal = connect(&Arc::new(client), &Arc::new(server)).run();
    assert_refused(
        *refusal.unwrap_err(),
        Side::Server,
        rustls::Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon),
        AlertDescription::HandshakeFailure,
    );
    let server = common::server_with(ordinary, &authority.server(), By::Webpki, None);
    let client = Arc::new(common::client(&authority, By::Webpki, None));
    assert!(connect(&client, &Arc::new(server)).run().is_err());
}

/// In TLS 1.2 there is nothing that an SM2 certificate could be used with.
#[test]
fn an_sm2_certificate_in_tls_1_2() {
    let authority = Authority::new("Root");
    let provider = in_front_of(ring::default_provider());
    let client = rustls::ClientConfig::builder_with_provider(Arc::new(provider.clone()))
        .with_protocol_versions(&[&rustls::version::TLS12])
        .unwrap()
        .with_root_certificates(common::roots(&authority))
        .with_no_client_auth();
    let server = common::server_with(provider, &authority.server(), By::Webpki, None);
    let refusal = connect(&Arc::new(client), &Arc::new(server)).run();
    let refusal = refusal.unwrap_err();
    assert_eq!(refusal.by, Side::Server);
    assert_eq!(
        refusal.other,
        Some(rustls::Error::AlertReceived(
            AlertDescription::HandshakeFailure
        ))
    );
}

/// Every byte of the server's first flight and of the client's answer is altered, in turn: no
/// handshake succeeds, and nothing panics.
#[test]
fn altered_flights() {
    let authority = Authority::new("Root");
    let server = Arc::new(server(&authority.server(), By::Kuaimi, Some(&authority)));
    let holder = authority.client();
    let client = Arc::new(client(&authority, By::Kuaimi, Some(&holder)));
    let mut lengths = Vec::new();
    let mut pair = connect(&client, &server);
    pair.run_with(&mut |_, flight| lengths.push(flight.len()))
        .unwrap();
    // ClientHello; ServerHello to Finished; the client's Certificate to Finished.
    assert!(
        lengths[..3].iter().all(|length| *length > 100),
        "{lengths:?}"
    );
    for (number, length) in lengths[..3].iter().enumerate() {
        for at in (0..*length).step_by(1 + length / 150) {
            let mut pair = connect(&client, &server);
            let (mut flight_number, mut is_version) = (0, false);
            let result = pair.run_with(&mut |_, flight| {
                if flight_number == number && at < flight.len() {
                    is_version = is_in_a_version(flight, at);
                    flight[at] ^= 0x40;
                }
                flight_number += 1;
            });
            // A change may also make a record longer, for the rest of which its reader then waits.
            let done = !pair.client.is_handshaking() && !pair.server.is_handshaking();
            assert!(
                !(result.is_ok() && done) || is_version,
                "flight {number}, byte {at}"
            );
        }
    }
}

/// Whether this byte belongs to the version in a record's header, which RFC 8446, clause 5.1, tells
/// readers to ignore.
fn is_in_a_version(flight: &[u8], at: usize) -> bool {
    let mut start = 0;
    while let Some(&[_, _, _, high, low]) = flight.get(start..start + 5) {
        if (start + 1..start + 3).contains(&at) {
            return true;
        }
        start += 5 + (usize::from(high) << 8 | usize::from(low));
    }
    false
}

/// Flights that end early: nobody believes that the handshake is complete, and nothing panics.
#[test]
fn truncated_flights() {
    let authority = Authority::new("Root");
    let server = Arc::new(server(&authority.server(), By::Webpki, None));
    let client = Arc::new(client(&authority, By::Webpki, None));
    for number in 0..3 {
        for part in 0..20 {
            let mut pair = connect(&client, &server);
            let mut flight_number = 0;
            let _ = pair.run_with(&mut |_, flight| {
                if flight_number == number {
                    flight.truncate(flight.len() * part / 20);
                }
                flight_number += 1;
            });
            let done = !pair.client.is_handshaking() && !pair.server.is_handshaking();
            assert!(!done, "flight {number}, {part} of 20 parts");
        }
    }
}

/// Records after the handshake: altered, repeated, in another order.
#[test]
fn records_that_were_tampered_with() {
    use std::io::Write;

    let authority = Authority::new("Root");
    let server = Arc::new(server(&authority.server(), By::Webpki, None));
    let client = Arc::new(client(&authority, By::Webpki, None));
    let changes: [fn(&mut Vec<u8>); 5] = [
        |flight| *flight.last_mut().unwrap() ^= 1,
        |flight| flight[5] ^= 1,
        |flight| {
            // The length is part of what is authenticated.
            let length = flight.len();
            flight.truncate(length - 1);
            flight[4] -= 1;
        },
        |flight| *flight = [flight.clone(), flight.clone()].concat(),
        |flight| flight.splice(5.., [0; 16]).for_each(drop),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut pair = connect(&client, &server);
        pair.run().unwrap();
        pair.client.writer().write_all(&[7; 100]).unwrap();
        let refusal = pair.run_with(&mut |side, flight| {
            if side == Side::Client {
                change(flight);
                if number == 4 {
                    flight[3..5].copy_from_slice(&[0, 16]);
                }
            }
        });
        assert_refused(
            *refusal.unwrap_err(),
            Side::Server,
            rustls::Error::DecryptError,
            AlertDescription::BadRecordMac,
        );
    }
}

#[test]
fn a_revoked_certificate() {
    let authority = Authority::new("Root");
    let own = authority.server();
    let list = CrlBuilder::new(authority.certificate(), NOW - 60, NOW + 86400)
        .and_then(|list| list.revoke(own.certificates()[0].serial(), NOW - 100, None))
        .and_then(|list| list.number(1).sign(authority.key()))
        .unwrap();
    let with = |lists: &[kuaimi_pki::crl::Crl], revocation| {
        let provider = strict();
        let verifier = ServerVerifier::new(&[authority.certificate().clone()], &provider)
            .with_crls(lists)
            .revocation(revocation);
        common::client_builder(provider)
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth()
    };
    let server = || server(&own, By::Kuaimi, None);
    let client = with(&[list], Revocation::IfPresent);
    let error = certificate_refused(client, server(), common::HOST);
    assert_eq!(error, CertificateError::Revoked);
    let client = with(&[], Revocation::RequiredForEnd);
    let error = certificate_refused(client, server(), common::HOST);
    assert_eq!(error, CertificateError::UnknownRevocationStatus);
    let client = with(&[], Revocation::IfPresent);
    connect(&Arc::new(client), &Arc::new(server()))
        .run()
        .unwrap();
}

/// Certificates for other uses: a client's for a server, the encrypting one of a pair.
#[test]
fn certificates_for_other_uses() {
    let authority = Authority::new("Root");
    for purpose in [Purpose::Client, Purpose::Encryption] {
        let own = authority.issue("server", purpose, |mut builder| {
            builder.extensions().dns(common::HOST).unwrap();
            builder
        });
        let key = Sm2Key::read(own.key.as_bytes(), None).unwrap();
        let chain = own.certificates();
        let chain = chain.iter().map(|one| one.as_der().to_vec().into());
        let certified = CertifiedKey::new(chain.collect(), Arc::new(key));
        let server = common::server_builder(strict())
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
        let client = client(&authority, By::Kuaimi, None);
        let error = certificate_refused(client, server, common::HOST);
        assert_eq!(error, CertificateError::InvalidPurpose, "{purpose:?}");
    }
}

#[test]
fn files_that_do_not_fit() {
    let root = Authority::new("Root");
    let authority = root.below("Issuing");
    let own = authority.server();
    let read =
        |chain: &str, key: &str| certified_key(chain.as_bytes(), key.as_bytes(), None).unwrap_err();
    // The key of somebody else, and the chain in the wrong order.
    let other = authority.client();
    assert_eq!(read(&own.chain, &other.key), Error::KeyMismatch(None));
    let [end, issuer] = &own.certificates()[..] else {
        panic!("two certificates");
    };
    let turned = issuer.to_pem() + &end.to_pem();
    let error = read(&turned, &own.key);
    assert_eq!(error, Error::KeyMismatch(Some(1)));
    assert_eq!(
        error.to_string(),
        "the private key belongs to certificate 2, which has to come first"
    );
    let encrypting = authority.issue("server", Purpose::Encryption, |builder| builder);
    let error = read(&encrypting.chain, &encrypting.key);
    assert_eq!(error, Error::EncryptingCertificate);
    // Files that were taken for each other.
    assert!(matches!(read(&own.key, &own.key), Error::Certificate(_)));
    assert!(matches!(read(&own.chain, &own.chain), Error::Key(_)));
    assert!(matches!(read("", &own.key), Error::Certificate(_)));
    assert!(matches!(read(&own.chain, ""), Error::Key(_)));
}

#[test]
fn keys_of_other_algorithms_and_under_passwords() {
    use kuaimi::encoding::{self, PasswordEncryption};
    use rustls::pki_types::PrivateKeyDer;

    // P-256's, in PKCS #8.
    let p256 = hex::decode(
        "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721a1440342000460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
    )
    .unwrap();
    let load = |provider: rustls::crypto::CryptoProvider, der: &[u8]| {
        let der = PrivateKeyDer::try_from(der.to_vec()).unwrap();
        provider.key_provider.load_private_key(der)
    };
    let error = load(strict(), &p256).unwrap_err().to_string();
    assert!(error.contains("private key"), "{error}");
    let both = in_front_of(ring::default_provider());
    let key = load(both.clone(), &p256).unwrap();
    assert_eq!(key.algorithm(), SignatureAlgorithm::ECDSA);
    assert!(load(both, &p256[..100]).is_err());

    let secret = common::authority::secret("server");
    let file = secret
        .to_encrypted_pkcs8_pem(
            b"password",
            PasswordEncryption::AES.with_iterations(1000),
            &mut getrandom::SysRng,
        )
        .unwrap();
    let read = |password: Option<&[u8]>| Sm2Key::read(file.as_bytes(), password);
    assert_eq!(
        read(None).unwrap_err(),
        Error::Key(encoding::Error::PasswordNeeded)
    );
    assert_eq!(
        read(Some(b"other")).unwrap_err(),
        Error::Key(encoding::Error::WrongPassword)
    );
    let key = read(Some(b"password")).unwrap();
    assert_eq!(key.public_key(), secret.public_key());
    assert!(!format!("{key:?}").contains(&hex::encode(*secret.to_bytes())));
}
