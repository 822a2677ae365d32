//! Leaks: the multiple of `p` is read from a table at an index that depends on the operands.
//!
//! Folding with limbs of 64 bits: the product is one of limbs, the sums of the columns (see
//! [`super::folding`]) are taken two by two into limbs, and the multiple of `p` to be subtracted is
//! one of the table `1p … 13p`.

use kuaimi_math::arith::u256::{Limbs, sub_limbs};

use super::Arithmetic;
use super::folding::{MULTIPLES, columns};
use super::prime::subtract_once;
use crate::ladders::integer::to_words;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folding64;

impl Arithmetic for Folding64 {
    const ONE: Limbs = [1, 0, 0, 0];

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        let (limbs, k) = fold(&schoolbook::multiply(a, b));
        let (rest, borrow) = sub_limbs(&limbs, &MULTIPLES[k as usize]);
        subtract_once(&rest, k != 0 && !borrow)
    }
}

/// Four limbs, and what is left above them, a number from 0 to 13.
#[inline(always)]
pub(super) fn fold([low, high]: &[Limbs; 2]) -> (Limbs, u64) {
    let (low, high) = (to_words(low), to_words(high));
    let s = columns(&core::array::from_fn(|i| {
        if i < 8 { low[i] } else { high[i - 8] }
    }));
    let mut limbs = [0; 4];
    let mut carry = 0_i128;
    for (limb, pair) in limbs.iter_mut().zip(s.as_chunks::<2>().0) {
        carry += i128::from(pair[0]) + (i128::from(pair[1]) << 32);
        *limb = carry as u64;
        carry >>= 64;
    }
    (limbs, carry as u64)
}
