//! A verifier under one master key, and the identities that it knows.

use alloc::sync::Arc;
use core::fmt;

use crate::arith::U256;
use crate::sm9::points::{self, G2Lines, GtTable};
use crate::sm9::verify::conclude;
use crate::sm9::{Error, HID_SIGN, Identity, MasterSigningPublicKey, MessageHash, Signature};

/// A [`MasterSigningPublicKey`] with a table of powers of `g = e(P1, Ppub-s)`: a verification then takes one Miller loop in place of
/// two. All of it is public.
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
    /// This key with its table; see [`PreparedVerifier`]. Takes a pairing and the table.
    pub fn prepare(&self) -> PreparedVerifier {
        let g = points::pairing(&points::g1_generator(), &self.0);
        PreparedVerifier {
            master: *self,
            g: Arc::new(GtTable::new(&g)),
        }
    }
}

impl PreparedVerifier {
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
        let p = self.master.point_of(&identity.into())?;
        // B3, B6, B7: t = g^h, u = e(S, P), w' = u·t
        let t = self.g.pow_vartime(&signature.h_integer());
        let u = points::pairing(&signature.s().0, &p);
        conclude(message, signature, &points::gt_mul(&u, &t))
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
        let u = points::pairing_with(&signature.s().0, &self.lines);
        conclude(message, signature, &points::gt_mul(&u, &t))
    }
}

impl fmt::Debug for PreparedIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedIdentity { .. }")
    }
}
