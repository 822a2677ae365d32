//! Conversions between four numbers in 64-bit limbs and four lanes.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

use super::Limbs29;
use super::constants::MASK;
use crate::arith::u256::Limbs;

/// Transposes: word `j` of vector `i` of the result is word `i` of vector `j` of the argument.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(rows: [__m256i; 4]) -> [__m256i; 4] {
    let [a, b, c, d] = rows;
    let (ab0, ab1) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let (cd0, cd1) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    [
        _mm256_permute2x128_si256::<0x20>(ab0, cd0),
        _mm256_permute2x128_si256::<0x20>(ab1, cd1),
        _mm256_permute2x128_si256::<0x31>(ab0, cd0),
        _mm256_permute2x128_si256::<0x31>(ab1, cd1),
    ]
}

/// `2⁵` times number `j` in lane `j`: `a·2²⁵⁶` becomes `a·2²⁶¹`, not reduced.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load(numbers: [&Limbs; 4]) -> Limbs29 {
    // SAFETY: a number is 32 bytes long, and the load needs no alignment.
    let rows = numbers.map(|number| unsafe { _mm256_loadu_si256(number.as_ptr().cast()) });
    let [w0, w1, w2, w3] = transpose(rows);
    let mask = _mm256_set1_epi64x(MASK as i64);
    [
        _mm256_slli_epi64::<5>(w0),
        _mm256_srli_epi64::<24>(w0),
        _mm256_or_si256(_mm256_srli_epi64::<53>(w0), _mm256_slli_epi64::<11>(w1)),
        _mm256_srli_epi64::<18>(w1),
        _mm256_or_si256(_mm256_srli_epi64::<47>(w1), _mm256_slli_epi64::<17>(w2)),
        _mm256_srli_epi64::<12>(w2),
        _mm256_or_si256(_mm256_srli_epi64::<41>(w2), _mm256_slli_epi64::<23>(w3)),
        _mm256_srli_epi64::<6>(w3),
        _mm256_srli_epi64::<35>(w3),
    ]
    .map(|limb| _mm256_and_si256(limb, mask))
}

/// The numbers in the lanes, which must be below `2²⁵⁶` and in tight limbs.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store(a: &Limbs29) -> [Limbs; 4] {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8] = *a;
    let or = _mm256_or_si256;
    let words = [
        or(
            a0,
            or(_mm256_slli_epi64::<29>(a1), _mm256_slli_epi64::<58>(a2)),
        ),
        or(
            _mm256_srli_epi64::<6>(a2),
            or(_mm256_slli_epi64::<23>(a3), _mm256_slli_epi64::<52>(a4)),
        ),
        or(
            _mm256_srli_epi64::<12>(a4),
            or(_mm256_slli_epi64::<17>(a5), _mm256_slli_epi64::<46>(a6)),
        ),
        or(
            _mm256_srli_epi64::<18>(a6),
            or(_mm256_slli_epi64::<11>(a7), _mm256_slli_epi64::<40>(a8)),
        ),
    ];
    transpose(words).map(|row| {
        let mut number = [0; 4];
        // SAFETY: a number is 32 bytes long, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(number.as_mut_ptr().cast(), row) };
        number
    })
}
