//! Caches in a process that forks while its threads use them: what a thread had locked at the fork
//! stays locked in the child, where that thread does not exist. No child hangs, and no child's
//! verdict is wrong.
#![cfg(target_os = "linux")]

use kuaimi::precompute::Precompute;
use kuaimi::sm2::{self, KeyCache, PrivateKey};
use kuaimi::sm9::{self, IdentityCache, MasterSigningKey};
use kuaimi_testing::forks::in_children;

/// How many children each test has.
const CHILDREN: usize = 300;

#[test]
fn children_use_a_cache_of_keys() {
    let cache = KeyCache::new(1 << 20);
    let key = sm2::SigningKey::new(PrivateKey::from_bytes(&[7; 32]).expect("in range"));
    let signature = key.sign_deterministic(b"message");
    let key = key.verifying_key().with_precompute(Precompute::Never);
    let (key, public) = (&key, key.public_key());
    let verify = || cache.verify(key, b"message", &signature);
    let verifies = || assert_eq!(verify(), Ok(()));
    let looks = || {
        for _ in 0..100 {
            assert!(cache.contains(public));
        }
    };
    assert_eq!((verify(), verify()), (Ok(()), Ok(())), "makes the table");
    in_children(CHILDREN, &[&verifies, &looks, &looks], || {
        let verified = (0..3).all(|_| verify() == Ok(()));
        // A child that began anew made its own table, at the second use.
        let is_known = cache.contains(public) && cache.stats().entries == 1;
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
    let key = key.verifying_key().with_precompute(Precompute::Never);
    let key = &key;
    let verify = || cache.verify(key, b"message", &signature);
    let verifies = || assert_eq!(verify(), Ok(()));
    let looks = || {
        for _ in 0..100 {
            assert!(cache.contains(key));
        }
    };
    assert_eq!((verify(), verify()), (Ok(()), Ok(())), "makes the table");
    in_children(CHILDREN, &[&verifies, &looks, &looks], || {
        let verified = (0..3).all(|_| verify() == Ok(()));
        let is_known = cache.contains(key);
        let wrong = cache.verify(key, b"another", &signature);
        verified && is_known && wrong == Err(sm9::Error::InvalidSignature)
    });
}

/// A key whose table a thread of the parent was making gets one in the child, too, after some uses:
/// that thread does not exist there.
#[test]
fn a_table_that_another_thread_was_making_is_made_in_the_child() {
    let cache = KeyCache::new(2 << 20);
    let secrets = (1..=20).map(|i| PrivateKey::from_bytes(&[i; 32]).expect("in range"));
    let signers: Vec<_> = secrets.map(sm2::SigningKey::new).collect();
    let signature = |signer: &sm2::SigningKey| signer.sign_deterministic(b"message");
    let signatures: Vec<_> = signers.iter().map(signature).collect();
    let verify = |i: usize| {
        let key = signers[i]
            .verifying_key()
            .with_precompute(Precompute::Never);
        assert_eq!(cache.verify(&key, b"message", &signatures[i]), Ok(()));
        cache.contains(signers[i].public_key())
    };
    let makes = || {
        for i in 0..signers.len() {
            verify(i);
            verify(i);
        }
        cache.clear();
    };
    in_children(CHILDREN, &[&makes], || {
        let made = |i| (0..80).any(|_| verify(i));
        (0..signers.len()).all(made)
    });
}
