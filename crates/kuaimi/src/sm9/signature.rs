//! Signatures.

use super::scalar::is_nonzero_scalar;
use super::{Error, G1Point};
use kuaimi_math::arith::U256;

/// A signature `(h, S)`: `h` an integer in `[1, N − 1]`, `S` a point of `G1` other than infinity.
///
/// The raw form is `h ‖ x ‖ y`, 96 bytes: each number has 32 bytes, most significant first. For
/// DER, see [`to_der`](Self::to_der) and [`from_der`](Self::from_der).
///
/// ```
/// use kuaimi::sm9::{Error, Signature};
///
/// assert_eq!(Signature::from_slice(&[1; 95]), Err(Error::SignatureLength(95)));
/// assert_eq!(Signature::from_bytes(&[0; 96]), Err(Error::SignatureH));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    h: [u8; 32],
    s: G1Point,
}

impl Signature {
    /// The length of the raw form in bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Signature::LEN, 96);
    /// ```
    pub const LEN: usize = 96;

    /// From the raw form.
    ///
    /// # Errors
    /// [`Error::SignatureH`]; [`Error::PointAtInfinity`], [`Error::CoordinateRange`],
    /// [`Error::NotOnCurve`] for `S`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, Signature};
    /// # fn example(signature: &Signature) -> Result<(), Error> {
    /// assert_eq!(Signature::from_bytes(&signature.to_bytes())?, *signature);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_bytes(bytes: &[u8; 96]) -> Result<Self, Error> {
        let (mut h, mut xy) = ([0; 32], [0; 64]);
        h.copy_from_slice(&bytes[..32]);
        xy.copy_from_slice(&bytes[32..]);
        Self::check_h(&h)?;
        Self::from_parts(&h, G1Point::from_bytes(&xy)?)
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 96 bytes.
    ///
    /// # Errors
    /// [`Error::SignatureLength`] for another length, and those of
    /// [`from_bytes`](Self::from_bytes).
    ///
    /// ```
    /// use kuaimi::sm9::{Error, Signature};
    ///
    /// assert_eq!(Signature::from_slice(&[1; 64]), Err(Error::SignatureLength(64)));
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::SignatureLength(bytes.len()))?,
        )
    }

    /// From `h`, most significant byte first, and `S`.
    ///
    /// # Errors
    /// [`Error::SignatureH`] unless `h` is in `[1, N − 1]`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, Signature};
    /// # fn example(signature: &Signature) -> Result<(), Error> {
    /// assert_eq!(Signature::from_parts(&signature.h(), *signature.s())?, *signature);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_parts(h: &[u8; 32], s: G1Point) -> Result<Self, Error> {
        Self::check_h(h)?;
        Ok(Self { h: *h, s })
    }

    fn check_h(h: &[u8; 32]) -> Result<(), Error> {
        if is_nonzero_scalar(&U256::from_be_bytes(h)) {
            Ok(())
        } else {
            Err(Error::SignatureH)
        }
    }

    /// Of an `h` from `H2`.
    pub(super) fn new(h: &U256, s: G1Point) -> Self {
        Self {
            h: h.to_be_bytes(),
            s,
        }
    }

    /// The raw form.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, Signature};
    /// # fn example(signature: &Signature) -> Result<(), Error> {
    /// assert_eq!(signature.to_bytes()[..32], signature.h());
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_bytes(&self) -> [u8; 96] {
        let mut out = [0; 96];
        out[..32].copy_from_slice(&self.h);
        out[32..].copy_from_slice(&self.s.to_bytes());
        out
    }

    /// `h`, most significant byte first.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, Signature};
    /// # fn example(signature: &Signature) -> Result<(), Error> {
    /// assert_eq!(signature.h(), signature.to_bytes()[..32]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn h(&self) -> [u8; 32] {
        self.h
    }

    /// `S`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, Signature};
    /// # fn example(signature: &Signature) -> Result<(), Error> {
    /// assert_eq!(signature.s().to_bytes(), signature.to_bytes()[32..]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn s(&self) -> &G1Point {
        &self.s
    }

    pub(super) fn h_integer(&self) -> U256 {
        U256::from_be_bytes(&self.h)
    }
}
