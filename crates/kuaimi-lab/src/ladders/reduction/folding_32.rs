//! Leaks: the multiple of `p` is read from a table at an index that depends on the operands.
//!
//! Folding in words of 32 bits: a product of words, its columns' sums (see [`super::folding`]), a
//! chain of carries from word to word, and the table of the multiples `1p … 13p`, of which one is
//! subtracted.

use kuaimi_math::arith::u256::{Limbs, mask};

use super::Arithmetic;
use super::folding::{MULTIPLES, columns};
use super::prime::P;
use crate::ladders::integer::{from_words, to_words};
use crate::ladders::multiplication::digit::Digit;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folding32;

impl Arithmetic for Folding32 {
    const ONE: Limbs = [1, 0, 0, 0];

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        let mut product = [0; 16];
        product.copy_from_slice(schoolbook::multiply(&to_words(a), &to_words(b)).as_flattened());
        let mut words = [0; 8];
        let mut carry = 0_i64;
        for (word, sum) in words.iter_mut().zip(columns(&product)) {
            carry += sum;
            *word = carry as u32;
            carry >>= 32;
        }
        let k = carry as usize;
        let (rest, borrow) = subtract(&words, &to_words(&MULTIPLES[k]));
        // What is above the eighth word: k, less that of the multiple, less the borrow.
        let above = k != 0 && !borrow;
        let (smaller, borrow) = subtract(&rest, &to_words(&P));
        let keep = mask(borrow && !above) as u32;
        from_words(&core::array::from_fn(|i| {
            smaller[i] ^ (keep & (smaller[i] ^ rest[i]))
        }))
    }
}

/// `a − b` and the borrow.
#[inline(always)]
fn subtract(a: &[u32; 8], b: &[u32; 8]) -> ([u32; 8], bool) {
    let mut borrow = false;
    let mut out = [0; 8];
    for i in 0..8 {
        (out[i], borrow) = a[i].subtract(b[i], borrow);
    }
    (out, borrow)
}
