//! Kuaimi against the Go library emmansun/gmsm, in both directions: dozens of cases of everything
//! that both have. `tests/peers.rs` shows that the harness itself is right.

use crate::common::cases::{
    Cases, ids, order_minus, rounds, signature_from_der, signature_to_der, small,
};
use crate::common::gmsm::{Gmsm, Party, SHORTEST_OF_GMSM};
use kuaimi::sm2::exchange::{self, Initiator, Peer, Responder};
use kuaimi::sm2::{Ciphertext, Error, PrivateKey, PublicKey, Signature, SigningKey, VerifyingKey};
use kuaimi::{sm2, sm3};

const ROUNDS: usize = 40;

fn secret(d: &[u8]) -> PrivateKey {
    PrivateKey::from_slice(d).expect("a private key in its range")
}

#[test]
fn digests() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(1));
    for length in (0..=200).chain([1000, 4096, 100_001]) {
        let data = cases.bytes(length);
        assert_eq!(gmsm.sm3(&data), sm3::digest(&data), "{length} bytes");
    }
    for length in [0, 1, 31, 32, 33, 63, 64, 65, 128, 300] {
        let (key, data) = (cases.bytes(length), cases.message());
        assert_eq!(
            gmsm.hmac_sm3(&key, &data),
            sm3::hmac_sm3(&key, &data),
            "a key of {length} bytes"
        );
    }
}

#[test]
fn public_keys() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(2));
    let edges = [small(1), small(2), small(3), order_minus(2), order_minus(3)];
    for d in edges
        .into_iter()
        .chain(rounds(ROUNDS).map(|_| cases.private_key()))
    {
        let ours = *secret(&d).public_key();
        let theirs = gmsm.key_from(&d).public;
        assert_eq!(ours.to_sec1_bytes().as_slice(), theirs, "{d:02x?}");
        assert_eq!(
            ours.to_compressed_bytes().as_slice(),
            gmsm.compress(&theirs),
            "{d:02x?}"
        );
        assert_eq!(gmsm.decompress(&ours.to_compressed_bytes()), Ok(theirs));
        assert_eq!(
            PublicKey::from_sec1_bytes(&ours.to_compressed_bytes()),
            Ok(ours)
        );
    }
}

#[test]
fn both_refuse_the_same_private_keys() {
    let mut gmsm = Gmsm::start();
    for d in [[0; 32], order_minus(1), order_minus(0), [0xFF; 32]] {
        assert_eq!(
            PrivateKey::from_slice(&d).err(),
            Some(Error::PrivateKeyRange)
        );
        let refusal = gmsm.try_ask("sm2_public", serde_json::json!({ "d": hex::encode(d) }));
        assert!(refusal.is_err(), "{d:02x?}");
    }
}

#[test]
fn both_read_the_same_compressed_points() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(3));
    let (mut tried, mut on_curve) = (0, 0);
    for _ in rounds(ROUNDS) {
        tried += 1;
        let mut point = vec![2 + u8::from(cases.below(2) == 1)];
        point.extend(cases.array());
        let ours = PublicKey::from_sec1_bytes(&point).map(|key| key.to_sec1_bytes().to_vec());
        assert_eq!(
            ours.as_ref().ok(),
            gmsm.decompress(&point).as_ref().ok(),
            "{point:02x?}"
        );
        on_curve += usize::from(ours.is_ok());
    }
    assert!(
        (1..tried).contains(&on_curve),
        "{on_curve} of {tried}: about half should be on the curve"
    );
}

#[test]
fn our_signatures_hold_before_gmsm() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(4));
    for (id, _) in ids(sm2::MAX_ID_LEN).iter().cycle().zip(rounds(ROUNDS)) {
        let signer = SigningKey::with_id(secret(&cases.private_key()), id).unwrap();
        let (public, message) = (signer.public_key().to_sec1_bytes(), cases.message());
        let der = signature_to_der(&signer.sign(&message).unwrap().to_bytes());
        assert!(gmsm.verify(&public, Some(id), &message, &der));
        assert!(!gmsm.verify(&public, Some(id), &cases.spoiled(&message), &der));
        assert!(!gmsm.verify(&public, Some(b"another"), &message, &der));
    }
    let signer = SigningKey::new(secret(&cases.private_key()));
    let public = signer.public_key().to_sec1_bytes();
    for message in [b"".as_slice(), b"message digest"] {
        let der = signature_to_der(&signer.sign(message).unwrap().to_bytes());
        assert!(
            gmsm.verify(&public, None, message, &der),
            "no ID is the default one for both"
        );
    }
}

#[test]
fn signatures_of_gmsm_hold_before_us() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(5));
    for (id, _) in ids(sm2::MAX_ID_LEN).iter().cycle().zip(rounds(ROUNDS)) {
        let (d, message) = (cases.private_key(), cases.message());
        let signature = gmsm.sign(&d, Some(id), &message);
        assert_eq!(signature_from_der(&signature.der).as_slice(), signature.raw);
        let signature = Signature::from_slice(&signature.raw).unwrap();
        let key = VerifyingKey::with_id(*secret(&d).public_key(), id).unwrap();
        assert_eq!(key.verify(&message, &signature), Ok(()));
        assert_eq!(
            key.verify(&cases.spoiled(&message), &signature),
            Err(Error::InvalidSignature)
        );
        let another = VerifyingKey::with_id(*key.public_key(), b"another").unwrap();
        assert_eq!(
            another.verify(&message, &signature),
            Err(Error::InvalidSignature)
        );
    }
    let (d, key) = (small(9), VerifyingKey::new(*secret(&small(9)).public_key()));
    for message in [b"".as_slice(), b"message digest"] {
        let signature = Signature::from_slice(&gmsm.sign(&d, None, message).raw).unwrap();
        assert_eq!(key.verify(message, &signature), Ok(()));
    }
}

#[test]
fn signatures_with_a_bit_changed() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(6));
    for _ in rounds(ROUNDS) {
        let signer = SigningKey::new(secret(&cases.private_key()));
        let (public, message) = (signer.public_key().to_sec1_bytes(), cases.message());
        let raw = signer.sign(&message).unwrap().to_bytes();
        let bad: [u8; 64] = cases.spoiled(&raw).try_into().unwrap();
        let ours = Signature::from_bytes(&bad)
            .and_then(|bad| signer.verifying_key().verify(&message, &bad));
        assert!(ours.is_err());
        assert!(!gmsm.verify(&public, None, &message, &signature_to_der(&bad)));
    }
}

#[test]
fn digests_signed_as_they_are() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(7));
    let edges = [
        [0; 32],
        small(1),
        order_minus(1),
        order_minus(0),
        [0xFF; 32],
    ];
    for e in edges
        .into_iter()
        .chain(rounds(ROUNDS).map(|_| cases.array()))
        .collect::<Vec<_>>()
    {
        let d = cases.private_key();
        let signer = SigningKey::new(secret(&d));
        let public = signer.public_key().to_sec1_bytes();
        let ours = signer.sign_digest(&e).unwrap().to_bytes();
        assert!(
            gmsm.verify_digest(&public, &e, &signature_to_der(&ours)),
            "{e:02x?}"
        );
        let theirs = Signature::from_slice(&gmsm.sign_digest(&d, &e).raw).unwrap();
        assert_eq!(
            signer.verifying_key().verify_digest(&e, &theirs),
            Ok(()),
            "{e:02x?}"
        );
    }
}

/// RFC 6979 leaves nothing to chance: the two libraries give the same 64 bytes.
#[test]
fn deterministic_signatures_are_equal() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(8));
    let edges = [[0; 32], order_minus(1), order_minus(0), [0xFF; 32]];
    for e in edges
        .into_iter()
        .chain(rounds(ROUNDS).map(|_| cases.array()))
        .collect::<Vec<_>>()
    {
        let d = cases.private_key();
        let ours = SigningKey::new(secret(&d)).sign_digest_deterministic(&e);
        assert_eq!(
            ours.to_bytes().as_slice(),
            gmsm.sign_digest_deterministic(&d, &e).raw,
            "{d:02x?} {e:02x?}"
        );
    }
}

/// The parts of a ciphertext in one of gmsm's plain forms: 65 bytes of point, then digest and
/// masked message or the other way round.
fn from_plain(bytes: &[u8], form: &str) -> Ciphertext {
    let (point, rest) = bytes.split_at(65);
    let (digest, masked) = match form {
        "c1c3c2" => rest.split_at(32),
        _ => {
            let (masked, digest) = rest.split_at(rest.len() - 32);
            (digest, masked)
        }
    };
    let point = PublicKey::from_sec1_bytes(point).unwrap();
    Ciphertext::from_parts(point, digest.try_into().unwrap(), masked.to_vec()).unwrap()
}

fn to_plain(ciphertext: &Ciphertext, form: &str) -> Vec<u8> {
    let (digest, masked) = (ciphertext.digest().as_slice(), ciphertext.masked());
    let (first, second) = if form == "c1c3c2" {
        (digest, masked)
    } else {
        (masked, digest)
    };
    [&ciphertext.point().to_sec1_bytes(), first, second].concat()
}

#[test]
fn our_ciphertexts_open_before_gmsm() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(11));
    for (form, _) in ["c1c3c2", "c1c2c3"].iter().cycle().zip(rounds(ROUNDS)) {
        let (d, message) = (cases.private_key(), cases.message());
        let ciphertext = secret(&d).public_key().encrypt(&message).unwrap();
        let bytes = to_plain(&ciphertext, form);
        assert_eq!(gmsm.decrypt(&d, &bytes, form), Ok(message));
        assert!(gmsm.decrypt(&d, &cases.spoiled(&bytes), form).is_err());
    }
}

#[test]
fn ciphertexts_of_gmsm_open_before_us() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(12));
    for (form, _) in ["c1c3c2", "c1c2c3"].iter().cycle().zip(rounds(ROUNDS)) {
        let (d, message) = (
            cases.private_key(),
            [cases.bytes(SHORTEST_OF_GMSM), cases.message()].concat(),
        );
        let secret = secret(&d);
        let bytes = gmsm.encrypt(&secret.public_key().to_sec1_bytes(), &message, form);
        let ciphertext = from_plain(&bytes, form);
        assert_eq!(*secret.decrypt(&ciphertext).unwrap(), message);
        // A bit changed behind the point, in digest or message: nothing opens, and nothing is said
        // of why.
        let mut bad = bytes;
        let place = 65 + cases.below(bad.len() - 65);
        bad[place] ^= 1 << cases.below(8);
        let refusal = secret.decrypt(&from_plain(&bad, form)).err();
        assert_eq!(refusal, Some(Error::DecryptionFailed));
    }
}

/// Which keys and identities one exchange is about.
struct Sides {
    d: [[u8; 32]; 2],
    ids: [Vec<u8>; 2],
    key_length: usize,
}

impl Sides {
    fn draw(cases: &mut Cases) -> Self {
        let mut id = || {
            let length = 1 + cases.below(40);
            cases.bytes(length)
        };
        Self {
            ids: [id(), id()],
            d: [cases.private_key(), cases.private_key()],
            key_length: 1 + cases.below(100),
        }
    }

    /// Ours: the side `own`, 0 or 1.
    fn ours(&self, own: usize) -> (exchange::Party, Peer) {
        let party = exchange::Party::new(&secret(&self.d[own]), &self.ids[own]).unwrap();
        let peer = Peer::new(secret(&self.d[1 - own]).public_key(), &self.ids[1 - own]).unwrap();
        (party, peer)
    }

    /// gmsm's: the side `own`, 0 the initiator and 1 the responder.
    fn theirs(&self, gmsm: &mut Gmsm, own: usize) -> (u64, PublicKey) {
        let (handle, ephemeral) = gmsm.exchange_start(&Party {
            role: ["initiator", "responder"][own],
            d: &self.d[own],
            id: Some(&self.ids[own]),
            peer_public: &secret(&self.d[1 - own]).public_key().to_sec1_bytes(),
            peer_id: Some(&self.ids[1 - own]),
            key_length: self.key_length,
        });
        (handle, PublicKey::from_sec1_bytes(&ephemeral).unwrap())
    }
}

#[test]
fn key_exchange_with_us_as_the_initiator() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(9));
    for round in rounds(ROUNDS) {
        let sides = Sides::draw(&mut cases);
        let (party, peer) = sides.ours(0);
        let (initiator, r_a) = Initiator::start(party, peer).unwrap();
        let (handle, r_b) = sides.theirs(&mut gmsm, 1);
        let theirs = gmsm.exchange_respond(handle, &r_a.to_sec1_bytes()).unwrap();
        let s_b: [u8; 32] = theirs.confirmation.as_slice().try_into().unwrap();
        match round % 3 {
            0 => {
                let key = initiator
                    .finish_unconfirmed(&r_b, sides.key_length)
                    .unwrap();
                assert_eq!(*key, theirs.key);
            }
            1 => {
                let (key, s_a) = initiator.finish(&r_b, &s_b, sides.key_length).unwrap();
                assert_eq!(*key, theirs.key);
                assert_eq!(gmsm.exchange_check(handle, &s_a), Ok(()));
            }
            _ => {
                let bad: [u8; 32] = cases.spoiled(&s_b).try_into().unwrap();
                let refusal = initiator.finish(&r_b, &bad, sides.key_length).err();
                assert_eq!(refusal, Some(Error::ConfirmationFailed));
            }
        }
    }
}

#[test]
fn key_exchange_with_us_as_the_responder() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(10));
    for round in rounds(ROUNDS) {
        let sides = Sides::draw(&mut cases);
        let (handle, r_a) = sides.theirs(&mut gmsm, 0);
        let (party, peer) = sides.ours(1);
        let response = Responder::new(party, peer)
            .respond(&r_a, sides.key_length)
            .unwrap();
        let (r_b, s_b) = (response.point().to_sec1_bytes(), response.confirmation());
        match round % 3 {
            0 => {
                let theirs = gmsm.exchange_finish(handle, &r_b, None).unwrap();
                assert_eq!(*response.key_unconfirmed(), theirs.key);
            }
            1 => {
                let theirs = gmsm.exchange_finish(handle, &r_b, Some(&s_b)).unwrap();
                let s_a: [u8; 32] = theirs.confirmation.as_slice().try_into().unwrap();
                assert_eq!(
                    response.confirm(&s_a).map(|key| key.to_vec()),
                    Ok(theirs.key)
                );
            }
            _ => {
                assert!(
                    gmsm.exchange_finish(handle, &r_b, Some(&cases.spoiled(&s_b)))
                        .is_err()
                );
            }
        }
    }
}
