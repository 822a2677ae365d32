//! Keys and their tables, the cache of such keys, and nonces ahead of time.

use std::collections::HashSet;

use crate::common::numbers::{Broken, secret};
use kuaimi::precompute::Precompute;
use kuaimi::sm2::{
    EncryptionKey, Error, KeyCache, NoncePool, PublicKey, Signature, SigningKey, VerifyingKey,
};

const TABLE: usize = VerifyingKey::TABLE_BYTES;

#[test]
fn keys_with_tables_give_the_same_verdicts() {
    for seed in 1..20 {
        let id = vec![seed; usize::from(seed)];
        let key = SigningKey::with_id(secret(seed), &id).expect("short");
        let without = key.verifying_key().with_precompute(Precompute::Never);
        let prepared = key.verifying_key().with_precompute(Precompute::AtOnce);
        let again = prepared.encryption_key().verifying_key_with_id(&id);
        let again = again.expect("short");
        let default = prepared.encryption_key().verifying_key();
        assert!(again.is_prepared() && default.is_prepared());
        let too_long = prepared.under_id(&[0; 8192]);
        assert_eq!(too_long.err(), Some(Error::IdTooLong(8192)));
        let message = vec![seed; usize::from(seed) * 13];
        let signature = key.sign(&message).expect("random");
        let wrong = Err(Error::InvalidSignature);
        for key in [&without, &prepared, &again] {
            assert_eq!(key.verify(&message, &signature), Ok(()));
            assert_eq!(key.verify(&message[1..], &signature), wrong);
        }
        assert_eq!(default.verify(&message, &signature), wrong);
        let others = VerifyingKey::with_id(*secret(99).public_key(), &id).expect("short");
        others.prepare();
        assert_eq!(others.verify(&message, &signature), wrong);
        for bit in (0..512).step_by(7) {
            let mut altered = signature.to_bytes();
            altered[bit / 8] ^= 1 << (bit % 8);
            if let Ok(altered) = Signature::from_bytes(&altered) {
                assert_eq!(without.verify(&message, &altered), wrong, "bit {bit}");
                assert_eq!(prepared.verify(&message, &altered), wrong, "bit {bit}");
            }
        }
        assert!(!without.is_prepared());
        assert_eq!(prepared.public_key(), key.public_key());
        let hash = |key: &VerifyingKey| key.message_hash().finalize();
        assert_eq!(hash(&prepared), hash(&without));
    }
}

/// The same nonce makes the same ciphertext.
#[test]
fn recipients_with_tables_get_the_same_ciphertexts() {
    for seed in 1..20 {
        let key = secret(seed);
        let prepared = EncryptionKey::from(key.public_key());
        prepared.prepare();
        for length in [1, 7, 32, 33, 200] {
            let message = vec![seed; length];
            let nonce = || Broken::Gives(vec![[seed ^ 0x40; 32]]);
            let expected = key.public_key().encrypt_with_rng(&mut nonce(), &message);
            let found = prepared.encrypt_with_rng(&mut nonce(), &message);
            // Where a nonce does not hide a byte, both ask for another and get none.
            assert_eq!(found, expected);
            let ciphertext = prepared.encrypt(&message).expect("random");
            assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), message);
        }
        assert_eq!(prepared.encrypt(b""), Err(Error::EmptyMessage));
    }
}

#[test]
fn a_table_has_the_size_that_is_documented() {
    assert_eq!((TABLE, EncryptionKey::TABLE_BYTES), (53_248, TABLE));
}

/// What `kuaimi::precompute` promises, at each kind of key.
#[test]
fn a_key_makes_its_table_at_its_second_use() {
    let key = SigningKey::new(secret(1));
    let signature = key.sign_deterministic(b"text");
    let verify = |key: &VerifyingKey| {
        assert_eq!(key.verify(b"text", &signature), Ok(()));
        key.is_prepared()
    };
    let (one, clone) = (key.verifying_key(), key.verifying_key().clone());
    assert_eq!(
        [verify(one), verify(&clone), one.is_prepared()],
        [false, true, true]
    );
    let now = one.with_precompute(Precompute::AtOnce);
    let never = one.with_precompute(Precompute::Never);
    assert!(now.is_prepared());
    assert_eq!([verify(&never), verify(&never), verify(&never)], [false; 3]);
    never.prepare();
    assert!(verify(&never));

    let recipient = EncryptionKey::new(*key.public_key());
    let encrypt = || {
        recipient.encrypt(b"text").expect("random");
        recipient.is_prepared()
    };
    assert_eq!([encrypt(), encrypt()], [false, true]);
    assert!(recipient.verifying_key().is_prepared());
}

/// A cache's key, used once.
fn use_once(cache: &KeyCache, key: &PublicKey) -> bool {
    let key = cache.encryption_key(key);
    key.encrypt(b"text").expect("random");
    key.is_prepared()
}

#[test]
fn a_cache_keeps_a_key_from_its_second_use() {
    let cache = KeyCache::new(1 << 20);
    let key = *secret(1).public_key();
    assert!(!use_once(&cache, &key), "the first use");
    assert!(!cache.contains(&key));
    assert!(use_once(&cache, &key), "the second use");
    assert!(cache.contains(&key));
    assert!(cache.encryption_key(&key).is_prepared());
    let stats = cache.stats();
    assert_eq!(
        (stats.entries, stats.hits, stats.misses, stats.evictions),
        (1, 1, 2, 0)
    );
    assert!(stats.bytes >= TABLE && stats.bytes <= 1 << 20);
    cache.clear();
    assert_eq!(cache.stats().entries, 0);
    assert!(!use_once(&cache, &key), "a first use again");
}

#[test]
fn the_key_not_used_for_longest_is_dropped() {
    // Room for three tables.
    let cache = KeyCache::new(3 * (TABLE + 1000));
    let keys: Vec<_> = (1..6).map(|seed| *secret(seed).public_key()).collect();
    for key in &keys[..3] {
        use_once(&cache, key);
        use_once(&cache, key);
    }
    assert_eq!((cache.stats().entries, cache.stats().evictions), (3, 0));
    // The first is used again, so that the second is the one to go.
    assert!(use_once(&cache, &keys[0]));
    use_once(&cache, &keys[3]);
    assert_eq!(
        cache.stats().entries,
        3,
        "seen once, it takes no one's place"
    );
    use_once(&cache, &keys[3]);
    let kept: Vec<bool> = keys.iter().map(|key| cache.contains(key)).collect();
    assert_eq!(kept, [true, false, true, true, false]);
    assert_eq!(cache.stats().evictions, 1);
    // Keys that never come back drive nothing out.
    for seed in 10..200 {
        assert!(!use_once(&cache, secret(seed).public_key()));
    }
    assert_eq!((cache.stats().entries, cache.stats().evictions), (3, 1));
    assert!(cache.stats().bytes <= 3 * (TABLE + 1000));
    // One too small for any.
    let none = KeyCache::new(TABLE);
    for _ in 0..5 {
        assert!(!use_once(&none, &keys[0]));
    }
}

#[test]
fn a_cache_is_shared_between_threads() {
    // Two tables for six keys: threads prepare, find and drop at the same time.
    let cache = KeyCache::new(2 * (TABLE + 1000));
    let keys: Vec<SigningKey> = (1..7).map(|s| SigningKey::new(secret(s))).collect();
    let never = |key: &SigningKey| key.verifying_key().with_precompute(Precompute::Never);
    let verifying: Vec<VerifyingKey> = keys.iter().map(never).collect();
    let signatures: Vec<Signature> = keys.iter().map(|k| k.sign_deterministic(b"text")).collect();
    let rounds = 60;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (cache, keys, signatures) = (&cache, &verifying, &signatures);
            scope.spawn(move || {
                for i in 0..rounds {
                    let j = (i / 3 + thread) % keys.len();
                    let key = &keys[j];
                    assert_eq!(cache.verify(key, b"text", &signatures[j]), Ok(()));
                    let other = &signatures[(j + 1) % keys.len()];
                    let wrong = cache.verify(key, b"text", other);
                    assert_eq!(wrong, Err(Error::InvalidSignature));
                }
            });
        }
    });
    let stats = cache.stats();
    assert_eq!(
        stats.hits + stats.misses,
        4 * 2 * rounds as u64,
        "each use is counted"
    );
    assert!(
        stats.hits > 0 && stats.entries <= 2 && stats.evictions > 0,
        "{stats:?}"
    );
}

/// Signs until the pool has served `wanted` nonces.
fn sign_from(pool: &NoncePool, key: &SigningKey, wanted: u64) -> Vec<Signature> {
    let mut signatures = Vec::new();
    while pool.stats().served < wanted {
        signatures.push(key.sign_with_pool(pool, b"text").expect("random"));
    }
    signatures
}

#[test]
fn no_nonce_comes_twice() {
    let pool = NoncePool::new(100).expect("random");
    let key = SigningKey::new(secret(5));
    let (pool, key) = (&pool, &key);
    let all: Vec<Signature> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| scope.spawn(move || sign_from(pool, key, 1000)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    // One message: r would tell of a nonce used twice.
    let distinct: HashSet<[u8; 32]> = all.iter().map(Signature::r).collect();
    assert_eq!(distinct.len(), all.len());
    for signature in &all {
        assert_eq!(key.verifying_key().verify(b"text", signature), Ok(()));
    }
    let stats = pool.stats();
    assert_eq!(stats.served + stats.missed, all.len() as u64);
    assert!(stats.served >= 1000 && stats.ready <= 100);
}

/// A pool that never has any leaves signing as it is.
#[test]
fn an_empty_pool_keeps_nobody_waiting() {
    let pool = NoncePool::new(0).expect("random");
    let key = SigningKey::new(secret(6));
    for _ in 0..10 {
        let signature = key.sign_with_pool(&pool, b"text").expect("random");
        assert_eq!(key.verifying_key().verify(b"text", &signature), Ok(()));
    }
    let stats = pool.stats();
    assert_eq!((stats.ready, stats.served, stats.missed), (0, 0, 10));
}

/// All that a number can say: memory is taken as it is used.
#[test]
fn huge_capacities() {
    drop(NoncePool::new(usize::MAX).expect("random"));
    let (cache, key) = (KeyCache::new(usize::MAX), SigningKey::new(secret(6)));
    let signature = key.sign(b"text").expect("random");
    for _ in 0..3 {
        assert_eq!(
            cache.verify(key.verifying_key(), b"text", &signature),
            Ok(())
        );
    }
    assert_eq!(cache.stats().entries, 1);
}

#[test]
fn a_pool_shows_no_nonce() {
    let pool = NoncePool::new(3).expect("random");
    while pool.stats().ready < 3 {
        std::thread::yield_now();
    }
    let text = format!("{pool:?}");
    assert!(text.contains("capacity: 3") && text.len() < 200, "{text}");
}
