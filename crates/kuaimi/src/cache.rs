//! The cache of precomputations for keys that come back, which the caches of SM2 and SM9 share.
//!
//! It has two lists, each in the order of last use. A key that was used once is in the first list, which has no precomputations. So keys
//! that never come back, however many, do not push a precomputation out. From its second use on, a key is in the second list, with
//! its precomputation.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroUsize;
use std::vec::Vec;

use kuaimi_platform::fork::{ForkDetector, Guard, Lock};
use lru::LruCache;

/// Bytes that a key without a precomputation takes, about.
const SEEN_BYTES: usize = 128;
/// The part of the capacity that these keys take in addition.
const SEEN_SHARE: usize = 16;

/// Precomputations `V` of keys `K`, within a bounded amount of memory. Shared between threads by reference.
///
/// The child of a fork goes on with its parent's precomputations, or begins without any: see [`Lock`].
pub(crate) struct Cache<K: Hash + Eq, V> {
    /// Bytes that precomputations may take.
    capacity: usize,
    /// Bytes that one takes, with its places in the lists.
    entry_bytes: usize,
    inner: Lock<Inner<K, V>>,
}

struct Inner<K: Hash + Eq, V> {
    known: LruCache<K, V>,
    seen: LruCache<K, ()>,
    /// Keys whose precomputation is in progress, in the process that the detector remembers: in a child it is not.
    in_progress: HashMap<K, ForkDetector>,
    hits: u64,
    misses: u64,
    evictions: u64,
}

/// The counts of a cache of keys or identities.
///
/// ```
/// use kuaimi::sm2::{CacheStats, KeyCache};
///
/// let cache = KeyCache::new(1 << 20);
/// assert_eq!(cache.stats(), CacheStats::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// Keys, or identities, with a precomputation.
    pub entries: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// Uses that found a precomputation.
    pub hits: u64,
    /// Uses that found none, among them those that then made one.
    pub misses: u64,
    /// Precomputations dropped to make room.
    pub evictions: u64,
}

impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    /// A cache of at most `capacity` bytes, in which a precomputation of `value_bytes` bytes takes 256 more.
    pub(crate) fn new(capacity: usize, value_bytes: usize) -> Self {
        let entry_bytes = value_bytes + 256;
        Self {
            capacity,
            entry_bytes,
            inner: Lock::new(Inner::new(capacity)),
        }
    }

    /// `uses` uses of a key together: its precomputation, which `compute` makes at its second use. Nothing at the first use, and while
    /// another thread is computing. No lock is held meanwhile.
    pub(crate) fn get(
        &self,
        key: &K,
        uses: usize,
        compute: impl FnOnce() -> Option<V>,
    ) -> Option<V> {
        {
            let mut inner = self.lock();
            if let Some(known) = inner.known.get(key).cloned() {
                inner.hits += uses as u64;
                return Some(known);
            }
            inner.misses += uses as u64;
            let in_progress = inner.in_progress.get(key);
            if self.room() == 0 || in_progress.is_some_and(|process| !process.is_copy()) {
                return None;
            }
            if inner.seen.pop(key).is_none() && uses < 2 {
                inner.seen.put(key.clone(), ());
                return None;
            }
            inner.in_progress.insert(key.clone(), ForkDetector::new());
        }
        // Without the lock; and no longer in progress, whatever happens.
        let in_progress = InProgress { cache: self, key };
        let known = compute()?;
        let dropped: Vec<V> = {
            let mut inner = self.lock();
            inner.known.put(key.clone(), known.clone());
            let surplus = inner.known.len().saturating_sub(self.room());
            inner.evictions += surplus as u64;
            (0..surplus)
                .filter_map(|_| inner.known.pop_lru().map(|(_, known)| known))
                .collect()
        };
        // Memory is given back without the lock, too.
        drop(dropped);
        drop(in_progress);
        Some(known)
    }

    /// The precomputation of a key, if there is one. Counts nothing.
    pub(crate) fn peek(&self, key: &K) -> Option<V> {
        self.lock().known.peek(key).cloned()
    }

    /// What it holds and has done.
    pub(crate) fn stats(&self) -> CacheStats {
        let inner = self.lock();
        CacheStats {
            entries: inner.known.len(),
            bytes: inner.known.len() * self.entry_bytes,
            hits: inner.hits,
            misses: inner.misses,
            evictions: inner.evictions,
        }
    }

    /// Drops everything but the counts.
    pub(crate) fn clear(&self) {
        let mut inner = self.lock();
        inner.known.clear();
        inner.seen.clear();
    }
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// How many precomputations fit.
    fn room(&self) -> usize {
        self.capacity / self.entry_bytes
    }

    /// A panic of another thread leaves nothing half done here: every change is a single call.
    fn lock(&self) -> Guard<'_, Inner<K, V>> {
        self.inner.lock(|| Inner::new(self.capacity))
    }
}

impl<K: Hash + Eq, V> Inner<K, V> {
    /// Nothing yet, of a cache of so many bytes.
    fn new(capacity: usize) -> Self {
        let seen = (capacity / SEEN_SHARE / SEEN_BYTES).max(16);
        Self {
            known: LruCache::unbounded(),
            // It takes memory as it fills: a capacity may be all that a number can say.
            seen: LruCache::sparse(NonZeroUsize::new(seen).unwrap_or(NonZeroUsize::MIN)),
            in_progress: HashMap::new(),
            hits: 0,
            misses: 0,
            evictions: 0,
        }
    }
}

/// A key whose precomputation is in progress.
struct InProgress<'a, K: Hash + Eq, V> {
    cache: &'a Cache<K, V>,
    key: &'a K,
}

impl<K: Hash + Eq, V> Drop for InProgress<'_, K, V> {
    fn drop(&mut self) {
        self.cache.lock().in_progress.remove(self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_at_the_second_use_and_dropped_in_the_order_of_use() {
        // Room for two.
        let cache = Cache::<u32, u32>::new(600, 0);
        let get = |key: u32| cache.get(&key, 1, || Some(10 * key));
        assert_eq!((get(1), get(1), get(1)), (None, Some(10), Some(10)));
        assert_eq!(cache.get(&2, 2, || Some(20)), Some(20), "two uses together");
        assert_eq!(get(1), Some(10));
        assert_eq!((get(3), get(3)), (None, Some(30)));
        assert_eq!((cache.peek(&1), cache.peek(&2)), (Some(10), None));
        let stats = cache.stats();
        assert_eq!((stats.entries, stats.bytes), (2, 512));
        assert_eq!((stats.hits, stats.misses, stats.evictions), (2, 6, 1));
        cache.clear();
        assert_eq!((cache.stats().entries, cache.peek(&1)), (0, None));
    }

    /// A computation that fails leaves the key free to be computed later.
    #[test]
    fn a_computation_that_fails_blocks_nothing() {
        let cache = Cache::<u32, u32>::new(600, 0);
        assert_eq!(cache.get(&1, 2, || None), None);
        assert_eq!(cache.get(&1, 2, || Some(10)), Some(10));
    }

    /// The same of one that panics. In WebAssembly a panic ends the program.
    #[cfg(panic = "unwind")]
    #[test]
    fn a_computation_that_panics_blocks_nothing() {
        let cache = Cache::<u32, u32>::new(600, 0);
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cache.get(&2, 2, || panic!("while computing"))
        }));
        assert!(panics.is_err());
        assert_eq!(cache.get(&2, 2, || Some(20)), Some(20));
    }

    /// Nobody waits for another thread's computation, nor computes the same.
    #[test]
    fn computed_by_one_thread_at_a_time() {
        let cache = Cache::<u32, u32>::new(600, 0);
        let outer = cache.get(&1, 2, || {
            assert_eq!(cache.get(&1, 2, || panic!("it is in progress")), None);
            Some(10)
        });
        assert_eq!(outer, Some(10));
    }
}
