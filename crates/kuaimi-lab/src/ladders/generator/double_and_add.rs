//! Leaks: an addition for each bit of the scalar that is set.
//!
//! Double-and-add, from the highest bit: 256 doublings and 128 additions on average.

use kuaimi_math::arith::{Field, PrimeField};
use kuaimi_math::curve::{Affine, Curve, Jacobian};

/// `[k]P`.
pub(crate) fn mul<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    let k = k.to_u256();
    let mut sum = Jacobian::INFINITY;
    for bit in (0..k.bit_length_vartime()).rev() {
        sum = sum.double();
        if k.bits(bit, 1) == 1 {
            sum = sum.add_affine_vartime(p);
        }
    }
    sum
}

/// The Jacobian point as an affine one, `(0, 0)` for infinity.
pub(crate) fn to_affine<C: Curve>(p: &Jacobian<C>) -> Affine<C> {
    p.affine_with(&p.z.invert())
}
