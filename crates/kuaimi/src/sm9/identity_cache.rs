//! A cache of prepared verifying keys, for servers that verify for the same signers again and again.

use std::fmt;
use std::vec::Vec;

use super::batch::{VerifyItem, verify_with};
use super::{Error, MasterSigningPublicKey, PreparedVerifyingKey, Signature, VerifyingKey};
use crate::cache::{Cache, CacheStats};

/// A cache of prepared verifying keys under one master public key, within a bounded amount of memory. Threads share it by reference.
///
/// A key is prepared at its second use. When the memory is full, the key that was not used for longest is dropped. No lock is held
/// while a key is prepared: until then, other threads use it unprepared.
///
/// *Cost.* Each prepared key takes about 10 KiB, within the capacity. A key that was used once takes about 100 bytes; these keys take up
/// to a sixteenth of the capacity in addition. Keys under another master public key are used unprepared, and not kept.
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
    cache: Cache<VerifyingKey, PreparedVerifyingKey>,
}

impl IdentityCache {
    /// A cache of at most `capacity` bytes. A capacity below the size of one key (10 KiB) keeps no key.
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
            cache: Cache::new(capacity, PreparedVerifyingKey::TABLE_BYTES),
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

    /// Verifies as [`VerifyingKey::verify`], with a prepared key from its second use on.
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
        match self.prepared(key) {
            Some(prepared) => prepared.verify(message, signature),
            None => key.verify(message, signature),
        }
    }

    /// Verifies as [`verify_batch`](super::batch::verify_batch). Keys that come back, in this batch or in another, are found and kept here.
    ///
    /// # Errors
    /// For an item, as [`verify_batch`](super::batch::verify_batch).
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey, batch::VerifyItem};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// let signature = alice.sign(b"a message")?;
    /// let item = VerifyItem::new(alice.verifying_key(), b"a message", &signature);
    /// assert_eq!(cache.verify_batch(&[item]), [Ok(())]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verify_batch(&self, items: &[VerifyItem<'_>]) -> Vec<Result<(), Error>> {
        verify_with(items, &|key, uses| self.used(key, uses))
    }

    /// The prepared key, counted as a use of it; nothing at a key's first use, and while another thread prepares it. At the second use
    /// it is prepared here, which takes about a third of a verification.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// assert!(cache.prepared(&alice).is_none());
    /// assert!(cache.prepared(&alice).is_some());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepared(&self, key: &VerifyingKey) -> Option<PreparedVerifyingKey> {
        self.used(key, 1)
    }

    /// The prepared key, if there is one already. Counts nothing.
    ///
    /// ```
    /// # use kuaimi::sm9::{IdentityCache, MasterSigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// let cache = IdentityCache::new(alice.master_public_key(), 16 << 20);
    /// assert!(cache.peek(&alice).is_none());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn peek(&self, key: &VerifyingKey) -> Option<PreparedVerifyingKey> {
        self.cache.peek(key)
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
    fn used(&self, key: &VerifyingKey, uses: usize) -> Option<PreparedVerifyingKey> {
        if *key.master_public_key() != self.master {
            return None;
        }
        // Under this master public key, so that all share its table.
        self.cache
            .get(key, uses, || Some(key.under(&self.master).prepare()))
    }
}

impl fmt::Debug for IdentityCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
