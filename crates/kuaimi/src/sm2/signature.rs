//! Signatures.

use super::Error;
use super::scalar::is_nonzero_scalar;
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{ORDER, scalar_add};

/// A signature `(r, s)`, both in `[1, n − 1]`, their sum not a multiple of `n`.
///
/// The raw form is `r ‖ s`, 32 bytes each, most significant first; for DER see
/// [`to_der`](Self::to_der) and [`from_der`](Self::from_der).
///
/// ```
/// use kuaimi::sm2::{Error, Signature};
///
/// let signature = Signature::from_bytes(&[0x11; 64])?;
/// assert_eq!((signature.r(), signature.s()), ([0x11; 32], [0x11; 32]));
/// assert_eq!(Signature::from_bytes(&[0; 64]), Err(Error::SignatureR));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    bytes: [u8; 64],
}

impl Signature {
    /// From the raw form `r ‖ s`.
    ///
    /// # Errors
    /// [`Error::SignatureR`], [`Error::SignatureS`] or [`Error::SignatureT`] for values out of
    /// range, which the standard forbids a verifier to accept.
    pub fn from_bytes(bytes: &[u8; 64]) -> Result<Self, Error> {
        let signature = Self { bytes: *bytes };
        let (r, s) = signature.integers();
        if !is_nonzero_scalar(&r) {
            return Err(Error::SignatureR);
        }
        if !is_nonzero_scalar(&s) {
            return Err(Error::SignatureS);
        }
        // Of two numbers below n, the sum is a multiple of n only when it is n.
        if r.overflowing_add(&s) == (ORDER, false) {
            return Err(Error::SignatureT);
        }
        Ok(signature)
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 64 bytes.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, Signature};
    ///
    /// assert_eq!(Signature::from_slice(&[0x11; 64])?, Signature::from_bytes(&[0x11; 64])?);
    /// assert_eq!(Signature::from_slice(&[0x11; 63]), Err(Error::SignatureLength(63)));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SignatureLength`] for another length, and those of
    /// [`from_bytes`](Self::from_bytes).
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::SignatureLength(bytes.len()))?,
        )
    }

    /// From `r` and `s`, 32 bytes each, most significant first.
    ///
    /// ```
    /// use kuaimi::sm2::Signature;
    ///
    /// let signature = Signature::from_scalars(&[0x11; 32], &[0x22; 32])?;
    /// assert_eq!((signature.r(), signature.s()), ([0x11; 32], [0x22; 32]));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_scalars(r: &[u8; 32], s: &[u8; 32]) -> Result<Self, Error> {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(r);
        bytes[32..].copy_from_slice(s);
        Self::from_bytes(&bytes)
    }

    /// The raw form `r ‖ s`.
    ///
    /// ```
    /// use kuaimi::sm2::Signature;
    ///
    /// let signature = Signature::from_scalars(&[0x11; 32], &[0x22; 32])?;
    /// assert_eq!(signature.to_bytes()[..32], signature.r());
    /// assert_eq!(signature.to_bytes()[32..], signature.s());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 64] {
        self.bytes
    }

    /// `r`, 32 bytes, most significant first.
    pub fn r(&self) -> [u8; 32] {
        self.half(0)
    }

    /// `s`, 32 bytes, most significant first.
    pub fn s(&self) -> [u8; 32] {
        self.half(1)
    }

    fn half(&self, i: usize) -> [u8; 32] {
        let mut out = [0; 32];
        out.copy_from_slice(&self.bytes[32 * i..32 * i + 32]);
        out
    }

    /// Of integers that the signing equation gave.
    pub(super) fn from_integers(r: &U256, s: &U256) -> Self {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&r.to_be_bytes());
        bytes[32..].copy_from_slice(&s.to_be_bytes());
        Self { bytes }
    }

    /// `t = (r + s) mod n`.
    pub(super) fn t(&self) -> U256 {
        let (r, s) = self.integers();
        scalar_add(&r, &s)
    }

    /// `r` and `s` as integers.
    pub(super) fn integers(&self) -> (U256, U256) {
        (
            U256::from_be_bytes(&self.r()),
            U256::from_be_bytes(&self.s()),
        )
    }
}
