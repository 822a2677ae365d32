//! Public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

use zeroize::Zeroizing;

use super::Error;
use super::curve::{Fp, Sm2};
use super::points::Point;
use crate::arith::backend::with_backend;
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Fe, Field, PrimeField, U256};
use crate::curve::Affine;
use crate::curve::affine::right_side;

/// An SM2 public key: a point on the curve, never the point at infinity. As the curve's order is prime, every such
/// point generates the whole group, and no further check is needed.
///
/// Also the ephemeral points of encryption and key exchange.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{Error, PublicKey, SecretKey};
///
/// let key = *SecretKey::generate()?.public_key();
/// assert_eq!(PublicKey::from_sec1_bytes(&key.to_sec1_bytes())?, key);
/// assert_eq!(PublicKey::from_sec1_bytes(&key.to_compressed_bytes())?, key);
/// assert_eq!(PublicKey::from_xy_bytes(&[1; 64]), Err(Error::NotOnCurve));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// Source: GB/T 32918.1-2016, clause 6.2; SEC 1, clause 2.3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey {
    /// Montgomery forms, which every scalar backend shares.
    x: Limbs,
    y: Limbs,
}

impl PublicKey {
    /// From a point's bytes (SEC 1, clause 2.3.4): `02`/`03` and `x`; `04`, `x` and `y`; or the hybrid `06`/`07`, `x` and
    /// `y`. Coordinates are 32 bytes, most significant first. Variable time: a public key is public.
    ///
    /// # Errors
    /// [`Error::PointAtInfinity`], [`Error::PointFormat`], [`Error::PointLength`], [`Error::CoordinateRange`],
    /// [`Error::NotOnCurve`] (also when a hybrid point's parity is not that of its `y`).
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
        let (x, y) = bytes.split_at(32);
        let (x, y) = (integer(x), integer(y));
        with_backend!(B => {
            let x = Fp::<B>::from_u256_vartime(&x).ok_or(Error::CoordinateRange)?;
            let y = Fp::<B>::from_u256_vartime(&y).ok_or(Error::CoordinateRange)?;
            let point = Affine::<Sm2<B>> { x, y };
            if !point.is_on_curve_vartime() {
                return Err(Error::NotOnCurve);
            }
            Ok(Self::from_affine(&point))
        })
    }

    fn decompress(x: &[u8; 32], odd: bool) -> Result<Self, Error> {
        let x = U256::from_be_bytes(x);
        with_backend!(B => {
            let x = Fp::<B>::from_u256_vartime(&x).ok_or(Error::CoordinateRange)?;
            lift_x_vartime::<B>(x, odd).map(|point| Self::from_affine(&point)).ok_or(Error::NotOnCurve)
        })
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
    pub fn to_xy_bytes(&self) -> [u8; 64] {
        with_backend!(B => *coordinates(&self.to_affine::<B>()))
    }

    /// The point, for backend `B`.
    #[inline]
    pub(super) fn to_affine<B: Backend>(self) -> Affine<Sm2<B>> {
        Affine {
            x: Fe::from_montgomery(self.x),
            y: Fe::from_montgomery(self.y),
        }
    }

    /// The point as tables and batches hold it.
    #[inline]
    pub(super) fn to_point(self) -> Point {
        [self.x, self.y]
    }

    /// From a point known to be on the curve, as tables and batches hold it.
    #[inline]
    pub(super) fn from_point(&[x, y]: &Point) -> Self {
        Self { x, y }
    }

    /// From a point known to be on the curve.
    #[inline]
    pub(super) fn from_affine<B: Backend>(point: &Affine<Sm2<B>>) -> Self {
        Self {
            x: point.x.to_montgomery(),
            y: point.y.to_montgomery(),
        }
    }
}

/// `x ‖ y` of a point that may be a secret, 32 bytes each, most significant first.
pub(super) fn coordinates<B: Backend>(point: &Affine<Sm2<B>>) -> Zeroizing<[u8; 64]> {
    let mut xy = Zeroizing::new([0; 64]);
    xy[..32].copy_from_slice(&point.x.to_u256().to_be_bytes());
    xy[32..].copy_from_slice(&point.y.to_u256().to_be_bytes());
    xy
}

/// The integer in 32 bytes of a longer array.
fn integer(bytes: &[u8]) -> U256 {
    let mut buffer = [0; 32];
    buffer.copy_from_slice(bytes);
    U256::from_be_bytes(&buffer)
}

/// The point with this `x` and a `y` of this parity, if there is one. (No point has `y = 0`: the order is odd.)
pub(super) fn lift_x_vartime<B: Backend>(x: Fp<B>, odd: bool) -> Option<Affine<Sm2<B>>> {
    let y = right_side::<Sm2<B>>(&x).sqrt_vartime()?;
    let y = if (y.to_u256().0[0] & 1 == 1) == odd {
        y
    } else {
        -y
    };
    (!y.is_zero_vartime()).then_some(Affine { x, y })
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
        self.x.hash(state);
        self.y.hash(state);
    }
}
