//! The tower of fields over `Fq`: `Fq2 = Fq[u]/(u² + 2)`, `Fq4 = Fq2[v]/(v² − u)`, `Fq12 = Fq4[w]/(w³ − v)`.
//!
//! As `w⁶ = v² = u`, an element of `Fq12` is a polynomial in `w` over `Fq2`, `Σ cᵢ·wⁱ` with `i < 6`, reduced by `w⁶ = u`. The
//! standard's tower reads it as `(c₀ + c₃v) + (c₁ + c₄v)w + (c₂ + c₅v)w²`; it can be read as well with `s = w²` as
//! `(c₀ + c₂s + c₄s²) + (c₁ + c₃s + c₅s²)w` over `Fq6 = Fq2[s]/(s³ − u)`. Elements are kept in the second way, whose
//! general products are the cheapest; cyclotomic squares take the first.
//!
//! Products are sums of products in `Fq`, each sum reduced once (Patrick Longa, *Efficient Algorithms for Large Prime
//! Characteristic Fields and Their Application to Bilinear Pairings*, CHES 2023): see [`Fe::dot`](crate::arith::Fe::dot).
//!
//! | module | what it does |
//! | --- | --- |
//! | [`fq2`] | `Fq2`, and sums of products in it |
//! | [`fq6`] | `Fq6` |
//! | [`fq12`] | `Fq12`: products, sparse products, inverses, Frobenius maps |
//! | [`fq12x4`] | `Fq12` with its coefficients in the lanes of vector registers |
//! | [`fq12_operations`] | what pairings ask of either |
//! | [`cyclotomic`] | the subgroup of `Fq12` in which pairings have their values: cheap squares, free inverses |

pub mod cyclotomic;
pub mod fq12;
pub mod fq12_operations;
pub mod fq12x4;
pub mod fq2;
pub mod fq6;

pub use fq2::{Factor, Fq2};
pub use fq6::Fq6;
pub use fq12::Fq12;
pub use fq12_operations::Fq12Operations;
#[cfg_attr(
    not(all(feature = "std", target_arch = "x86_64", not(miri))),
    allow(unused_imports, reason = "engines of lanes are for x86-64")
)]
pub use fq12x4::Fq12x4;

#[cfg(test)]
mod tests;
