//! Verifying (GB/T 32918.2-2016, clause 7). Variable time, as all data is public.

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{Equation, KeyTable, scalar_reduce, scalar_sub};

use super::identity::{default_message_hash, message_hash};
use super::point_with_table::PointWithTable;
use super::{EncryptionKey, Error, PublicKey, Signature};
use crate::precompute::Precompute;
use crate::sm3::Sm3;

/// A public key that verifies under one identity.
///
/// It keeps the state of SM3 after the identity digest `Z`, and a table of the public key's
/// multiples, with which verifying takes about a third of the time. The table takes
/// [`TABLE_BYTES`](Self::TABLE_BYTES) bytes, and is made when the key is used for the second time:
/// see [`precompute`](crate::precompute). Clones share it. Verifying allocates nothing but the
/// table, and runs in variable time: all that it reads is public.
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::sm2::{PrivateKey, SigningKey, VerifyingKey, PublicKey, Error};
/// # let signer = SigningKey::with_id(PrivateKey::generate()?, b"alice@example.com")?;
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
    point: PointWithTable,
    hash: Sm3,
}

impl VerifyingKey {
    /// Bytes of the table on the heap: 52 windows of 16 points of 64 bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm2::VerifyingKey::TABLE_BYTES, 52 * 16 * 64);
    /// ```
    pub const TABLE_BYTES: usize = KeyTable::BYTES;

    /// A key that verifies under the default identity, [`DEFAULT_ID`](super::DEFAULT_ID).
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey, VerifyingKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let key = VerifyingKey::new(*signer.public_key());
    /// assert_eq!(key.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn new(public: PublicKey) -> Self {
        Self::from_point(PointWithTable::new(public))
    }

    pub(super) fn from_point(point: PointWithTable) -> Self {
        Self {
            hash: default_message_hash(point.public()),
            point,
        }
    }

    /// A key that verifies under `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn with_id(public: PublicKey, id: &[u8]) -> Result<Self, Error> {
        Self::from_point_with_id(PointWithTable::new(public), id)
    }

    pub(super) fn from_point_with_id(point: PointWithTable, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            hash: message_hash(id, point.public())?,
            point,
        })
    }

    /// The same key, with no table yet, which makes its table by this policy.
    ///
    /// ```
    /// use kuaimi::precompute::Precompute;
    /// use kuaimi::sm2::{PrivateKey, VerifyingKey};
    ///
    /// let key = VerifyingKey::new(*PrivateKey::from_bytes(&[7; 32])?.public_key());
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        Self {
            point: PointWithTable::with_precompute(*self.public_key(), policy),
            hash: self.hash.clone(),
        }
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        self.point.public()
    }

    /// Makes the table now, for this key and its clones.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let key = signer.verifying_key().clone();
    /// signer.verifying_key().prepare();
    /// assert!(key.is_prepared());
    /// assert_eq!(key.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.point.prepare();
    }

    /// Whether the table was made.
    pub fn is_prepared(&self) -> bool {
        self.point.known_table().is_some()
    }

    /// The key that encrypts for the holder of this public key. It shares the table.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// assert_eq!(signer.verifying_key().encryption_key().public_key(), signer.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn encryption_key(&self) -> EncryptionKey {
        EncryptionKey::from_point(self.point.clone())
    }

    /// This public key under another identity. One table serves any number of identities: the two
    /// keys share it.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let secret = PrivateKey::from_bytes(&[7; 32])?;
    /// let at_home = SigningKey::new(secret.clone()).verifying_key().clone();
    /// let at_work = at_home.under_id(b"work")?;
    /// at_home.prepare();
    /// assert!(at_work.is_prepared());
    /// let signature = SigningKey::with_id(secret, b"work")?.sign_deterministic(b"a message");
    /// assert_eq!(at_work.verify(b"a message", &signature), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn under_id(&self, id: &[u8]) -> Result<Self, Error> {
        Self::from_point_with_id(self.point.clone(), id)
    }

    /// The state of SM3 after `Z`, for a message that comes in pieces: call [`update`](Sm3::update)
    /// for each piece, then verify the digest with [`verify_digest`](Self::verify_digest).
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let (key, signature) = (signer.verifying_key(), signer.sign_deterministic(b"a message in pieces"));
    /// let mut hash = key.message_hash();
    /// hash.update(b"a message ");
    /// hash.update(b"in pieces");
    /// key.verify_digest(&hash.finalize(), &signature)?;
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
    /// [`Error::InvalidSignature`] if it is not this key's signature over this message under this
    /// identity.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_digest(&self.digest(message), signature)
    }

    /// Verifies `signature` over the 32-byte digest `e = SM3(Z ‖ M)`.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let signature = signer.sign_digest_deterministic(&e);
    /// assert_eq!(signer.verifying_key().verify_digest(&e, &signature), Ok(()));
    /// assert_eq!(signer.verifying_key().verify_digest(&[8; 32], &signature), Err(Error::InvalidSignature));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this key's signature over this digest.
    pub fn verify_digest(&self, e: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        self.point.verify_digest(e, signature)
    }

    /// The public key with its table.
    #[cfg(any(feature = "batch", feature = "std"))]
    pub(super) fn point(&self) -> &PointWithTable {
        &self.point
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
