//! A cache of verifying keys with their tables, for servers that verify for the same signers again
//! and again.

use std::fmt;
#[cfg(feature = "batch")]
use std::vec::Vec;

#[cfg(feature = "batch")]
use super::batch::{VerifyItem, verify_with};
use super::{Error, MasterSigningPublicKey, MessageHash, Signature, VerifyingKey};
#[cfg(feature = "batch")]
use crate::batch::Threads;
use crate::cache::{Cache, CacheStats};

/// A cache of verifying keys with their tables under one master public key, within a bounded amount
/// of memory. Threads share it by reference.
///
/// A key gets its table at its second use. When the memory is full, the key that was not used for
/// longest is dropped. No lock is held while a table is made: until then, other threads use the key
/// without.
///
/// *Cost.* Each key with a table takes about 10 KiB, within the capacity. A key that was used once
/// takes about 100 bytes; there are at most twice as many of these as there is room for tables, in
/// addition. Keys under another master public key are used without a table, and not kept.
///
/// *Forks.* As for [`KeyCache`](crate::sm2::KeyCache).
///
/// ```
/// use kuaimi::sm9::{IdentityCache, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.extract("alice")?;
/// let cache = IdentityCache::new(master.public_key(), 16 << 20);
/// for message in [b"one", b"two", b"six"] {
///     cache.verify(alice.verifying_key(), message, &alice.sign(message)?)?;
/// }
/// let stats = cache.stats();
/// assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub struct IdentityCache {
    master: MasterSigningPublicKey,
    cache: Cache<VerifyingKey, VerifyingKey>,
}

impl IdentityCache {
    /// A cache of at most `capacity` bytes. A capacity below the size of one key (10 KiB) keeps no
    /// key.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// let cache = IdentityCache::new(&master, 16 << 20);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(master: &MasterSigningPublicKey, capacity: usize) -> Self {
        Self {
            master: master.clone(),
            cache: Cache::new(capacity, VerifyingKey::TABLE_BYTES),
        }
    }

    /// The master public key.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(*IdentityCache::new(&master, 16 << 20).master_public_key(), master);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        &self.master
    }

    /// Verifies as [`VerifyingKey::verify`], with a table from the key's second use on.
    ///
    /// # Errors
    /// As [`VerifyingKey::verify`].
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// cache.verify(alice.verifying_key(), b"a message", &alice.sign(b"a message")?)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verify(
        &self,
        key: &VerifyingKey,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        // A key that has its tables needs no other.
        if key.is_prepared() {
            return key.verify(message, signature);
        }
        match self.used(key, 1) {
            Some(known) => known.verify(message, signature),
            // The first use in this cache, which is none of the key's own.
            None => key.verify_in(None, &MessageHash::of(message), signature),
        }
    }

    /// Verifies as [`verify_batch`](super::batch::verify_batch). Keys that come back, in this batch
    /// or in another, are found and kept here.
    ///
    /// # Errors
    /// For an item, as [`verify_batch`](super::batch::verify_batch).
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey, batch::VerifyItem};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// let signature = alice.sign(b"a message")?;
    /// let item = VerifyItem::new(alice.verifying_key(), b"a message", &signature);
    /// assert_eq!(cache.verify_batch(&[item], Threads::One), [Ok(())]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "batch")]
    pub fn verify_batch(
        &self,
        items: &[VerifyItem<'_>],
        threads: Threads,
    ) -> Vec<Result<(), Error>> {
        verify_with(items, Some(&|key, uses| self.used(key, uses)), threads)
    }

    /// Whether the cache has this key with its lines. Counts nothing.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// let signature = alice.sign(b"a message")?;
    /// cache.verify(alice.verifying_key(), b"a message", &signature)?;
    /// assert!(!cache.contains(alice.verifying_key()));
    /// cache.verify(alice.verifying_key(), b"a message", &signature)?;
    /// assert!(cache.contains(alice.verifying_key()));
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn contains(&self, key: &VerifyingKey) -> bool {
        let known = self.cache.peek(key);
        known.is_some_and(|key| key.known_lines().is_some())
    }

    /// What the cache holds and has done.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(IdentityCache::new(&master, 16 << 20).stats().entries, 0);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn stats(&self) -> CacheStats {
        self.cache.stats()
    }

    /// Drops all keys, and forgets which were used. The counts stay.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// IdentityCache::new(&master, 16 << 20).clear();
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn clear(&self) {
        self.cache.clear();
    }

    /// `uses` uses of a key together.
    fn used(&self, key: &VerifyingKey, uses: usize) -> Option<VerifyingKey> {
        if *key.master_public_key() != self.master {
            return None;
        }
        // Under this master public key, so that all share its table.
        let known = self.cache.get(key, uses, || key.in_cache(&self.master))?;
        self.master.used_g_table(2);
        Some(known)
    }
}

impl fmt::Debug for IdentityCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
