//! Encoding and decoding of points of `G1` and `G2`.
//!
//! Coordinates are 32 bytes for each element of `Fq`, most significant first. Users' keys are
//! points, so decoding is constant time apart from its result. Only the decompression of points is
//! variable time.

use crate::arith::backend::declassify;
use crate::arith::{Backend, Modulus, PrimeField, U256};
use crate::curve::Affine;
use crate::sm9::curve::{Fq, Q, Sm9G1, Sm9G2};
use crate::sm9::glv_mul::is_in_g2;
use crate::sm9::tower::Fq2;

/// The reason why bytes are not a point of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPoint {
    /// A coordinate is not below `q`.
    Coordinate,
    /// The point is not on the curve. For a compressed point: the curve has no point with this
    /// x-coordinate.
    NotOnCurve,
    /// The point is on the twist, but not in the subgroup of order `N`.
    NotInSubgroup,
}

/// An element of `Fq` from 32 bytes, most significant first.
fn coordinate<B: Backend>(bytes: &[u8; 32]) -> Result<Fq<B>, InvalidPoint> {
    let number = U256::from_be_bytes(bytes);
    if declassify(number.ct_lt(&Q::MODULUS)) {
        Ok(Fq::from_u256_reduced(&number))
    } else {
        Err(InvalidPoint::Coordinate)
    }
}

/// The two halves of an array.
fn halves<const N: usize, const H: usize>(bytes: &[u8; N]) -> (&[u8; H], &[u8; H]) {
    const { assert!(2 * H == N) };
    // The lengths were compared, so the second case is not reached.
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (first, last),
        _ => (&[0; H], &[0; H]),
    }
}

/// An element of `Fq2` from 64 bytes, the coefficient of `u` first.
fn coordinate_fq2<B: Backend>(bytes: &[u8; 64]) -> Result<Fq2<B>, InvalidPoint> {
    let (c1, c0) = halves(bytes);
    Ok(Fq2::new(coordinate(c0)?, coordinate(c1)?))
}

/// 64 bytes, the coefficient of `u` first.
pub fn coordinate_fq2_to_bytes<B: Backend>(a: &Fq2<B>) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&a.c1.to_u256().to_be_bytes());
    bytes[32..].copy_from_slice(&a.c0.to_u256().to_be_bytes());
    bytes
}

/// The point of `G1` with the coordinates `x ‖ y`. Constant time apart from the result.
pub fn g1_from_bytes<B: Backend>(bytes: &[u8; 64]) -> Result<Affine<Sm9G1<B>>, InvalidPoint> {
    let (x, y) = halves(bytes);
    let point = Affine {
        x: coordinate(x)?,
        y: coordinate(y)?,
    };
    if declassify(point.is_on_curve()) {
        Ok(point)
    } else {
        Err(InvalidPoint::NotOnCurve)
    }
}

/// `x ‖ y`. Constant time.
pub fn g1_to_bytes<B: Backend>(p: &Affine<Sm9G1<B>>) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&p.x.to_u256().to_be_bytes());
    bytes[32..].copy_from_slice(&p.y.to_u256().to_be_bytes());
    bytes
}

/// The point of `G1` with this x-coordinate, and a y-coordinate with this lowest bit.
pub fn g1_decompress_vartime<B: Backend>(
    x: &[u8; 32],
    odd: bool,
) -> Result<Affine<Sm9G1<B>>, InvalidPoint> {
    let x = coordinate(x)?;
    let y = crate::curve::affine::right_side::<Sm9G1<B>>(&x)
        .sqrt_vartime()
        .ok_or(InvalidPoint::NotOnCurve)?;
    let y = if is_odd(&y) == odd { y } else { -y };
    Ok(Affine { x, y })
}

/// The lowest bit of a coordinate.
fn is_odd<B: Backend>(a: &Fq<B>) -> bool {
    a.to_u256().0[0] & 1 == 1
}

/// The lowest bit of the constant term: the bit of a y-coordinate in `Fq2` that a compressed point
/// has.
pub fn is_odd_fq2<B: Backend>(y: &Fq2<B>) -> bool {
    is_odd(&y.c0)
}

/// The point of `G2` with the coordinates `x ‖ y`, of each the coefficient of `u` first. Constant
/// time apart from the result.
pub fn g2_from_bytes<B: Backend>(bytes: &[u8; 128]) -> Result<Affine<Sm9G2<B>>, InvalidPoint> {
    let (x, y) = halves(bytes);
    check_g2(Affine {
        x: coordinate_fq2(x)?,
        y: coordinate_fq2(y)?,
    })
}

/// `x ‖ y`, of each the coefficient of `u` first. Constant time.
pub fn g2_to_bytes<B: Backend>(p: &Affine<Sm9G2<B>>) -> [u8; 128] {
    let mut bytes = [0; 128];
    bytes[..64].copy_from_slice(&coordinate_fq2_to_bytes(&p.x));
    bytes[64..].copy_from_slice(&coordinate_fq2_to_bytes(&p.y));
    bytes
}

/// The point of `G2` with this x-coordinate, and a y-coordinate whose constant term has this lowest
/// bit.
pub fn g2_decompress_vartime<B: Backend>(
    x: &[u8; 64],
    odd: bool,
) -> Result<Affine<Sm9G2<B>>, InvalidPoint> {
    let x = coordinate_fq2(x)?;
    let y = crate::curve::affine::right_side::<Sm9G2<B>>(&x)
        .sqrt_vartime()
        .ok_or(InvalidPoint::NotOnCurve)?;
    let y = if is_odd_fq2(&y) == odd { y } else { -y };
    check_g2(Affine { x, y })
}

/// Checks that the point is in `G2`.
fn check_g2<B: Backend>(point: Affine<Sm9G2<B>>) -> Result<Affine<Sm9G2<B>>, InvalidPoint> {
    if !declassify(point.is_on_curve()) {
        Err(InvalidPoint::NotOnCurve)
    } else if !declassify(is_in_g2(&point)) {
        Err(InvalidPoint::NotInSubgroup)
    } else {
        Ok(point)
    }
}
