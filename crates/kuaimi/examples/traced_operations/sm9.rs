//! SM9: master keys, users' keys and nonces are secret; identities and what comes from others are
//! not, and are the same in each call.

use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    DecryptionKey, EncryptionKey, ExchangeKey, G1Point, MasterEncryptionKey, MasterSigningKey,
    Signature, SigningKey,
};

use crate::{Random, Secret, drive_each};

fn signing_master(secret: Secret) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&secret.number(8)).expect("a number below N")
}

fn encryption_master(secret: Secret) -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&secret.number(9)).expect("a number below N")
}

/// Another key of the user for each secret.
fn signing_key(secret: Secret) -> (SigningKey, Random) {
    let key = signing_master(secret)
        .extract("alice")
        .expect("it extracts");
    (key, secret.random(10))
}

fn decryption_key(secret: Secret) -> DecryptionKey {
    encryption_master(secret)
        .extract("bob")
        .expect("it extracts")
}

fn recipient() -> EncryptionKey {
    EncryptionKey::new(encryption_master(Secret(4)).public_key(), "bob").expect("an identity")
}

/// A point that somebody has sent.
fn point() -> G1Point {
    let (_, point) = recipient()
        .encapsulate_with_rng(&mut Random(11), 48)
        .expect("it encapsulates");
    point
}

#[inline(never)]
fn traced_signing_master_key(bytes: [u8; 32]) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&bytes).expect("a number below N")
}

#[inline(never)]
fn traced_extracting_a_signing_key(master: MasterSigningKey) -> SigningKey {
    master.extract("alice").expect("it extracts")
}

#[inline(never)]
fn traced_extracting_a_decryption_key(master: MasterEncryptionKey) -> DecryptionKey {
    master.extract("bob").expect("it extracts")
}

#[inline(never)]
fn traced_signing((key, mut random): (SigningKey, Random)) -> Signature {
    key.sign_with_rng(&mut random, b"message")
        .expect("it signs")
}

#[inline(never)]
fn traced_signing_prepared((key, mut random): (SigningKey, Random)) -> Signature {
    key.sign_with_rng(&mut random, b"message")
        .expect("it signs")
}

#[inline(never)]
fn traced_encapsulation((recipient, mut random): (EncryptionKey, Random)) -> usize {
    let (key, _) = recipient
        .encapsulate_with_rng(&mut random, 48)
        .expect("it encapsulates");
    key.len()
}

#[inline(never)]
fn traced_decapsulation((key, point): (DecryptionKey, G1Point)) -> usize {
    key.decapsulate(&point, 48).expect("it decapsulates").len()
}

/// A key for exchanges, the other's point, and a random generator for the own one. The key is the
/// same in each call: it comes with the master public key, which the operations use in variable
/// time.
fn party(secret: Secret) -> (ExchangeKey, G1Point, Random) {
    let key = encryption_master(Secret(4)).extract_exchange("alice");
    (key.expect("it extracts"), point(), secret.random(12))
}

fn peer() -> Peer {
    Peer::new("bob").expect("a name")
}

#[inline(never)]
fn traced_key_exchange_started((key, point, mut random): (ExchangeKey, G1Point, Random)) -> usize {
    let (initiator, _) =
        Initiator::start_with_rng(&mut random, Party::new(&key), peer()).expect("it starts");
    let shared = initiator.finish_unconfirmed(&point, 48);
    shared.expect("a key").len()
}

#[inline(never)]
fn traced_key_exchange_answered(
    (key, point, mut random): (ExchangeKey, G1Point, Random),
) -> [u8; 32] {
    Responder::new(Party::new(&key), peer())
        .respond_with_rng(&mut random, &point, 48)
        .expect("a key")
        .confirmation()
}

pub(super) fn operations() {
    drive_each(|secret| secret.number(8), traced_signing_master_key);
    drive_each(signing_master, traced_extracting_a_signing_key);
    drive_each(encryption_master, traced_extracting_a_decryption_key);
    drive_each(signing_key, traced_signing);
    drive_each(
        |secret| {
            let (key, random) = signing_key(secret);
            key.prepare();
            (key, random)
        },
        traced_signing_prepared,
    );
    drive_each(
        |secret| (recipient(), secret.random(12)),
        traced_encapsulation,
    );
    drive_each(
        |secret| (decryption_key(secret), point()),
        traced_decapsulation,
    );
    drive_each(party, traced_key_exchange_started);
    drive_each(party, traced_key_exchange_answered);
}
