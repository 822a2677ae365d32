//! Caches in a process that forks while its threads use them: what a thread had locked at the fork stays locked in the child, where
//! that thread does not exist. No child hangs, and no child's verdict is wrong.
#![cfg(target_os = "linux")]

use kuaimi::sm2::{self, KeyCache, SecretKey};
use kuaimi::sm9::{self, IdentityCache, MasterSigningKey};
use kuaimi_testing::forks::in_children;

/// How many children each test has.
const CHILDREN: usize = 300;

#[test]
fn children_use_a_cache_of_keys() {
    let cache = KeyCache::new(1 << 20);
    let key = sm2::SigningKey::new(SecretKey::from_bytes(&[7; 32]).expect("in range"));
    let signature = key.sign_deterministic(b"message");
    let (key, public) = (key.verifying_key(), key.verifying_key().public_key());
    let verify = || cache.verify(key, b"message", &signature);
    let verifies = || assert_eq!(verify(), Ok(()));
    let looks = || {
        for _ in 0..100 {
            assert!(cache.peek(public).is_some());
        }
    };
    assert_eq!((verify(), verify()), (Ok(()), Ok(())), "makes the table");
    in_children(CHILDREN, &[&verifies, &looks, &looks], || {
        let verified = (0..3).all(|_| verify() == Ok(()));
        // A child that began anew made its own table, at the second use.
        let is_known = cache.peek(public).is_some() && cache.stats().entries == 1;
        let wrong = cache.verify(key, b"another", &signature);
        cache.clear();
        verified && is_known && wrong == Err(sm2::Error::InvalidSignature) && verify() == Ok(())
    });
}

#[test]
fn children_use_a_cache_of_identities() {
    let master = MasterSigningKey::from_bytes(&[7; 32]).expect("in range");
    let cache = IdentityCache::new(master.public_key(), 1 << 20);
    let key = master.extract("alice").expect("a key");
    let signature = key.sign(b"message").expect("a signature");
    let key = key.verifying_key();
    let verify = || cache.verify(key, b"message", &signature);
    let verifies = || assert_eq!(verify(), Ok(()));
    let looks = || {
        for _ in 0..100 {
            assert!(cache.peek(key).is_some());
        }
    };
    assert_eq!((verify(), verify()), (Ok(()), Ok(())), "makes the table");
    in_children(CHILDREN, &[&verifies, &looks, &looks], || {
        let verified = (0..3).all(|_| verify() == Ok(()));
        let is_known = cache.peek(key).is_some();
        let wrong = cache.verify(key, b"another", &signature);
        verified && is_known && wrong == Err(sm9::Error::InvalidSignature)
    });
}

/// A key whose table a thread of the parent was making gets one in the child, too: that thread does not end there.
#[test]
fn a_table_that_another_thread_was_making_is_made_in_the_child() {
    let cache = KeyCache::new(1 << 20);
    let keys: Vec<_> = (1..=20)
        .map(|i| {
            *SecretKey::from_bytes(&[i; 32])
                .expect("in range")
                .public_key()
        })
        .collect();
    let makes = || {
        for key in &keys {
            assert!(cache.prepared(key).is_none() || cache.peek(key).is_some());
            cache.prepared(key);
        }
        cache.clear();
    };
    in_children(CHILDREN, &[&makes], || {
        let made = |key| (0..3).any(|_| cache.prepared(key).is_some());
        keys.iter().all(made)
    });
}
