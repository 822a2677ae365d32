//! The R-ate pairing `e: G1 × G2 → GT` (GB/T 38635.1-2020, A.9; Lee, Lee and Park, *Efficient and generalized pairing
//! computation on abelian varieties*, 2009).
//!
//! `e(P, Q) = (f · l_{T, π(Q)}(P) · l_{T + π(Q), −π²(Q)}(P))^((q¹² − 1)/N)`, where `T = [6t + 2]Q` and `f` is Miller's
//! function of `6t + 2` and `Q` at `P`, and `π` is the `q`-th power Frobenius map, brought onto the twist.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`steps`] | the 77 lines that depend on `Q` alone, in projective coordinates |
//! | [`miller`] | Miller's loop, for one pair or many, with lines kept or not |
//! | [`precomputed_lines`] | the lines of a fixed `Q`, scaled so that one coefficient is 1 |
//! | [`final_exponentiation`] | the power `(q¹² − 1)/N` |
//!
//! | what | products in `Fq` |
//! | --- | ---: |
//! | a tangent, a chord | 35, 54 |
//! | the loop: 64 squares (72 each), 77 lines (72 each), 65 tangents, 12 chords | 13,100 |
//! | the loop with precomputed lines (48 each, and 4 for the line) | 8,600 |
//! | the hard part: 37 products (108 each), 71 squares (30 each), 120 squares in runs (20 each) | 8,500 |
//!
//! A product costs some 16 multiplications of words, and a reduction, shared by two to six products, 20.
//!
//! Everything is in constant time: a loop's length and the kind of each step are fixed by the curve, and in a group of large
//! order no step meets an exceptional case.

pub mod final_exponentiation;
pub mod miller;
pub mod precomputed_lines;
pub mod steps;

pub use precomputed_lines::{LineTable, Lines};

#[cfg(test)]
pub(crate) mod tests;
