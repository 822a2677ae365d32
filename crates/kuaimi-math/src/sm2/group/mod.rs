//! The operations that SM2's protocols are made of: arithmetic modulo `n`, products of points, equations of signatures.
//!
//! No type parameter passes these functions, and the implementation is chosen once an operation. Numbers are plain integers
//! below `n`, and those that multiply points are not zero unless a contract says otherwise. Points are affine and never
//! infinity; a [`Point`] is two coordinates in Montgomery form, the same for all implementations.
//!
//! Functions are constant time in their numbers unless their name ends in `_vartime`; points are public, but for results of
//! [`point_mul`] and its kin, which are shared secrets.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`scalar`] | integers modulo `n` |
//! | [`point`] | points as bytes and as coordinates |
//! | [`single`] | one operation |
//! | [`many`] | many operations at once, in lanes where the CPU has them |
//! | [`key_table`] | the table of a public key that is used often |

pub mod key_table;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod lanes;
pub mod many;
pub mod point;
pub mod scalar;
mod serial;
pub mod single;

pub use key_table::KeyTable;
pub use many::*;
pub use point::*;
pub use scalar::*;
pub use single::*;

use crate::arith::U256;

/// What a signature must satisfy: that the x-coordinate of `[s]G + [t]P` is `x` modulo `n`.
#[derive(Clone, Copy)]
pub struct Equation<P> {
    /// Below `n`.
    pub s: U256,
    /// Below `n`.
    pub t: U256,
    /// Below `n`.
    pub x: U256,
    /// The point `P`, or its table.
    pub p: P,
}

#[cfg(test)]
mod tests;
