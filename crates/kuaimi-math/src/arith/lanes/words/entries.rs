//! Entries of tables in the lanes of AVX-512: an entry of two numbers is eight words, one register.
//!
//! So a look-up needs one load for each entry, and eight entries, one for each lane, are transposed
//! within registers.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_add_epi64, _mm512_castsi256_si512, _mm512_cmpeq_epi64_mask,
    _mm512_inserti64x4, _mm512_loadu_si512, _mm512_mask_mov_epi64, _mm512_permutex2var_epi64,
    _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::x86::vector_barrier;
use crate::arith::lanes::{MAX_LANES, Pair};
use crate::arith::u256::Limbs;

/// Entries of a group: three bits of the index select one of them.
const GROUP: usize = 8;

#[inline]
#[target_feature(enable = "avx512f")]
fn load_entry(entry: &Pair) -> __m512i {
    // SAFETY: an entry has eight words, as many as a register, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(entry.as_ptr().cast()) }
}

/// An entry, whole, whatever mask is applied to it: the barrier keeps the compiler from loading
/// under that mask, as the time of such a load could depend on the mask.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_whole(entry: &Pair) -> __m512i {
    vector_barrier(load_entry(entry))
}

/// The entry of `table` at a secret `index`; zeros if the index is not below the length.
///
/// The lower bits of the index select an entry of each group by blending. The groups, and the
/// entries after the last whole one, are compared.
#[inline]
#[target_feature(enable = "avx512f")]
fn look_up_entry(table: &[Pair], index: u32) -> __m512i {
    let one = _mm512_set1_epi64(1);
    let mut here = _mm512_setzero_si512();
    let mut found = _mm512_setzero_si512();
    let (groups, rest) = table.as_chunks::<GROUP>();

    // All ones where the bit of the index is one. The barrier keeps the compiler from making mask
    // registers of them, with which it would load entries under a mask.
    let bit = |position: u32| {
        let ones = i64::from(index >> position & 1).wrapping_neg();
        vector_barrier(_mm512_set1_epi64(ones))
    };
    let bits = [bit(0), bit(1), bit(2)];
    let select = |mask, a, b| _mm512_ternarylogic_epi64::<0xca>(mask, a, b);
    let wanted = _mm512_set1_epi64(i64::from(index / GROUP as u32));
    for group in groups {
        let pair = |i: usize| select(bits[0], load_entry(&group[i + 1]), load_entry(&group[i]));
        let four = |i: usize| select(bits[1], pair(i + 2), pair(i));
        let chosen = select(bits[2], four(4), four(0));
        found = _mm512_mask_mov_epi64(found, _mm512_cmpeq_epi64_mask(here, wanted), chosen);
        here = _mm512_add_epi64(here, one);
    }

    let wanted = _mm512_set1_epi64(i64::from(index));
    let mut here = _mm512_set1_epi64((groups.len() * GROUP) as i64);
    for entry in rest {
        let words = load_whole(entry);
        found = _mm512_mask_mov_epi64(found, _mm512_cmpeq_epi64_mask(here, wanted), words);
        here = _mm512_add_epi64(here, one);
    }
    found
}

/// See [`Simd::look_up_entries`](super::Simd::look_up_entries).
#[target_feature(enable = "avx512f")]
pub(super) fn look_up(tables: &[&[Pair]], indices: &[u32]) -> [__m512i; 8] {
    let mut rows = [_mm512_setzero_si512(); MAX_LANES];
    for ((row, table), index) in rows.iter_mut().zip(tables).zip(indices) {
        *row = look_up_entry(table, *index);
    }
    transpose(rows)
}

/// See [`Simd::load_entries`](super::Simd::load_entries).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(entries: &[&Pair]) -> [__m512i; 8] {
    let mut rows = [_mm512_setzero_si512(); MAX_LANES];
    for (row, entry) in rows.iter_mut().zip(entries) {
        *row = load_entry(entry);
    }
    transpose(rows)
}

/// Word `j` of row `i` becomes word `i` of row `j`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose([r0, r1, r2, r3, r4, r5, r6, r7]: [__m512i; 8]) -> [__m512i; 8] {
    // From every other word of two rows each.
    let gather = |a: __m512i, b: __m512i, c: __m512i, d: __m512i| {
        // The parts 0 and 2, or 1 and 3, of two registers.
        let even = _mm512_shuffle_i64x2::<0b10_00_10_00>;
        let odd = _mm512_shuffle_i64x2::<0b11_01_11_01>;
        let (even_low, even_high) = (even(a, b), even(c, d));
        let (odd_low, odd_high) = (odd(a, b), odd(c, d));
        [
            even(even_low, even_high),
            even(odd_low, odd_high),
            odd(even_low, even_high),
            odd(odd_low, odd_high),
        ]
    };
    let [w0, w2, w4, w6] = gather(
        _mm512_unpacklo_epi64(r0, r1),
        _mm512_unpacklo_epi64(r2, r3),
        _mm512_unpacklo_epi64(r4, r5),
        _mm512_unpacklo_epi64(r6, r7),
    );
    let [w1, w3, w5, w7] = gather(
        _mm512_unpackhi_epi64(r0, r1),
        _mm512_unpackhi_epi64(r2, r3),
        _mm512_unpackhi_epi64(r4, r5),
        _mm512_unpackhi_epi64(r6, r7),
    );
    [w0, w1, w2, w3, w4, w5, w6, w7]
}

/// See [`Simd::load_numbers`](super::Simd::load_numbers).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_numbers(numbers: &[&Limbs; MAX_LANES]) -> [__m512i; 4] {
    // Number `i` in the lower half of row `i`, and number `i + 4` in the upper half.
    let row = |i: usize| {
        // SAFETY: a number has four words, half a register, and the loads need no alignment.
        let [low, high] = [numbers[i], numbers[i + 4]]
            .map(|it| unsafe { _mm256_loadu_si256(it.as_ptr().cast()) });
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    };
    let rows = [row(0), row(1), row(2), row(3)];
    // The even or odd words of two rows each, of which every other pair is of the same word.
    let even = [
        _mm512_unpacklo_epi64(rows[0], rows[1]),
        _mm512_unpacklo_epi64(rows[2], rows[3]),
    ];
    let odd = [
        _mm512_unpackhi_epi64(rows[0], rows[1]),
        _mm512_unpackhi_epi64(rows[2], rows[3]),
    ];
    let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    let gather = |[a, b]: [__m512i; 2], from| _mm512_permutex2var_epi64(a, from, b);
    [
        gather(even, first),
        gather(odd, first),
        gather(even, second),
        gather(odd, second),
    ]
}
