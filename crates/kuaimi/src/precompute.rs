//! When a key makes its table: the one policy of all keys, and the place where they keep their
//! tables.
//!
//! A table holds what is the same in every operation with a key, so that each operation takes less
//! time. Making one costs as much as a few operations, and keeping it takes memory. So a key makes
//! its table when it is used for the second time: most keys that are used twice are used often.
//! Clones share the table, and so do threads. No thread waits for another one's table: one thread
//! makes it, and the others do without until it is there. Results are the same with a table and
//! without.
//!
//! | key | table | bytes |
//! | --- | --- | ---: |
//! | SM2: [`VerifyingKey`](crate::sm2::VerifyingKey), [`EncryptionKey`](crate::sm2::EncryptionKey) | multiples of the public key | 53,248 |
//! | SM9: `SigningKey` | multiples of `ds` | 53,248 |
//! | SM9: `VerifyingKey` | lines of Miller's loop through `P = [H1]P2 + Ppub-s` | 9,856 |
//! | SM9: `EncryptionKey` | multiples of `Q = [H1]P1 + Ppub-e` | 53,248 |
//! | SM9: `DecryptionKey`, `ExchangeKey` | lines of Miller's loop through `de` | 9,856 |
//! | SM9: `MasterSigningPublicKey` | powers of `g = e(P1, Ppub-s)`, and lines through `Ppub-s` | 77,440 |
//! | SM9: `MasterEncryptionPublicKey` | powers of `g = e(Ppub-e, P2)`, and multiples of `Ppub-e` | 120,832 |
//!
//! *Another policy.* `prepare()` of a key makes its table now. `with_precompute` gives the same key
//! with another policy: [`Precompute::Never`] for a key whose memory or time must not change,
//! [`Precompute::AtOnce`] for one that will be used often.
//!
//! *Limit.* The tables that users' keys make at their second use take at most [`DEFAULT_LIMIT`]
//! bytes together, or as [`set_limit`] says. Beyond it, keys work without a table, until others are
//! dropped. Not counted are tables that `prepare()` made, those of caches, which have a limit each,
//! and those of master public keys, of which there are few.
//!
//! *Batches.* In vector lanes an operation of SM2 costs less, but a table does not. So a batch
//! counts as one use of a key, unless the key has [`worth_in_batch`] items or more in it: then it
//! makes its table.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use once_cell::race::OnceBox;

/// When a key makes its table.
///
/// ```
/// use kuaimi::precompute::Precompute;
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let key = signer.verifying_key().with_precompute(Precompute::Never);
/// for message in [b"one", b"two", b"six"] {
///     key.verify(message, &signer.sign_deterministic(message))?;
/// }
/// assert!(!key.is_prepared());
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precompute {
    /// Only when `prepare()` is called.
    Never,
    /// When the key is used for the second time, within the limit of this module.
    #[default]
    AtSecondUse,
    /// Now.
    AtOnce,
}

/// What the tables that keys make at their second use may take together, in bytes: about 300 keys
/// of SM2. Nothing on machines without an operating system.
pub const DEFAULT_LIMIT: usize = if cfg!(target_os = "none") {
    0
} else {
    16 << 20
};

static LIMIT: AtomicUsize = AtomicUsize::new(DEFAULT_LIMIT);
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Sets what the tables that keys make at their second use may take together in this process, in
/// bytes. Tables that exist stay.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let signature = signer.sign_deterministic(b"a message");
/// kuaimi::precompute::set_limit(0);
/// for _ in 0..3 {
///     signer.verifying_key().verify(b"a message", &signature)?;
/// }
/// assert!(!signer.verifying_key().is_prepared());
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// What the tables take that keys made at their second use, in bytes.
///
/// ```
/// assert!(kuaimi::precompute::bytes_taken() <= kuaimi::precompute::DEFAULT_LIMIT);
/// ```
pub fn bytes_taken() -> usize {
    TAKEN.load(Ordering::Relaxed)
}

/// From how many items of one key of SM2 on a batch is faster with a table, which takes time to
/// make. It depends on the CPU: 6 in scalar code and in lanes of AVX2, 14 in lanes of AVX-512.
///
/// ```
/// assert!(kuaimi::precompute::worth_in_batch() > 2);
/// ```
#[cfg(feature = "batch")]
pub fn worth_in_batch() -> usize {
    kuaimi_math::sm2::group::worth_a_table()
}

/// A table that a key keeps.
pub(crate) trait Table {
    /// Its size in memory.
    const BYTES: usize;
}

macro_rules! table {
    ($($table:ty),*) => {$(
        impl Table for $table {
            const BYTES: usize = <$table>::BYTES;
        }
    )*};
}

table!(kuaimi_math::sm2::group::KeyTable);
#[cfg(feature = "sm9")]
table!(
    kuaimi_math::sm9::group::G1Table,
    kuaimi_math::sm9::group::G2Lines
);
#[cfg(feature = "sm9")]
impl Table for kuaimi_math::sm9::group::GtTable {
    const BYTES: usize = Self::MEMORY;
}

/// Not used yet.
const UNUSED: u8 = 0;
/// Used once.
const USED: u8 = 1;
/// A thread makes the table. From here on, uses without a table are counted.
const MAKING: u8 = 2;
/// So many that the table is tried again: there was no room for it, or the thread that was making
/// it exists in the parent of a fork alone.
const AGAIN: u8 = 64;
/// No table without `prepare()`.
const NEVER: u8 = u8::MAX;

/// The place of a key's table. No lock is held while the table is made.
pub(crate) struct Slot<T> {
    held: OnceBox<Held<T>>,
    uses: AtomicU8,
    /// Whether the table counts towards the limit.
    counted: bool,
}

struct Held<T> {
    table: T,
    // Given back when the table is dropped.
    _share: Share,
}

impl<T> Held<T> {
    fn new(table: T, share: Share) -> Self {
        let _share = share;
        Self { table, _share }
    }
}

impl<T: Table> Slot<T> {
    /// A place for a user's key's table. [`Precompute::AtOnce`] is the caller's to do.
    pub(crate) fn new(policy: Precompute) -> Self {
        Self::with(policy, true)
    }

    /// A place for a master public key's table, which does not count.
    #[cfg(feature = "sm9")]
    pub(crate) fn uncounted(policy: Precompute) -> Self {
        Self::with(policy, false)
    }

    /// A place for the table of a key that a cache has seen before: it is made at the next use, and
    /// counts in the cache.
    #[cfg(any(feature = "std", all(feature = "batch", feature = "sm9")))]
    pub(crate) fn in_cache() -> Self {
        Self {
            held: OnceBox::new(),
            uses: AtomicU8::new(USED),
            counted: false,
        }
    }

    /// A table that is there.
    #[cfg(feature = "sm9")]
    pub(crate) fn filled(table: T) -> Self {
        let slot = Self::with(Precompute::Never, false);
        slot.get(|| table);
        slot
    }

    fn with(policy: Precompute, counted: bool) -> Self {
        let uses = match policy {
            Precompute::Never => NEVER,
            Precompute::AtSecondUse | Precompute::AtOnce => UNUSED,
        };
        Self {
            held: OnceBox::new(),
            uses: AtomicU8::new(uses),
            counted,
        }
    }

    /// The table, which is made now if it is not there. Two threads may both make it, and one
    /// stays.
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        let held = || Box::new(Held::new(make(), Share(0)));
        &self.held.get_or_init(held).table
    }

    /// As [`get`](Self::get), of a key that may have no table.
    #[cfg(feature = "sm9")]
    pub(crate) fn try_get(&self, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        self.fill(Share(0), make)
    }

    /// The table, if there is one. If not, this counts as a use, and the second use makes it.
    /// Nothing at the first use, and while another thread makes it.
    #[inline]
    pub(crate) fn used(&self, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        self.used_times(1, make)
    }

    /// As [`used`](Self::used), for several uses together.
    pub(crate) fn used_times(&self, uses: usize, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        let table = self.peek();
        if table.is_some() || !self.is_to_be_made(uses) {
            return table;
        }
        let bytes = if self.counted { T::BYTES } else { 0 };
        self.fill(Share::of(bytes)?, make)
    }

    /// The table, if it was made.
    #[inline]
    pub(crate) fn peek(&self) -> Option<&T> {
        self.held.get().map(|held| &held.table)
    }

    fn fill(&self, share: Share, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        let held = self.held.get_or_try_init(|| {
            let table = make().ok_or(())?;
            Ok::<_, ()>(Box::new(Held::new(table, share)))
        });
        held.ok().map(|held| &held.table)
    }

    /// Counts uses; whether this call, and no other, is to make the table.
    #[cold]
    fn is_to_be_made(&self, uses: usize) -> bool {
        let together = if uses < 2 { 1 } else { 2 };
        let ordering = Ordering::Relaxed;
        let before = self
            .uses
            .fetch_update(ordering, ordering, |seen| match seen {
                NEVER => None,
                UNUSED | USED => Some(MAKING.min(seen + together)),
                AGAIN => Some(MAKING),
                _ => Some(seen + 1),
            });
        match before {
            Ok(UNUSED) => together == 2,
            Ok(USED | AGAIN) => true,
            _ => false,
        }
    }
}

/// A share of what tables may take together.
struct Share(usize);

impl Share {
    fn of(bytes: usize) -> Option<Self> {
        let (ordering, limit) = (Ordering::Relaxed, LIMIT.load(Ordering::Relaxed));
        let taken = TAKEN.fetch_update(ordering, ordering, |taken| {
            taken.checked_add(bytes).filter(|sum| *sum <= limit)
        });
        // What does not count fits beside any limit.
        (bytes == 0 || taken.is_ok()).then(|| Self(bytes))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    impl Table for u32 {
        const BYTES: usize = 4;
    }

    /// More than any limit.
    struct Huge;

    impl Table for Huge {
        const BYTES: usize = usize::MAX;
    }

    fn slot() -> Slot<u32> {
        Slot::with(Precompute::AtSecondUse, false)
    }

    #[test]
    fn made_at_the_second_use() {
        let slot = slot();
        assert_eq!(slot.used(|| panic!("it is the first use")), None);
        assert_eq!(slot.used(|| Some(5)), Some(&5));
        assert_eq!(slot.used(|| panic!("it was made")), Some(&5));
        assert_eq!(slot.get(|| panic!("it was made")), &5);
        // Two uses together.
        let slot = Slot::<u32>::with(Precompute::AtSecondUse, false);
        assert_eq!(slot.used_times(2, || Some(6)), Some(&6));
        // What was made without a use is there at the first.
        let slot = Slot::<u32>::with(Precompute::AtSecondUse, false);
        assert_eq!((slot.get(|| 7), slot.peek()), (&7, Some(&7)));
        assert_eq!(slot.used(|| Some(8)), Some(&7));
    }

    #[test]
    fn never_is_never_but_for_prepare() {
        let slot = Slot::<u32>::new(Precompute::Never);
        for _ in 0..300 {
            assert_eq!(slot.used_times(2, || panic!("never")), None);
        }
        assert_eq!(slot.get(|| 5), &5);
        assert_eq!(slot.used(|| Some(6)), Some(&5));
    }

    /// One that cannot be made is tried again later, and nothing is lost.
    #[test]
    fn what_was_not_made_is_tried_again() {
        let (slot, tried) = (slot(), Cell::new(0));
        let fails = || {
            tried.set(tried.get() + 1);
            None
        };
        for _ in 0..=AGAIN {
            assert_eq!(slot.used(fails), None);
        }
        assert_eq!(tried.get(), 2);
        let made = (0..=AGAIN).find_map(|_| slot.used(|| Some(5)));
        assert_eq!(made, Some(&5));
    }

    #[test]
    fn no_table_beyond_the_limit() {
        let slot = Slot::<Huge>::new(Precompute::AtSecondUse);
        for _ in 0..300 {
            assert!(slot.used(|| panic!("there is no room for it")).is_none());
        }
        // What was refused takes nothing, and gives nothing back.
        assert!(Share::of(usize::MAX).is_none() && bytes_taken() <= DEFAULT_LIMIT);
        // But where it was asked for, and where it does not count.
        slot.get(|| Huge);
        assert!(slot.peek().is_some());
        assert!(Slot::<Huge>::in_cache().used(|| Some(Huge)).is_some());
    }

    #[test]
    fn what_is_dropped_is_given_back() {
        let share = Share::of(1000).expect("there is room");
        assert!(bytes_taken() >= 1000);
        drop(share);
        let slot = Slot::<u32>::new(Precompute::AtSecondUse);
        assert_eq!(slot.used_times(2, || Some(5)), Some(&5));
        assert!(slot.held.get().is_some_and(|held| held._share.0 == 4));
    }

    /// Nobody waits for another thread's table, nor makes the same.
    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn made_by_one_thread_at_a_time() {
        let slot = slot();
        assert_eq!(slot.used(|| Some(5)), None);
        let made = slot.used(|| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| slot.used(|| panic!("it is in progress")).copied());
                assert_eq!(other.join().expect("no panic"), None);
            });
            Some(5)
        });
        assert_eq!(made, Some(&5));

        let (slot, calls) = (
            Slot::<u32>::with(Precompute::AtSecondUse, false),
            AtomicU8::new(0),
        );
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..4 {
                        slot.used(|| {
                            calls.fetch_add(1, Ordering::Relaxed);
                            Some(5)
                        });
                    }
                });
            }
        });
        assert_eq!((calls.into_inner(), slot.peek()), (1, Some(&5)));
    }

    // In WebAssembly a panic ends the program.
    #[cfg(panic = "unwind")]
    #[test]
    fn a_panic_blocks_nothing() {
        let slot = slot();
        assert_eq!(slot.used(|| Some(5)), None);
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            slot.used(|| panic!("while it is made")).is_some()
        }));
        assert!(panics.is_err());
        assert_eq!((0..=AGAIN).find_map(|_| slot.used(|| Some(5))), Some(&5));
    }
}
