//! What follows from a key and is used again and again: computed at its first use, and shared by the key's clones.

use alloc::boxed::Box;
use alloc::sync::Arc;

use once_cell::race::OnceBox;

/// A value that is computed when it is needed first. No lock is held while it is computed: two threads that need it first may both
/// compute it, and one result stays.
pub(super) struct Lazy<T>(Arc<OnceBox<T>>);

impl<T> Lazy<T> {
    /// Not computed yet.
    pub(super) fn new() -> Self {
        Self(Arc::new(OnceBox::new()))
    }

    /// A value that is there.
    pub(super) fn with(value: T) -> Self {
        Self(Arc::new(OnceBox::with_value(Box::new(value))))
    }

    /// The value, which `compute` gives where it was not computed yet.
    pub(super) fn get(&self, compute: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| Box::new(compute()))
    }

    /// The value, if it was computed.
    pub(super) fn peek(&self) -> Option<&T> {
        self.0.get()
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::hash::{BuildHasher, BuildHasherDefault, Hash};
    use std::collections::hash_map::DefaultHasher;

    use super::*;
    use crate::sm9::{
        DecryptionKey, ExchangeKey, MasterEncryptionKey, MasterEncryptionPublicKey,
        MasterSigningKey, MasterSigningPublicKey, SigningKey,
    };
    use kuaimi_math::sm9::group::{self, Gt};

    #[test]
    fn computed_once_for_all_clones() {
        let calls = Cell::new(0);
        let compute = || {
            calls.set(calls.get() + 1);
            calls.get()
        };
        let (one, other) = (Lazy::new(), Lazy::new());
        let clone = one.clone();
        assert_eq!(clone.peek(), None);
        assert_eq!(
            [one.get(compute), clone.get(compute), one.get(compute)],
            [&1; 3]
        );
        assert_eq!(other.get(compute), &2);
        assert_eq!((clone.get(compute), calls.get()), (&1, 2));
        assert_eq!((clone.peek(), Lazy::with(5).peek()), (Some(&1), Some(&5)));
    }

    fn same(values: &[&Gt]) -> bool {
        values
            .windows(2)
            .all(|pair| core::ptr::eq(pair[0], pair[1]))
    }

    /// Users' keys have no `g` of their own.
    #[test]
    fn users_keys_share_their_masters_value() {
        let master = MasterSigningKey::from_bytes(&[5; 32]).expect("a master key");
        let made = master.extract("Alice").expect("a key");
        let many = master
            .extract_batch(&["Bob".into()])
            .remove(0)
            .expect("one");
        let read =
            SigningKey::from_bytes(&made.to_bytes(), "Alice", &many.master_public_key().clone());
        let read = read.expect("the key");
        let (clone, prepared) = (read.clone(), made.prepare());
        let keys =
            [&made, &many, &read, &clone, prepared.key()].map(|key| key.master_public_key().g());
        assert!(same(&keys) && core::ptr::eq(keys[0], master.public_key().g()));
        let expected = group::pairing(&group::g1_generator(), master.public_key().point());
        assert_eq!(*keys[0], expected);

        let master = MasterEncryptionKey::from_bytes(&[5; 32]).expect("a master key");
        let made = master.extract("Alice").expect("a key");
        let many = master.extract_exchange_batch(&["Bob".into()]).remove(0);
        let many: ExchangeKey = many.expect("a key");
        let read = DecryptionKey::from_bytes(&made.to_bytes(), "Alice", many.master_public_key());
        let read = read.expect("the key");
        let (clone, prepared) = (read.clone(), made.prepare());
        let keys = [&made, &read, &clone, prepared.key()].map(|key| key.master_public_key().g());
        assert!(same(&keys) && core::ptr::eq(keys[0], many.master_public_key().g()));
        assert!(core::ptr::eq(keys[0], master.public_key().g()));
        let expected = group::pairing(master.public_key().point(), &group::g2_generator());
        assert_eq!(*keys[0], expected);
    }

    /// A key that was used is the key that was not.
    #[test]
    fn whether_it_was_used_does_not_show() {
        fn check<K: PartialEq + Hash + core::fmt::Debug>(used: &K, unused: &K) {
            assert_eq!(used, unused);
            assert_eq!(format!("{used:?}"), format!("{unused:?}"));
            let hash = BuildHasherDefault::<DefaultHasher>::default();
            assert_eq!(hash.hash_one(used), hash.hash_one(unused));
        }
        let master = MasterSigningKey::from_bytes(&[5; 32]).expect("a master key");
        let used = master.public_key();
        used.precompute();
        let unused = MasterSigningPublicKey::from_bytes(&used.to_bytes()).expect("a key");
        check(used, &unused);
        let other = MasterSigningKey::from_bytes(&[6; 32]).expect("another");
        assert_ne!(used, other.public_key());

        let master = MasterEncryptionKey::from_bytes(&[5; 32]).expect("a master key");
        let used = master.public_key();
        used.precompute();
        let unused = MasterEncryptionPublicKey::from_bytes(&used.to_bytes()).expect("a key");
        check(used, &unused);
        let other = MasterEncryptionKey::from_bytes(&[6; 32]).expect("another");
        assert_ne!(used, other.public_key());
    }
}
