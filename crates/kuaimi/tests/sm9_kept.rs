//! What SM9 keeps: batches, the cache of identities, and tables that were written down.

use kuaimi::sm3;
use kuaimi::sm9::{
    EncryptOptions, Error, Identity, IdentityCache, MasterEncryptionKey, MasterSigningKey,
    PreparedDecryptionKey, PreparedSigningKey, Signature, VerifyItem,
};

fn signing(seed: u8) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key")
}

fn encryption(seed: u8) -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&[seed; 32]).expect("a master key")
}

/// Many items of three users, with mistakes among them: each result is that of the single operation.
#[test]
fn batches_give_what_single_verifications_give() {
    let master = signing(7);
    let verifier = master.public_key().prepare();
    let users: Vec<String> = (0..3).map(|i| format!("user{i}@example.com")).collect();
    let keys: Vec<_> = users
        .iter()
        .map(|id| master.user_key(id.as_str()).expect("a key").prepare())
        .collect();
    let messages: Vec<Vec<u8>> = (0..23).map(|i| vec![i; i as usize * 5]).collect();
    let signatures: Vec<Signature> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| keys[i % 3].sign(message).expect("a signature"))
        .collect();
    let stranger = messages[0].as_slice();
    let mut items: Vec<VerifyItem<'_>> = Vec::new();
    let mut expected = Vec::new();
    for (i, (message, signature)) in messages.iter().zip(&signatures).enumerate() {
        let id = users[i % 3].as_str();
        let (item, result) = match i {
            4 => (
                VerifyItem::new(id, stranger, signature),
                Err(Error::InvalidSignature),
            ),
            8 => (
                VerifyItem::new("someone else", message, signature),
                Err(Error::InvalidSignature),
            ),
            11 => (
                VerifyItem::new(id, message, Signature::from_slice(&[1; 12])),
                Err(Error::SignatureLength(12)),
            ),
            12 => (
                VerifyItem::new(id, message, Signature::from_der(&[1; 12])),
                Err(Error::SignatureEncoding),
            ),
            15 => (
                VerifyItem::new("", message, signature),
                Err(Error::EmptyIdentity),
            ),
            16 => (
                VerifyItem::new(Identity::new(id.as_bytes()).with_hid(9), message, signature),
                Err(Error::InvalidSignature),
            ),
            _ => (VerifyItem::new(id, message, signature), Ok(())),
        };
        items.push(item);
        expected.push(result);
    }
    assert_eq!(verifier.verify_batch(&items), expected);
    for length in [0, 1, 2, 9] {
        let some = verifier.verify_batch(&items[..length]);
        assert_eq!(some, expected[..length]);
    }
    let cache = IdentityCache::new(verifier, 1 << 20);
    for round in 0..3 {
        assert_eq!(cache.verify_batch(&items), expected, "round {round}");
    }
    assert!(cache.stats().hits >= 20);
}

#[test]
fn the_cache_keeps_who_comes_back_and_no_more_than_fits() {
    let master = signing(7);
    let keys: Vec<_> = ["a", "b", "c"]
        .map(|id| (id, master.user_key(id).expect("a key").prepare()))
        .into();
    // Room for two.
    let cache = IdentityCache::new(master.public_key().prepare(), 25_000);
    let verify = |i: usize| {
        let (id, key) = &keys[i];
        let signature = key.sign(b"a message").expect("a signature");
        assert_eq!(cache.verify(*id, b"a message", &signature), Ok(()));
        assert_eq!(
            cache.verify(*id, b"another", &signature),
            Err(Error::InvalidSignature)
        );
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
    // Who was used longest ago is gone.
    verify(2);
    assert_eq!(cache.stats().hits, 4);
    verify(0);
    assert_eq!(cache.stats().evictions, 2);
    cache.clear();
    assert_eq!(cache.stats().entries, 0);
    // One that holds nobody works, too.
    let none = IdentityCache::new(master.public_key().prepare(), 0);
    let signature = keys[0].1.sign(b"a message").expect("a signature");
    for _ in 0..3 {
        assert_eq!(none.verify("a", b"a message", &signature), Ok(()));
    }
    assert_eq!(none.stats().entries, 0);
}

/// Reads what was kept with every sort of damage: cut, altered at some bytes, another kind's, another key's.
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

#[test]
fn tables_of_signatures_are_kept_and_refused_where_altered() {
    let master = signing(7);
    let key = master.user_key("Alice").expect("a key");
    let another = master.user_key("Bob").expect("a key");
    let prepared = key.prepare();
    let bytes = prepared.to_bytes();
    refuses_damage(
        &bytes,
        |bytes| PreparedSigningKey::from_bytes(bytes, &key),
        |bytes| PreparedSigningKey::from_bytes(bytes, &another),
    );
    let again = PreparedSigningKey::from_bytes(&bytes, &key).expect("its tables");
    let signature = again.sign(b"a message").expect("a signature");

    let verifier = master.public_key().prepare();
    assert_eq!(verifier.verify("Alice", b"a message", &signature), Ok(()));
    let public = master.public_key().to_bytes();
    refuses_other_tags(&bytes, &public, |bytes| {
        PreparedSigningKey::from_bytes(bytes, &key)
    });
}

#[test]
fn tables_of_encryption_are_kept_and_refused_where_altered() {
    let master = encryption(7);
    let key = master.user_key("Bob").expect("a key");
    let another = master.user_key("Alice").expect("a key");
    let bytes = key.prepare().to_bytes();
    refuses_damage(
        &bytes,
        |bytes| PreparedDecryptionKey::from_bytes(bytes, &key),
        |bytes| PreparedDecryptionKey::from_bytes(bytes, &another),
    );
    let reader = PreparedDecryptionKey::from_bytes(&bytes, &key).expect("its lines");

    let public = master.public_key().to_bytes();
    refuses_other_tags(&bytes, &public, |bytes| {
        PreparedDecryptionKey::from_bytes(bytes, &key)
    });
    let sender = master.public_key().prepare();
    let bob = sender.recipient("Bob").expect("a recipient");
    for ciphertext in [
        sender.encrypt("Bob", b"a secret", EncryptOptions::default()),
        bob.encrypt(b"a secret", EncryptOptions::default()),
    ] {
        let plain = reader.decrypt("Bob", &ciphertext.expect("a ciphertext"));
        assert_eq!(plain.as_deref(), Ok(&b"a secret".to_vec()));
    }
}

/// Someone who can write the file, knows the format and all that is public, but not the key: no tag of theirs is taken.
fn refuses_other_tags<T>(good: &[u8], public: &[u8], read: impl Fn(&[u8]) -> Result<T, Error>) {
    let mut altered = good[..good.len() - 32].to_vec();
    altered[40] ^= 1;
    let binding =
        |parts: &[&[u8]]| sm3::digest(&[b"Kuaimi SM9 tables", parts.concat().as_slice()].concat());
    let tags = [
        sm3::digest(&altered),
        sm3::hmac_sm3(&[], &altered),
        sm3::hmac_sm3(public, &altered),
        sm3::hmac_sm3(&binding(&[public]), &altered),
        sm3::hmac_sm3(&binding(&[&[], public]), &altered),
    ];
    for tag in tags {
        let forged = [&altered[..], &tag].concat();
        assert_eq!(read(&forged).err(), Some(Error::TableAltered));
    }
}

/// Of one byte, the key stream is zero in one of 256 cases, in which another nonce is taken: the message never goes in the clear.
#[test]
fn a_single_byte_is_never_sent_in_the_clear() {
    let master = encryption(7);
    let sender = master.public_key().prepare();
    let bob = sender.recipient("Bob").expect("a recipient");
    let reader = master.user_key("Bob").expect("a key").prepare();
    for round in 0..1500 {
        let ciphertext = bob
            .encrypt(b"M", EncryptOptions::default())
            .expect("a ciphertext");
        assert_ne!(ciphertext.c2(), b"M", "round {round}");
        if round % 100 == 0 {
            let plain = reader.decrypt("Bob", &ciphertext);
            assert_eq!(plain.as_deref(), Ok(&b"M".to_vec()));
        }
    }
}
