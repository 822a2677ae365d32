//! Sums of products of a lane and a vector.
//!
//! The sum is computed row by row. For row `i`, limb `i` of each factor is copied to all lanes and
//! multiplied by all limbs of its vector, and the products are added to nine columns in registers.
//! Then the first column is complete, except for its Montgomery digit. The digit is computed while
//! the next row is summed, as its chain of dependent steps is longer than a row of few products.
//! The minimum is 54 cycles a product on Zen 3, which can add three vectors a cycle and multiply
//! two.
//!
//! *Bounds.* A row adds at most thirteen products below `2⁵⁸` to a column, and carries of `2³⁵`.
//! The upper bits of the columns are carried after four rows, that is 52 products.

use super::constants::{BITS, Constants, LIMBS, MASK};
use super::sm2p::Sm2Products;
use super::{Engine, Limbs29};
use crate::arith::lanes::inlined_array;
use crate::arith::lanes::quartic::Quartic;
use crate::arith::lanes::words::FourWords;
use crate::arith::modulus::Modulus;

/// `Σ aᵢ·xᵢ/2²⁶¹`, loose.
#[inline(always)]
fn dot<S: FourWords, M: Modulus, const K: usize>(
    factors: &[(&Limbs29<S>, usize); K],
    vectors: &[&Limbs29<S>; K],
) -> Limbs29<S> {
    const { assert!(K <= 12) };
    let (zero, mask) = (S::zero(), S::splat(MASK));
    let inverse = S::splat(Constants::<M>::M0_NEG_INV);
    let m = &const { Constants::<M>::MODULUS };
    // Not an array, as the compiler keeps an array that is shifted in memory.
    let (mut c0, mut c1, mut c2, mut c3, mut c4) = (zero, zero, zero, zero, zero);
    let (mut c5, mut c6, mut c7, mut c8) = (zero, zero, zero, zero);
    // The column before c0, which lacks its digit.
    let mut last = zero;
    macro_rules! add_product {
        ($column:ident, $a:expr, $b:expr) => {
            $column = $column.add($a.mul32($b))
        };
    }
    macro_rules! add_digit {
        () => {
            let q = last.mul32(inverse).and(mask);
            add_product!(last, q, S::splat(m[0]));
            add_product!(c0, q, S::splat(m[1]));
            add_product!(c1, q, S::splat(m[2]));
            add_product!(c2, q, S::splat(m[3]));
            add_product!(c3, q, S::splat(m[4]));
            add_product!(c4, q, S::splat(m[5]));
            add_product!(c5, q, S::splat(m[6]));
            add_product!(c6, q, S::splat(m[7]));
            add_product!(c7, q, S::splat(m[8]));
            c0 = c0.add(last.shr::<BITS>());
        };
    }
    macro_rules! row {
        ($i:expr) => {
            for ((a, lane), x) in factors.iter().zip(vectors) {
                let a = S::spread(&a[$i], *lane);
                add_product!(c0, a, x[0]);
                add_product!(c1, a, x[1]);
                add_product!(c2, a, x[2]);
                add_product!(c3, a, x[3]);
                add_product!(c4, a, x[4]);
                add_product!(c5, a, x[5]);
                add_product!(c6, a, x[6]);
                add_product!(c7, a, x[7]);
                add_product!(c8, a, x[8]);
            }
            add_digit!();
            (last, c0, c1, c2, c3, c4, c5, c6, c7, c8) = (c0, c1, c2, c3, c4, c5, c6, c7, c8, zero);
        };
    }
    // Carries the upper bits of each column to the next, all columns at the same time: so the
    // highest column comes first.
    macro_rules! carry {
        () => {
            carry!(c7 => c8, c6 => c7, c5 => c6, c4 => c5, c3 => c4, c2 => c3, c1 => c2, c0 => c1)
        };
        ($($from:ident => $to:ident),+) => {
            $(
                $to = $to.add($from.shr::<BITS>());
                $from = $from.and(mask);
            )+
        };
    }
    for i in 0..4 {
        row!(i);
    }
    carry!();
    for i in 4..8 {
        row!(i);
    }
    carry!();
    row!(LIMBS - 1);
    add_digit!();
    // After two passes the limbs are below 2²⁹ + 2⁵.
    carry!();
    carry!();
    [c0, c1, c2, c3, c4, c5, c6, c7, c8]
}

impl<S: FourWords + Sm2Products> Quartic for Engine<S> {
    #[inline(always)]
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Limbs29<S>, usize); K],
        vectors: &[&Limbs29<S>; K],
    ) -> Limbs29<S> {
        S::call(
            #[inline(always)]
            || dot::<S, M, K>(factors, vectors),
        )
    }

    #[inline(always)]
    fn mul_v<const I: usize>(x: &Limbs29<S>, minus_twice: &Limbs29<S>) -> Limbs29<S> {
        inlined_array!(9, |i| x[i].rotate_lanes::<I>(minus_twice[i]))
    }
}
