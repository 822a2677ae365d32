//! A cache of keys with tables, for servers that verify for the same signers or encrypt for the
//! same recipients again and again.

use std::fmt;

#[cfg(feature = "batch")]
use super::batch::{VerifyItem, verify_with};
use super::point_with_table::PointWithTable;
use super::{EncryptionKey, Error, PublicKey, Signature, VerifyingKey};
#[cfg(feature = "batch")]
use crate::batch::Threads;
use crate::cache::{Cache, CacheStats};

/// Public keys with their tables within a bounded amount of memory. Threads share it by reference.
///
/// It is for keys that come as bytes with each message. A [`VerifyingKey`] or [`EncryptionKey`]
/// that the program keeps has its table itself. The policy is the same
/// ([`precompute`](crate::precompute)): a key gets its table at its second use, and no thread waits
/// for another one's table. When the memory is full, the key that was not used for longest is
/// dropped. A table belongs to a public key and serves all its identities; `Z`, which depends on
/// the identity, is in the [`VerifyingKey`].
///
/// *Cost.* Each table takes [`VerifyingKey::TABLE_BYTES`] and about 200 bytes more, within the
/// capacity. A key that was seen once takes about 100 bytes; there are at most twice as many of
/// these as there is room for tables, in addition. A look-up holds a mutex for well under a
/// microsecond.
///
/// *Forks.* A child goes on with its parent's tables. If another thread of the parent was looking
/// at the cache at the moment of the fork, the child begins with an empty one. No child waits for a
/// thread of its parent.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{KeyCache, PrivateKey, SigningKey};
///
/// let cache = KeyCache::new(16 << 20);
/// let signer = SigningKey::new(PrivateKey::generate()?);
/// for message in [b"one", b"two", b"six"] {
///     cache.verify(signer.verifying_key(), message, &signer.sign(message)?)?;
/// }
/// let stats = cache.stats();
/// assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct KeyCache(Cache<PublicKey, PointWithTable>);

impl KeyCache {
    /// A cache of at most `capacity` bytes. A capacity below the size of one table (52 KiB) keeps
    /// no table.
    ///
    /// ```
    /// use kuaimi::sm2::KeyCache;
    ///
    /// let cache = KeyCache::new(64 << 20); // 64 MiB: about 1200 tables
    /// assert_eq!(cache.stats().entries, 0);
    /// ```
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity, VerifyingKey::TABLE_BYTES))
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

    /// Verifies as [`VerifyingKey::verify_digest`], with a table from the second use of the public
    /// key on.
    ///
    /// ```
    /// use kuaimi::sm2::{KeyCache, PrivateKey, SigningKey};
    ///
    /// let cache = KeyCache::new(1 << 20);
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let signature = signer.sign_digest_deterministic(&e);
    /// cache.verify_digest(signer.verifying_key(), &e, &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`VerifyingKey::verify_digest`].
    pub fn verify_digest(
        &self,
        key: &VerifyingKey,
        e: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), Error> {
        // A key that has its table needs no other.
        if key.is_prepared() {
            return key.verify_digest(e, signature);
        }
        match self.used(key.public_key(), 1) {
            Some(point) => point.verify_digest(e, signature),
            // The first use in this cache, which is none of the key's own.
            None => key.point().verify_without_table(e, signature),
        }
    }

    /// Verifies as [`verify_batch`](super::batch::verify_batch), with the tables of this cache.
    /// Keys that come back, in this batch or in a later one, get a table.
    ///
    /// ```
    /// use kuaimi::Threads;
    /// use kuaimi::sm2::batch::VerifyItem;
    /// use kuaimi::sm2::{KeyCache, PrivateKey, SigningKey};
    ///
    /// let cache = KeyCache::new(1 << 20);
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let messages = [b"one", b"two", b"six"];
    /// let signatures = messages.map(|message| signer.sign_deterministic(message));
    /// let key = signer.verifying_key();
    /// let items = [0, 1, 2].map(|i| VerifyItem::new(key, messages[i], &signatures[i]));
    /// assert_eq!(cache.verify_batch(&items, Threads::One), [Ok(()); 3]);
    /// assert!(cache.contains(key.public_key()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// For an item, as [`verify_batch`](super::batch::verify_batch).
    #[cfg(feature = "batch")]
    pub fn verify_batch(
        &self,
        items: &[VerifyItem<'_>],
        threads: Threads,
    ) -> Vec<Result<(), Error>> {
        verify_with(items, Some(&|key, uses| self.used(key, uses)), threads)
    }

    /// The key of a recipient; this counts as a use. From the public key's second use on, it is the
    /// key of this cache, which keeps its table.
    ///
    /// ```
    /// use kuaimi::sm2::{KeyCache, PrivateKey};
    ///
    /// let cache = KeyCache::new(1 << 20);
    /// let secret = PrivateKey::from_bytes(&[7; 32])?;
    /// for message in [b"one", b"two", b"six"] {
    ///     let recipient = cache.encryption_key(secret.public_key());
    ///     assert_eq!(*secret.decrypt(&recipient.encrypt(message)?)?, message);
    /// }
    /// assert!(cache.encryption_key(secret.public_key()).is_prepared());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn encryption_key(&self, key: &PublicKey) -> EncryptionKey {
        let known = self.used(key, 1);
        EncryptionKey::from_point(known.unwrap_or_else(|| PointWithTable::new(*key)))
    }

    /// Whether the cache has this key with its table. This does not count as a use.
    ///
    /// ```
    /// use kuaimi::sm2::{KeyCache, PrivateKey, SigningKey};
    ///
    /// let cache = KeyCache::new(1 << 20);
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let signature = signer.sign_deterministic(b"a message");
    /// cache.verify(signer.verifying_key(), b"a message", &signature)?;
    /// assert!(!cache.contains(signer.public_key()));
    /// cache.verify(signer.verifying_key(), b"a message", &signature)?;
    /// assert!(cache.contains(signer.public_key()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn contains(&self, key: &PublicKey) -> bool {
        let known = self.0.peek(key);
        known.is_some_and(|key| key.known_table().is_some())
    }

    /// How many tables the cache has, and how often it was asked.
    pub fn stats(&self) -> CacheStats {
        self.0.stats()
    }

    /// Drops all tables, and forgets which keys were seen. The counts of [`stats`](Self::stats)
    /// stay.
    ///
    /// ```
    /// use kuaimi::sm2::{KeyCache, PrivateKey};
    ///
    /// let cache = KeyCache::new(1 << 20);
    /// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
    /// let _ = (cache.encryption_key(&key), cache.encryption_key(&key));
    /// assert_eq!(cache.stats().entries, 1);
    /// cache.clear();
    /// assert_eq!(cache.stats().entries, 0);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn clear(&self) {
        self.0.clear();
    }

    /// `uses` uses of a key together.
    fn used(&self, key: &PublicKey, uses: usize) -> Option<PointWithTable> {
        self.0.get(key, uses, || PointWithTable::in_cache(*key))
    }
}

impl fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
