//! The formulas of SM2's curve in the assembly of [`Adx`](crate::arith::backend::Adx), whose text
//! for numbers modulo SM2's prime they are made of.
//!
//! | module | what it does |
//! | --- | --- |
//! | `double` | a doubling |
//! | `add` | mixed additions |

#![allow(unsafe_code, reason = "inline assembly")]

mod add;
mod double;

pub(super) use add::{jacobian as add_jacobian, xyzz as add_xyzz};
pub(super) use double::double;
