//! Signing (GB/T 32918.2-2016, clause 6).

mod checked;

use alloc::sync::Arc;
use core::fmt;

pub use checked::CheckedSigningKey;

use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Factor, ORDER, Point, scalar_add, scalar_reduce, scalar_sub};
use kuaimi_platform::declassify;

use super::{Error, PrivateKey, PublicKey, RecoveryId, Signature, VerifyingKey};
use crate::nonce::{Deterministic, NonceKey, NonceSource};
use crate::sm3::Sm3;

/// A private key that signs under one identity.
///
/// It keeps two values that all its signatures share: `(1 + d)⁻¹ mod n`, so that a signature needs
/// no inversion, and the state of SM3 after the identity digest `Z`. Signing allocates nothing, and
/// is constant time in the key and the nonce; the length of the message shows. The key is wiped
/// when dropped.
///
/// Nonces are *hedged*: each is derived from the key, the digest and fresh randomness together. So
/// a broken random generator does not reveal the key. The `_deterministic` methods use RFC 6979
/// with HMAC-SM3 and no randomness.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::with_id(PrivateKey::generate()?, b"alice@example.com")?;
/// let signature = key.sign(b"message")?;
/// assert!(key.verifying_key().verify(b"message", &signature).is_ok());
/// assert!(key.verifying_key().verify(b"massage", &signature).is_err());
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// Source: GB/T 32918.2-2016, clause 6.1.
#[derive(Clone)]
pub struct SigningKey(Arc<Inner>);

/// In a box that does not move, since a move leaves a copy that nobody wipes. Clones share it.
#[derive(Clone)]
struct Inner {
    secret: PrivateKey,
    /// `(1 + d)⁻¹ mod n`.
    inverse: Factor,
    nonce_key: NonceKey,
    verifying: VerifyingKey,
}

impl SigningKey {
    /// A key that signs under the default identity, [`DEFAULT_ID`](super::DEFAULT_ID).
    ///
    /// ```
    /// use kuaimi::sm2::{DEFAULT_ID, PrivateKey, SigningKey};
    ///
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let signer = SigningKey::new(key.clone());
    /// let same = SigningKey::with_id(key, DEFAULT_ID)?;
    /// assert_eq!(signer.sign_deterministic(b"a message"), same.sign_deterministic(b"a message"));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn new(secret: PrivateKey) -> Self {
        let verifying = VerifyingKey::new(*secret.public_key());
        Self::from_parts(secret, verifying)
    }

    /// A key that signs under `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn with_id(secret: PrivateKey, id: &[u8]) -> Result<Self, Error> {
        let verifying = VerifyingKey::with_id(*secret.public_key(), id)?;
        Ok(Self::from_parts(secret, verifying))
    }

    fn from_parts(secret: PrivateKey, verifying: VerifyingKey) -> Self {
        // d ≤ n − 2, so 1 + d is not zero.
        let inverse =
            Factor::inverse_of(&Zeroizing::new(scalar_add(&secret.integer(), &U256::ONE)));
        let nonce_key = NonceKey::new(b"Kuaimi SM2 nonce key", &[secret.to_bytes().as_ref()]);
        Self(Arc::new(Inner {
            secret,
            inverse,
            nonce_key,
            verifying,
        }))
    }

    /// The private key.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// assert_eq!(*signer.private_key().to_bytes(), [7; 32]);
    /// assert_eq!(signer.private_key().public_key(), signer.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn private_key(&self) -> &PrivateKey {
        &self.0.secret
    }

    /// The public key.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey, VerifyingKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let verifier = VerifyingKey::new(*signer.public_key());
    /// assert_eq!(verifier.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn public_key(&self) -> &PublicKey {
        self.0.secret.public_key()
    }

    /// The key that verifies this key's signatures: the public key under the same identity.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0.verifying
    }

    /// The state of SM3 after `Z`, for a message that comes in pieces: call [`update`](Sm3::update)
    /// for each piece, then sign the digest with [`sign_digest`](Self::sign_digest).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm2::{PrivateKey, SigningKey};
    /// # let key = SigningKey::new(PrivateKey::generate()?);
    /// let mut hash = key.message_hash();
    /// hash.update(b"a message ");
    /// hash.update(b"in pieces");
    /// let signature = key.sign_digest(&hash.finalize())?;
    /// assert!(key.verifying_key().verify(b"a message in pieces", &signature).is_ok());
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn message_hash(&self) -> Sm3 {
        self.0.verifying.message_hash()
    }

    /// Signs `message`, with a hedged nonce from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.sign_with_rng(&mut getrandom::SysRng, message)
    }

    /// Signs `message`, with a hedged nonce from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let signature = signer.sign_with_rng(&mut getrandom::SysRng, b"a message")?;
    /// signer.verifying_key().verify(b"a message", &signature)?;
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.sign_digest_with_rng(rng, &self.0.verifying.digest(message))
    }

    /// Signs `message` with a nonce by RFC 6979 with HMAC-SM3: the same message always gives the
    /// same signature.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let signature = signer.sign_deterministic(b"a message");
    /// assert_eq!(signature, signer.sign_deterministic(b"a message"));
    /// signer.verifying_key().verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn sign_deterministic(&self, message: &[u8]) -> Signature {
        self.sign_digest_deterministic(&self.0.verifying.digest(message))
    }

    /// Signs the 32-byte digest `e = SM3(Z ‖ M)`, with a hedged nonce from the operating system's
    /// random generator.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::generate()?);
    /// let mut hash = signer.message_hash();
    /// hash.update(b"a message");
    /// let signature = signer.sign_digest(&hash.finalize())?;
    /// signer.verifying_key().verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign_digest(&self, e: &[u8; 32]) -> Result<Signature, Error> {
        self.sign_digest_with_rng(&mut getrandom::SysRng, e)
    }

    /// Signs the 32-byte digest `e = SM3(Z ‖ M)`, with a hedged nonce from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let signature = signer.sign_digest_with_rng(&mut getrandom::SysRng, &e)?;
    /// signer.verifying_key().verify_digest(&e, &signature)?;
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_digest_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        e: &[u8; 32],
    ) -> Result<Signature, Error> {
        self.sign_digest_recoverable_with_rng(rng, e)
            .map(|(signature, _)| signature)
    }

    /// As [`sign_digest_with_rng`](Self::sign_digest_with_rng), and returns the recovery identifier
    /// as well: [`PublicKey::recover`] computes the public key from the two.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::{PublicKey, PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let (signature, id) = signer.sign_digest_recoverable_with_rng(&mut getrandom::SysRng, &e)?;
    /// assert_eq!(PublicKey::recover(&e, &signature, id)?, *signer.public_key());
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_digest_recoverable_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        e: &[u8; 32],
    ) -> Result<(Signature, RecoveryId), Error> {
        let mut nonces = self.0.nonce_key.hedged(e, rng);
        self.sign_digest_with(e, &mut nonces)
    }

    /// As [`sign_digest`](Self::sign_digest), and returns the recovery identifier as well:
    /// [`PublicKey::recover`] computes the public key from the two.
    ///
    /// ```
    /// use kuaimi::sm2::{PublicKey, PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let e = [9; 32]; // SM3(Z ‖ M), computed elsewhere
    /// let (signature, id) = signer.sign_digest_recoverable(&e)?;
    /// assert_eq!(PublicKey::recover(&e, &signature, id)?, *signer.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign_digest_recoverable(&self, e: &[u8; 32]) -> Result<(Signature, RecoveryId), Error> {
        self.sign_digest_recoverable_with_rng(&mut getrandom::SysRng, e)
    }

    /// Signs the 32-byte digest `e = SM3(Z ‖ M)` with a nonce by RFC 6979 with HMAC-SM3.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let mut hash = signer.message_hash();
    /// hash.update(b"a message");
    /// let signature = signer.sign_digest_deterministic(&hash.finalize());
    /// assert_eq!(signature, signer.sign_deterministic(b"a message"));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn sign_digest_deterministic(&self, e: &[u8; 32]) -> Signature {
        let reduced = scalar_reduce(&U256::from_be_bytes(e)).to_be_bytes();
        let mut nonces = Deterministic::new(&self.0.secret.to_bytes(), &reduced);
        loop {
            // This source never fails, and gives another nonce each time.
            if let Ok((signature, _)) = self.sign_digest_with(e, &mut nonces) {
                return signature;
            }
        }
    }

    /// Signs the digest `e` with the nonce `k`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `k`, or who sees two signatures with
    /// the same `k` over different digests, can compute the private key.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let signature = signer.sign_digest_with_nonce(&[9; 32], &[5; 32])?;
    /// signer.verifying_key().verify_digest(&[9; 32], &signature)?;
    /// assert_eq!(signer.sign_digest_with_nonce(&[9; 32], &[0; 32]), Err(Error::Nonce));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Nonce`] for a `k` that is zero, not below `n`, or leads to no signature.
    #[cfg(feature = "hazmat")]
    pub fn sign_digest_with_nonce(&self, e: &[u8; 32], k: &[u8; 32]) -> Result<Signature, Error> {
        let mut nonces = crate::nonce::Given::new(k);
        self.sign_digest_with(e, &mut nonces)
            .map(|(signature, _)| signature)
    }

    /// Steps A3 to A7 of clause 6.1.
    fn sign_digest_with(
        &self,
        e: &[u8; 32],
        nonces: &mut impl NonceSource,
    ) -> Result<(Signature, RecoveryId), Error> {
        loop {
            // A3: k ∈ [1, n − 1]
            let k = nonces.next_below(&ORDER)?;
            // A4: (x₁, y₁) = [k]G
            let mut point = group::generator_mul(&k);
            let signature = self.sign_with_point(e, &k, &point);
            point.zeroize();
            if let Some(signature) = signature {
                return Ok(signature);
            }
        }
    }

    /// Steps A5 to A7 of clause 6.1 for the digest `e`, given the nonce `k` and the point `[k]G`;
    /// nothing where the nonce does not serve.
    pub(super) fn sign_with_point(
        &self,
        e: &[u8; 32],
        k: &U256,
        point: &Point,
    ) -> Option<(Signature, RecoveryId)> {
        let e = scalar_reduce(&U256::from_be_bytes(e));
        let [x1, y1] = group::point_coordinates(point);
        // A5: r = (e + x₁) mod n; again when r = 0 or r + k = n
        let r = scalar_add(&e, &scalar_reduce(&x1));
        let r_plus_k = Zeroizing::new(scalar_add(&r, k));
        // A nonce for which this holds is thrown away, so that it may be public that it holds.
        if declassify(r.ct_is_zero() | r_plus_k.ct_is_zero()) {
            return None;
        }
        // A6: s = (1 + d)⁻¹·(k − r·d) = (1 + d)⁻¹·(k + r) − r; again when s = 0
        let s = scalar_sub(&self.0.inverse.times(&r_plus_k), &r);
        if declassify(s.ct_is_zero()) {
            return None;
        }
        // A7: the signature (r, s). It shows x₁ to everyone who knows e, so the coordinates are no
        // secret.
        let recovery = RecoveryId::new(y1.0[0] & 1 == 1, !declassify(x1.ct_lt(&ORDER)));
        Some((Signature::from_integers(&r, &s), recovery))
    }

    /// What this key's hedged nonces are derived from.
    #[cfg(any(feature = "batch", test))]
    pub(super) fn nonce_key(&self) -> &NonceKey {
        &self.0.nonce_key
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("public", self.public_key())
            .finish_non_exhaustive()
    }
}

// Its secrets are a PrivateKey, a Factor and a NonceKey, which wipe themselves.
impl ZeroizeOnDrop for SigningKey {}

#[cfg(all(test, feature = "hazmat"))]
mod tests {
    use super::*;
    use kuaimi_testing::Stuck;

    /// Signatures by a given generator stay the same from version to version.
    #[test]
    fn hedged_nonces_are_those_of_the_formula() {
        let key = SigningKey::new(PrivateKey::from_bytes(&[3; 32]).expect("in range"));
        let nk = crate::sm3::digest(&[&b"Kuaimi SM2 nonce key"[..], &[3; 32]].concat());
        let e = [9; 32];
        let k = crate::sm3::digest(&[&nk[..], &[0; 32], &e, &[7; 22], &[0]].concat());
        let signature = key.sign_digest_with_rng(&mut Stuck(7), &e);
        assert_eq!(signature, key.sign_digest_with_nonce(&e, &k));
    }

    /// RFC 6979 takes the digest modulo `n`, as the signature does.
    #[test]
    fn deterministic_nonces_take_the_digest_modulo_the_order() {
        let key = SigningKey::new(PrivateKey::from_bytes(&[3; 32]).expect("in range"));
        let reduced = scalar_reduce(&U256::from_be_bytes(&[0xff; 32])).to_be_bytes();
        assert_ne!(reduced, [0xff; 32]);
        let signature = key.sign_digest_deterministic(&[0xff; 32]);
        assert_eq!(signature, key.sign_digest_deterministic(&reduced));
    }
}
