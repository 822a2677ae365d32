//! The operations of SM2's protocols: arithmetic modulo `n`, products of points, and the equations
//! of signatures.
//!
//! The functions have no type parameters: each chooses the implementation itself, once. Numbers are
//! plain integers below `n`. The factors of points must not be zero unless the documentation says
//! otherwise. A [`Point`] is affine and never infinity: two coordinates in Montgomery form, the
//! same for all implementations.
//!
//! Functions are constant time in their numbers unless their name ends in `_vartime`. Points given
//! as arguments are public. The results of [`point_mul`] and of the other products of points may be
//! shared secrets.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`scalar`] | integers modulo `n` |
//! | [`point`] | points as bytes and as coordinates |
//! | [`single`] | one operation at a time |
//! | [`many`] | many operations at once; it chooses between the next two |
//! | `serial` | many operations one after another, with shared inversions |
//! | `lanes` | many operations in the lanes of vector registers |
//! | [`key_table`] | the table of a prepared public key |

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

/// The equation of a signature: the x-coordinate of `[s]G + [t]P` is `x` modulo `n`.
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
