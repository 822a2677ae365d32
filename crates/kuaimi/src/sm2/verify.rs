//! Verifying (GB/T 32918.2-2016, clause 7). Variable time, as all data is public.

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Equation, scalar_reduce, scalar_sub};

use super::identity::{default_message_hash, message_hash};
use super::{Error, PublicKey, Signature};
use crate::sm3::Sm3;

/// A public key that verifies under one identity.
///
/// It keeps the state of SM3 after the identity digest `Z`. Verifying allocates nothing, and runs in variable time: all that it
/// reads is public.
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::sm2::{SecretKey, SigningKey, VerifyingKey, PublicKey, Error};
/// # let signer = SigningKey::with_id(SecretKey::generate()?, b"alice@example.com")?;
/// # let (point, signature) = (signer.public_key().to_sec1_bytes(), signer.sign(b"message")?);
/// let key = VerifyingKey::with_id(PublicKey::from_sec1_bytes(&point)?, b"alice@example.com")?;
/// key.verify(b"message", &signature)?;
/// assert_eq!(key.verify(b"another message", &signature), Err(Error::InvalidSignature));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// Source: GB/T 32918.2-2016, clause 7.1.
#[derive(Clone, Debug)]
pub struct VerifyingKey {
    public: PublicKey,
    hash: Sm3,
}

impl VerifyingKey {
    /// A key that verifies under the default identity, [`DEFAULT_ID`](super::DEFAULT_ID).
    ///
    /// ```
    /// use kuaimi::sm2::{SecretKey, SigningKey, VerifyingKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let key = VerifyingKey::new(*signer.public_key());
    /// assert_eq!(key.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn new(public: PublicKey) -> Self {
        Self {
            public,
            hash: default_message_hash(&public),
        }
    }

    /// A key that verifies under `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn with_id(public: PublicKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            public,
            hash: message_hash(id, &public)?,
        })
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The state of SM3 after `Z`, for a message that comes in pieces: call [`update`](Sm3::update) for each piece, then verify
    /// the digest with [`verify_prehash`](Self::verify_prehash).
    ///
    /// ```
    /// use kuaimi::sm2::{SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let (key, signature) = (signer.verifying_key(), signer.sign_deterministic(b"a message in pieces"));
    /// let mut hash = key.message_hash();
    /// hash.update(b"a message ");
    /// hash.update(b"in pieces");
    /// key.verify_prehash(&hash.finalize(), &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn message_hash(&self) -> Sm3 {
        self.hash.clone()
    }

    /// `e = SM3(Z ‖ M)`.
    pub(super) fn digest(&self, message: &[u8]) -> [u8; 32] {
        let mut hash = self.message_hash();
        hash.update(message);
        hash.finalize()
    }

    /// Verifies `signature` over `message`.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this key's signature over this message under this identity.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_prehash(&self.digest(message), signature)
    }

    /// Verifies `signature` over the 32-byte digest `e = SM3(Z ‖ M)`.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let signature = signer.sign_prehash_deterministic(&e);
    /// assert_eq!(signer.verifying_key().verify_prehash(&e, &signature), Ok(()));
    /// assert_eq!(signer.verifying_key().verify_prehash(&[8; 32], &signature), Err(Error::InvalidSignature));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this key's signature over this digest.
    pub fn verify_prehash(&self, e: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        let point = self.public.to_point();
        if group::verify_vartime(&equation(e, signature, &point)) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}

/// What steps B1 to B5 of clause 7.1 leave to be shown, for the point or the table `p` of a key.
pub(super) fn equation<P>(e: &[u8; 32], signature: &Signature, p: P) -> Equation<P> {
    // B1, B2: r, s ∈ [1, n − 1], of which a Signature is proof.
    let (r, s) = signature.integers();
    // B3, B4: e = SM3(Z ‖ M)
    let e = scalar_reduce(&U256::from_be_bytes(e));
    // B5: t = (r + s) mod n; not zero, of which a Signature is proof, too.
    let t = signature.t();
    // B6, B7: the x-coordinate of [s]G + [t]P must be r − e.
    let x = scalar_sub(&r, &e);
    Equation { s, t, x, p }
}
