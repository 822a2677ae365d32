//! What a caller gives: pairs in the wrong order, keys in devices, verifiers, names, protocols.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuaimi::sm2::{Ciphertext, PrivateKey, PublicKey, Signature, SigningKey};
use kuaimi_pki::chain::{PeerName, Revocation, Rule};
use kuaimi_pki::crl::CrlBuilder;
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Error as PkiError, Signer};
use zeroize::Zeroizing;

use super::common::{HOST, Lab, Travel, connect, host, now, run};
use super::handshakes::{cases, configs};
use crate::{
    AlertDescription as A, CipherSuite, ClientAuth, ClientConfig, Connection, DangerousVerifier,
    EncryptionKey, Error, Identity, KeyExchange, PREMASTER_LEN, PendingExchange, Presented,
    ServerConfig, Trust,
};

#[test]
fn pairs_that_do_not_fit() {
    let lab = Lab::get();
    let (sign, encrypt) = (&lab.server.signing, &lab.server.encrypting);
    let pair = |signing: &super::common::Holder,
                sk: &PrivateKey,
                encrypting: &super::common::Holder,
                ek: &PrivateKey| {
        let signer = SigningKey::new(sk.clone());
        let made = Identity::new(
            signing.certificate.clone(),
            signer,
            encrypting.certificate.clone(),
            ek.clone(),
            &[],
        );
        made.map_err(|error| error.to_string())
    };
    assert!(pair(sign, &sign.key, encrypt, &encrypt.key).is_ok());
    let error = |result: Result<Identity, String>| result.unwrap_err();
    assert!(error(pair(sign, &encrypt.key, encrypt, &encrypt.key)).contains("signing key"));
    assert!(error(pair(sign, &sign.key, encrypt, &sign.key)).contains("encrypting key"));
    assert!(error(pair(encrypt, &encrypt.key, sign, &sign.key)).contains("permit signatures"));
    assert!(error(pair(sign, &sign.key, sign, &sign.key)).contains("permit encryption"));

    // Files.
    let (sc, ec) = (sign.certificate.to_pem(), encrypt.certificate.to_pem());
    let (sk, ek) = (sign.key_pem(), encrypt.key_pem());
    let files = |files: [&str; 4]| {
        let [sc, sk, ec, ek] = files.map(str::as_bytes);
        Identity::from_files(sc, sk, ec, ek, None)
    };
    let chain = sc.clone() + &lab.root.certificate.to_pem();
    assert_eq!(
        files([&chain, &sk, &ec, &ek]).unwrap().certificates().len(),
        3
    );
    assert!(
        files([&sc, &ek, &ec, &sk])
            .unwrap_err()
            .to_string()
            .contains("does not belong")
    );
    assert!(matches!(
        files([&sk, &sk, &ec, &ek]),
        Err(Error::OwnCertificate(_))
    ));
    assert!(matches!(
        files([&sc, &sc, &ec, &ek]),
        Err(Error::PrivateKey(_))
    ));
    assert!(matches!(
        files(["", "", "", ""]),
        Err(Error::OwnCertificate(_))
    ));
    assert!(matches!(Trust::new(&[]), Err(Error::Config(_))));
}

#[test]
fn configurations_that_cannot_work() {
    let lab = Lab::get();
    let config = ClientConfig::new(lab.trust());
    assert!(matches!(config.clone().suites(&[]), Err(Error::Config(_))));
    assert!(matches!(config.clone().alpn(&[""]), Err(Error::Config(_))));
    assert!(matches!(
        config.clone().alpn(&["a".repeat(256)]),
        Err(Error::Config(_))
    ));
    let only = config
        .clone()
        .suites(&[CipherSuite::EcdheSm4GcmSm3])
        .unwrap();
    let error = Connection::client(Arc::new(only), host()).unwrap_err();
    assert!(
        error.to_string().contains("need a pair of certificates"),
        "{error}"
    );
    let mailbox = PeerName::new("someone@tlcp.example").unwrap();
    assert!(Connection::client(Arc::new(config), mailbox).is_err());
}

/// A module that holds both keys, and counts what it did.
#[derive(Clone)]
struct Module {
    key: PrivateKey,
    calls: Arc<AtomicUsize>,
    fails: bool,
}

impl Module {
    fn call(&self) -> Result<(), PkiError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match self.fails {
            true => Err(PkiError::Argument("the module does not answer")),
            false => Ok(()),
        }
    }
}

impl Signer for Module {
    fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, PkiError> {
        self.call()?;
        Ok(SigningKey::new(self.key.clone()).sign_digest(digest)?)
    }
}

impl EncryptionKey for Module {
    fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    fn decrypt_premaster(
        &self,
        ciphertext: &Ciphertext,
        version: [u8; 2],
        premaster: &mut [u8; PREMASTER_LEN],
    ) -> Result<(), PkiError> {
        self.call()?;
        self.key.decrypt_premaster(ciphertext, version, premaster)
    }

    fn begin_exchange(&self) -> Result<(PublicKey, Box<dyn PendingExchange>), PkiError> {
        self.call()?;
        self.key.begin_exchange()
    }

    fn answer_exchange(
        &self,
        peer: &PublicKey,
        ephemeral: &PublicKey,
    ) -> Result<(PublicKey, Zeroizing<[u8; PREMASTER_LEN]>), PkiError> {
        self.call()?;
        self.key.answer_exchange(peer, ephemeral)
    }
}

#[test]
fn keys_in_devices() {
    let lab = Lab::get();
    for (suite, auth) in cases() {
        for fails in [0, 1, 2] {
            let module = |key: &PrivateKey, fails| Module {
                key: key.clone(),
                calls: Arc::new(AtomicUsize::new(0)),
                fails,
            };
            let sign = module(&lab.server.signing.key, fails == 1);
            let encrypt = module(&lab.server.encrypting.key, fails == 2);
            let identity = Identity::new(
                lab.server.signing.certificate.clone(),
                sign.clone(),
                lab.server.encrypting.certificate.clone(),
                encrypt.clone(),
                &[],
            );
            let (client, _) = configs(suite, auth);
            let mut server = ServerConfig::new(identity.unwrap())
                .suites(&[suite])
                .unwrap();
            if auth {
                server = server.client_auth(ClientAuth::Required(lab.trust()));
            }
            let mut c = connect(&Arc::new(client));
            let mut s = Connection::server(Arc::new(server));
            let outcome = run(&mut c, &mut s, Travel::Whole);
            match fails {
                0 => {
                    assert_eq!(outcome, [None, None]);
                    for module in [&sign, &encrypt] {
                        assert_eq!(module.calls.load(Ordering::Relaxed), 1, "{suite}");
                    }
                }
                _ => {
                    let why = PkiError::Argument("the module does not answer");
                    assert_eq!(outcome[1], Some(Error::PrivateKey(why)));
                    assert_eq!(outcome[0], Some(Error::AlertReceived(A::INTERNAL_ERROR)));
                }
            }
        }
    }
}

#[test]
fn a_verifier_of_the_callers() {
    struct Only(bool);
    impl DangerousVerifier for Only {
        fn verify(&self, presented: &Presented<'_>) -> Result<(), A> {
            assert_eq!(presented.certificates.len(), 2);
            assert_eq!(
                presented.server_name.map(ToString::to_string).as_deref(),
                Some(HOST)
            );
            match self.0 {
                true => Ok(()),
                false => Err(A::ACCESS_DENIED),
            }
        }
    }
    let lab = Lab::get();
    for accepts in [true, false] {
        let trust = Trust::dangerous(Arc::new(Only(accepts)), &[]);
        let mut c = connect(&Arc::new(ClientConfig::new(trust)));
        let mut s = Connection::server(Arc::new(ServerConfig::new(lab.server())));
        let outcome = run(&mut c, &mut s, Travel::Whole);
        match accepts {
            true => assert_eq!(outcome, [None, None]),
            false => {
                assert_eq!(outcome[0], Some(Error::Refused(A::ACCESS_DENIED)));
                assert_eq!(outcome[1], Some(Error::AlertReceived(A::ACCESS_DENIED)));
            }
        }
    }
    // Whoever accepts anyone still wants the server to have the keys that it shows.
    let stranger = super::common::Holder::root("Stranger")
        .pair("x", None)
        .identity(&[]);
    let mut c = connect(&Arc::new(ClientConfig::new(Trust::dangerous_anyone())));
    let mut s = Connection::server(Arc::new(ServerConfig::new(stranger)));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
}

#[test]
fn revoked_certificates() {
    let lab = Lab::get();
    let authority = Deterministic(SigningKey::new(lab.root.key.clone()));
    for (place, holder) in [&lab.server.signing, &lab.server.encrypting]
        .into_iter()
        .enumerate()
    {
        let list = CrlBuilder::new(&lab.root.certificate, now() - 10, now() + 1000)
            .and_then(|list| {
                list.number(1)
                    .revoke(holder.certificate.serial(), now() - 5, None)
            })
            .and_then(|list| list.sign(&authority))
            .unwrap();
        let trust = lab
            .trust()
            .crls(&[list])
            .revocation(Revocation::RequiredForEnd);
        let mut c = connect(&Arc::new(ClientConfig::new(trust)));
        let mut s = Connection::server(Arc::new(ServerConfig::new(lab.server())));
        let outcome = run(&mut c, &mut s, Travel::Whole);
        match &outcome[0] {
            Some(Error::Certificate(_, refusal)) => {
                assert!(
                    matches!(refusal.rule(), Rule::Revoked(..)),
                    "{place}: {refusal}"
                );
            }
            other => panic!("{place}: {other:?}"),
        }
        assert_eq!(
            outcome[1],
            Some(Error::AlertReceived(A::CERTIFICATE_REVOKED))
        );
    }
    // Nothing is known, where it has to be.
    let trust = lab.trust().revocation(Revocation::RequiredForEnd);
    let mut c = connect(&Arc::new(ClientConfig::new(trust)));
    let mut s = Connection::server(Arc::new(ServerConfig::new(lab.server())));
    let outcome = run(&mut c, &mut s, Travel::Whole);
    assert_eq!(
        outcome[1],
        Some(Error::AlertReceived(A::CERTIFICATE_UNKNOWN))
    );
}

#[test]
fn names_and_protocols() {
    let lab = Lab::get();
    let address = PeerName::new("127.0.0.1").unwrap();
    let client = ClientConfig::new(lab.trust()).alpn(&["a", "b"]).unwrap();
    let server = ServerConfig::new(lab.server()).alpn(&["b", "a"]).unwrap();
    let (client, server) = (Arc::new(client), Arc::new(server));
    let mut c = Connection::client(Arc::clone(&client), address).unwrap();
    let mut s = Connection::server(Arc::clone(&server));
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    assert_eq!(s.server_name(), None, "an address is not sent");
    assert_eq!(
        c.alpn_protocol(),
        Some(&b"b"[..]),
        "the server's preference"
    );
    assert_eq!(s.alpn_protocol(), Some(&b"b"[..]));

    let silent = Arc::new((*client).clone().send_server_name(false));
    let mut c = connect(&silent);
    let mut s = Connection::server(server);
    assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
    assert_eq!(s.server_name(), None);

    // The suites that the server prefers, of those that the client can do.
    for (auth, expected) in [(false, KeyExchange::Ecc), (true, KeyExchange::Ecdhe)] {
        let mut client = ClientConfig::new(lab.trust());
        if auth {
            client = client.identity(lab.client());
        }
        let server = ServerConfig::new(lab.server()).client_auth(ClientAuth::Optional(lab.trust()));
        let mut c = connect(&Arc::new(client));
        let mut s = Connection::server(Arc::new(server));
        assert_eq!(run(&mut c, &mut s, Travel::Whole), [None, None]);
        assert_eq!(s.suite().unwrap().key_exchange(), expected);
    }
}
