//! Scalars as digits.
//!
//! **Odd signed windows** (constant time; the recoding of the signed comb, Mike Hamburg, *Fast and
//! compact elliptic-curve cryptography*, 2012). Let `k′ = (k + 2^L − 1)/2 mod n`, and give bit
//! `k′ⱼ` the value `2k′ⱼ − 1`, which is 1 or −1. Then
//! `Σ (2k′ⱼ − 1)·2ʲ = 2k′ − (2^L − 1) ≡ k (mod n)`. So every scalar is a number of `L` signed bits.
//! A window of `W` signed bits is an odd digit of `±{1, 3, …, 2^W − 1}`. It is never zero, so no
//! addition is skipped, and a table needs only `2^(W−1)` multiples.
//!
//! **wNAF** (variable time): odd digits `|d| < 2^(w−1)`, with at least `w − 1` zeros between two of
//! them.

use subtle::Choice;
use zeroize::Zeroize;

use crate::arith::u256::Limbs;
use crate::arith::{Field, PrimeField, U256};

/// A scalar as odd signed windows. Wiped on drop.
pub struct OddWindows {
    bits: U256,
    width: usize,
}

impl Drop for OddWindows {
    fn drop(&mut self) {
        self.bits.zeroize();
    }
}

/// The number of windows of `width` bits for a scalar of `bits` bits.
pub const fn window_count(bits: usize, width: usize) -> usize {
    bits.div_ceil(width)
}

impl OddWindows {
    /// The windows of `k`, of `width` bits each. Constant time.
    pub fn new<S: PrimeField>(k: &S, width: usize) -> Self {
        let length = window_count(S::MODULUS.bit_length_vartime(), width) * width;
        let shifted = *k + S::power_of_two(length) - S::ONE;
        Self {
            bits: shifted.half().to_u256(),
            width,
        }
    }

    /// The windows of these signed bits, where a zero means −1.
    pub const fn from_signs(bits: U256, width: usize) -> Self {
        Self { bits, width }
    }

    /// The digit of window `i`, `±(2·index + 1)`: the index, and whether the digit is negative.
    /// Constant time.
    #[inline]
    pub fn digit(&self, i: usize) -> (u32, Choice) {
        let (index, negative) = self.digit_vartime(i);
        (index, Choice::from(negative as u8))
    }

    /// As [`digit`](Self::digit), with 1 for a negative digit. The compiler may turn what depends
    /// on it into branches.
    #[inline]
    pub fn digit_vartime(&self, i: usize) -> (u32, u32) {
        let word = self.bits.bits(i * self.width, self.width);
        // The digit is 2·word − (2^W − 1). It is negative if the top bit of the word is 0. Then the
        // index is the complement of the lower bits.
        let negative = (word >> (self.width - 1)) ^ 1;
        let low = (1u32 << (self.width - 1)) - 1;
        let index = (word ^ negative.wrapping_neg()) & low;
        (index, negative)
    }
}

/// Recodes many plain integers as odd signed windows: what does not depend on the integer is
/// computed once.
pub struct OddWindowRecoder<S> {
    /// `2^L − 1 mod n`, a plain number, not a Montgomery form.
    offset: S,
    width: usize,
}

impl<S: PrimeField + Field<Limbs = Limbs>> OddWindowRecoder<S> {
    /// For windows of `width` bits.
    pub fn new(width: usize) -> Self {
        let length = window_count(S::MODULUS.bit_length_vartime(), width) * width;
        let offset = S::power_of_two(length) - S::ONE;
        Self {
            offset: S::from_limbs(offset.to_u256().0),
            width,
        }
    }

    /// The windows of `k`, which must be below the order. Constant time.
    #[inline]
    pub fn windows(&self, k: &U256) -> OddWindows {
        // Additions and halvings modulo n are the same for plain numbers and for Montgomery forms.
        let shifted = S::from_limbs(k.0) + self.offset;
        OddWindows {
            bits: U256(shifted.half().to_limbs()),
            width: self.width,
        }
    }
}

/// The maximum number of digits of the wNAF of a 256-bit number.
pub const WNAF_LENGTH: usize = 257;

/// The wNAF of `k` with digits below `2^(width−1)` in absolute value, least significant first, and
/// the number of digits.
pub fn wnaf_vartime(k: &U256, width: usize) -> ([i16; WNAF_LENGTH], usize) {
    debug_assert!((2..=15).contains(&width));
    let mut digits = [0i16; WNAF_LENGTH];
    let mut length = 0;
    let mut carry = 0u32;
    let mut position = 0;
    while position < WNAF_LENGTH {
        // Skip bits that are zero after the carry of a negative digit is added, up to 32 at a time.
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
