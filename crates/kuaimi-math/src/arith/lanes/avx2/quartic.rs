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

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_blend_epi32, _mm256_mul_epu32,
    _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srli_epi64,
};

use super::constants::{BITS, Constants, LIMBS, MASK};
use super::{Avx2, Limbs29};
use crate::arith::lanes::quartic::Quartic;
use crate::arith::modulus::Modulus;

/// Lane `lane` of limb `i`, in every lane.
#[inline]
#[target_feature(enable = "avx2")]
fn spread((a, lane): (&Limbs29, usize), i: usize) -> __m256i {
    let limb: *const __m256i = &a[i];
    // SAFETY: a vector has four words, and the index is masked to be below four.
    _mm256_set1_epi64x(unsafe { *limb.cast::<i64>().add(lane & 3) })
}

/// `Σ aᵢ·xᵢ/2²⁶¹`, loose.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn dot<M: Modulus, const K: usize>(
    factors: &[(&Limbs29, usize); K],
    vectors: &[&Limbs29; K],
) -> Limbs29 {
    const { assert!(K <= 12) };
    let zero = _mm256_setzero_si256();
    let mask = _mm256_set1_epi64x(MASK as i64);
    let inverse = _mm256_set1_epi64x(Constants::<M>::M0_NEG_INV as i64);
    let m = &const { Constants::<M>::MODULUS };
    // Not an array, as the compiler keeps an array that is shifted in memory.
    let (mut c0, mut c1, mut c2, mut c3, mut c4) = (zero, zero, zero, zero, zero);
    let (mut c5, mut c6, mut c7, mut c8) = (zero, zero, zero, zero);
    // The column before c0, which lacks its digit.
    let mut last = zero;
    macro_rules! add_product {
        ($column:ident, $a:expr, $b:expr) => {
            $column = _mm256_add_epi64($column, _mm256_mul_epu32($a, $b))
        };
    }
    macro_rules! add_digit {
        () => {
            let q = _mm256_and_si256(_mm256_mul_epu32(last, inverse), mask);
            let m = |i: usize| _mm256_set1_epi64x(m[i] as i64);
            add_product!(last, q, m(0));
            add_product!(c0, q, m(1));
            add_product!(c1, q, m(2));
            add_product!(c2, q, m(3));
            add_product!(c3, q, m(4));
            add_product!(c4, q, m(5));
            add_product!(c5, q, m(6));
            add_product!(c6, q, m(7));
            add_product!(c7, q, m(8));
            c0 = _mm256_add_epi64(c0, _mm256_srli_epi64::<{ BITS as i32 }>(last));
        };
    }
    macro_rules! row {
        ($i:expr) => {
            for (factor, x) in factors.iter().zip(vectors) {
                let a = spread(*factor, $i);
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
                $to = _mm256_add_epi64($to, _mm256_srli_epi64::<{ BITS as i32 }>($from));
                $from = _mm256_and_si256($from, mask);
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

/// The lanes of `x` moved up by `R`, 1 to 3, with the topmost lanes of `wrapped` as the lowest.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::arith::lanes) fn rotate_lanes<const R: usize>(
    x: __m256i,
    wrapped: __m256i,
) -> __m256i {
    match R {
        1 => {
            _mm256_permute4x64_epi64::<0b10_01_00_11>(_mm256_blend_epi32::<0b1100_0000>(x, wrapped))
        }
        2 => {
            _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_blend_epi32::<0b1111_0000>(x, wrapped))
        }
        _ => {
            _mm256_permute4x64_epi64::<0b00_11_10_01>(_mm256_blend_epi32::<0b1111_1100>(x, wrapped))
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul_v<const I: usize>(x: &Limbs29, minus_twice: &Limbs29) -> Limbs29 {
    core::array::from_fn(|i| rotate_lanes::<I>(x[i], minus_twice[i]))
}

// SAFETY (of both blocks below): by the contract of `Lanes`, these methods are called only within
// `vectorize!`, and only on CPUs with AVX2. The functions called need nothing else.
impl Quartic for Avx2 {
    #[inline(always)]
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Limbs29, usize); K],
        vectors: &[&Limbs29; K],
    ) -> Limbs29 {
        // SAFETY: see above.
        unsafe { dot::<M, K>(factors, vectors) }
    }

    #[inline(always)]
    fn mul_v<const I: usize>(x: &Limbs29, minus_twice: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { mul_v::<I>(x, minus_twice) }
    }
}
