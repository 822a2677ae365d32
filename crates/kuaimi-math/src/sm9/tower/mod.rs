//! The tower of fields over `Fq`: `Fq2 = Fq[u]/(u² + 2)`, `Fq4 = Fq2[v]/(v² − u)`,
//! `Fq12 = Fq4[w]/(w³ − v)`.
//!
//! As `w⁶ = v² = u`, an element of `Fq12` is a polynomial `Σ cᵢ·wⁱ` with `i < 6` over `Fq2`, modulo
//! `w⁶ − u`. In the standard's tower it is `(c₀ + c₃v) + (c₁ + c₄v)w + (c₂ + c₅v)w²`. With `s = w²`
//! it is also `(c₀ + c₂s + c₄s²) + (c₁ + c₃s + c₅s²)w` over `Fq6 = Fq2[s]/(s³ − u)`. Elements are
//! stored in the second form, with the fastest general products. Cyclotomic squares use the first.
//!
//! Products are sums of products in `Fq`, where each sum is reduced once (Patrick Longa, *Efficient
//! Algorithms for Large Prime Characteristic Fields and Their Application to Bilinear Pairings*,
//! CHES 2023): see [`Fe::dot`](crate::arith::Fe::dot).
//!
//! | module | what it does |
//! | --- | --- |
//! | [`fq2`] | `Fq2`, and sums of products in it |
//! | [`fq6`] | `Fq6` |
//! | [`fq12`] | `Fq12`: products, sparse products, inverses, Frobenius maps |
//! | [`fq12x4`] | `Fq12` with its coefficients in the lanes of vector registers |
//! | [`fq12_operations`] | the operations that pairings and powers need, for both forms of `Fq12` |
//! | [`cyclotomic`] | fast squares in the cyclotomic subgroup of `Fq12` |

pub mod cyclotomic;
pub mod fq12;
pub mod fq12_operations;
pub mod fq12x4;
pub mod fq2;
pub mod fq6;

pub use fq2::{Factor, Fq2};
pub use fq6::Fq6;
pub use fq12::Fq12;
pub use fq12_operations::{Fq12Arithmetic, Fq12Operations};
pub use fq12x4::Fq12x4;

#[cfg(test)]
mod tests;
