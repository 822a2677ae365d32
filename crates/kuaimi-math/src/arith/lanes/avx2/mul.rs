//! Products: 81 multiplications (`VPMULUDQ`), or 45 for a square, column by column. Each column is
//! reduced as soon as it is summed.
//!
//! Column `k` of a product is `Σ aᵢ·bₖ₋ᵢ`. For each of the first nine columns, Montgomery reduction
//! computes from the low limb the digit `q` for which the column plus `q·m` is divisible by `2²⁹`;
//! the quotient is carried to the next column. The last eight columns and the last carry are the
//! result.
//!
//! *SM2's prime.* As `p ≡ −1 (mod 2²⁹)`, the digit `q` is the low limb itself. Adding `q·p` at
//! column `k` removes this limb and adds `q·(2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴)`: `q·2⁶` at column `k + 2`,
//! `−q·2⁹` at `k + 3`, `−q·2²¹` at `k + 7` and `q·2²⁴` at `k + 8`. With `vₖ = qₖ − 8qₖ₋₁`, these
//! terms are `2⁶·vₖ₋₂ − 2²¹·vₖ₋₇` in column `k`: no multiplication, and two shifts a column. They
//! can be negative, and AVX2 has no arithmetic right shift of 64-bit numbers. So `2⁵²` is added to
//! each column, and `2²³` is subtracted from the next.
//!
//! *Bounds.* Tight limbs are below `2²⁹`. The products in a column are below `18·2⁵⁸` if two
//! products are summed, the reduction adds less than `9·2⁵⁸ + 2⁵³`, and the sum is below `2⁶³`. If
//! the products of magnitudes are at most 16, the result is below `m + 16m²/2²⁶¹ < 1.5·m`.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_mul_epu32, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_sub_epi64,
};

use super::Limbs29;
use super::constants::{BITS, Constants, LIMBS, MASK};
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

/// The reduced product whose column `K` is `$column::<K>($a, $b)`, modulo SM2's prime. It is a
/// macro, as the compiler unrolls columns only if their bounds are constants.
macro_rules! reduce_sm2_prime {
    ($column:ident, $a:expr, $b:expr) => {{
        let mask = _mm256_set1_epi64x(MASK as i64);
        let raise = _mm256_set1_epi64x((1 << 52) - (1 << 23));
        let mut v = [_mm256_setzero_si256(); 10];
        let mut out = [_mm256_setzero_si256(); LIMBS];
        let mut carry = _mm256_set1_epi64x(1 << 52);
        macro_rules! column {
            ($k:literal) => {
                let mut t = _mm256_add_epi64($column::<$k>($a, $b), carry);
                if 2 <= $k && $k < 12 {
                    t = _mm256_add_epi64(t, _mm256_slli_epi64::<6>(v[($k + 8) % 10]));
                }
                if 7 <= $k {
                    t = _mm256_sub_epi64(t, _mm256_slli_epi64::<21>(v[($k + 3) % 10]));
                }
                let low = _mm256_and_si256(t, mask);
                if $k < LIMBS {
                    // v[$k + 1] lacks its own digit until the next column.
                    v[$k % 10] = _mm256_add_epi64(v[$k % 10], low);
                    v[($k + 1) % 10] =
                        _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_slli_epi64::<3>(low));
                } else {
                    out[($k + 9) % LIMBS] = low;
                }
                carry = _mm256_srli_epi64::<{ BITS as i32 }>(t);
                carry = _mm256_add_epi64(
                    carry,
                    if $k < 16 {
                        raise
                    } else {
                        _mm256_set1_epi64x(-(1 << 23))
                    },
                );
            };
        }
        all_columns!(column);
        out[LIMBS - 1] = carry;
        out
    }};
}

/// As [`reduce_sm2_prime`], for any modulus.
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

/// `a·b/2²⁶¹ mod m`, for magnitudes as in the contract of `Lanes::mul`.
#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
pub fn mul<M: Modulus>(a: &Limbs29, b: &Limbs29) -> Limbs29 {
    match M::REDUCTION {
        Reduction::Sm2Prime => reduce_sm2_prime!(product_column, a, b),
        Reduction::Montgomery => reduce_montgomery!(M, product_column, a, b),
    }
}

/// `a²/2²⁶¹ mod m`.
#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
pub fn square<M: Modulus>(a: &Limbs29) -> Limbs29 {
    let twice = &a.map(|limb| _mm256_add_epi64(limb, limb));
    match M::REDUCTION {
        Reduction::Sm2Prime => reduce_sm2_prime!(square_column, a, twice),
        Reduction::Montgomery => reduce_montgomery!(M, square_column, a, twice),
    }
}

/// `(a₀·b₀ + a₁·b₁)/2²⁶¹ mod m`.
#[inline(never)]
#[target_feature(enable = "avx2")]
#[allow(unused_assignments, reason = "a column does not take all branches")]
pub fn mul_add<M: Modulus>(a: &[&Limbs29; 2], b: &[&Limbs29; 2]) -> Limbs29 {
    match M::REDUCTION {
        Reduction::Sm2Prime => reduce_sm2_prime!(sum_column, a, b),
        Reduction::Montgomery => reduce_montgomery!(M, sum_column, a, b),
    }
}
