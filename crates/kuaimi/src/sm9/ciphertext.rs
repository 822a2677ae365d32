//! Ciphertexts.

use alloc::vec::Vec;

use super::{Error, G1Point, Mode};

/// A ciphertext: `C1`, the encapsulation; `C3`, the message authentication code; `C2`, the
/// encrypted message; and the mode.
///
/// The raw form is `C1 ‖ C3 ‖ C2`: 64 bytes, 32 bytes, and those of `C2`. It does not say the mode.
/// DER does: see [`to_der`](Self::to_der) and [`from_der`](Self::from_der).
///
/// ```
/// use kuaimi::sm9::{Ciphertext, Error, Mode};
///
/// assert_eq!(Ciphertext::from_bytes(Mode::Stream, &[1; 96]), Err(Error::CiphertextLength(96)));
/// assert_eq!(Ciphertext::from_bytes(Mode::Stream, &[0; 97]), Err(Error::PointAtInfinity));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 9.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    pub(crate) mode: Mode,
    pub(crate) c1: G1Point,
    pub(crate) c3: [u8; 32],
    pub(crate) c2: Vec<u8>,
}

impl Ciphertext {
    /// The ciphertext that has these parts.
    ///
    /// # Errors
    /// [`Error::CiphertextLength`] if `c2` is empty.
    ///
    /// ```
    /// # use kuaimi::sm9::{Ciphertext, Error};
    /// # fn example(ciphertext: &Ciphertext) -> Result<(), Error> {
    /// let (c1, c2) = (*ciphertext.c1(), ciphertext.c2().to_vec());
    /// let again = Ciphertext::from_parts(ciphertext.mode(), c1, *ciphertext.c3(), c2)?;
    /// assert_eq!(again, *ciphertext);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_parts(mode: Mode, c1: G1Point, c3: [u8; 32], c2: Vec<u8>) -> Result<Self, Error> {
        if c2.is_empty() {
            return Err(Error::CiphertextLength(96));
        }
        Ok(Self { mode, c1, c3, c2 })
    }

    /// From the raw form of a ciphertext that was made in this mode.
    ///
    /// # Errors
    /// [`Error::CiphertextLength`]; those of [`G1Point::from_bytes`] for `C1`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Ciphertext, Error};
    /// # fn example(ciphertext: &Ciphertext) -> Result<(), Error> {
    /// let again = Ciphertext::from_bytes(ciphertext.mode(), &ciphertext.to_bytes())?;
    /// assert_eq!(again, *ciphertext);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_bytes(mode: Mode, bytes: &[u8]) -> Result<Self, Error> {
        let length = || Error::CiphertextLength(bytes.len());
        let (c1, rest) = bytes.split_first_chunk::<64>().ok_or_else(length)?;
        let (c3, c2) = rest.split_first_chunk::<32>().ok_or_else(length)?;
        if c2.is_empty() {
            return Err(length());
        }
        Self::from_parts(mode, G1Point::from_bytes(c1)?, *c3, c2.to_vec())
    }

    /// The raw form, 96 bytes more than `C2`.
    ///
    /// ```
    /// # use kuaimi::sm9::Ciphertext;
    /// # fn example(ciphertext: &Ciphertext) {
    /// assert_eq!(ciphertext.to_bytes().len(), 96 + ciphertext.c2().len());
    /// # }
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(96 + self.c2.len());
        out.extend_from_slice(&self.c1.to_bytes());
        out.extend_from_slice(&self.c3);
        out.extend_from_slice(&self.c2);
        out
    }

    /// How the message is encrypted.
    ///
    /// ```
    /// # use kuaimi::sm9::Ciphertext;
    /// # fn example(ciphertext: &Ciphertext) {
    /// println!("{}", ciphertext.mode());
    /// # }
    /// ```
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The encapsulation `C1`.
    ///
    /// ```
    /// # use kuaimi::sm9::Ciphertext;
    /// # fn example(ciphertext: &Ciphertext) {
    /// assert_eq!(ciphertext.c1().to_bytes(), ciphertext.to_bytes()[..64]);
    /// # }
    /// ```
    pub fn c1(&self) -> &G1Point {
        &self.c1
    }

    /// The message authentication code `C3`.
    ///
    /// ```
    /// # use kuaimi::sm9::Ciphertext;
    /// # fn example(ciphertext: &Ciphertext) {
    /// assert_eq!(*ciphertext.c3(), ciphertext.to_bytes()[64..96]);
    /// # }
    /// ```
    pub fn c3(&self) -> &[u8; 32] {
        &self.c3
    }

    /// The encrypted message `C2`.
    ///
    /// ```
    /// # use kuaimi::sm9::Ciphertext;
    /// # fn example(ciphertext: &Ciphertext) {
    /// assert_eq!(*ciphertext.c2(), ciphertext.to_bytes()[96..]);
    /// # }
    /// ```
    pub fn c2(&self) -> &[u8] {
        &self.c2
    }
}
