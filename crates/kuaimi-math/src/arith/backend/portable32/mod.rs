//! Limbs of 29 bits and products of 64 bits, in plain Rust, for CPUs without a 64-bit multiplier,
//! and for WebAssembly, which has neither the upper half of a 64-bit product nor a carry flag.
//!
//! A number has nine limbs. A column of a product is a sum of at most nine products of limbs, less
//! than `9·2⁵⁸`, so columns are summed without carries. So are the products with the modulus in a
//! Montgomery reduction, and those of [`dot`](Backend::dot): with six of them, a column stays below
//! `(6 + 1)·9·2⁵⁸ < 2⁶⁴`.
//!
//! The nine steps of a reduction divide by `2²⁶¹`. As `R = 2²⁵⁶`, one factor is multiplied by `2⁵`
//! when it is split into limbs. Limbs are cut from words by shifts, so that the byte order of the
//! target does not matter. No 128-bit type is used.
//!
//! | module | what it does |
//! | --- | --- |
//! | `columns` | limbs, columns of products, and their reduction |
//! | `sm2p` | numbers modulo SM2's prime that stay in limbs, for the formulas of points |

mod columns;
pub(crate) mod sm2p;

use kuaimi_platform::backend::Field;

use super::Backend;
use crate::arith::divsteps::d30;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::Limbs;
use columns::{BITS, COUNT, LIMB, add_product, join, reduce, reduce_sum, split};

/// The backend for 32-bit CPUs and WebAssembly.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable32;

impl super::sealed::Sealed for Portable32 {}

impl Backend for Portable32 {
    const IMPLEMENTATION: Field = Field::Portable32;

    #[inline(never)]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        let mut columns = [0; 2 * COUNT];
        add_product(&mut columns, &split::<0>(a), &split::<5>(b));
        reduce::<M>(columns)
    }

    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
        let mut columns = [0; 2 * COUNT];
        add_product(&mut columns, &split::<0>(a), &split::<5>(b));
        for i in 1..2 * COUNT {
            columns[i] += columns[i - 1] >> BITS;
            columns[i - 1] &= LIMB;
        }
        let (low, high) = columns.split_at(COUNT);
        let join = |half: &[u64]| join(&core::array::from_fn(|i| half[i]));
        // The lower half is of 261 bits, of which five are those of the factor 2⁵.
        let [l0, l1, l2, l3] = join(low);
        let top = low[COUNT - 1] >> 24;
        let low = [
            l0 >> 5 | l1 << 59,
            l1 >> 5 | l2 << 59,
            l2 >> 5 | l3 << 59,
            l3 >> 5 | top << 59,
        ];
        [low, join(high)]
    }

    #[inline(never)]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        // 2·(4a)² = a²·2⁵.
        let a = split::<2>(a);
        let [two, four] = [1, 2].map(|shift| a.map(|limb| limb << shift));
        reduce::<M>(columns::square(&a, &two, &four))
    }

    #[inline(never)]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        let mut columns = [0; 2 * COUNT];
        columns[..COUNT].copy_from_slice(&split::<5>(a));
        reduce::<M>(columns)
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d30::invert::<M, Self>(a)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d30::invert_vartime::<M>(a)
    }

    #[inline(never)]
    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        debug_assert!(terms.len() <= 6);
        match M::REDUCTION {
            Reduction::Montgomery => {
                let mut columns = [0; 2 * COUNT];
                for [a, b] in terms {
                    add_product(&mut columns, &split::<0>(a), &split::<5>(b));
                }
                reduce_sum::<M>(columns)
            }
            // Its columns are signed, and its reduction is cheap.
            Reduction::Sm2Prime => terms.iter().fold([0; 4], |sum, [a, b]| {
                Self::add::<M>(&sum, &Self::mul::<M>(a, b))
            }),
        }
    }

    // Not inlined: a formula of points has a dozen of each, and a call costs less than the time
    // that a larger program takes to be downloaded and compiled.

    #[inline(never)]
    fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        super::add::<M>(a, b)
    }

    #[inline(never)]
    fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        super::sub::<M>(a, b)
    }

    #[inline(never)]
    fn half<M: Modulus>(a: &Limbs) -> Limbs {
        super::half::<M>(a)
    }
}
