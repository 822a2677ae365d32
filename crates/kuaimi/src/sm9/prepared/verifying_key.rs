//! A verifying key with its lines.

use alloc::sync::Arc;
use core::fmt;

use kuaimi_math::sm9::group::{self, G2Lines, Gt, Lines};

use crate::sm9::verify::VerifyOps;
use crate::sm9::{Identity, Signature, VerifyingKey};

/// A [`VerifyingKey`] with the lines of Miller's loop through the point of its identity: a verification then takes one Miller loop with
/// precomputed lines, and a power of `g = e(P1, Ppub-s)` from a table. All of it is public.
///
/// The lines take [`TABLE_BYTES`](Self::TABLE_BYTES) bytes, and about a third of a verification to compute. The table of `g` is the master public
/// key's, computed at the first use and shared.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let signature = master.extract("alice")?.sign(b"a message")?;
///
/// let alice = master.public_key().verifying_key("alice")?.prepare();
/// alice.verify(b"a message", &signature)?;
/// assert_eq!(alice.verify(b"a massage", &signature), Err(Error::InvalidSignature));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedVerifyingKey(Arc<Inner>);

struct Inner {
    key: VerifyingKey,
    /// Nothing where the identity's point is infinity, so that no signature is valid.
    lines: Option<G2Lines>,
}

impl VerifyingKey {
    /// This key with its lines; see [`PreparedVerifyingKey`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let prepared = alice.verifying_key().prepare();
    /// prepared.verify(b"a message", &alice.sign(b"a message")?)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedVerifyingKey {
        self.master_public_key().g_table();
        PreparedVerifyingKey(Arc::new(Inner {
            key: self.clone(),
            lines: self.point().map(|p| G2Lines::new(&p)),
        }))
    }
}

impl PreparedVerifyingKey {
    /// Bytes of the lines in memory.
    ///
    /// ```
    /// assert!(kuaimi::sm9::PreparedVerifyingKey::TABLE_BYTES < 10 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G2Lines::BYTES;

    /// The key without its lines.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// assert_eq!(*alice.prepare().verifying_key(), alice);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0.key
    }

    /// As [`VerifyingKey::identity`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// assert_eq!(alice.prepare().identity().id(), b"alice");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.0.key.identity()
    }
}

impl PreparedVerifyingKey {
    /// The lines, unless `P` is infinity.
    pub(in crate::sm9) fn lines(&self) -> Option<&Lines> {
        self.0.lines.as_ref().map(G2Lines::lines)
    }
}

impl VerifyOps for PreparedVerifyingKey {
    fn w(&self, signature: &Signature) -> Option<Gt> {
        // B4: t = g^h
        let table = self.0.key.master_public_key().g_table();
        let t = table.pow_vartime(&signature.h_integer());
        // B6, B7: w' = e(S, P)·t
        let u = group::pairing_with(&signature.s().0, self.lines()?);
        Some(group::gt_mul(&u, &t))
    }
}

impl fmt::Debug for PreparedVerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedVerifyingKey")
            .field("key", &self.0.key)
            .finish_non_exhaustive()
    }
}
