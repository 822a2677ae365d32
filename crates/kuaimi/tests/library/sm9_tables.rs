//! SM9's keys and their tables, stored tables, and the cache of identities.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use std::hash::{BuildHasher as _, Hash};

use kuaimi::sm3;
use kuaimi::sm9::batch::VerifyItem;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    DecryptionKey, EncryptionKey, Error, IdentityCache, MasterEncryptionKey, MasterSigningKey,
    SigningKey, VerifyingKey,
};

fn signing(seed: u8) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key")
}

fn encryption(seed: u8) -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&[seed; 32]).expect("a master key")
}

#[test]
fn the_cache_keeps_who_comes_back_and_no_more_than_fits() {
    let master = signing(7);
    let keys = ["a", "b", "c"].map(|id| master.extract(id).expect("a key"));
    let never = |key: &SigningKey| key.verifying_key().with_precompute(Precompute::Never);
    let verifying = keys.each_ref().map(never);
    // Room for two.
    let cache = IdentityCache::new(master.public_key(), 25_000);
    let verify = |i: usize| {
        let key = &keys[i];
        let signature = key.sign(b"a message").expect("a signature");
        let verify = |message| cache.verify(&verifying[i], message, &signature);
        assert_eq!(verify(b"a message"), Ok(()));
        assert_eq!(verify(b"b message"), Err(Error::InvalidSignature));
    };
    verify(0);
    let stats = cache.stats();
    assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 0));
    verify(0);
    assert_eq!(cache.stats().hits, 2);
    verify(1);
    verify(2);
    let stats = cache.stats();
    assert_eq!((stats.entries, stats.evictions), (2, 1));
    assert!(stats.bytes <= 25_000);
    // The one that was used longest ago is gone.
    verify(2);
    assert_eq!(cache.stats().hits, 4);
    assert!(!cache.contains(&verifying[0]));
    verify(0);
    assert_eq!(cache.stats().evictions, 2);
    cache.clear();
    assert_eq!(cache.stats().entries, 0);
    // One that holds nobody works, too.
    let none = IdentityCache::new(master.public_key(), 0);
    let signature = keys[0].sign(b"a message").expect("a signature");
    for _ in 0..3 {
        let verified = none.verify(&verifying[0], b"a message", &signature);
        assert_eq!(verified, Ok(()));
    }
    assert_eq!(none.stats().entries, 0);
}

/// The same identity with another `hid`, or under another master key, is another signer: none is
/// taken for another.
#[test]
fn the_cache_tells_signers_apart() {
    let (master, other) = (signing(7), signing(8));
    let cache = IdentityCache::new(master.public_key(), 1 << 20);
    let message = b"a message";
    let key = master.extract("alice").expect("a key");
    let signature = key.sign(message).expect("a signature");
    let nine = kuaimi::sm9::Identity::new(b"alice").with_hid(9);
    let strangers = [
        master.public_key().verifying_key(nine),
        other.public_key().verifying_key("alice"),
        master.public_key().verifying_key("alicE"),
    ]
    .map(|key| key.expect("an identity"));
    for _ in 0..3 {
        assert_eq!(
            cache.verify(key.verifying_key(), message, &signature),
            Ok(())
        );
        for stranger in &strangers {
            let refused = cache.verify(stranger, message, &signature);
            assert_eq!(refused, Err(Error::InvalidSignature));
            let item = VerifyItem::new(stranger, message, signature);
            assert_eq!(cache.verify_batch(&[item; 3], Threads::One), [refused; 3]);
        }
    }
    // Under another master key nothing is kept, and verified all the same.
    assert_eq!(cache.stats().entries, 3);
    let theirs = other.extract("alice").expect("a key");
    let signature = theirs.sign(message).expect("a signature");
    for _ in 0..3 {
        assert_eq!(
            cache.verify(theirs.verifying_key(), message, &signature),
            Ok(())
        );
    }
    assert_eq!(cache.stats().entries, 3);
}

/// Reads a stored table with every sort of damage: cut, altered at some bytes, another kind's,
/// another key's.
fn refuses_damage<T>(
    good: &[u8],
    read: impl Fn(&[u8]) -> Result<T, Error>,
    read_of_another: impl Fn(&[u8]) -> Result<T, Error>,
) {
    assert!(read(good).is_ok());
    assert_eq!(read_of_another(good).err(), Some(Error::TableAltered));
    for length in [0, 7, 8, 31, 39, 40, good.len() - 33, good.len() - 1] {
        assert!(read(&good[..length]).is_err(), "{length} bytes");
    }
    let more = [good, &[0]].concat();
    assert_eq!(read(&more).err(), Some(Error::TableAltered));
    let step = good.len() / 13 + 1;
    for at in (8..good.len()).step_by(step).chain([good.len() - 1]) {
        let mut altered = good.to_vec();
        altered[at] ^= 1;
        assert_eq!(read(&altered).err(), Some(Error::TableAltered), "byte {at}");
    }
    let mut version = good.to_vec();
    version[7] += 1;
    assert_eq!(read(&version).err(), Some(Error::TableFormat));
}

/// An attacker can write the file, and knows the format and all that is public, but not the key:
/// none of the tags that can be made of these is accepted.
fn refuses_other_tags<T>(good: &[u8], public: &[u8], read: impl Fn(&[u8]) -> Result<T, Error>) {
    let mut altered = good[..good.len() - 32].to_vec();
    altered[40] ^= 1;
    let digest =
        |parts: &[&[u8]]| sm3::digest(&[b"Kuaimi SM9 tables", &parts.concat()[..]].concat());
    let tags = [
        sm3::digest(&altered),
        sm3::hmac_sm3(&[], &altered),
        sm3::hmac_sm3(public, &altered),
        sm3::hmac_sm3(&digest(&[public]), &altered),
        sm3::hmac_sm3(&digest(&[&[0; 64], public]), &altered),
        sm3::hmac_sm3(&digest(&[&[0; 128], public]), &altered),
    ];
    for tag in tags {
        let forged = [&altered[..], &tag].concat();
        assert_eq!(read(&forged).err(), Some(Error::TableAltered));
    }
}

#[test]
fn tables_of_signing_keys_are_stored_and_refused_where_altered() {
    let (master, other) = (signing(7), signing(8));
    let key = master.extract("Alice").expect("a key");
    let another = master.extract("Bob").expect("a key");
    let bytes = key.tables_to_bytes();
    assert_eq!(bytes.len(), SigningKey::TABLE_BYTES + 40);
    refuses_damage(
        &bytes,
        |bytes| key.with_tables(bytes),
        |bytes| another.with_tables(bytes),
    );
    let theirs = other.extract("Alice").expect("a key");
    let mistaken = theirs.with_tables(&bytes);
    assert_eq!(mistaken.err(), Some(Error::TableAltered));
    let public = master.public_key().to_bytes();
    refuses_other_tags(&bytes, &public, |bytes| key.with_tables(bytes));
    let again = key.with_tables(&bytes).expect("its tables");
    let signature = again.sign(b"a message").expect("a signature");
    assert_eq!(key.verifying_key().verify(b"a message", &signature), Ok(()));
}

/// The holder of one key can make any tag for it. Tables that were read serve that key alone: they
/// do not get into the master public key, which verifies everyone's signatures.
#[test]
fn tables_that_were_read_serve_their_key_alone() {
    let master = signing(7);
    let mallory = master.extract("Mallory").expect("a key");
    // A table of g with an entry of another, under the right tag.
    let mut bytes = mallory.tables_to_bytes().to_vec();
    let end = bytes.len() - 32;
    let donor = signing(8).extract("Mallory").expect("a key");
    let other = donor.tables_to_bytes();
    bytes[end - 66_000..end].copy_from_slice(&other[end - 66_000..end]);
    let secret = [&mallory.to_bytes()[..], &master.public_key().to_bytes()].concat();
    let key = sm3::digest(&[b"Kuaimi SM9 tables", &secret[..]].concat());
    let tag = sm3::hmac_sm3(&key, &bytes[..end]);
    bytes[end..].copy_from_slice(&tag);

    let public = kuaimi::sm9::MasterSigningPublicKey::from_bytes(&master.public_key().to_bytes());
    let public = public.expect("a public key");
    let mallory = SigningKey::from_bytes(&mallory.to_bytes(), "Mallory", &public);
    let mallory = mallory.expect("the key");
    let prepared = mallory.with_tables(&bytes).expect("the tag is right");
    let signature = prepared.sign(b"a message").expect("a signature");
    let verifier = public.verifying_key("Mallory").expect("an identity");
    let refused = Err(Error::InvalidSignature);
    assert_eq!(verifier.verify(b"a message", &signature), refused);
    assert_eq!(
        verifier
            .with_precompute(Precompute::AtOnce)
            .verify(b"a message", &signature),
        refused
    );
    let good = master.extract("Alice").expect("a key").sign(b"a message");
    let alice = VerifyingKey::new(&public, "Alice").expect("an identity");
    let verified = alice
        .with_precompute(Precompute::AtOnce)
        .verify(b"a message", &good.expect("a signature"));
    assert_eq!(verified, Ok(()));
}

#[test]
fn lines_of_users_keys_are_stored_and_refused_where_altered() {
    let master = encryption(7);
    let public = master.public_key().to_bytes();
    let key = master.extract("Bob").expect("a key");
    let another = master.extract("Alice").expect("a key");
    let bytes = key.tables_to_bytes();
    assert_eq!(bytes.len(), DecryptionKey::TABLE_BYTES + 40);
    refuses_damage(
        &bytes,
        |bytes| key.with_tables(bytes),
        |bytes| another.with_tables(bytes),
    );
    refuses_other_tags(&bytes, &public, |bytes| key.with_tables(bytes));
    let reader = key.with_tables(&bytes).expect("its lines");
    let recipient = key.encryption_key();
    master.public_key().prepare();
    for ciphertext in [
        recipient.encrypt(b"a secret"),
        recipient
            .with_precompute(Precompute::AtOnce)
            .encrypt(b"a secret"),
    ] {
        let plain = reader.decrypt(&ciphertext.expect("a ciphertext"));
        assert_eq!(plain.as_deref(), Ok(&b"a secret".to_vec()));
    }

    let key = master.extract_exchange("Bob").expect("a key");
    let another = master.extract_exchange("Alice").expect("a key");
    // One kind is not another.
    let mistaken = key.with_tables(&bytes);
    assert_eq!(mistaken.err(), Some(Error::TableFormat));
    let bytes = key.tables_to_bytes();
    refuses_damage(
        &bytes,
        |bytes| key.with_tables(bytes),
        |bytes| another.with_tables(bytes),
    );
    let bob = key.with_tables(&bytes).expect("its lines");
    let (initiator, r_a) =
        Initiator::start(Party::new(&bob), Peer::new("Alice").expect("a name")).expect("a start");
    let responder = Responder::new(Party::new(&another), Peer::new("Bob").expect("a name"));
    let response = responder.respond(&r_a, 16).expect("a response");
    let agreed = initiator.finish_unconfirmed(response.point(), 16);
    assert_eq!(agreed.expect("a key"), response.key_unconfirmed());
}

/// For one byte, the key stream is zero in one of 256 cases, and another nonce is used: the message
/// is never sent in the clear.
#[test]
fn a_single_byte_is_never_sent_in_the_clear() {
    let bob = encryption(7).extract("Bob").expect("a key");
    let recipient = bob.encryption_key().with_precompute(Precompute::AtOnce);
    let reader = bob.with_precompute(Precompute::AtOnce);
    for round in 0..1500 {
        let ciphertext = recipient.encrypt(b"M").expect("a ciphertext");
        assert_ne!(ciphertext.c2(), b"M", "round {round}");
        if round % 100 == 0 {
            let plain = reader.decrypt(&ciphertext);
            assert_eq!(plain.as_deref(), Ok(&b"M".to_vec()));
        }
    }
}

/// What `kuaimi::precompute` promises, at each kind of key: when tables are made, for whom, and how
/// large they are.
#[test]
fn keys_make_their_tables_at_their_second_use() {
    let sizes = [
        SigningKey::TABLE_BYTES - (66 << 10),
        VerifyingKey::TABLE_BYTES,
        EncryptionKey::TABLE_BYTES,
        DecryptionKey::TABLE_BYTES,
    ];
    assert_eq!(sizes, [53_248, 9_856, 53_248, 9_856]);

    let master = signing(5);
    let (alice, bob) = (master.extract("Alice"), master.extract("Bob"));
    let (alice, bob) = (alice.expect("a key"), bob.expect("a key"));
    let clone = alice.clone();
    let signature = alice.sign(b"one").expect("a signature");
    assert!(!alice.is_prepared() && !master.public_key().is_prepared());
    clone.sign(b"two").expect("a signature");
    assert!(alice.is_prepared() && master.public_key().is_prepared());
    assert!(!bob.is_prepared(), "its master's table is not its own");
    for used_again in [false, true] {
        let verified = alice.verifying_key().verify(b"one", &signature);
        assert_eq!(verified, Ok(()));
        assert_eq!(alice.verifying_key().is_prepared(), used_again);
    }
    let never = alice.with_precompute(Precompute::Never);
    for _ in 0..3 {
        never.sign(b"three").expect("a signature");
    }
    assert!(!never.is_prepared());

    let master = encryption(5);
    let user = master.extract("Alice").expect("a key");
    for (i, name) in ["Bob", "Alice", "Alice"].into_iter().enumerate() {
        let recipient = master.public_key().encryption_key(name).expect("a key");
        let (key, c) = recipient.encapsulate(16).expect("an encapsulation");
        assert_eq!(master.public_key().is_prepared(), i > 0);
        if i > 0 {
            assert_eq!(user.clone().decapsulate(&c, 16), Ok(key));
        }
    }
    assert!(user.is_prepared());
    assert!(!master.extract("Bob").expect("a key").is_prepared());
    let recipient = user.encryption_key();
    for used_again in [false, true] {
        recipient.encapsulate(16).expect("an encapsulation");
        assert_eq!(recipient.is_prepared(), used_again);
    }
}

/// A key that was used is the key that was not.
#[test]
fn whether_a_key_was_used_does_not_show() {
    fn check<K: PartialEq + Hash + std::fmt::Debug>(used: &K, unused: &K) {
        assert_eq!(used, unused);
        assert_eq!(format!("{used:?}"), format!("{unused:?}"));
        let hash = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
        assert_eq!(hash.hash_one(used), hash.hash_one(unused));
    }
    let master = signing(5);
    let used = master.public_key().with_precompute(Precompute::AtOnce);
    check(&used, master.public_key());
    assert_ne!(&used, signing(6).public_key());
    let key = used.verifying_key("alice").expect("an identity");
    check(&key.with_precompute(Precompute::AtOnce), &key);

    let master = encryption(5);
    let used = master.public_key().with_precompute(Precompute::AtOnce);
    check(&used, master.public_key());
    assert_ne!(&used, encryption(6).public_key());
    let key = used.encryption_key("alice").expect("an identity");
    check(&key.with_precompute(Precompute::AtOnce), &key);
}
