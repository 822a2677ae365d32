//! The examples of GB/T 38635-2020, through the public interface, intermediates included: each with
//! the keys as they are and with the those with tables.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm9::{
    Ciphertext, DecryptionKey, EncryptOptions, Error, ExchangeKey, G1Point, Identity,
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey, Mode,
    Signature, SigningKey,
};

struct Vectors(serde_json::Value);

impl Vectors {
    fn load(section: &str) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/sm9.json");
        let text =
            std::fs::read_to_string(path).expect("vectors/sm9.json is part of the repository");
        let all: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        Self(all[section].clone())
    }

    fn section(&self, name: &str) -> Self {
        Self(self.0[name].clone())
    }

    fn text(&self, name: &str) -> &str {
        self.0[name]
            .as_str()
            .unwrap_or_else(|| panic!("the vectors have no {name}"))
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        hex::decode(self.text(name)).unwrap_or_else(|_| panic!("{name} is hexadecimal"))
    }

    /// A number, padded on the left.
    fn number(&self, name: &str) -> [u8; 32] {
        let bytes = self.bytes(name);
        let mut out = [0; 32];
        out[32 - bytes.len()..].copy_from_slice(&bytes);
        out
    }

    fn array<const N: usize>(&self, name: &str) -> [u8; N] {
        self.bytes(name)
            .try_into()
            .unwrap_or_else(|_| panic!("{name} has {N} bytes"))
    }

    fn identity(&self, name: &str) -> Identity<'_> {
        let hid = self.array::<1>("hid")[0];
        Identity::new(self.text(name).as_bytes()).with_hid(hid)
    }
}

#[test]
fn signature() {
    let v = Vectors::load("signature");
    let master = MasterSigningKey::from_bytes(&v.number("ks")).expect("a master key");
    assert_eq!(master.public_key().to_bytes()[..], v.bytes("p_pub_s"));
    let alice = v.identity("id_ascii");
    let key = master.extract(alice).expect("a user's key");
    assert_eq!(key.to_bytes()[..], v.bytes("ds"));
    assert_eq!(
        master.extract_batch(&[alice], Threads::One),
        [Ok(key.clone())],
        "as one of many"
    );
    let read = SigningKey::from_bytes(&v.array("ds"), alice, master.public_key());
    assert_eq!(read.as_ref(), Ok(&key), "the standard's key is checked");
    let message = v.text("message_ascii").as_bytes();

    let signature = key
        .sign_with_nonce(message, &v.number("r"))
        .expect("a signature");
    assert_eq!(signature.h()[..], v.bytes("h"));
    assert_eq!(signature.s().to_bytes()[..], v.bytes("s"));

    let public = MasterSigningPublicKey::from_bytes(&v.array("p_pub_s")).expect("a public key");
    assert_eq!(public, *master.public_key());
    let verifier = public.verifying_key(alice).expect("an identity");
    assert_eq!(&verifier, key.verifying_key());
    assert_eq!(verifier.verify(message, &signature), Ok(()));
    // By the default hid, which is the example's.
    assert_eq!(public.verifying_key("Alice"), Ok(verifier.clone()));
    let known = verifier.with_precompute(Precompute::AtOnce);
    assert_eq!(known.verify(message, &signature), Ok(()));
    for wrong in ["alice", "Alice "] {
        let refused = Err(Error::InvalidSignature);
        let wrong = public.verifying_key(wrong).expect("an identity");
        assert_eq!(wrong.verify(message, &signature), refused);
        assert_eq!(
            wrong
                .with_precompute(Precompute::AtOnce)
                .verify(message, &signature),
            refused
        );
    }

    // What the standard gives of a signature is also what comes from its parts, and from DER.
    let again = Signature::from_parts(
        &v.array("h"),
        G1Point::from_bytes(&v.array("s")).expect("a point"),
    );
    assert_eq!(again, Ok(signature));
    assert_eq!(Signature::from_der(&signature.to_der()), Ok(signature));

    // With the prepared key, which has nonces of its own.
    let prepared = key.with_precompute(Precompute::AtOnce);
    let another = prepared.sign(message).expect("a signature");
    assert_eq!(known.verify(message, &another), Ok(()));
}

#[test]
fn key_encapsulation() {
    let v = Vectors::load("key_encapsulation");
    let master = MasterEncryptionKey::from_bytes(&v.number("ke")).expect("a master key");
    let public = master.public_key().clone();
    assert_eq!(public.to_bytes()[..], v.bytes("p_pub_e"));
    let bob = v.identity("id_ascii");
    let key = master.extract(bob).expect("a user's key");
    assert_eq!(key.to_bytes()[..], v.bytes("de"));
    assert_eq!(
        master.extract_batch(&[bob], Threads::One),
        [Ok(key.clone())],
        "as one of many"
    );
    let read = DecryptionKey::from_bytes(&v.array("de"), "Bob", &public);
    assert_eq!(read.as_ref(), Ok(&key), "the standard's key is checked");

    let recipient = public.encryption_key(bob).expect("an identity");
    assert_eq!(&recipient, key.encryption_key());
    let (k, c) = recipient
        .encapsulate_with_nonce(32, &v.number("r"))
        .expect("an encapsulation");
    assert_eq!(k[..], v.bytes("k"));
    assert_eq!(c.to_bytes()[..], v.bytes("c"));
    assert_eq!(key.decapsulate(&c, 32).expect("the key"), k);
    let prepared = key.with_precompute(Precompute::AtOnce);
    assert_eq!(prepared.decapsulate(&c, 32).expect("the key"), k);
    let other = master.extract("Bab").expect("a user's key");
    assert_ne!(other.decapsulate(&c, 32).expect("a key"), k);

    // Tables of the master public key give the same.
    public.prepare();
    let again = recipient.encapsulate_with_nonce(32, &v.number("r"));
    assert_eq!(again, Ok((k, c)));
    // What prepared keys make, with nonces of their own.
    for (k, c) in [
        recipient.encapsulate(50).expect("an encapsulation"),
        recipient
            .with_precompute(Precompute::AtOnce)
            .encapsulate(50)
            .expect("an encapsulation"),
    ] {
        assert_eq!(key.decapsulate(&c, 50).expect("the key"), k);
    }
}

#[test]
fn encryption() {
    let v = Vectors::load("encryption");
    let master = MasterEncryptionKey::from_bytes(&v.number("ke")).expect("a master key");
    let bob = v.identity("id_ascii");
    let key = master.extract(bob).expect("a user's key");
    let (recipient, prepared) = (
        key.encryption_key(),
        key.with_precompute(Precompute::AtOnce),
    );
    let message = v.text("message_ascii").as_bytes();
    for (name, mode) in [("stream_kdf", Mode::Stream), ("sm4_ecb_pkcs7", Mode::Ecb)] {
        let expected = v.section(name).bytes("c1_c3_c2");
        let options = EncryptOptions::new().with_mode(mode);
        let ciphertext = recipient
            .encrypt_with_nonce(message, options, &v.number("r"), &[0; 16])
            .expect("a ciphertext");
        assert_eq!(ciphertext.to_bytes(), expected, "{name}");
        assert_eq!(
            Ciphertext::from_bytes(mode, &expected),
            Ok(ciphertext.clone())
        );
        assert_eq!(
            Ciphertext::from_der(&ciphertext.to_der()),
            Ok(ciphertext.clone())
        );
        assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), message);
        assert_eq!(
            *prepared.decrypt(&ciphertext).expect("it decrypts"),
            message
        );
        // K1 ‖ K2 is the key that is encapsulated.
        let keys = v.section(name).bytes("k1_and_k2");
        let (k, c) = recipient
            .encapsulate_with_nonce(keys.len(), &v.number("r"))
            .expect("an encapsulation");
        assert_eq!((k.as_slice(), &c), (keys.as_slice(), ciphertext.c1()));
    }
}

#[test]
fn key_exchange() {
    let v = Vectors::load("key_exchange");
    let master = MasterEncryptionKey::from_bytes(&v.number("ke")).expect("a master key");
    let public = master.public_key().clone();
    assert_eq!(public.to_bytes()[..], v.bytes("p_pub_e"));
    let (a, b) = (v.identity("id_a_ascii"), v.identity("id_b_ascii"));
    let (key_a, key_b) = (
        master.extract_exchange("Alice").expect("a user's key"),
        master.extract_exchange("Bob").expect("a user's key"),
    );
    assert_eq!((key_a.identity(), key_b.identity()), (a, b));
    assert_eq!(key_a.to_bytes()[..], v.bytes("de_a"));
    assert_eq!(key_b.to_bytes()[..], v.bytes("de_b"));
    let read = ExchangeKey::from_bytes(&v.array("de_a"), a, &public);
    assert_eq!(read.as_ref(), Ok(&key_a), "the standard's key is checked");
    let length = v.0["key_length_bytes"].as_u64().expect("a length") as usize;

    let parties = || [Party::new(&key_a), Party::new(&key_b)];
    let plain = parties();
    let prepared = [&key_a, &key_b].map(|key| Party::new(&key.with_precompute(Precompute::AtOnce)));
    // The last are plain keys under a master public key with tables.
    for [alice, bob] in [plain, prepared, parties()] {
        let (initiator, r_a) =
            Initiator::start_with_nonce(alice, Peer::new(b).expect("a name"), &v.number("r_a"))
                .expect("a start");
        assert_eq!(r_a.to_bytes()[..], v.bytes("point_r_a"));
        let response = Responder::new(bob, Peer::new(a).expect("a name"))
            .respond_with_nonce(&r_a, length, &v.number("r_b"))
            .expect("a response");
        assert_eq!(response.point().to_bytes()[..], v.bytes("point_r_b"));
        let s_b = response.confirmation();
        assert_eq!(s_b[..], v.bytes("s_b"));
        // Both in the middle of it written down and read again.
        let initiator = Initiator::from_bytes(&initiator.to_bytes(), &key_a).expect("a state");
        let response = Response::from_bytes(&response.to_bytes()).expect("a state");
        let (key, s_a) = initiator
            .finish(response.point(), &s_b, length)
            .expect("the key");
        assert_eq!(key[..], v.bytes("sk"));
        assert_eq!(s_a[..], v.bytes("s_a"));
        assert_eq!(response.confirm(&s_a).expect("the key"), key);
    }
}

#[test]
fn generators() {
    let v = Vectors::load("curve");
    let mut one = [0; 32];
    one[31] = 1;
    let signing = MasterSigningKey::from_bytes(&one).expect("a master key");
    assert_eq!(signing.public_key().to_bytes()[..], v.bytes("p2"));
    let encryption = MasterEncryptionKey::from_bytes(&one).expect("a master key");
    assert_eq!(encryption.public_key().to_bytes()[..], v.bytes("p1"));
    // The order itself, and one less.
    let mut n = v.number("n");
    assert_eq!(MasterSigningKey::from_bytes(&n), Err(Error::MasterKeyRange));
    assert_eq!(
        MasterEncryptionKey::from_bytes(&n),
        Err(Error::MasterKeyRange)
    );
    n[31] -= 1;
    let last = MasterEncryptionKey::from_bytes(&n).expect("a master key");
    // [N − 1]P1 = −P1.
    let (minus, plus) = (last.public_key().to_bytes(), v.bytes("p1"));
    assert_eq!(minus[..32], plus[..32]);
    assert_ne!(minus[32..], plus[32..]);
    assert!(MasterEncryptionPublicKey::from_bytes(&minus).is_ok());
}
