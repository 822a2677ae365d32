//! The sums of words that a product is folded into, for the two forms of folding.
//!
//! With `B = 2³²`, SM2's prime is `B⁸ − B⁷ − B³ + B² − 1`, a generalised Mersenne number (Jerome
//! Solinas, *Generalized Mersenne numbers*, 1999). So modulo `p`
//!
//! ```text
//! B⁸ ≡ B⁷ + B³ − B² + 1.
//! ```
//!
//! Multiplied by `B`, and with `B⁸` replaced again, this gives each higher power as a sum of
//! `B⁰ … B⁷`:
//!
//! ```text
//!         B⁷  B⁶  B⁵  B⁴  B³  B²  B¹  B⁰
//! B⁸   ≡   1   0   0   0   1  −1   0   1
//! B⁹   ≡   1   0   0   1   0  −1   1   1
//! B¹⁰  ≡   1   0   1   0   0   0   1   1
//! B¹¹  ≡   1   1   0   0   1   0   1   1
//! B¹²  ≡   2   0   0   1   1   0   1   1
//! B¹³  ≡   2   0   1   1   2  −1   1   2
//! B¹⁴  ≡   2   1   1   2   1  −1   2   2
//! B¹⁵  ≡   3   1   2   1   1   0   2   2
//! ```
//!
//! A column read downwards says which of the words `c₈ … c₁₅` of a product are added to its word
//! `c₀ … c₇`. Sums that occur in several columns are computed once: `a = c₁₄ + c₁₅`, `b = c₁₃ + a`,
//! `d = c₉ + c₁₀ + c₁₁ + c₁₂`. The columns sum up to 18 words at the most, so a sum has 37 bits.
//!
//! The whole is not negative, as each word that is subtracted at `B²` is also added at `B⁷`; and it
//! is below `14·B⁸`. So when the carries have been taken through the eight words, a number `k` from
//! 0 to 13 is left at `B⁸`. Subtracting `k·p` leaves less than `2p`, and subtracting `p` once more,
//! if need be, the result.

use kuaimi_math::arith::u256::Limbs;

use super::prime::P;

/// `0p, 1p, … 13p`, without what is above the fourth limb: nothing for 0, and `k − 1` for `k` after
/// that.
pub(super) static MULTIPLES: [Limbs; 14] = multiples();

const fn multiples() -> [Limbs; 14] {
    let mut table = [[0; 4]; 14];
    let mut k = 1;
    while k < 14 {
        let mut carry = 0;
        let mut i = 0;
        while i < 4 {
            carry += k as u128 * P[i] as u128;
            table[k][i] = carry as u64;
            carry >>= 64;
            i += 1;
        }
        assert!(carry == k as u128 - 1);
        k += 1;
    }
    table
}

/// The eight sums of the columns, for the words of a product, the least significant first.
#[inline(always)]
pub(super) fn columns(c: &[u32; 16]) -> [i64; 8] {
    let word = |i: usize| i64::from(c[i]);
    let a = word(14) + word(15);
    let b = word(13) + a;
    let d = word(9) + word(10) + word(11) + word(12);
    [
        word(0) + word(8) + d + 2 * b,
        word(1) + d + b + a,
        word(2) - (word(8) + word(9) + word(13) + word(14)),
        word(3) + word(8) + word(11) + word(12) + word(13) + b,
        word(4) + word(9) + word(12) + b + word(14),
        word(5) + word(10) + b + word(15),
        word(6) + word(11) + a,
        word(7) + word(8) + d + word(12) + 2 * b + word(15),
    ]
}
