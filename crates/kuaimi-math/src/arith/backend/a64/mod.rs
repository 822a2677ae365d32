//! 64-bit limbs in AArch64 assembly: MUL and UMULH, chains of carries and conditional selections.
//!
//! | module | what it does |
//! | --- | --- |
//! | `product` | products and squares, as text for `asm!` |
//! | `montgomery` | products modulo any odd number |
//! | `sm2p` | products, sums and halves modulo SM2's prime |
//! | `sums` | sums and differences modulo any odd number |
//! | `dot` | sums of products with one reduction |
//! | `inverse` | division steps in constant time |
//!
//! All instructions are in the first version of the architecture, so the backend needs no CPU features.

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

    #[inline(always)]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => montgomery::mul::<M>(a, b),
            Reduction::Sm2Prime => sm2p::mul(a, b),
        }
    }

    #[inline(always)]
    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
        montgomery::wide(a, b)
    }

    #[inline(always)]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => montgomery::square::<M>(a),
            Reduction::Sm2Prime => sm2p::square(a),
        }
    }

    #[inline(always)]
    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        dot::dot::<M>(terms)
    }

    #[inline]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => {
                super::subtract_modulus_once::<M>(&montgomery::reduce_low::<M>(a), false)
            }
            Reduction::Sm2Prime => sm2p::redc(a),
        }
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_with::<M, Self>(a, inverse::round)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_vartime::<M>(a)
    }

    #[inline(always)]
    fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::add::<M>(a, b),
            Reduction::Sm2Prime => sm2p::add(a, b),
        }
    }

    #[inline(always)]
    fn double<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::double::<M>(a),
            Reduction::Sm2Prime => sm2p::double(a),
        }
    }

    #[inline(always)]
    fn minus_twice<M: Modulus>(a: &Limbs) -> Limbs {
        sums::minus_twice::<M>(a)
    }

    #[inline(always)]
    fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::sub::<M>(a, b),
            Reduction::Sm2Prime => sm2p::sub(a, b),
        }
    }

    #[inline(always)]
    fn half<M: Modulus>(a: &Limbs) -> Limbs {
        match M::REDUCTION {
            Reduction::Montgomery => sums::half::<M>(a),
            Reduction::Sm2Prime => sm2p::half(a),
        }
    }
}
