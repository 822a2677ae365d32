//! Identities that are kept: for servers that see the same signers again and again.
//!
//! Two lists in the order of their last use. Identities that were seen once are in the first, which keeps nothing but their hash: so a
//! stream of identities that never come back, however long, drives no lines out. From its second use on an identity is in the other,
//! with its lines.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use lru::LruCache;

use super::batch::{VerifyItem, verify_with};
use super::points::G2Lines;
use super::{
    Error, HID_SIGN, Identity, MessageHash, PreparedIdentity, PreparedVerifier, Signature,
};
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
/// assert_eq!((stats.identities, stats.misses, stats.hits), (1, 2, 1));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub struct IdentityCache {
    verifier: PreparedVerifier,
    /// How many identities fit with their lines.
    capacity: usize,
    inner: Mutex<Inner>,
}

/// Bytes that an identity takes: its lines, and its places in the list.
const IDENTITY_BYTES: usize = G2Lines::BYTES + 256;
/// Bytes that an identity without lines takes, about.
const SEEN_BYTES: usize = 128;
/// The part of the capacity that these take besides.
const SEEN_SHARE: usize = 16;

struct Inner {
    known: LruCache<Limbs, PreparedIdentity>,
    seen: LruCache<Limbs, ()>,
    hits: u64,
    misses: u64,
    evictions: u64,
}

/// What an [`IdentityCache`] holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdentityCacheStats {
    /// Identities with lines.
    pub identities: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// Uses that found lines.
    pub hits: u64,
    /// Uses that found none, among them those that then made some.
    pub misses: u64,
    /// Identities dropped to make room.
    pub evictions: u64,
}

impl IdentityCache {
    /// A cache of at most `capacity` bytes. One that is too small for a single identity (10 KiB) keeps none.
    pub fn new(verifier: PreparedVerifier, capacity: usize) -> Self {
        let seen = (capacity / SEEN_SHARE / SEEN_BYTES).max(16);
        Self {
            verifier,
            capacity: capacity / IDENTITY_BYTES,
            inner: Mutex::new(Inner {
                known: LruCache::unbounded(),
                seen: LruCache::new(NonZeroUsize::new(seen).unwrap_or(NonZeroUsize::MIN)),
                hits: 0,
                misses: 0,
                evictions: 0,
            }),
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
    pub fn stats(&self) -> IdentityCacheStats {
        let inner = self.lock();
        IdentityCacheStats {
            identities: inner.known.len(),
            bytes: inner.known.len() * IDENTITY_BYTES,
            hits: inner.hits,
            misses: inner.misses,
            evictions: inner.evictions,
        }
    }

    /// Forgets all identities. The counts stay.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.known.clear();
        inner.seen.clear();
    }

    /// `uses` uses of an identity together.
    fn used(&self, h1: &U256, uses: usize) -> Option<PreparedIdentity> {
        let key = h1.0;
        {
            let mut inner = self.lock();
            if let Some(known) = inner.known.get(&key).cloned() {
                inner.hits += uses as u64;
                return Some(known);
            }
            inner.misses += uses as u64;
            if self.capacity == 0 {
                return None;
            }
            if inner.seen.pop(&key).is_none() && uses < 2 {
                inner.seen.put(key, ());
                return None;
            }
        }
        // Out of the lock. Two threads may do it at once; it is a third of a verification.
        let known = self.verifier.identity_of(h1).ok()?;
        let dropped: Vec<PreparedIdentity> = {
            let mut inner = self.lock();
            inner.known.put(key, known.clone());
            let surplus = inner.known.len().saturating_sub(self.capacity);
            inner.evictions += surplus as u64;
            (0..surplus)
                .filter_map(|_| inner.known.pop_lru().map(|(_, known)| known))
                .collect()
        };
        // Memory is given back out of the lock, too.
        drop(dropped);
        Some(known)
    }

    /// A panic of another thread leaves nothing half done here: every change is a single call.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for IdentityCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityCache")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
