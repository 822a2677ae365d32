//! SM2: keys, nonces and plaintexts are secret; what comes from others is not, and is the same in
//! each call.

use kuaimi::Threads;
use kuaimi::sm2::batch::{SignItem, sign_batch_with_rng};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{Ciphertext, PrivateKey, PublicKey, Signature, SigningKey};

use crate::{Random, Secret, drive_each};

fn key(secret: Secret) -> PrivateKey {
    PrivateKey::from_bytes(&secret.number(3)).expect("a number below n − 1")
}

/// Of somebody else.
fn public_key() -> PublicKey {
    *key(Secret(4)).public_key()
}

fn signing_key(secret: Secret) -> (SigningKey, Random) {
    (SigningKey::new(key(secret)), secret.random(4))
}

#[inline(never)]
fn traced_key_pair(bytes: [u8; 32]) -> PrivateKey {
    PrivateKey::from_bytes(&bytes).expect("a number below n − 1")
}

#[inline(never)]
fn traced_signing((key, mut random): (SigningKey, Random)) -> Signature {
    key.sign_with_rng(&mut random, b"message")
        .expect("it signs")
}

#[inline(never)]
fn traced_deterministic_signing((key, _): (SigningKey, Random)) -> Signature {
    key.sign_deterministic(b"message")
}

#[inline(never)]
fn traced_signing_many((key, mut random): (SigningKey, Random)) -> usize {
    let items = [b"1", b"2", b"3", b"4", b"5"].map(|message| SignItem::new(&key, message));
    let signatures = sign_batch_with_rng(&mut random, &items, Threads::One);
    signatures
        .iter()
        .filter(|signature| signature.is_ok())
        .count()
}

#[inline(never)]
fn traced_encryption(
    (plaintext, recipient, mut random): ([u8; 100], PublicKey, Random),
) -> Ciphertext {
    recipient
        .encrypt_with_rng(&mut random, &plaintext)
        .expect("it encrypts")
}

/// A key, and a plaintext of its own that was encrypted for it, with one public nonce.
fn encrypted(secret: Secret) -> (PrivateKey, Ciphertext) {
    let key = key(secret);
    let ciphertext = key
        .public_key()
        .encrypt_with_rng(&mut Random(7), &secret.bytes::<100>(5))
        .expect("it encrypts");
    (key, ciphertext)
}

/// The same with a digest that is wrong.
fn altered(secret: Secret) -> (PrivateKey, Ciphertext) {
    let (key, ciphertext) = encrypted(secret);
    let mut digest = *ciphertext.digest();
    digest[31] ^= 1;
    let masked = ciphertext.masked().to_vec();
    let altered = Ciphertext::from_parts(*ciphertext.point(), digest, masked);
    (key, altered.expect("a ciphertext"))
}

#[inline(never)]
fn traced_decryption((key, ciphertext): (PrivateKey, Ciphertext)) -> usize {
    key.decrypt(&ciphertext).expect("it decrypts").len()
}

#[inline(never)]
fn traced_decryption_that_fails((key, ciphertext): (PrivateKey, Ciphertext)) -> bool {
    key.decrypt(&ciphertext).is_err()
}

/// A key, and a random generator for the ephemeral one.
fn party(secret: Secret) -> (PrivateKey, PublicKey, Random) {
    (key(secret), public_key(), secret.random(6))
}

#[inline(never)]
fn traced_key_exchange_started((key, peer, mut random): (PrivateKey, PublicKey, Random)) -> usize {
    let party = Party::new(&key, b"alice").expect("a short identity");
    let peer_and_id = Peer::new(&peer, b"bob").expect("a short identity");
    let (initiator, _) =
        Initiator::start_with_rng(&mut random, party, peer_and_id).expect("it starts");
    // The peer's key serves as its ephemeral point.
    let shared = initiator.finish_unconfirmed(&peer, 48);
    shared.expect("a key").len()
}

#[inline(never)]
fn traced_key_exchange_answered(
    (key, peer, mut random): (PrivateKey, PublicKey, Random),
) -> [u8; 32] {
    let party = Party::new(&key, b"bob").expect("a short identity");
    let peer_and_id = Peer::new(&peer, b"alice").expect("a short identity");
    Responder::new(party, peer_and_id)
        .respond_with_rng(&mut random, &peer, 48)
        .expect("a key")
        .confirmation()
}

pub(super) fn operations() {
    drive_each(|secret| secret.number(3), traced_key_pair);
    drive_each(signing_key, traced_signing);
    drive_each(signing_key, traced_deterministic_signing);
    drive_each(signing_key, traced_signing_many);
    drive_each(
        |secret| (secret.bytes(5), public_key(), secret.random(4)),
        traced_encryption,
    );
    drive_each(encrypted, traced_decryption);
    drive_each(altered, traced_decryption_that_fails);
    drive_each(party, traced_key_exchange_started);
    drive_each(party, traced_key_exchange_answered);
}
