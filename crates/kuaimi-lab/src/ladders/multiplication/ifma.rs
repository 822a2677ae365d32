//! Eight products at once with AVX-512 IFMA, one a lane: numbers in five limbs of 52 bits, and
//! fused multiplications of 52 bits (Gueron and Krasnov, *Accelerating big integer arithmetic using
//! Intel IFMA extensions*, ARITH 2016).
//!
//! Limb `i` of one number times limb `j` of the other is a number of 104 bits. One instruction adds
//! its lower 52 bits to column `i + j`, another one its upper 52 bits to column `i + j + 1`: 25 of
//! each. A column is a sum of at most nine halves, below `2⁵⁶`, so nothing is carried until all
//! products are summed. One chain of carries then gives ten limbs of 52 bits.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_srli_epi64, _mm512_xor_si512,
};
use core::mem::transmute;

use kuaimi_math::arith::u256::Limbs;

pub(super) const LANES: usize = 8;

const BITS: usize = 52;
const MASK: u64 = (1 << BITS) - 1;

/// Eight numbers: vector `i` has limb `i` of each.
type Numbers = [__m512i; 5];

/// That this CPU has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Ifma(());

impl Ifma {
    pub(super) fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma");
        has.then_some(Self(()))
    }

    /// Multiplies by `b` so many times; each factor is made of both halves of the product before.
    pub(super) fn chain(self, a: &mut Numbers, b: &Numbers, count: u64) {
        // SAFETY: a value of this type exists only on CPUs that have the instructions.
        unsafe { chain(a, b, count) }
    }

    /// The lower and the upper half of each product.
    #[cfg(test)]
    pub(super) fn multiply(self, a: &[Limbs; LANES], b: &[Limbs; LANES]) -> [[Limbs; 2]; LANES] {
        // SAFETY: as above.
        let columns = unsafe { multiply(&split(a), &split(b)) };
        core::array::from_fn(|lane| join(&columns.map(|limbs| words(limbs)[lane])))
    }
}

/// The numbers in limbs of 52 bits.
pub(super) fn split(numbers: &[Limbs; LANES]) -> Numbers {
    core::array::from_fn(|i| {
        let (word, bits) = (BITS * i / 64, BITS * i % 64);
        vector(numbers.map(|number| {
            let above = number.get(word + 1).copied().unwrap_or(0);
            let pair = u128::from(number[word]) | (u128::from(above) << 64);
            (pair >> bits) as u64 & MASK
        }))
    })
}

/// The number of 512 bits with these limbs of 52 bits.
#[cfg(test)]
fn join(limbs: &[u64; 10]) -> [Limbs; 2] {
    let mut words = [[0; 4]; 2];
    for (i, limb) in limbs.iter().enumerate() {
        let (word, bits) = (BITS * i / 64, BITS * i % 64);
        let pair = u128::from(*limb) << bits;
        words.as_flattened_mut()[word] |= pair as u64;
        if let Some(above) = words.as_flattened_mut().get_mut(word + 1) {
            *above |= (pair >> 64) as u64;
        }
    }
    words
}

fn vector(words: [u64; LANES]) -> __m512i {
    // SAFETY: both types are 512 bits, and all values of them are valid.
    unsafe { transmute::<[u64; LANES], __m512i>(words) }
}

#[cfg(test)]
fn words(vector: __m512i) -> [u64; LANES] {
    // SAFETY: both types are 512 bits, and all values of them are valid.
    unsafe { transmute::<__m512i, [u64; LANES]>(vector) }
}

/// The ten limbs of each product.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply(a: &Numbers, b: &Numbers) -> [__m512i; 10] {
    let mut columns = [_mm512_setzero_si512(); 10];
    for i in 0..5 {
        for j in 0..5 {
            columns[i + j] = _mm512_madd52lo_epu64(columns[i + j], a[i], b[j]);
            columns[i + j + 1] = _mm512_madd52hi_epu64(columns[i + j + 1], a[i], b[j]);
        }
    }
    let mask = _mm512_set1_epi64(MASK as i64);
    for i in 0..9 {
        let carry = _mm512_srli_epi64::<{ BITS as u32 }>(columns[i]);
        columns[i + 1] = _mm512_add_epi64(columns[i + 1], carry);
        columns[i] = _mm512_and_si512(columns[i], mask);
    }
    columns
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn chain(a: &mut Numbers, b: &Numbers, count: u64) {
    for _ in 0..count {
        let columns = multiply(a, b);
        for (i, limb) in a.iter_mut().enumerate() {
            *limb = _mm512_xor_si512(columns[i], columns[i + 5]);
        }
    }
}
