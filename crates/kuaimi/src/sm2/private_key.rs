//! Private keys.

use alloc::sync::Arc;
use core::fmt;

use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, ORDER};
use kuaimi_platform::declassify;

use super::scalar::MAX_DRAWS;
use super::{Error, PublicKey};

/// An SM2 private key `d ∈ [1, n − 2]`, with its public key.
///
/// Wiped when dropped; `Debug` shows the public key only. Comparing takes constant time.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{Error, PrivateKey};
///
/// let key = PrivateKey::generate()?;
/// assert_eq!(PrivateKey::from_bytes(&key.to_bytes())?, key);
/// assert_eq!(PrivateKey::from_bytes(&[0; 32]), Err(Error::PrivateKeyRange));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// Source: GB/T 32918.1-2016, clause 6.1.
#[derive(Clone)]
pub struct PrivateKey(Arc<Inner>);

/// In a box that does not move, since a move leaves a copy that nobody wipes. Clones share it.
struct Inner {
    d: U256,
    public: PublicKey,
}

/// `n − 1`, the least integer that is too large for a private key.
const LIMIT: U256 = ORDER.overflowing_sub(&U256::ONE).0;

impl PrivateKey {
    /// A new private key from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::generate_with_rng(&mut getrandom::SysRng)
    }

    /// A new private key from `rng`: 32-byte numbers are drawn until one is in range.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let key = PrivateKey::generate_with_rng(&mut getrandom::SysRng)?;
    /// assert_ne!(key, PrivateKey::generate_with_rng(&mut getrandom::SysRng)?);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
    pub fn generate_with_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut bytes = Zeroizing::new([0u8; 32]);
        for _ in 0..MAX_DRAWS {
            rng.try_fill_bytes(bytes.as_mut())
                .map_err(|_| Error::Random)?;
            match Self::from_bytes(&bytes) {
                Err(Error::PrivateKeyRange) => {}
                result => return result,
            }
        }
        Err(Error::Random)
    }

    /// The private key that is the integer in `bytes`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::PrivateKeyRange`] unless the integer is in `[1, n − 2]`.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        let d = U256::from_be_bytes(bytes);
        if !Self::is_in_range(&d) {
            return Err(Error::PrivateKeyRange);
        }
        let public = PublicKey::from_point(&group::generator_mul(&d));
        Ok(Self(Arc::new(Inner { d, public })))
    }

    /// Whether `d` is in `[1, n − 2]`. May be known, as a candidate that is not is thrown away.
    pub(super) fn is_in_range(d: &U256) -> bool {
        declassify(d.ct_lt(&LIMIT) & !d.ct_is_zero())
    }

    /// From `d`, which is in range, and `[d]G`.
    #[cfg(feature = "batch")]
    pub(super) fn from_parts(d: U256, public: PublicKey) -> Self {
        Self(Arc::new(Inner { d, public }))
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 32 bytes.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, PrivateKey};
    ///
    /// assert_eq!(PrivateKey::from_slice(&[7; 32])?, PrivateKey::from_bytes(&[7; 32])?);
    /// assert_eq!(PrivateKey::from_slice(&[7; 31]), Err(Error::PrivateKeyLength(31)));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PrivateKeyLength`] for another length, [`Error::PrivateKeyRange`] for an integer
    /// out of range.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = bytes
            .try_into()
            .map_err(|_| Error::PrivateKeyLength(bytes.len()))?;
        Self::from_bytes(bytes)
    }

    /// The 32 bytes of the integer `d`, most significant first.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.d.to_be_bytes())
    }

    /// The public key `[d]G`.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, parameters};
    ///
    /// let mut one = [0; 32];
    /// one[31] = 1;
    /// let public = *PrivateKey::from_bytes(&one)?.public_key(); // [1]G = G
    /// assert_eq!(public.to_xy_bytes()[..32], parameters::gx());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn public_key(&self) -> &PublicKey {
        &self.0.public
    }

    /// `d`.
    pub(super) fn integer(&self) -> U256 {
        self.0.d
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey")
            .field("public", self.public_key())
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for PrivateKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.d.ct_eq(&other.0.d)
    }
}

impl PartialEq for PrivateKey {
    /// In constant time; whether they are equal may be known, as their public keys tell it.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other))
    }
}

impl Eq for PrivateKey {}

impl Drop for Inner {
    fn drop(&mut self) {
        self.d.zeroize();
    }
}

// When the last clone is dropped.
impl ZeroizeOnDrop for PrivateKey {}
