//! Points as bytes, and their coordinates as integers.

use core::fmt;

use zeroize::Zeroizing;

use crate::arith::backend::{Portable, with_backend};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Fe, Field, PrimeField, U256};
use crate::curve::Affine;
use crate::curve::affine::right_side;
use crate::sm2::curve::{Fp, P, Sm2};

/// An affine point: `x` and `y` in Montgomery form with `R = 2²⁵⁶`, below `p`.
pub type Point = [Limbs; 2];

/// The reason why coordinates are not those of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPoint {
    /// A coordinate is not below `p`.
    CoordinateRange,
    /// The curve has no point with these coordinates.
    NotOnCurve,
}

impl fmt::Display for InvalidPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CoordinateRange => "a coordinate is not below the field's prime",
            Self::NotOnCurve => "the point is not on the curve",
        })
    }
}

impl core::error::Error for InvalidPoint {}

/// The point with the coordinates `x ‖ y`, each 32 bytes, most significant first. For public
/// points.
pub fn point_from_bytes_vartime(bytes: &[u8; 64]) -> Result<Point, InvalidPoint> {
    let (x, y) = bytes.split_at(32);
    with_backend!(B => {
        let point = Affine::<Sm2<B>> { x: coordinate_vartime(x)?, y: coordinate_vartime(y)? };
        if point.is_on_curve_vartime() {
            Ok(point.to_entry())
        } else {
            Err(InvalidPoint::NotOnCurve)
        }
    })
}

/// The field element in 32 bytes, most significant first.
fn coordinate_vartime<B: Backend>(bytes: &[u8]) -> Result<Fp<B>, InvalidPoint> {
    let bytes = bytes
        .try_into()
        .map_err(|_| InvalidPoint::CoordinateRange)?;
    Fp::from_u256_vartime(&U256::from_be_bytes(bytes)).ok_or(InvalidPoint::CoordinateRange)
}

/// The point with this x-coordinate and the y-coordinate of this parity. For public points.
pub fn point_decompress_vartime(x: &U256, y_is_odd: bool) -> Result<Point, InvalidPoint> {
    with_backend!(B => {
        let x = Fp::<B>::from_u256_vartime(x).ok_or(InvalidPoint::CoordinateRange)?;
        let y = right_side::<Sm2<B>>(&x).sqrt_vartime().ok_or(InvalidPoint::NotOnCurve)?;
        let y = if (y.to_u256().0[0] & 1 == 1) == y_is_odd { y } else { -y };
        // No point has y = 0, as the order of the curve is odd.
        if y.is_zero_vartime() {
            return Err(InvalidPoint::NotOnCurve);
        }
        Ok(Affine::<Sm2<B>> { x, y }.to_entry())
    })
}

/// `x ‖ y`, each 32 bytes, most significant first. Constant time: the point may be secret.
pub fn point_to_bytes(point: &Point) -> Zeroizing<[u8; 64]> {
    let mut bytes = Zeroizing::new([0; 64]);
    let [x, y] = point_coordinates(point);
    bytes[..32].copy_from_slice(&x.to_be_bytes());
    bytes[32..].copy_from_slice(&y.to_be_bytes());
    bytes
}

/// `x` and `y` as integers. Constant time: the point may be secret.
#[inline]
pub fn point_coordinates(point: &Point) -> [U256; 2] {
    point.map(|limbs| Fe::<P, Portable>::from_montgomery(limbs).to_u256())
}
