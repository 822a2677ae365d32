//! Points as bytes: those of `G1`, which are sent in signatures, ciphertexts, encapsulations and
//! key exchanges; and those of `G2`.

use kuaimi_math::sm9::group::{self, G1, G2};
use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;

use super::Error;

/// A point of `G1` other than infinity: the part `C` of an encapsulation, `C1` of a ciphertext, `S`
/// of a signature, or `R` of a key exchange.
///
/// A value of this type is on the curve, and so in the group of order `N`, whose cofactor is 1.
/// Coordinates are 32 bytes each, most significant first.
///
/// ```
/// use kuaimi::sm9::{Error, G1Point};
///
/// assert_eq!(G1Point::from_bytes(&[0; 64]), Err(Error::PointAtInfinity));
/// assert_eq!(G1Point::from_bytes(&[1; 64]), Err(Error::NotOnCurve));
/// assert_eq!(G1Point::from_bytes(&[0xff; 64]), Err(Error::CoordinateRange));
/// ```
///
/// Source: GB/T 38635.1-2020, clauses 5.2 and 7.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct G1Point(pub(super) G1);

impl G1Point {
    /// From `x ‖ y`, 64 bytes. Constant time apart from the result.
    ///
    /// # Errors
    /// [`Error::PointAtInfinity`] where all bytes are zero, as some write infinity;
    /// [`Error::CoordinateRange`], [`Error::NotOnCurve`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{G1Point, MasterEncryptionKey};
    /// # let point = G1Point::from_bytes(&MasterEncryptionKey::generate()?.public_key().to_bytes())?;
    /// assert_eq!(G1Point::from_bytes(&point.to_bytes())?, point);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(xy: &[u8; 64]) -> Result<Self, Error> {
        // A signing key is a point, too; the error tells whether it is this one.
        if declassify(xy.as_slice().ct_eq(&[0; 64])) {
            return Err(Error::PointAtInfinity);
        }
        Ok(Self(group::g1_from_bytes(xy)?))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` for an even `y` and `03 ‖ x` for an
    /// odd one. Variable time.
    ///
    /// # Errors
    /// [`Error::PointLength`], [`Error::PointFormat`], and those of
    /// [`from_bytes`](Self::from_bytes); [`Error::PointAtInfinity`] for the single byte 00.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{G1Point, MasterEncryptionKey};
    /// # let point = G1Point::from_bytes(&MasterEncryptionKey::generate()?.public_key().to_bytes())?;
    /// assert_eq!(G1Point::from_slice(&point.to_compressed_bytes())?, point);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(xy) = bytes.try_into() {
            return Self::from_bytes(xy);
        }
        Self::from_sec1_bytes(bytes)
    }

    /// From `04 ‖ x ‖ y`, `02 ‖ x` or `03 ‖ x`. Variable time.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    ///
    /// ```
    /// use kuaimi::sm9::{Error, G1Point};
    ///
    /// assert_eq!(G1Point::from_sec1_bytes(&[4; 64]), Err(Error::PointLength(64)));
    /// ```
    pub fn from_sec1_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let Some((&format, rest)) = bytes.split_first() else {
            return Err(Error::PointLength(0));
        };
        let length = || Error::PointLength(bytes.len());
        match format {
            0 if rest.is_empty() => Err(Error::PointAtInfinity),
            2 | 3 => {
                let x = rest.try_into().map_err(|_| length())?;
                Ok(Self(group::g1_decompress_vartime(x, format == 3)?))
            }
            4 => Self::from_bytes(rest.try_into().map_err(|_| length())?),
            other => Err(Error::PointFormat(other)),
        }
    }

    /// `x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, G1Point};
    /// # fn example(point: &G1Point) {
    /// assert_eq!(point.to_bytes(), point.to_sec1_bytes()[1..]);
    /// # }
    /// ```
    pub fn to_bytes(&self) -> [u8; 64] {
        group::g1_to_bytes(&self.0)
    }

    /// `04 ‖ x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, G1Point};
    /// # fn example(point: &G1Point) {
    /// assert_eq!(point.to_sec1_bytes()[0], 4);
    /// # }
    /// ```
    pub fn to_sec1_bytes(&self) -> [u8; 65] {
        let mut out = [4; 65];
        out[1..].copy_from_slice(&self.to_bytes());
        out
    }

    /// `02 ‖ x` for an even `y`, or `03 ‖ x` for an odd one.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, G1Point};
    /// # fn example(point: &G1Point) {
    /// assert_eq!(point.to_compressed_bytes()[1..], point.to_bytes()[..32]);
    /// # }
    /// ```
    pub fn to_compressed_bytes(&self) -> [u8; 33] {
        let xy = self.to_bytes();
        let mut out = [0; 33];
        out[0] = 2 | (xy[63] & 1);
        out[1..].copy_from_slice(&xy[..32]);
        out
    }
}

impl core::fmt::Debug for G1Point {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("G1Point(")?;
        super::write_hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}

/// A point of `G2` from `x ‖ y`. Constant time apart from the result.
pub(super) fn g2_from_bytes(xy: &[u8; 128]) -> Result<G2, Error> {
    // A decryption key is such a point; the error tells whether it is this one.
    if declassify(xy.as_slice().ct_eq(&[0; 128])) {
        return Err(Error::PointAtInfinity);
    }
    Ok(group::g2_from_bytes(xy)?)
}

/// A point of `G2` from `x ‖ y`, `04 ‖ x ‖ y`, `02 ‖ x` or `03 ‖ x`. Variable time.
pub(super) fn g2_from_slice(bytes: &[u8]) -> Result<G2, Error> {
    if let Ok(xy) = bytes.try_into() {
        return g2_from_bytes(xy);
    }
    let Some((&format, rest)) = bytes.split_first() else {
        return Err(Error::PointLength(0));
    };
    let length = || Error::PointLength(bytes.len());
    match format {
        0 if rest.is_empty() => Err(Error::PointAtInfinity),
        2 | 3 => {
            let x = rest.try_into().map_err(|_| length())?;
            Ok(group::g2_decompress_vartime(x, format == 3)?)
        }
        4 => g2_from_bytes(rest.try_into().map_err(|_| length())?),
        other => Err(Error::PointFormat(other)),
    }
}

/// `04 ‖ x ‖ y`.
pub(super) fn g2_to_sec1(point: &G2) -> [u8; 129] {
    let mut out = [4; 129];
    out[1..].copy_from_slice(&group::g2_to_bytes(point));
    out
}
