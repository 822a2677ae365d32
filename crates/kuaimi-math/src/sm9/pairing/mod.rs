//! The R-ate pairing `e: G1 × G2 → GT` (GB/T 38635.1-2020, A.9; Lee, Lee and Park, *Efficient and
//! generalized pairing computation on abelian varieties*, 2009).
//!
//! `e(P, Q) = (f · l_{T, π(Q)}(P) · l_{T + π(Q), −π²(Q)}(P))^((q¹² − 1)/N)`, where `T = [6t + 2]Q`,
//! `f` is Miller's function of `6t + 2` and `Q` at `P`, and `π` is the `q`-th power Frobenius map
//! on the twist.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`steps`] | the coefficients of the 77 lines, which depend only on `Q` |
//! | [`miller`] | Miller's loop for one pair or many, with precomputed lines or without |
//! | [`walk`], `walk_in_lanes` | the walk of `T`, one number after another and in four lanes |
//! | [`precomputed_lines`] | the lines of a fixed `Q`, scaled so that one coefficient is 1 |
//! | [`final_exponentiation`] | the power `(q¹² − 1)/N` |
//! | [`forms`] | all forms of `Fq12`, for tests and measurements |
//!
//! | step | products in `Fq` |
//! | --- | ---: |
//! | a tangent, a chord | 35, 54 |
//! | the loop: 64 squares (72 each), 77 lines (72 each), 65 tangents, 12 chords | 13,100 |
//! | the loop with precomputed lines (48 each, and 4 for the line) | 8,600 |
//! | the hard part: 37 products (108 each), 71 squares (30 each), 120 compressed squares (20 each) | 8,500 |
//!
//! A product costs 16 multiplications of words. A reduction costs 20, and is shared by two to six
//! products.
//!
//! Everything is constant time. The number and the kinds of the steps are constants of the curve.
//! As the order of the group is large, no step is exceptional.

pub mod final_exponentiation;
pub mod forms;
pub mod miller;
pub mod precomputed_lines;
pub mod steps;
pub mod walk;
mod walk_in_lanes;

pub use precomputed_lines::{LineTable, Lines};

#[cfg(test)]
pub(crate) mod tests;
