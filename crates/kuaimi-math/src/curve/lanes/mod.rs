//! Many products of points at once, one in each lane of an engine's vectors (see [`crate::arith::lanes`]).
//!
//! All lanes take the same steps, so scalars are recoded into odd signed windows, of which each has a digit other than zero.
//! Points are public, scalars may be secret: everything is constant time unless its name ends in `_vartime`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`point`] | Jacobian points in lanes: doubling, mixed addition, and the last addition of a product |
//! | [`sums`] | sums of rows of affine points with shared inversions, for products from fixed-base tables |
//! | [`multiples`] | `P, 3P, 5P, …` of another point in each lane, and looking them up |
//! | [`products`] | `[k]P` of another point in each lane |
//! | [`inverses`] | inversion of everything in some vectors at the price of one |
//!
//! **What it costs**, in products (`M`) of whole vectors, a square counted as a product, for scalars of 256 bits:
//!
//! | | additions | doublings | rest | in all |
//! | --- | ---: | ---: | ---: | ---: |
//! | a fixed-base table of 43 windows, `[k]G` | 42 × 6 | | 6 inversions shared | 252 |
//! | two fixed-base tables, 32 and 52 windows: a prepared key | 83 × 6 | | 7 inversions shared | 498 |
//! | `[k]P`: windows of 5 bits | 51 × 11 | 255 × 8 | table of 16 multiples: 173 | 2774 |
//! | `[s]G + [t]P`: the last, and the generator's fixed-base table of 32 windows | 31 × 6 + 11 | | comparison: 2 | 2973 |
//!
//! Windows of 4 signs take 63 additions and a table for 81 (2814), of 6 signs 42 and 357 (2859). Adding the generator's
//! multiples within the chain of doublings would be 26 mixed additions (286) instead of a fixed-base table of affine ones (197).

pub mod inverses;
pub mod multiples;
pub mod point;
pub mod products;
pub mod sums;

use crate::arith::lanes::{Lanes, MAX_LANES};

use super::recode::OddWindows;

/// An affine point in each lane: tight, magnitude 2.
#[derive(Clone, Copy)]
pub struct Affine<L: Lanes> {
    /// The x-coordinates.
    pub x: L::Vector,
    /// The y-coordinates.
    pub y: L::Vector,
}

/// The digits that several scalars have in one window, one a lane.
#[derive(Clone, Copy)]
pub struct Digits {
    /// The multiples' indices: the digit is `±(2·index + 1)`.
    pub indices: [u32; MAX_LANES],
    /// The bits of the lanes whose digit is negative.
    pub negative: u64,
}

impl Digits {
    /// The digits of window `i`. Lanes without a scalar get index 0.
    #[inline]
    pub fn of(windows: &[OddWindows], i: usize) -> Self {
        let mut digits = Self {
            indices: [0; MAX_LANES],
            negative: 0,
        };
        for (lane, (index, windows)) in digits.indices.iter_mut().zip(windows).enumerate() {
            let negative;
            (*index, negative) = windows.digit(i);
            digits.negative |= u64::from(negative.unwrap_u8()) << lane;
        }
        digits
    }
}

#[cfg(test)]
mod tests;
