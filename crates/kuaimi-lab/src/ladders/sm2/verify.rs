//! Leaks: takes public numbers only, as a verification does.
//!
//! Verification from a digest (GB/T 32918.2-2016, clause 7.1, steps B5 to B7), with the sum
//! `[s]G + [t]P` as a parameter.

use kuaimi_math::arith::{PrimeField, U256};
use kuaimi_math::curve::{Affine, Jacobian};
use kuaimi_math::sm2::group::{scalar_add, scalar_reduce};

use crate::ladders::field::Integers;
use crate::ladders::generator::double_and_add::to_affine;

/// Whether `r` and `s` are a signature over the digest `e` of the owner of the point `p`.
pub(crate) fn verify<C: Integers>(
    e: &U256,
    [r, s]: &[U256; 2],
    p: &Affine<C>,
    sum: impl FnOnce(&C::Scalar, &C::Scalar, &Affine<C>) -> Jacobian<C>,
) -> bool {
    // B5
    let t = scalar_add(r, s);
    if t == U256::ZERO {
        return false;
    }
    // B6, B7
    let scalar = C::Scalar::from_u256_reduced;
    let x = to_affine(&sum(&scalar(s), &scalar(&t), p)).x;
    scalar_add(e, &scalar_reduce(&C::integer(&x))) == *r
}
