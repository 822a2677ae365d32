//! Identities that are kept: for servers that see the same signers again and again.

use std::fmt;
use std::vec::Vec;

use super::batch::{VerifyItem, verify_with};
use super::{
    Error, HID_SIGN, Identity, MessageHash, PreparedIdentity, PreparedVerifier, Signature,
};
use crate::cache::{Cache, CacheStats};
use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::Limbs;

/// A bounded store of identities under one master key, shared between threads by reference.
///
/// An identity's point and the lines through it are computed at its second use, and dropped when the memory is needed for others used
/// later. No lock is held while they are computed.
///
/// *Cost.* About 10 KiB an identity, within the capacity given, and about 100 bytes for each that was seen once, of which as many are
/// remembered as take up a sixteenth of the capacity more.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{IdentityCache, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.user_key("alice")?;
/// let cache = IdentityCache::new(master.public_key().prepare(), 16 << 20);
/// for message in [b"one", b"two", b"six"] {
///     cache.verify("alice", message, &alice.sign(message)?)?;
/// }
/// let stats = cache.stats();
/// assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub struct IdentityCache {
    verifier: PreparedVerifier,
    /// By `H1`.
    cache: Cache<Limbs, PreparedIdentity>,
}

impl IdentityCache {
    /// A cache of at most `capacity` bytes. One that is too small for a single identity (10 KiB) keeps none.
    pub fn new(verifier: PreparedVerifier, capacity: usize) -> Self {
        Self {
            verifier,
            cache: Cache::new(capacity, PreparedIdentity::TABLE_BYTES),
        }
    }

    /// The verifier that it was made with.
    pub fn verifier(&self) -> &PreparedVerifier {
        &self.verifier
    }

    /// Verifies as [`PreparedVerifier::verify`], with an identity's lines from its second use on.
    ///
    /// # Errors
    /// As [`PreparedVerifier::verify`].
    pub fn verify<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let identity = identity.into();
        let message = MessageHash::of(message);
        match self.used(&identity.h1(HID_SIGN)?, 1) {
            Some(known) => known.verify_hashed(&message, signature),
            None => self.verifier.verify_hashed(identity, &message, signature),
        }
    }

    /// Verifies as [`PreparedVerifier::verify_batch`]. Identities that come back, in this batch or in another, are kept here.
    ///
    /// # Errors
    /// For an item, as [`PreparedVerifier::verify_batch`].
    pub fn verify_batch(&self, items: &[VerifyItem<'_>]) -> Vec<Result<(), Error>> {
        verify_with(&self.verifier, items, &|h1, uses| self.used(h1, uses))
    }

    /// What it holds and has done.
    pub fn stats(&self) -> CacheStats {
        self.cache.stats()
    }

    /// Forgets all identities. The counts stay.
    pub fn clear(&self) {
        self.cache.clear();
    }

    /// `uses` uses of an identity together.
    fn used(&self, h1: &U256, uses: usize) -> Option<PreparedIdentity> {
        self.cache
            .get(&h1.0, uses, || self.verifier.identity_of(h1).ok())
    }
}

impl fmt::Debug for IdentityCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
