//! A signature from a digest and a given nonce (GB/T 32918.2-2016, clause 6.1, steps A4 to A7),
//! with the product `[k]G` as a parameter. `(1 + d)⁻¹` is computed for each signature, as a power.

use kuaimi_math::arith::backend::Portable;
use kuaimi_math::arith::{PrimeField, U256};
use kuaimi_math::curve::Affine;
use kuaimi_math::sm2::curve::Scalar;
use kuaimi_math::sm2::group::{ORDER, scalar_add, scalar_mul, scalar_reduce, scalar_sub};

use crate::ladders::field::Integers;

/// `r` and `s`, for a digest `e`, a private key `d` and a nonce `k`, all below `n`.
pub(crate) fn sign<C: Integers>(
    [e, d, k]: [&U256; 3],
    generator_mul: impl FnOnce(&C::Scalar) -> Affine<C>,
) -> [U256; 2] {
    // A4, A5
    let point = generator_mul(&C::Scalar::from_u256_reduced(k));
    let r = scalar_add(e, &scalar_reduce(&C::integer(&point.x)));
    // A6
    let difference = scalar_sub(k, &scalar_mul(&r, d));
    let s = scalar_mul(&invert(&scalar_add(d, &U256::ONE)), &difference);
    [r, s]
}

/// `1/a mod n`, by Fermat's little theorem.
fn invert(a: &U256) -> U256 {
    let (exponent, _) = ORDER.overflowing_sub(&U256([2, 0, 0, 0]));
    Scalar::<Portable>::from_u256_reduced(a)
        .pow_vartime(&exponent)
        .to_u256()
}
