//! 256-bit integers and the prime fields over them. Knows no curve.
//!
//! A field element is held in Montgomery form: for a modulus `m` and `R = 2²⁵⁶`, the element `a` is stored as
//! `a·R mod m`, fully reduced, in four little-endian 64-bit limbs. Every scalar backend uses this one
//! representation, so a stored key or table is valid under each of them; the backends differ only in how they multiply.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`u256`] | plain integers: bytes, comparison, carries |
//! | [`modulus`] | the [`Modulus`] trait: one constant in, all derived constants computed by the compiler |
//! | [`field`] | [`Fe<M, B>`](field::Fe), an element modulo `M` computed by backend `B` |
//! | [`divsteps`] | inversion by Bernstein and Yang's division steps |
//! | [`backend`] | one file a way to multiply |
//! | [`lanes`] | several elements at once, in the lanes of vector registers |

pub mod backend;
pub mod divsteps;
pub mod field;
pub mod lanes;
pub mod modulus;
pub mod u256;

pub use backend::Backend;
pub use field::{Fe, Field, PrimeField, batch_invert};
pub use modulus::{Modulus, Reduction};
pub use u256::U256;

#[cfg(test)]
pub(crate) mod tests;
