//! 256-bit integers and prime fields. Nothing here depends on a curve; SM2's prime has a reduction
//! and a square root of its own, as it has a special form.
//!
//! A field element is stored in Montgomery form: for a modulus `m` and `R = 2²⁵⁶`, the element `a`
//! is stored as `a·R mod m`, fully reduced, in four 64-bit limbs, the least significant first. All
//! scalar backends use this representation, so a stored key or table is valid with each of them.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`u256`] | 256-bit integers: bytes, comparison, carries |
//! | [`modulus`] | the trait [`Modulus`]: a modulus, and the constants that the compiler derives from it |
//! | [`field`] | [`Fe<M, B>`](field::Fe), an element modulo `M` computed by backend `B` |
//! | [`integers`] | integers modulo `M` that are not in Montgomery form |
//! | `radix52` | numbers in limbs of 52 bits |
//! | `sqrt` | the power that is a square root modulo SM2's prime |
//! | [`divsteps`] | inversion by Bernstein and Yang's division steps |
//! | [`backend`] | implementations of the arithmetic on single elements |
//! | [`lanes`] | several elements at once, in the lanes of vector registers |

pub mod backend;
pub mod divsteps;
pub mod field;
pub mod integers;
pub mod lanes;
pub mod modulus;
mod radix52;
mod sqrt;
pub mod u256;

pub use backend::Backend;
pub use field::{Fe, Field, PrimeField, batch_invert};
pub use modulus::{Modulus, Reduction};
pub use u256::U256;

#[cfg(test)]
pub(crate) mod tests;
