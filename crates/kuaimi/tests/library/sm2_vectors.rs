//! The examples of GB/T 32918.5-2017, through the public interface, intermediates included.

use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, DEFAULT_ID, Error, PrivateKey, PublicKey, Signature, SigningKey, VerifyingKey,
    identity_digest, parameters,
};

struct Vectors(serde_json::Value);

impl Vectors {
    fn load(section: &str) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/sm2.json");
        let text =
            std::fs::read_to_string(path).expect("vectors/sm2.json is part of the repository");
        let all: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        Self(all[section].clone())
    }

    fn text(&self, name: &str) -> &str {
        self.0[name]
            .as_str()
            .unwrap_or_else(|| panic!("the vectors have no {name}"))
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        hex::decode(self.text(name)).unwrap_or_else(|_| panic!("{name} is hexadecimal"))
    }

    fn array(&self, name: &str) -> [u8; 32] {
        self.bytes(name)
            .try_into()
            .unwrap_or_else(|_| panic!("{name} has 32 bytes"))
    }

    fn secret(&self, name: &str) -> PrivateKey {
        PrivateKey::from_bytes(&self.array(name)).expect("a private key")
    }

    fn point(&self, name: &str) -> PublicKey {
        PublicKey::from_sec1_bytes(&self.bytes(name)).expect("a point")
    }
}

#[test]
fn curve_parameters() {
    let v = Vectors::load("curve");
    assert_eq!(parameters::p(), v.array("p"));
    assert_eq!(parameters::a(), v.array("a"));
    assert_eq!(parameters::b(), v.array("b"));
    assert_eq!(parameters::n(), v.array("n"));
    assert_eq!(parameters::gx(), v.array("gx"));
    assert_eq!(parameters::gy(), v.array("gy"));
}

#[test]
fn signature() {
    let v = Vectors::load("signature");
    let secret = v.secret("d");
    let public = [&[4][..], &v.bytes("px"), &v.bytes("py")].concat();
    assert_eq!(secret.public_key().to_sec1_bytes()[..], public);
    let id = v.text("id_ascii").as_bytes();
    assert_eq!(identity_digest(id, secret.public_key()), Ok(v.array("z")));

    let key = SigningKey::with_id(secret, id).expect("a short identity");
    let message = v.text("message_ascii").as_bytes();
    let mut hash = key.message_hash();
    hash.update(message);
    let e = hash.finalize();
    assert_eq!(e, v.array("e"));

    let signature = key
        .sign_digest_with_nonce(&e, &v.array("k"))
        .expect("the example's nonce serves");
    assert_eq!(signature.r(), v.array("r"));
    assert_eq!(signature.s(), v.array("s"));

    let public = PublicKey::from_sec1_bytes(&public).expect("a public key");
    let given = Signature::from_scalars(&v.array("r"), &v.array("s")).expect("a signature");
    assert_eq!(
        VerifyingKey::with_id(public, id)
            .expect("a short identity")
            .verify(message, &given),
        Ok(())
    );
    // The example's identity is the default one.
    assert_eq!(id, DEFAULT_ID);
    assert_eq!(VerifyingKey::new(public).verify(message, &given), Ok(()));
    let other = VerifyingKey::with_id(public, b"1234567812345679").expect("a short identity");
    assert_eq!(other.verify(message, &given), Err(Error::InvalidSignature));
}

#[test]
fn encryption() {
    let v = Vectors::load("encryption");
    let secret = v.secret("d");
    let message = v.text("message_ascii").as_bytes();
    let made = secret
        .public_key()
        .encrypt_with_nonce(message, &v.array("k"))
        .expect("the example's nonce serves");
    assert_eq!(made.point().to_sec1_bytes()[..], v.bytes("c1"));
    assert_eq!(made.digest()[..], v.bytes("c3"));
    assert_eq!(made.masked(), v.bytes("c2"));

    let given =
        Ciphertext::from_parts(v.point("c1"), v.array("c3"), v.bytes("c2")).expect("a ciphertext");
    assert_eq!(*secret.decrypt(&given).expect("it decrypts"), message);
}

#[test]
fn key_exchange() {
    let v = Vectors::load("key_exchange");
    let (a, b) = (v.secret("d_a"), v.secret("d_b"));
    assert_eq!(*a.public_key(), v.point("p_a"));
    assert_eq!(*b.public_key(), v.point("p_b"));
    let (id_a, id_b) = (
        v.text("id_a_ascii").as_bytes(),
        v.text("id_b_ascii").as_bytes(),
    );
    assert_eq!(identity_digest(id_a, a.public_key()), Ok(v.array("z_a")));
    assert_eq!(identity_digest(id_b, b.public_key()), Ok(v.array("z_b")));
    let length = v.0["key_length_bytes"].as_u64().expect("a number") as usize;

    let party = |key: &PrivateKey, id: &[u8]| Party::new(key, id).expect("a short identity");
    let peer = |key: &PublicKey, id: &[u8]| Peer::new(key, id).expect("a short identity");
    let (initiator, r_a) =
        Initiator::start_with_nonce(party(&a, id_a), peer(b.public_key(), id_b), &v.array("r_a"))
            .expect("the example's r_A serves");
    assert_eq!(r_a, v.point("point_r_a"));
    let response = Responder::new(party(&b, id_b), peer(a.public_key(), id_a))
        .respond_with_nonce(&r_a, length, &v.array("r_b"))
        .expect("the example's r_B serves");
    assert_eq!(*response.point(), v.point("point_r_b"));
    let s_b = response.confirmation();
    assert_eq!(s_b, v.array("s_1_and_s_b"));
    let r_b = *response.point();
    let (key_a, s_a) = initiator
        .finish(&r_b, &s_b, length)
        .expect("B's confirmation is right");
    assert_eq!(*key_a, v.bytes("k_ab"));
    assert_eq!(s_a, v.array("s_2_and_s_a"));
    let key_b = response.confirm(&s_a).expect("A's confirmation is right");
    assert_eq!(*key_b, v.bytes("k_ab"));
}
