//! Scalars as digits.
//!
//! **Odd signed windows** (constant time; after Mike Hamburg's signed fixed-base table). With `L` bits in all, let
//! `k' = (k + 2^L − 1)/2 mod n`. Reading bit `j` of `k'` as the sign `2·bit − 1` gives
//! `Σ (2k'ⱼ − 1)·2ʲ = 2k' − (2^L − 1) ≡ k (mod n)`: every scalar is a sum of `L` signs. `W` signs together are an odd
//! digit of `±{1, 3, …, 2^W − 1}`, never zero, so that no addition is skipped and `2^(W−1)` multiples are enough.
//!
//! **wNAF** (variable time): odd digits `|d| < 2^(w−1)`, at least `w − 1` zeros between two of them.

use subtle::Choice;
use zeroize::Zeroize;

use crate::arith::u256::Limbs;
use crate::arith::{Field, PrimeField, U256};

/// A scalar as odd signed windows.
pub struct OddWindows {
    bits: U256,
    width: usize,
}

impl Drop for OddWindows {
    fn drop(&mut self) {
        self.bits.zeroize();
    }
}

/// How many windows of `width` bits a scalar of `bits` bits needs.
pub const fn window_count(bits: usize, width: usize) -> usize {
    bits.div_ceil(width)
}

impl OddWindows {
    /// The windows of `k`, `width` bits each.
    pub fn new<S: PrimeField>(k: &S, width: usize) -> Self {
        let length = window_count(S::MODULUS.bit_length_vartime(), width) * width;
        let shifted = *k + S::power_of_two(length) - S::ONE;
        Self {
            bits: shifted.half().to_u256(),
            width,
        }
    }

    /// From signs as bits: a clear one is −1, a set one 1.
    pub const fn from_signs(bits: U256, width: usize) -> Self {
        Self { bits, width }
    }

    /// Window `i`'s digit, `±(2·index + 1)`: the index, and whether the digit is negative.
    #[inline]
    pub fn digit(&self, i: usize) -> (u32, Choice) {
        let word = self.bits.bits(i * self.width, self.width);
        // The digit is 2·word − (2^W − 1): negative when the top bit of the word is clear, and then the index is what
        // the lower bits lack to all ones.
        let negative = (word >> (self.width - 1)) ^ 1;
        let low = (1u32 << (self.width - 1)) - 1;
        let index = (word ^ negative.wrapping_neg()) & low;
        (index, Choice::from(negative as u8))
    }
}

/// Makes odd windows of plain integers, many of them: what does not depend on the number is computed once.
pub struct Recoder<S> {
    /// `2^L − 1 mod n`, as it is.
    offset: S,
    width: usize,
}

impl<S: PrimeField + Field<Limbs = Limbs>> Recoder<S> {
    /// For windows of `width` bits.
    pub fn new(width: usize) -> Self {
        let length = window_count(S::MODULUS.bit_length_vartime(), width) * width;
        let offset = S::power_of_two(length) - S::ONE;
        Self {
            offset: S::from_limbs(offset.to_u256().0),
            width,
        }
    }

    /// The windows of `k`, below the order.
    #[inline]
    pub fn windows(&self, k: &U256) -> OddWindows {
        // Sums and halves are the same whether the limbs are a Montgomery form or a plain number.
        let shifted = S::from_limbs(k.0) + self.offset;
        OddWindows {
            bits: U256(shifted.half().to_limbs()),
            width: self.width,
        }
    }
}

/// The most digits a wNAF of a 256-bit number has.
pub const WNAF_LENGTH: usize = 257;

/// The wNAF of `k` with digits below `2^(width−1)` in absolute value, least significant first, and how many there are.
pub fn wnaf_vartime(k: &U256, width: usize) -> ([i16; WNAF_LENGTH], usize) {
    debug_assert!((2..=15).contains(&width));
    let mut digits = [0i16; WNAF_LENGTH];
    let mut length = 0;
    let mut carry = 0u32;
    let mut position = 0;
    while position < WNAF_LENGTH {
        // Over bits that are zero once the carry of a negative digit below is added: up to 32 at a time.
        let zeros = (k.bits(position, 32) ^ carry.wrapping_neg()).trailing_zeros() as usize;
        if zeros != 0 {
            position += zeros;
            continue;
        }
        let word = k.bits(position, width) + carry;
        carry = (word >> (width - 1)) & 1;
        digits[position] = word as i16 - ((carry as i16) << width);
        length = position + 1;
        position += width;
    }
    (digits, length)
}
