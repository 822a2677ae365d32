//! Powers in `GT`, the subgroup of order `N` of `Fq12*`.
//!
//! An element of `GT` is in the cyclotomic subgroup, where the inverse is the conjugate. So
//! exponents have signed digits.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`power`] | powers of any element |
//! | [`fixed_base`] | powers of a fixed element from a precomputed table |

pub mod fixed_base;
pub mod power;
