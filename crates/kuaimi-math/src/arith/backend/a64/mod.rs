//! 64-bit limbs in AArch64 assembly: MUL and UMULH, chains of carries and conditional selections.
//!
//! | module | what it does |
//! | --- | --- |
//! | `product` | products and squares, as text for `asm!` |
//! | `montgomery` | products modulo any odd number |
//! | `sm2p` | products, sums and halves modulo SM2's prime |
//! | `sums` | sums, differences and halves modulo any odd number |
//! | `dot` | sums of products with one reduction |
//! | `inverse` | division steps in constant time |
//!
//! All instructions are in the first version of the architecture, so the backend needs no CPU
//! features.

#![allow(unsafe_code, reason = "inline assembly")]

mod dot;
mod inverse;
mod montgomery;
mod product;
mod sm2p;
mod sums;

use kuaimi_platform::backend::Field;

use super::Backend;
use crate::arith::divsteps::d62;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::Limbs;

/// The backend for AArch64 CPUs.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct A64;

impl super::sealed::Sealed for A64 {}

impl Backend for A64 {
    const IMPLEMENTATION: Field = Field::A64;

    super::assembly::methods_in_assembly!();

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_with::<M, Self>(a, inverse::round)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_vartime::<M>(a)
    }
}
