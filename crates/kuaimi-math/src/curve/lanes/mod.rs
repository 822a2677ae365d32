//! Many products of points at once, one in each lane of an engine's vectors (see
//! [`crate::arith::lanes`]), and single ones in all lanes.
//!
//! All lanes compute the same steps, so the scalars are recoded as odd signed windows, whose digits
//! are never zero. Points are public, scalars may be secret: functions are constant time unless
//! their name ends in `_vartime`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`point`] | Jacobian points: doubling, mixed addition, and the last addition of a product |
//! | [`sums`] | sums of rows of affine points with shared inversions, for fixed-base products |
//! | [`multiples`] | `P, 3P, 5P, …` of a different point in each lane, and their look-up |
//! | [`products`] | `[k]P` of a different point in each lane; rows of multiples from fixed-base tables |
//! | [`fixed_base`] | one fixed-base product, or one sum of such products, in all lanes |
//! | [`xyzz`] | points for it: mixed additions, and sums of lanes |
//! | [`inverses`] | inversion of all lanes of many vectors with one scalar inversion |
//!
//! **Costs** for scalars of 256 bits, in products of whole vectors, where a square counts as a
//! product:
//!
//! | | additions | doublings | other | total |
//! | --- | ---: | ---: | ---: | ---: |
//! | fixed base, `[k]G` with 43 windows | 42 × 6 | | 6 shared inversions | 252 |
//! | `[s]G + [t]P`, two fixed bases (a prepared key) with 32 and 52 windows | 83 × 6 | | 7 shared inversions | 498 |
//! | variable base, `[k]P` with windows of 5 bits | 51 × 11 | 255 × 8 | table of 16 multiples: 173 | 2774 |
//! | `[s]G + [t]P`, fixed base (32 windows) and variable base | 31 × 6 + 11 | | `[t]P`: 2774; comparison: 2 | 2973 |
//!
//! For a variable base, windows of 4 bits need 63 additions and a table of cost 81 (total 2814),
//! and windows of 6 bits 42 additions and a table of cost 357 (total 2859). In the last row,
//! additions of multiples of `G` within the chain of doublings would be 26 mixed additions (286);
//! the fixed-base table with affine additions costs 197.

pub mod fixed_base;
pub mod inverses;
pub mod multiples;
pub mod point;
pub mod products;
pub mod sums;
pub mod xyzz;

use crate::arith::lanes::{Lanes, MAX_LANES};

use super::recode::OddWindows;

/// An affine point in each lane: tight, magnitude 2.
#[derive(Copy)]
pub struct Affine<L: Lanes> {
    /// The x-coordinates.
    pub x: L::Vector,
    /// The y-coordinates.
    pub y: L::Vector,
}

impl<L: Lanes> Clone for Affine<L> {
    /// One copy; a derived one would copy the coordinates, and then both.
    fn clone(&self) -> Self {
        *self
    }
}

/// The digits of one window of several scalars, one in each lane.
#[derive(Clone, Copy)]
pub struct Digits {
    /// The indices into the table of odd multiples: the digit is `±(2·index + 1)`.
    pub indices: [u32; MAX_LANES],
    /// Bit `i` is set if the digit of lane `i` is negative.
    pub negative: u64,
}

impl Digits {
    /// The digits of window `i`. Lanes without a scalar have index 0.
    #[inline]
    pub fn of_window(windows: &[OddWindows], i: usize) -> Self {
        Self::of_lanes(windows, |windows| {
            let (index, negative) = windows.digit(i);
            (index, negative.unwrap_u8().into())
        })
    }

    /// As [`of_window`](Self::of_window), for public scalars.
    #[inline]
    pub fn of_window_vartime(windows: &[OddWindows], i: usize) -> Self {
        Self::of_lanes(windows, |windows| windows.digit_vartime(i))
    }

    /// The digits of `count` windows of one scalar, from window `first` on: window `first + i` in
    /// lane `i`.
    #[inline]
    pub fn of_scalar(windows: &OddWindows, first: usize, count: usize) -> Self {
        let mut digits = Self {
            indices: [0; MAX_LANES],
            negative: 0,
        };
        for (lane, place) in digits.indices[..count].iter_mut().enumerate() {
            let (index, negative) = windows.digit(first + lane);
            *place = index;
            digits.negative |= u64::from(negative.unwrap_u8()) << lane;
        }
        digits
    }

    /// From the index of each lane's digit, and 1 for a negative digit, 0 for another.
    #[inline(always)]
    fn of_lanes(windows: &[OddWindows], digit: impl Fn(&OddWindows) -> (u32, u32)) -> Self {
        let mut digits = Self {
            indices: [0; MAX_LANES],
            negative: 0,
        };
        for (lane, (index, windows)) in digits.indices.iter_mut().zip(windows).enumerate() {
            let negative;
            (*index, negative) = digit(windows);
            digits.negative |= u64::from(negative) << lane;
        }
        digits
    }
}

#[cfg(test)]
mod tests;
