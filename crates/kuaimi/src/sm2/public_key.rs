//! Public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, InvalidPoint, Point};

use super::Error;

/// An SM2 public key: a point on the curve, never the point at infinity. As the curve's order is
/// prime, every such point generates the whole group, and no further check is needed.
///
/// Also the ephemeral points of encryption and key exchange.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{Error, PublicKey, PrivateKey};
///
/// let key = *PrivateKey::generate()?.public_key();
/// assert_eq!(PublicKey::from_sec1_bytes(&key.to_sec1_bytes())?, key);
/// assert_eq!(PublicKey::from_sec1_bytes(&key.to_compressed_bytes())?, key);
/// assert_eq!(PublicKey::from_xy_bytes(&[1; 64]), Err(Error::NotOnCurve));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// Source: GB/T 32918.1-2016, clause 6.2; SEC 1, clause 2.3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(Point);

impl PublicKey {
    /// From a point's bytes (SEC 1, clause 2.3.4): `02`/`03` and `x`; `04`, `x` and `y`; or the
    /// hybrid `06`/`07`, `x` and `y`. Coordinates are 32 bytes, most significant first. Variable
    /// time: a public key is public.
    ///
    /// # Errors
    /// [`Error::PointAtInfinity`], [`Error::PointFormat`], [`Error::PointLength`],
    /// [`Error::CoordinateRange`], [`Error::NotOnCurve`] (also when a hybrid point's parity is not
    /// that of its `y`).
    pub fn from_sec1_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (&tag, rest) = bytes.split_first().ok_or(Error::PointLength(0))?;
        let wrong_length = Error::PointLength(bytes.len());
        match tag {
            0 if rest.is_empty() => Err(Error::PointAtInfinity),
            2 | 3 => {
                let x = rest.try_into().map_err(|_| wrong_length)?;
                Self::decompress(x, tag & 1 == 1)
            }
            4 | 6 | 7 => {
                let xy: &[u8; 64] = rest.try_into().map_err(|_| wrong_length)?;
                let key = Self::from_xy_bytes(xy)?;
                if tag != 4 && (tag ^ xy[63]) & 1 != 0 {
                    return Err(Error::NotOnCurve);
                }
                Ok(key)
            }
            _ => Err(Error::PointFormat(tag)),
        }
    }

    /// From the 64 bytes `x ‖ y`, without a leading byte, as some systems write a point.
    ///
    /// # Errors
    /// [`Error::CoordinateRange`], [`Error::NotOnCurve`].
    pub fn from_xy_bytes(bytes: &[u8; 64]) -> Result<Self, Error> {
        Ok(Self(group::point_from_bytes_vartime(bytes)?))
    }

    fn decompress(x: &[u8; 32], odd: bool) -> Result<Self, Error> {
        let x = U256::from_be_bytes(x);
        Ok(Self(group::point_decompress_vartime(&x, odd)?))
    }

    /// The uncompressed form: `04`, then `x` and `y`, 32 bytes each, most significant first.
    pub fn to_sec1_bytes(&self) -> [u8; 65] {
        let mut out = [4; 65];
        out[1..].copy_from_slice(&self.to_xy_bytes());
        out
    }

    /// The compressed form: `02` for an even `y` or `03` for an odd one, then `x`.
    pub fn to_compressed_bytes(&self) -> [u8; 33] {
        let xy = self.to_xy_bytes();
        let mut out = [0; 33];
        out[0] = 2 | (xy[63] & 1);
        out[1..].copy_from_slice(&xy[..32]);
        out
    }

    /// `x ‖ y`, 32 bytes each, most significant first.
    ///
    /// ```
    /// use kuaimi::sm2::{PublicKey, PrivateKey};
    ///
    /// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
    /// assert_eq!(PublicKey::from_xy_bytes(&key.to_xy_bytes())?, key);
    /// assert_eq!(key.to_sec1_bytes()[1..], key.to_xy_bytes());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_xy_bytes(&self) -> [u8; 64] {
        *group::point_to_bytes(&self.0)
    }

    /// The point, for group operations.
    #[inline]
    pub(super) fn to_point(self) -> Point {
        self.0
    }

    /// From a point known to be on the curve.
    #[inline]
    pub(super) fn from_point(point: &Point) -> Self {
        Self(*point)
    }
}

impl From<InvalidPoint> for Error {
    fn from(reason: InvalidPoint) -> Self {
        match reason {
            InvalidPoint::CoordinateRange => Self::CoordinateRange,
            InvalidPoint::NotOnCurve => Self::NotOnCurve,
        }
    }
}

impl fmt::Debug for PublicKey {
    /// The compressed form in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(")?;
        for byte in self.to_compressed_bytes() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl Hash for PublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
