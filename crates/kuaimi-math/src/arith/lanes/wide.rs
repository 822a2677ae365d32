//! Products of numbers in lanes without their reductions, for towers of fields: many are added and
//! subtracted, and the sum is reduced once.
//!
//! A *wide* value is an integer in each lane, positive or negative. Of `m²`, the square of the
//! modulus, it is at most `P` times positive and `N` times negative: a product of factors of
//! magnitudes `j` and `k` has `P = j·k` and `N = 0`; additions add both, subtractions add them
//! crosswise. What is known of the sum as an integer counts, not how it was computed:
//! `(a + b)·(c + d) − ac − bd` is `ad + bc`, which is not negative.
//!
//! At most 80 products may be added up, as a column has 63 bits and a product gives it less than
//! `10·2⁵²`; at most 20 where three times the reduction is needed.

use super::Lanes;
use crate::arith::Modulus;

/// An engine with wide values. The contract is that of [`Lanes`].
pub trait Wide: Lanes {
    /// An integer a lane.
    type Wide: Copy;

    /// `a·b`, for tight factors of magnitudes up to 16.
    fn wide_product(a: &Self::Vector, b: &Self::Vector) -> Self::Wide;

    /// `t + a·b`, for the same factors.
    fn wide_accumulate(t: &mut Self::Wide, a: &Self::Vector, b: &Self::Vector);

    /// `a + b`.
    fn wide_add(a: &Self::Wide, b: &Self::Wide) -> Self::Wide;

    /// `a − b`.
    fn wide_sub(a: &Self::Wide, b: &Self::Wide) -> Self::Wide;

    /// The Montgomery reduction of a wide value with `N ≤ 16·K`, plus `K·m`. Loose, of magnitude
    /// `P/16 + 1 + K`, which must be at most 16, and so must the magnitude of a sum that has it
    /// more than once. Its limbs have at most 60 bits and a sign.
    fn wide_reduce<M: Modulus, const K: u64>(a: &Self::Wide) -> Self::Vector;
}
