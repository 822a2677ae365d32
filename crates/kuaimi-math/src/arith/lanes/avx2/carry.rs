//! Sums, differences and carries.
//!
//! A loose limb is a signed number, with an absolute value of at most `w·(2²⁹ + 1)` for weight `w`,
//! far below `2⁴⁰`. AVX2 has no arithmetic right shift of 64-bit numbers. So a carry adds `2⁴⁰` to
//! a limb before the shift, and subtracts `2¹¹` from the next limb.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_mul_epu32,
    _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64,
    _mm256_srli_epi64, _mm256_sub_epi64, _mm256_xor_si256,
};

use super::Limbs29;
use super::constants::{BITS, Constants, LIMBS, MASK, Number29, TOP};
use crate::arith::modulus::{Modulus, Reduction};

/// The same number in each lane.
#[inline]
#[target_feature(enable = "avx2")]
pub fn splat(a: &Number29) -> Limbs29 {
    a.map(|limb| _mm256_set1_epi64x(limb as i64))
}

/// `a + b`, limb by limb.
#[inline]
#[target_feature(enable = "avx2")]
pub fn add(a: &Limbs29, b: &Limbs29) -> Limbs29 {
    core::array::from_fn(|i| _mm256_add_epi64(a[i], b[i]))
}

/// `K·m − b`, limb by limb.
#[inline]
#[target_feature(enable = "avx2")]
pub fn negate<M: Modulus, const K: u64>(b: &Limbs29) -> Limbs29 {
    let multiple = splat(&const { Constants::<M>::multiple(K) });
    core::array::from_fn(|i| _mm256_sub_epi64(multiple[i], b[i]))
}

/// The same number, which must not be negative, in tight limbs.
#[inline]
#[target_feature(enable = "avx2")]
pub fn carry(a: &Limbs29) -> Limbs29 {
    const RAISE: i64 = 1 << 40;
    let mask = _mm256_set1_epi64x(MASK as i64);
    let mut out = *a;
    out[0] = _mm256_add_epi64(a[0], _mm256_set1_epi64x(RAISE));
    for i in 1..LIMBS {
        let raise = if i < TOP { RAISE } else { 0 } - (RAISE >> BITS);
        let carry = _mm256_srli_epi64::<{ BITS as i32 }>(out[i - 1]);
        out[i] = _mm256_add_epi64(_mm256_add_epi64(a[i], _mm256_set1_epi64x(raise)), carry);
        out[i - 1] = _mm256_and_si256(out[i - 1], mask);
    }
    out
}

/// The same residue, below `1.01·m`, in tight limbs.
///
/// It computes `a − t·m`, where `t` is the quotient, estimated from the top limb. The carries of
/// the other limbs may change the top limb by up to 40. If the quotient depends on that, `t` is one
/// too small; it may be −1.
#[inline]
#[target_feature(enable = "avx2")]
pub fn reduce<M: Modulus>(a: &Limbs29) -> Limbs29 {
    // More than the carries of the other limbs.
    const MARGIN: i64 = 64;
    let one = _mm256_set1_epi64x(1);
    let mut out = *a;
    match M::REDUCTION {
        // a − t·p = a − t·2²⁵⁶ + t·(2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1)
        Reduction::Sm2Prime => {
            let top = _mm256_add_epi64(a[TOP], _mm256_set1_epi64x((1 << 24) - MARGIN));
            let t = _mm256_sub_epi64(_mm256_srli_epi64::<24>(top), one);
            out[0] = _mm256_add_epi64(a[0], t);
            out[2] = _mm256_sub_epi64(a[2], _mm256_slli_epi64::<6>(t));
            out[3] = _mm256_add_epi64(a[3], _mm256_slli_epi64::<9>(t));
            out[7] = _mm256_add_epi64(a[7], _mm256_slli_epi64::<21>(t));
            out[TOP] = _mm256_sub_epi64(a[TOP], _mm256_slli_epi64::<24>(t));
        }
        // t + 1 ≥ 0 is the quotient of the top limb, after one modulus is added.
        Reduction::Montgomery => {
            let raise = const { Constants::<M>::MODULUS[TOP] + 1 } as i64 - MARGIN;
            let top = _mm256_add_epi64(a[TOP], _mm256_set1_epi64x(raise));
            let reciprocal = _mm256_set1_epi64x(Constants::<M>::RECIPROCAL as i64);
            let above = _mm256_srli_epi64::<52>(_mm256_mul_epu32(top, reciprocal));
            for (o, m) in out.iter_mut().zip(&Constants::<M>::MODULUS) {
                let m = _mm256_set1_epi64x(*m as i64);
                let product = _mm256_sub_epi64(_mm256_mul_epu32(above, m), m);
                *o = _mm256_sub_epi64(*o, product);
            }
        }
    }
    carry(&out)
}

/// All ones in the lanes where `a ≡ 0 (mod m)`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn is_zero<M: Modulus>(a: &Limbs29) -> __m256i {
    // Below 2m, so 0 and m are the only multiples of m.
    let a = reduce::<M>(a);
    let m = splat(&Constants::<M>::MODULUS);
    let zero = _mm256_setzero_si256();
    let (mut not_zero, mut not_m) = (zero, zero);
    for (a, m) in a.iter().zip(&m) {
        not_zero = _mm256_or_si256(not_zero, *a);
        not_m = _mm256_or_si256(not_m, _mm256_xor_si256(*a, *m));
    }
    _mm256_or_si256(
        _mm256_cmpeq_epi64(not_zero, zero),
        _mm256_cmpeq_epi64(not_m, zero),
    )
}

/// `a mod m` for `a < 2m` in tight limbs.
#[inline]
#[target_feature(enable = "avx2")]
pub fn subtract_modulus_once<M: Modulus>(a: &Limbs29) -> Limbs29 {
    let mask = _mm256_set1_epi64x(MASK as i64);
    let mut reduced = *a;
    let mut borrow = _mm256_setzero_si256();
    for (limb, m) in reduced.iter_mut().zip(&Constants::<M>::MODULUS) {
        let m = _mm256_set1_epi64x(*m as i64);
        let difference = _mm256_sub_epi64(_mm256_sub_epi64(*limb, m), borrow);
        borrow = _mm256_srli_epi64::<63>(difference);
        *limb = _mm256_and_si256(difference, mask);
    }
    // All ones where a < m.
    let below = _mm256_sub_epi64(_mm256_setzero_si256(), borrow);
    super::select(below, a, &reduced)
}
