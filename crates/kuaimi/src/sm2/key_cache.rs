//! Prepared keys that are kept: for servers that see the same signers, or write to the same recipients, again and again.
//!
//! Two lists in the order of their last use. Keys that were seen once are in the first, which keeps nothing but the key: so a
//! stream of keys that never come back, however long, drives no table out. From its second use on a key is in the other, with
//! its table.

use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::batch::{VerifyItem, verify_with};
use super::{Error, PreparedPublicKey, PublicKey, Signature, VerifyingKey};

/// A bounded store of prepared keys, shared between threads by reference.
///
/// A key is prepared at its second use, and its table dropped when the memory is needed for others used later. Whoever
/// verifies or encrypts in the meantime does not wait: no lock is held while a table is computed, and until it is there the
/// key is used without. Tables are kept by key, whatever the identity; `Z`, which depends on the identity, is kept in the
/// [`VerifyingKey`].
///
/// *Cost.* [`PreparedPublicKey::TABLE_BYTES`] and about 200 bytes more a key, within the capacity given; and about 100 bytes for
/// each key seen once, of which as many are remembered as take up a sixteenth of the capacity more. A look-up takes a
/// mutex for well under a microsecond.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{KeyCache, SecretKey, SigningKey};
///
/// let cache = KeyCache::new(16 << 20);
/// let signer = SigningKey::new(SecretKey::generate()?);
/// for message in [b"one", b"two", b"six"] {
///     cache.verify(signer.verifying_key(), message, &signer.sign(message)?)?;
/// }
/// let stats = cache.stats();
/// assert_eq!((stats.keys, stats.misses, stats.hits), (1, 2, 1));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct KeyCache {
    /// How many tables fit.
    tables: usize,
    inner: Mutex<Inner>,
}

/// Bytes that a key with a table takes: the table, and its places in the lists.
const KEY_BYTES: usize = PreparedPublicKey::TABLE_BYTES + 256;
/// Bytes that a key without takes, about.
const SEEN_BYTES: usize = 128;
/// The part of the capacity that keys without a table take besides.
const SEEN_SHARE: usize = 16;

struct Inner {
    prepared: LruCache<PublicKey, PreparedPublicKey>,
    seen: LruCache<PublicKey, ()>,
    /// Keys whose tables are being computed.
    under_way: HashSet<PublicKey>,
    hits: u64,
    misses: u64,
    evictions: u64,
}

/// What a [`KeyCache`] holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyCacheStats {
    /// Keys with a table.
    pub keys: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// Uses that found a table.
    pub hits: u64,
    /// Uses that found none, among them those that then made one.
    pub misses: u64,
    /// Tables dropped to make room.
    pub evictions: u64,
}

impl KeyCache {
    /// A cache of at most `capacity` bytes. One that is too small for a single table (53 KiB) keeps none.
    pub fn new(capacity: usize) -> Self {
        let seen = (capacity / SEEN_SHARE / SEEN_BYTES).max(16);
        Self {
            tables: capacity / KEY_BYTES,
            inner: Mutex::new(Inner {
                prepared: LruCache::unbounded(),
                seen: LruCache::new(NonZeroUsize::new(seen).unwrap_or(NonZeroUsize::MIN)),
                under_way: HashSet::new(),
                hits: 0,
                misses: 0,
                evictions: 0,
            }),
        }
    }

    /// Verifies as [`VerifyingKey::verify`], with a table from the second use of the public key on.
    ///
    /// # Errors
    /// As [`VerifyingKey::verify`].
    pub fn verify(
        &self,
        key: &VerifyingKey,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_digest(key, &key.digest(message), signature)
    }

    /// Verifies as [`VerifyingKey::verify_digest`], with a table from the second use of the public key on.
    ///
    /// # Errors
    /// As [`VerifyingKey::verify_digest`].
    pub fn verify_digest(
        &self,
        key: &VerifyingKey,
        e: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), Error> {
        match self.prepared(key.public_key()) {
            Some(prepared) => prepared.verify_digest(e, signature),
            None => key.verify_digest(e, signature),
        }
    }

    /// Verifies as [`verify_batch`](super::batch::verify_batch). Tables of keys that come back, in this batch or in another, are
    /// found and kept here.
    ///
    /// # Errors
    /// For an item, as [`verify_batch`](super::batch::verify_batch).
    pub fn verify_batch(&self, items: &[VerifyItem<'_>]) -> Vec<Result<(), Error>> {
        verify_with(items, &|key, uses| self.used(key, uses))
    }

    /// The key with its table, counted as a use of it; nothing at a key's first use, and while another thread computes the
    /// table. At the second use the table is computed here, which takes as long as about four verifications.
    pub fn prepared(&self, key: &PublicKey) -> Option<PreparedPublicKey> {
        self.used(key, 1)
    }

    /// The key with its table, if it has one already. Counts nothing.
    pub fn peek(&self, key: &PublicKey) -> Option<PreparedPublicKey> {
        self.lock().prepared.peek(key).cloned()
    }

    /// What it holds and has done.
    pub fn stats(&self) -> KeyCacheStats {
        let inner = self.lock();
        KeyCacheStats {
            keys: inner.prepared.len(),
            bytes: inner.prepared.len() * KEY_BYTES,
            hits: inner.hits,
            misses: inner.misses,
            evictions: inner.evictions,
        }
    }

    /// Drops all tables, and forgets which keys were seen. The counts stay.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.prepared.clear();
        inner.seen.clear();
    }

    /// `uses` uses of a key together.
    fn used(&self, key: &PublicKey, uses: usize) -> Option<PreparedPublicKey> {
        {
            let mut inner = self.lock();
            if let Some(prepared) = inner.prepared.get(key).cloned() {
                inner.hits += uses as u64;
                return Some(prepared);
            }
            inner.misses += uses as u64;
            if self.tables == 0 || inner.under_way.contains(key) {
                return None;
            }
            if inner.seen.pop(key).is_none() && uses < 2 {
                inner.seen.put(*key, ());
                return None;
            }
            inner.under_way.insert(*key);
        }
        // Out of the lock; and no longer under way, whatever happens.
        let under_way = UnderWay { cache: self, key };
        let prepared = key.prepare();
        let dropped: Vec<PreparedPublicKey> = {
            let mut inner = self.lock();
            inner.prepared.put(*key, prepared.clone());
            let surplus = inner.prepared.len().saturating_sub(self.tables);
            inner.evictions += surplus as u64;
            (0..surplus)
                .filter_map(|_| inner.prepared.pop_lru().map(|(_, prepared)| prepared))
                .collect()
        };
        // Memory is given back out of the lock, too.
        drop(dropped);
        drop(under_way);
        Some(prepared)
    }

    /// A panic of another thread leaves nothing half done here: every change is a single call.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key whose table is being computed.
struct UnderWay<'a> {
    cache: &'a KeyCache,
    key: &'a PublicKey,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.cache.lock().under_way.remove(self.key);
    }
}

impl fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
