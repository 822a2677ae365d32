//! A verifier under one master key, and the identities that it knows.

use alloc::sync::Arc;
use core::fmt;

use crate::sm9::points::{self, G2Lines, GtTable};
use crate::sm9::verify::conclude;
use crate::sm9::{Error, HID_SIGN, Identity, MasterSigningPublicKey, MessageHash, Signature};
use kuaimi_math::arith::U256;

/// A [`MasterSigningPublicKey`] with a table of powers of `g = e(P1, Ppub-s)`, for identities that are known: a verification of one of
/// theirs takes a single Miller loop, with kept lines. Others are verified as the key alone does it. All of it is public.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let signature = master.user_key("alice")?.sign(b"a message")?;
///
/// let verifier = master.public_key().prepare();
/// verifier.verify("alice", b"a message", &signature)?;
/// // For someone whose signatures come again and again:
/// let alice = verifier.identity("alice")?;
/// alice.verify(b"a message", &signature)?;
/// assert_eq!(alice.verify(b"a massage", &signature), Err(Error::InvalidSignature));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedVerifier {
    master: MasterSigningPublicKey,
    g: Arc<GtTable>,
}

impl MasterSigningPublicKey {
    /// This key with its table; see [`PreparedVerifier`]. Takes a pairing, the table, and what the key keeps from its first use on.
    pub fn prepare(&self) -> PreparedVerifier {
        self.lines();
        PreparedVerifier {
            master: self.clone(),
            g: Arc::new(GtTable::new(self.g())),
        }
    }
}

impl PreparedVerifier {
    /// Bytes that the table and the lines take in memory.
    pub const TABLE_BYTES: usize = GtTable::BYTES + G2Lines::BYTES;

    /// The key without its table.
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        &self.master
    }

    /// As [`MasterSigningPublicKey::verify`].
    ///
    /// # Errors
    /// As [`MasterSigningPublicKey::verify`].
    pub fn verify<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_hashed(identity, &MessageHash::of(message), signature)
    }

    /// As [`MasterSigningPublicKey::verify_hashed`].
    ///
    /// # Errors
    /// As [`MasterSigningPublicKey::verify`].
    pub fn verify_hashed<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &MessageHash,
        signature: &Signature,
    ) -> Result<(), Error> {
        self.master.verify_hashed(identity, message, signature)
    }

    /// An identity whose signatures come again and again, with its half of the pairing computed. Takes about a third of a
    /// verification.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`]; [`Error::InvalidSignature`] for an identity that the master key cannot serve, so that no signature of
    /// it is valid: chance does not lead there.
    pub fn identity<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<PreparedIdentity, Error> {
        self.identity_of(&identity.into().h1(HID_SIGN)?)
    }

    /// As [`identity`](Self::identity), of an identity that was hashed.
    pub(in crate::sm9) fn identity_of(&self, h1: &U256) -> Result<PreparedIdentity, Error> {
        let p = self.master.point_for(h1)?;
        Ok(PreparedIdentity {
            g: self.g.clone(),
            lines: Arc::new(G2Lines::new(&p)),
        })
    }

    pub(super) fn table(&self) -> &Arc<GtTable> {
        &self.g
    }
}

impl fmt::Debug for PreparedVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedVerifier")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}

/// An identity under one master key, with the lines of the Miller loop through its point kept: from
/// [`PreparedVerifier::identity`].
#[derive(Clone)]
pub struct PreparedIdentity {
    g: Arc<GtTable>,
    lines: Arc<G2Lines>,
}

impl PreparedIdentity {
    /// Bytes that the lines take in memory.
    pub const TABLE_BYTES: usize = G2Lines::BYTES;

    /// As [`MasterSigningPublicKey::verify`], for this identity.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this identity's signature over this message.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_hashed(&MessageHash::of(message), signature)
    }

    /// As [`verify`](Self::verify), of a message in pieces.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_hashed(&self, message: &MessageHash, signature: &Signature) -> Result<(), Error> {
        let t = self.g.pow_vartime(&signature.h_integer());
        let u = points::pairing_with(&signature.s().0, self.lines.lines());
        conclude(message, signature, &points::gt_mul(&u, &t))
    }
}

impl fmt::Debug for PreparedIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedIdentity { .. }")
    }
}
