//! The cache of keys that come back, which the caches of SM2 and SM9 share. Its keys keep their
//! tables by the policy of all keys ([`precompute`](crate::precompute)); it adds a limit, and keeps
//! them by name.
//!
//! It has two lists, each in the order of last use. A key that was used once is in the first list,
//! by its name alone. So keys that never come back, however many, do not push a table out. From its
//! second use on, a key is in the second list, with its table.

use std::hash::Hash;
use std::mem;
use std::num::NonZeroUsize;
use std::vec::Vec;

use kuaimi_platform::fork::{Guard, Lock};
use lru::LruCache;

/// Names of keys without a table, for each key with a table that there is room for. Where far more
/// keys come than there is room for, a longer list finds more of them again, and each makes a table
/// that is dropped before its next use: with 26 names, more time went into tables than they saved.
/// Half as many names, and keys that come in turn, slightly more than there is room for, never get
/// a table.
const SEEN_PER_ENTRY: usize = 2;

/// Keys with tables `V` by their names `K`, within a bounded amount of memory. Shared between
/// threads by reference.
///
/// The child of a fork goes on with its parent's keys, or begins without any: see [`Lock`].
pub(crate) struct Cache<K: Hash + Eq, V> {
    /// Bytes that keys with tables may take.
    capacity: usize,
    /// Bytes that one takes, with its places in the lists.
    entry_bytes: usize,
    inner: Lock<Inner<K, V>>,
}

struct Inner<K: Hash + Eq, V> {
    known: LruCache<K, V>,
    seen: LruCache<K, ()>,
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
    /// Keys, or identities, with a table.
    pub entries: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// Uses that found a key with its table.
    pub hits: u64,
    /// Uses that found none, among them those that then made one.
    pub misses: u64,
    /// Keys with tables dropped to make room.
    pub evictions: u64,
}

impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    /// A cache of at most `capacity` bytes, in which a key with a table of `table_bytes` bytes
    /// takes 256 more.
    pub(crate) fn new(capacity: usize, table_bytes: usize) -> Self {
        let entry_bytes = table_bytes + 256;
        Self {
            capacity,
            entry_bytes,
            inner: Lock::new(Inner::new(capacity / entry_bytes)),
        }
    }

    /// `uses` uses of a key together: the key that keeps its table, from its second use on. It is
    /// `key()` then, and makes its table when it is used. Nothing at the first use.
    pub(crate) fn get(&self, name: &K, uses: usize, key: impl FnOnce() -> V) -> Option<V> {
        let mut inner = self.lock();
        if let Some(known) = inner.known.get(name).cloned() {
            inner.hits += uses as u64;
            return Some(known);
        }
        inner.misses += uses as u64;
        if self.room() == 0 {
            return None;
        }
        if inner.seen.pop(name).is_none() && uses < 2 {
            inner.seen.put(name.clone(), ());
            return None;
        }
        let key = key();
        inner.known.put(name.clone(), key.clone());
        let surplus = inner.known.len().saturating_sub(self.room());
        inner.evictions += surplus as u64;
        let dropped: Vec<V> = (0..surplus)
            .filter_map(|_| inner.known.pop_lru().map(|(_, known)| known))
            .collect();
        // Memory is given back without the lock.
        drop(inner);
        drop(dropped);
        Some(key)
    }

    /// The key that keeps its table, if there is one. Counts nothing.
    pub(crate) fn peek(&self, name: &K) -> Option<V> {
        self.lock().known.peek(name).cloned()
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
        let dropped = mem::replace(&mut inner.known, LruCache::unbounded());
        inner.seen.clear();
        drop(inner);
        drop(dropped);
    }
}

impl<K: Hash + Eq, V> Cache<K, V> {
    /// How many keys with tables fit.
    fn room(&self) -> usize {
        self.capacity / self.entry_bytes
    }

    /// A panic of another thread leaves nothing half done here: every change is a single call.
    fn lock(&self) -> Guard<'_, Inner<K, V>> {
        self.inner.lock(|| Inner::new(self.room()))
    }
}

impl<K: Hash + Eq, V> Inner<K, V> {
    /// Nothing yet, of a cache with room for so many keys with tables.
    fn new(room: usize) -> Self {
        let seen = room.saturating_mul(SEEN_PER_ENTRY).max(16);
        Self {
            known: LruCache::unbounded(),
            // It takes memory as it fills: a capacity may be all that a number can say.
            seen: LruCache::sparse(NonZeroUsize::new(seen).unwrap_or(NonZeroUsize::MIN)),
            hits: 0,
            misses: 0,
            evictions: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_from_the_second_use_and_dropped_in_the_order_of_use() {
        // Room for two.
        let cache = Cache::<u32, u32>::new(600, 0);
        let get = |key: u32| cache.get(&key, 1, || 10 * key);
        assert_eq!((get(1), get(1), get(1)), (None, Some(10), Some(10)));
        assert_eq!(cache.get(&2, 2, || 20), Some(20), "two uses together");
        assert_eq!(get(1), Some(10));
        assert_eq!((get(3), get(3)), (None, Some(30)));
        assert_eq!((cache.peek(&1), cache.peek(&2)), (Some(10), None));
        let stats = cache.stats();
        assert_eq!((stats.entries, stats.bytes), (2, 512));
        assert_eq!((stats.hits, stats.misses, stats.evictions), (2, 6, 1));
        cache.clear();
        assert_eq!((cache.stats().entries, cache.peek(&1)), (0, None));
    }
    /// A table that is dropped before its next use costs more than it saves.
    #[test]
    fn few_tables_where_far_more_keys_come_than_there_is_room_for() {
        let cache = Cache::<u32, u32>::new(100 * 256, 0);
        let (mut made, mut state) = (0, 1_u32);
        for _ in 0..50_000 {
            // A linear congruential generator: 10,000 keys, all as likely.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            cache.get(&((state >> 8) % 10_000), 1, || {
                made += 1;
                0
            });
        }
        assert!(made < 50_000 / 20, "{made} tables");
    }

    #[test]
    fn tables_where_slightly_more_keys_come_in_turn_than_there_is_room_for() {
        let cache = Cache::<u32, u32>::new(100 * 256, 0);
        for key in 0..11_000 {
            cache.get(&(key % 110), 1, || key);
        }
        let stats = cache.stats();
        assert!(stats.hits > 2 * stats.misses, "{stats:?}");
    }
}
