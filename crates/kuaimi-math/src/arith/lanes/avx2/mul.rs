//! Products: 81 multiplications (`VPMULUDQ`), or 45 for a square, column by column. Each column is
//! reduced as soon as it is summed.
//!
//! Column `k` of a product is `Σ aᵢ·bₖ₋ᵢ`. For each of the first nine columns, Montgomery reduction
//! computes from the low limb the digit `q` for which the column plus `q·m` is divisible by `2²⁹`;
//! the quotient is carried to the next column. The last eight columns and the last carry are the
//! result.
//!
//! Modulo SM2's prime, products are in assembly: `sm2p`.
//!
//! *Bounds.* Tight limbs are below `2²⁹`. The products in a column are below `18·2⁵⁸` if two
//! products are summed, the reduction adds less than `9·2⁵⁸ + 2⁵³`, and the sum is below `2⁶³`. If
//! the products of magnitudes are at most 16, the result is below `m + 16m²/2²⁶¹ < 1.5·m`.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_mul_epu32, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_srli_epi64,
};
use core::mem::MaybeUninit;

use super::carry::{add, negate, reduce};
use super::constants::{BITS, Constants, LIMBS, MASK};
use super::{Limbs29, sm2p};
use crate::arith::modulus::{Modulus, Reduction};

/// Column `K` of `a·b`.
#[inline]
#[target_feature(enable = "avx2")]
fn product_column<const K: usize>(a: &Limbs29, b: &Limbs29) -> __m256i {
    let (mut i, last) = if K < LIMBS { (0, K) } else { (K - 8, 8) };
    let mut sum = _mm256_mul_epu32(a[i], b[K - i]);
    while i < last {
        i += 1;
        sum = _mm256_add_epi64(sum, _mm256_mul_epu32(a[i], b[K - i]));
    }
    sum
}

/// Column `K` of `a²`, with `twice = 2a`.
#[inline]
#[target_feature(enable = "avx2")]
fn square_column<const K: usize>(a: &Limbs29, twice: &Limbs29) -> __m256i {
    let mut i = if K < LIMBS { 0 } else { K - 8 };
    let mut sum = if K.is_multiple_of(2) {
        _mm256_mul_epu32(a[K / 2], a[K / 2])
    } else {
        _mm256_setzero_si256()
    };
    while 2 * i < K {
        sum = _mm256_add_epi64(sum, _mm256_mul_epu32(a[i], twice[K - i]));
        i += 1;
    }
    sum
}

/// Column `K` of `a₀·b₀ + a₁·b₁`.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_column<const K: usize>(a: &[&Limbs29; 2], b: &[&Limbs29; 2]) -> __m256i {
    let [a0, a1] = a;
    let [b0, b1] = b;
    _mm256_add_epi64(product_column::<K>(a0, b0), product_column::<K>(a1, b1))
}

/// Expands a macro for all columns of a product, in order.
macro_rules! all_columns {
    ($column:ident) => {
        $column!(0);
        $column!(1);
        $column!(2);
        $column!(3);
        $column!(4);
        $column!(5);
        $column!(6);
        $column!(7);
        $column!(8);
        $column!(9);
        $column!(10);
        $column!(11);
        $column!(12);
        $column!(13);
        $column!(14);
        $column!(15);
        $column!(16);
    };
}

/// The reduced product whose column `K` is `$column::<K>($a, $b)`. It is a macro, as the compiler
/// unrolls columns only if their bounds are constants.
macro_rules! reduce_montgomery {
    ($modulus:ty, $column:ident, $a:expr, $b:expr) => {{
        let mask = _mm256_set1_epi64x(MASK as i64);
        let m0_neg_inv = _mm256_set1_epi64x(Constants::<$modulus>::M0_NEG_INV as i64);
        let m = Constants::<$modulus>::MODULUS.map(|limb| _mm256_set1_epi64x(limb as i64));
        let mut q = [_mm256_setzero_si256(); LIMBS];
        let mut out = [_mm256_setzero_si256(); LIMBS];
        let mut carry = _mm256_setzero_si256();
        macro_rules! column {
            ($k:literal) => {
                let mut t = _mm256_add_epi64($column::<$k>($a, $b), carry);
                // The digits computed so far; those of later columns are still zero.
                let mut i = if $k < LIMBS { 0 } else { $k - 8 };
                while i < LIMBS && i != $k {
                    t = _mm256_add_epi64(t, _mm256_mul_epu32(q[i], m[$k - i]));
                    i += 1;
                }
                if $k < LIMBS {
                    let digit = _mm256_and_si256(_mm256_mul_epu32(t, m0_neg_inv), mask);
                    q[$k % LIMBS] = digit;
                    t = _mm256_add_epi64(t, _mm256_mul_epu32(digit, m[0]));
                } else {
                    out[($k + 9) % LIMBS] = _mm256_and_si256(t, mask);
                }
                carry = _mm256_srli_epi64::<{ BITS as i32 }>(t);
            };
        }
        all_columns!(column);
        out[LIMBS - 1] = carry;
        out
    }};
}

/// A result that is written through a pointer.
#[inline]
#[target_feature(enable = "avx2")]
fn written(write: impl FnOnce(*mut Limbs29)) -> Limbs29 {
    let mut out = MaybeUninit::uninit();
    write(out.as_mut_ptr());
    // SAFETY: all callers pass a product, which writes all limbs.
    unsafe { out.assume_init() }
}

/// `a·b/2²⁶¹ mod m`, for magnitudes as in the contract of `Lanes::mul`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn mul<M: Modulus>(a: &Limbs29, b: &Limbs29) -> Limbs29 {
    match M::REDUCTION {
        // SAFETY: the result has room for the limbs.
        Reduction::Sm2Prime => written(|out| unsafe { sm2p::mul(out, a, b) }),
        Reduction::Montgomery => montgomery::<M>(a, b),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
fn montgomery<M: Modulus>(a: &Limbs29, b: &Limbs29) -> Limbs29 {
    reduce_montgomery!(M, product_column, a, b)
}

/// `a²/2²⁶¹ mod m`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn square<M: Modulus>(a: &Limbs29) -> Limbs29 {
    match M::REDUCTION {
        // SAFETY: the result has room for the limbs.
        Reduction::Sm2Prime => written(|out| unsafe { sm2p::square(out, a) }),
        Reduction::Montgomery => montgomery_square::<M>(a),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
fn montgomery_square<M: Modulus>(a: &Limbs29) -> Limbs29 {
    let twice = &a.map(|limb| _mm256_add_epi64(limb, limb));
    reduce_montgomery!(M, square_column, a, twice)
}

/// `(a₀·b₀ + a₁·b₁)/2²⁶¹ mod m`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn mul_add<M: Modulus>(a: &[&Limbs29; 2], b: &[&Limbs29; 2]) -> Limbs29 {
    let ([a, d], [b, e]) = (*a, *b);
    match M::REDUCTION {
        // SAFETY: the result has room for the limbs.
        Reduction::Sm2Prime => written(|out| unsafe { sm2p::mul_add(out, a, b, d, e) }),
        Reduction::Montgomery => montgomery_sum::<M>(&[a, d], &[b, e]),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
fn montgomery_sum<M: Modulus>(a: &[&Limbs29; 2], b: &[&Limbs29; 2]) -> Limbs29 {
    reduce_montgomery!(M, sum_column, a, b)
}

/// `(a·b − c²)/2²⁶¹ mod m`, tight, of magnitude 3.
#[inline]
#[target_feature(enable = "avx2")]
pub fn mul_sub_square<M: Modulus>(a: &Limbs29, b: &Limbs29, c: &Limbs29) -> Limbs29 {
    match M::REDUCTION {
        // SAFETY: the result has room for the limbs.
        Reduction::Sm2Prime => written(|out| unsafe { sm2p::mul_sub_square(out, a, b, c) }),
        Reduction::Montgomery => {
            let square = negate::<M, 2>(&square::<M>(c));
            reduce::<M>(&add(&mul::<M>(a, b), &square))
        }
    }
}
