//! Folding with limbs of 64 bits, without a table: what is left above the fourth limb is folded once more. As `2²⁵⁶ ≡ 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1`,
//! a number `k` there is `k·2²²⁴ + (k·2³² − k)·2⁶⁴ + k` below, which takes three shifts and one chain of carries. Constant time.

use kuaimi_math::arith::u256::{Limbs, add_limbs};

use super::Arithmetic;
use super::folding_64::fold;
use super::prime::subtract_once;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folding64Shifts;

impl Arithmetic for Folding64Shifts {
    const ONE: Limbs = [1, 0, 0, 0];

    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        let (limbs, k) = fold(&schoolbook::multiply(a, b));
        let (sum, carry) = add_limbs(&limbs, &[k, (k << 32) - k, 0, k << 32]);
        subtract_once(&sum, carry)
    }
}
