//! Folding with limbs of 64 bits, without a table: what is left above the fourth limb is folded
//! once more. As `2²⁵⁶ ≡ 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1`, a number `k` there is
//! `k·2²²⁴ + (k·2³² − k)·2⁶⁴ + k` below, which takes three shifts and one chain of carries.
//! Constant time.

use kuaimi_math::arith::u256::{Limbs, add_limbs};
use kuaimi_platform::value_barrier;

use super::Arithmetic;
use super::folding_64::fold;
use super::prime::subtract_once;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folding64Shifts;

impl Arithmetic for Folding64Shifts {
    const ONE: Limbs = [1, 0, 0, 0];

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        let (limbs, k) = fold(&schoolbook::multiply(a, b));
        // With the barriers the compiler does not put these limbs together in a vector register,
        // only to take them apart again.
        let k = value_barrier(k);
        let shifted = value_barrier(k << 32);
        let (sum, carry) = add_limbs(&limbs, &[k, shifted - k, 0, shifted]);
        subtract_once(&sum, carry)
    }
}
