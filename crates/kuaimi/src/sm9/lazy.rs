//! What follows from a key and is used again and again: computed at its first use or at its second, and shared by the key's clones.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::sync::atomic::{AtomicU8, Ordering};

use once_cell::race::OnceBox;

/// Not used yet.
const UNUSED: u8 = 0;
/// Used once.
const USED: u8 = 1;
/// Used again, so that a thread computes the value now, or has done so.
const COMPUTED: u8 = 2;

/// A value that is computed when it is needed. No lock is held while it is computed.
pub(super) struct Lazy<T>(Arc<Inner<T>>);

struct Inner<T> {
    value: OnceBox<T>,
    uses: AtomicU8,
}

impl<T> Lazy<T> {
    /// Not computed yet.
    pub(super) fn new() -> Self {
        Self::of(OnceBox::new())
    }

    /// A value that is there.
    pub(super) fn with(value: T) -> Self {
        Self::of(OnceBox::with_value(Box::new(value)))
    }

    fn of(value: OnceBox<T>) -> Self {
        let uses = AtomicU8::new(UNUSED);
        Self(Arc::new(Inner { value, uses }))
    }

    /// The value, which `compute` gives where it was not computed yet. Two threads that need it first may both compute it, and one
    /// result stays.
    pub(super) fn get(&self, compute: impl FnOnce() -> T) -> &T {
        self.0.value.get_or_init(|| Box::new(compute()))
    }

    /// The value, if there is one. If not, this counts as a use, and at the second use `compute` gives the value. Nothing at the first
    /// use, and while another thread computes: nobody waits, and one thread alone computes.
    pub(super) fn used(&self, compute: impl FnOnce() -> T) -> Option<&T> {
        let value = self.peek();
        if value.is_some() || self.step(UNUSED, USED) || !self.step(USED, COMPUTED) {
            return value;
        }
        // If the computation panics, a later use may try again.
        let attempt = Attempt(&self.0.uses);
        let value = self.get(compute);
        core::mem::forget(attempt);
        Some(value)
    }

    /// The value, if it was computed.
    pub(super) fn peek(&self) -> Option<&T> {
        self.0.value.get()
    }

    /// Whether this call, and no other, made this step.
    fn step(&self, from: u8, to: u8) -> bool {
        let ordering = Ordering::Relaxed;
        let step = self.0.uses.compare_exchange(from, to, ordering, ordering);
        step.is_ok()
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A computation at the second use, which counts as none unless it is forgotten.
struct Attempt<'a>(&'a AtomicU8);

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.0.store(USED, Ordering::Relaxed);
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

    #[test]
    fn computed_at_the_second_use() {
        let lazy = Lazy::new();
        let clone = lazy.clone();
        assert_eq!(lazy.used(|| panic!("it is the first use")), None);
        assert_eq!(clone.used(|| 5), Some(&5));
        assert_eq!(lazy.used(|| panic!("it was computed")), Some(&5));
        assert_eq!(lazy.get(|| panic!("it was computed")), &5);
        assert_eq!(Lazy::with(5).used(|| 6), Some(&5));
        // What was computed without a use is there at the first.
        let lazy = Lazy::new();
        assert_eq!((lazy.get(|| 5), lazy.used(|| 6)), (&5, Some(&5)));
    }

    /// Nobody waits for another thread's computation, nor computes the same.
    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn computed_by_one_thread_at_a_time() {
        let lazy = Lazy::new();
        assert_eq!(lazy.used(|| 5), None);
        let value = lazy.used(|| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| lazy.used(|| panic!("it is in progress")).copied());
                assert_eq!(other.join().expect("no panic"), None);
            });
            5
        });
        assert_eq!(value, Some(&5));

        let (lazy, computed) = (Lazy::new(), AtomicU8::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        lazy.used(|| computed.fetch_add(1, Ordering::Relaxed));
                    }
                });
            }
        });
        assert_eq!(computed.into_inner(), 1);
        assert!(lazy.peek().is_some());
    }

    // In WebAssembly a panic ends the program.
    #[cfg(panic = "unwind")]
    #[test]
    fn a_computation_that_panics_blocks_nothing() {
        let lazy = Lazy::new();
        assert_eq!(lazy.used(|| 5), None);
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            lazy.used(|| panic!("while computing")).is_some()
        }));
        assert!(panics.is_err());
        assert_eq!(lazy.used(|| 5), Some(&5));
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

    /// What the documentation of the keys promises: when tables are made, for whom, and how large they are.
    #[test]
    fn tables_are_made_at_the_second_use() {
        use kuaimi_math::sm9::group::{G1Table, G2Lines, GtTable};

        use crate::sm9::encapsulate::{Argument, ReceiveOps};

        let sizes = [GtTable::BYTES, G1Table::BYTES, G2Lines::BYTES];
        assert_eq!(sizes, [66 << 10, 52 << 10, 77 * 128]);

        let master = MasterSigningKey::from_bytes(&[5; 32]).expect("a master key");
        let (alice, bob) = (master.extract("Alice"), master.extract("Bob"));
        let (alice, bob) = (alice.expect("a key"), bob.expect("a key"));
        let clone = alice.clone();
        let tables = |key: &SigningKey| {
            let master = key.master_public_key().known_g_table().is_some();
            (master, key.known_table().is_some())
        };
        alice.sign(b"one").expect("a signature");
        assert_eq!(
            (tables(&alice), tables(&bob)),
            ((false, false), (false, false))
        );
        clone.sign(b"two").expect("a signature");
        assert_eq!(
            (tables(&alice), tables(&bob)),
            ((true, true), (true, false))
        );
        assert!(master.public_key().known_g_table().is_some());
        let third = alice.sign(b"three").expect("a signature");
        assert_eq!(
            bob.verifying_key().verify(b"three", &third),
            Err(crate::sm9::Error::InvalidSignature)
        );
        assert_eq!(alice.verifying_key().verify(b"three", &third), Ok(()));

        let master = MasterEncryptionKey::from_bytes(&[5; 32]).expect("a master key");
        let user = master.extract("Alice").expect("a key");
        let has_lines = |key: &DecryptionKey| matches!(key.argument(), Argument::Lines(_));
        for (i, name) in ["Bob", "Alice", "Alice"].into_iter().enumerate() {
            let recipient = master.public_key().encryption_key(name).expect("a key");
            let (key, c) = recipient.encapsulate(16).expect("an encapsulation");
            assert_eq!(master.public_key().known_tables().is_some(), i > 0);
            if i > 0 {
                assert_eq!(user.clone().decapsulate(&c, 16), Ok(key));
            }
        }
        assert!(has_lines(&user));
        assert!(!has_lines(&master.extract("Bob").expect("a key")));
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
