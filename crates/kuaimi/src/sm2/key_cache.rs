//! Prepared keys that are kept: for servers that see the same signers, or write to the same recipients, again and again.

use std::fmt;

#[cfg(feature = "batch")]
use super::batch::{VerifyItem, verify_with};
use super::{Error, PreparedPublicKey, PublicKey, Signature, VerifyingKey};
use crate::cache::{Cache, CacheStats};

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
/// assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub struct KeyCache(Cache<PublicKey, PreparedPublicKey>);

impl KeyCache {
    /// A cache of at most `capacity` bytes. One that is too small for a single table (53 KiB) keeps none.
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity, PreparedPublicKey::TABLE_BYTES))
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
        self.verify_prehash(key, &key.digest(message), signature)
    }

    /// Verifies as [`VerifyingKey::verify_prehash`], with a table from the second use of the public key on.
    ///
    /// # Errors
    /// As [`VerifyingKey::verify_prehash`].
    pub fn verify_prehash(
        &self,
        key: &VerifyingKey,
        e: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), Error> {
        match self.prepared(key.public_key()) {
            Some(prepared) => prepared.verify_prehash(e, signature),
            None => key.verify_prehash(e, signature),
        }
    }

    /// Verifies as [`verify_batch`](super::batch::verify_batch). Tables of keys that come back, in this batch or in another, are
    /// found and kept here.
    ///
    /// # Errors
    /// For an item, as [`verify_batch`](super::batch::verify_batch).
    #[cfg(feature = "batch")]
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
        self.0.peek(key)
    }

    /// What it holds and has done.
    pub fn stats(&self) -> CacheStats {
        self.0.stats()
    }

    /// Drops all tables, and forgets which keys were seen. The counts stay.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// `uses` uses of a key together.
    fn used(&self, key: &PublicKey, uses: usize) -> Option<PreparedPublicKey> {
        self.0.get(key, uses, || Some(key.prepare()))
    }
}

impl fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
