//! Fermat's little theorem, `a⁻¹ = a^(p−2)`, by square-and-multiply: 255 squarings, and a
//! multiplication for each of the 221 further ones among the bits of `p − 2`. The exponent is
//! public, so the time does not depend on the number.

use kuaimi_math::arith::{Field, Modulus};
use kuaimi_math::sm2::curve::P;

/// `1/a`, and 0 for 0.
pub(crate) fn invert<F: Field>(a: &F) -> F {
    let mut exponent = P::MODULUS;
    exponent.0[0] -= 2;
    (0..255).rev().fold(*a, |power, bit| {
        let power = power.square();
        if exponent.bits(bit, 1) == 1 {
            power * *a
        } else {
            power
        }
    })
}
