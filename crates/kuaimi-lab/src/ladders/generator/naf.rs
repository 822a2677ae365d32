//! Leaks: an addition for each digit of the scalar that is not zero.
//!
//! The non-adjacent form, digits −1, 0 and 1 of which no two neighbours are other than zero
//! (Reitwiesner, *Binary arithmetic*, 1960): 256 doublings and 85 additions on average. A
//! subtraction costs as much as an addition.

use kuaimi_math::arith::PrimeField;
use kuaimi_math::curve::recode::wnaf_vartime;
use kuaimi_math::curve::{Affine, Curve, Jacobian};

/// `[k]P`.
pub(crate) fn mul<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    let (digits, length) = wnaf_vartime(&k.to_u256(), 2);
    let minus = p.neg();
    let mut sum = Jacobian::INFINITY;
    for digit in digits[..length].iter().rev() {
        sum = sum.double();
        match digit {
            0 => {}
            1 => sum = sum.add_affine_vartime(p),
            _ => sum = sum.add_affine_vartime(&minus),
        }
    }
    sum
}
