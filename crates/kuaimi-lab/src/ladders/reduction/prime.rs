//! SM2's prime `p = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ − 1`, and the last step of a reduction.

use kuaimi_math::arith::modulus::Modulus;
use kuaimi_math::arith::u256::{Limbs, mask, sub_limbs};
use kuaimi_math::sm2::curve;
use kuaimi_platform::value_barrier;

/// `p`.
pub(crate) const P: Limbs = <curve::P as Modulus>::MODULUS.0;
/// `2²⁵⁶ mod p`: one in Montgomery form.
pub(super) const R: Limbs = <curve::P as Modulus>::R;
/// `2⁵¹² mod p`: its Montgomery product with a number is the Montgomery form of the number.
#[cfg(test)]
pub(super) const R_SQUARED: Limbs = <curve::P as Modulus>::R2;

/// `carry·2²⁵⁶ + a`, less `p` if that is not negative: the remainder of a number below `2p`.
/// Constant time.
#[inline(always)]
pub(super) fn subtract_once(a: &Limbs, carry: bool) -> Limbs {
    // Of a chain of borrows with known constants the compiler would make comparisons, with twice
    // the instructions.
    let (smaller, borrow) = sub_limbs(a, &P.map(value_barrier));
    let keep = mask(borrow & !carry);
    core::array::from_fn(|i| smaller[i] ^ (keep & (smaller[i] ^ a[i])))
}
