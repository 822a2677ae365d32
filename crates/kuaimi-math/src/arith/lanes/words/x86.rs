//! [`Simd`] on x86-64: eight words with AVX-512, with or without IFMA; four words with AVX2, with
//! AVX-IFMA, or with half a register of AVX-512.
//!
//! A method becomes an instruction if it is inlined into a function with the right target features.
//! Elsewhere it is a call, which gives the same result slowly.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::*;

use super::{FourWords, Fused, Simd, entries};
use crate::arith::lanes::{MAX_LANES, Pair, inlined_array};
use crate::arith::u256::Limbs;

/// Eight words: AVX-512 F, VL, DQ and IFMA.
#[derive(Clone, Copy, Debug)]
pub struct ZmmIfma(__m512i);

/// Eight words: AVX-512 F, VL and DQ, without the fused multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Zmm(__m512i);

/// Four words: AVX2 and AVX-IFMA, which has the fused multiplication of 256-bit vectors without
/// AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct YmmIfma(__m256i);

/// Four words: AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Ymm(pub(in crate::arith::lanes) __m256i);

/// Four words: AVX2 and AVX-512 VL and IFMA, for elements with four coefficients.
#[cfg_attr(
    not(any(feature = "sm9", test)),
    expect(dead_code, reason = "for SM9's tower")
)]
#[derive(Clone, Copy, Debug)]
pub struct HalfZmmIfma(__m256i);

/// `words`, in a register, about which the compiler knows nothing afterwards.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn vector_barrier(mut words: __m512i) -> __m512i {
    // SAFETY: the assembly text is a comment; the operand is unchanged.
    unsafe {
        core::arch::asm!("/* {0} */", inout(zmm_reg) words, options(pure, nomem, nostack, preserves_flags));
    }
    words
}

/// A vector of all ones in the words whose bits are set. The barrier hides from the compiler that
/// each word is all ones or zeros. Without it, the compiler would use mask registers for
/// selections, and would load values from memory, or from the stack where there are not enough
/// registers, under a secret mask. The time of such a load could depend on the mask.
#[inline]
#[target_feature(enable = "avx512f")]
fn hidden_mask(bits: __mmask8) -> __m512i {
    vector_barrier(_mm512_maskz_set1_epi64(bits, -1))
}

// SAFETY (of every block in this file with an instruction): only engines use these types, and only
// on CPUs with the instructions (see `Lanes::with_target_features`). Slices are checked for their
// length before their memory is accessed.

/// The methods that differ only in the names of the instructions, for registers of `$lanes` words.
macro_rules! common_methods {
    (
        $features:literal, $lanes:literal, splat $splat:ident, load $load:ident, store $store:ident,
        $($method:ident $instruction:ident),+
    ) => {
        const LANES: usize = $lanes;

        #[inline(always)]
        fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
            #[target_feature(enable = $features)]
            #[inline]
            fn compiled<T>(f: impl FnOnce() -> T) -> T {
                f()
            }
            // SAFETY: the CPU has the instructions, by the contract of the engines.
            unsafe { compiled(f) }
        }
        #[inline(always)]
        fn call<T>(f: impl FnOnce() -> T) -> T {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn compiled<T>(f: impl FnOnce() -> T) -> T {
                f()
            }
            // SAFETY: the CPU has the instructions, by the contract of the engines.
            unsafe { compiled(f) }
        }
        #[inline(always)]
        fn splat(value: u64) -> Self {
            // SAFETY: the CPU has the instruction.
            Self(unsafe { $splat(value as i64) })
        }
        #[inline(always)]
        fn load(words: &[u64]) -> Self {
            let words = &words[..$lanes];
            // SAFETY: the CPU has the instruction, and the slice has as many words as it reads.
            Self(unsafe { $load(words.as_ptr().cast()) })
        }
        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            let words = &mut words[..$lanes];
            // SAFETY: the CPU has the instruction, and the slice has as many words as it writes.
            unsafe { $store(words.as_mut_ptr().cast(), self.0) }
        }
        $(#[inline(always)]
        fn $method(self, b: Self) -> Self {
            // SAFETY: the CPU has the instruction.
            Self(unsafe { $instruction(self.0, b.0) })
        })+
    };
}

/// Implements the fused multiplication.
macro_rules! fused {
    ($name:ident, $($method:ident $instruction:ident),+) => {
        impl Fused for $name {
            $(#[inline(always)]
            fn $method(self, a: Self, b: Self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { $instruction(self.0, a.0, b.0) })
            })+
        }
    };
}

/// Rows of four words each, transposed: word `j` of vector `i` of the result is word `i` of vector
/// `j`.
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

/// Lane `from[i]` of `x` in lane `i`.
#[inline]
#[target_feature(enable = "avx2")]
fn permute_words(x: __m256i, from: &[u64; MAX_LANES]) -> __m256i {
    // Each word is two words of 32 bits.
    let low = |i: usize| 2 * from[i] as i32;
    let halves = _mm256_setr_epi32(
        low(0),
        low(0) + 1,
        low(1),
        low(1) + 1,
        low(2),
        low(2) + 1,
        low(3),
        low(3) + 1,
    );
    _mm256_permutevar8x32_epi32(x, halves)
}

/// The lanes of `x` moved up by `R`, 1 to 3, with the topmost lanes of `wrapped` as the lowest.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate_lanes<const R: usize>(x: __m256i, wrapped: __m256i) -> __m256i {
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

/// Implements [`Simd`] for eight words.
macro_rules! eight_words {
    ($name:ident, $engine:literal, $features:literal) => {
        impl Simd for $name {
            const NAME: &'static str = $engine;
            const SHIFTS_SIGNED: bool = true;
            /// All ones in the words that are set: see [`hidden_mask`].
            type Mask = $name;

            common_methods!(
                $features, 8,
                splat _mm512_set1_epi64, load _mm512_loadu_si512, store _mm512_storeu_si512,
                add _mm512_add_epi64, sub _mm512_sub_epi64,
                and _mm512_and_si512, or _mm512_or_si512, xor _mm512_xor_si512,
                mul32 _mm512_mul_epu32
            );

            #[inline(always)]
            fn shl<const N: u32>(self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_slli_epi64::<N>(self.0) })
            }
            #[inline(always)]
            fn shr<const N: u32>(self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_srli_epi64::<N>(self.0) })
            }
            #[inline(always)]
            fn shr_signed<const N: u32>(self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_srai_epi64::<N>(self.0) })
            }
            #[inline(always)]
            fn eq(self, b: Self) -> Self {
                // SAFETY: the CPU has the instructions.
                Self(unsafe { hidden_mask(_mm512_cmpeq_epi64_mask(self.0, b.0)) })
            }
            #[inline(always)]
            fn blend(mask: Self, a: Self, b: Self) -> Self {
                // Bit by bit: 0xCA is the table of "if mask then a else b".
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_ternarylogic_epi64::<0xCA>(mask.0, a.0, b.0) })
            }
            #[inline(always)]
            fn permute16(table: &[u64; 16], index: Self) -> Self {
                let (low, high) = (Self::load(&table[..8]), Self::load(&table[8..]));
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_permutex2var_epi64(low.0, index.0, high.0) })
            }
            #[inline(always)]
            fn permute16_of_32(table: &[u32; 16], index: Self) -> Self {
                // SAFETY: the CPU has the instructions; the table has as many words as a register.
                Self(unsafe {
                    _mm512_permutexvar_epi32(index.0, _mm512_loadu_si512(table.as_ptr().cast()))
                })
            }
            #[inline(always)]
            fn load_numbers(numbers: &[&Limbs; MAX_LANES]) -> [Self; 4] {
                // SAFETY: the CPU has AVX-512 F.
                let [a, b, c, d] = unsafe { entries::load_numbers(numbers) };
                [Self(a), Self(b), Self(c), Self(d)]
            }
            #[inline(always)]
            fn permute(self, from: &[u64; MAX_LANES]) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm512_permutexvar_epi64(Self::load(from).0, self.0) })
            }
            #[inline(always)]
            fn load_entries(entries: &[&Pair]) -> [Self; 8] {
                // SAFETY: the CPU has AVX-512 F.
                unsafe { entries::load(entries) }.map(Self)
            }
            #[inline(always)]
            fn look_up_entries(tables: &[&[Pair]], indices: &[u32]) -> [Self; 8] {
                // SAFETY: the CPU has AVX-512 F.
                unsafe { entries::look_up(tables, indices) }.map(Self)
            }
            #[inline(always)]
            fn mask_or(a: Self, b: Self) -> Self {
                a.or(b)
            }
            #[inline(always)]
            fn mask(bits: u64) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { hidden_mask(bits as __mmask8) })
            }
            #[inline(always)]
            fn bits(mask: Self) -> u64 {
                // SAFETY: the CPU has the instruction.
                u64::from(unsafe { _mm512_movepi64_mask(mask.0) })
            }
        }
    };
}

eight_words!(ZmmIfma, "ifma", "avx512f,avx512vl,avx512dq,avx512ifma");
fused!(ZmmIfma, madd_lo _mm512_madd52lo_epu64, madd_hi _mm512_madd52hi_epu64);
eight_words!(Zmm, "avx512", "avx512f,avx512vl,avx512dq");

/// Implements [`Simd`] and [`FourWords`] for four words.
macro_rules! four_words {
    ($name:ident, $engine:literal, $features:literal) => {
        impl Simd for $name {
            const NAME: &'static str = $engine;
            const SHIFTS_SIGNED: bool = false;
            /// All ones in the words that are set.
            type Mask = $name;

            common_methods!(
                $features, 4,
                splat _mm256_set1_epi64x, load _mm256_loadu_si256, store _mm256_storeu_si256,
                add _mm256_add_epi64, sub _mm256_sub_epi64,
                and _mm256_and_si256, or _mm256_or_si256, xor _mm256_xor_si256,
                mul32 _mm256_mul_epu32
            );

            #[inline(always)]
            fn shl<const N: u32>(self) -> Self {
                // The count is constant, so the compiler uses the instruction with an immediate
                // count.
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(i64::from(N))) })
            }
            #[inline(always)]
            fn shr<const N: u32>(self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(i64::from(N))) })
            }
            #[inline(always)]
            fn shr_signed<const N: u32>(self) -> Self {
                // There is no arithmetic shift, so an offset makes the words non-negative before
                // the shift.
                self.add(Self::splat(1 << 63))
                    .shr::<N>()
                    .sub(Self::splat(1 << (63 - N)))
            }
            #[inline(always)]
            fn eq(self, b: Self) -> $name {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm256_cmpeq_epi64(self.0, b.0) })
            }
            #[inline(always)]
            fn blend(mask: $name, a: Self, b: Self) -> Self {
                // SAFETY: the CPU has the instruction.
                Self(unsafe { _mm256_blendv_epi8(b.0, a.0, mask.0) })
            }
            #[inline(always)]
            fn permute16(table: &[u64; 16], index: Self) -> Self {
                // There is no permutation of words by a vector of indices, so each index is
                // compared.
                let index = index.and(Self::splat(15));
                let mut word = Self::zero();
                for (j, &entry) in table.iter().enumerate() {
                    let here = index.eq(Self::splat(j as u64));
                    word = word.or(Self::splat(entry).and(here));
                }
                word
            }
            #[inline(always)]
            fn permute16_of_32(table: &[u32; 16], index: Self) -> Self {
                let row: *const __m256i = table.as_ptr().cast();
                let upper: $name = index.shl::<60>();
                // The sign of the shifted index selects a half.
                // SAFETY: the CPU has the instructions, and the table has two registers of words.
                Self(unsafe {
                    let low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(row), index.0);
                    let high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(row.add(1)), index.0);
                    _mm256_castpd_si256(_mm256_blendv_pd(
                        _mm256_castsi256_pd(low),
                        _mm256_castsi256_pd(high),
                        _mm256_castsi256_pd(upper.0),
                    ))
                })
            }
            #[inline(always)]
            fn load_numbers(numbers: &[&Limbs; MAX_LANES]) -> [Self; 4] {
                // SAFETY: the CPU has AVX2, and a number is four words.
                unsafe {
                    let rows = inlined_array!(4, |i| _mm256_loadu_si256(numbers[i].as_ptr().cast()));
                    let [a, b, c, d] = transpose(rows);
                    [Self(a), Self(b), Self(c), Self(d)]
                }
            }
            #[inline(always)]
            fn store_numbers([a, b, c, d]: [Self; 4]) -> [Limbs; MAX_LANES] {
                let mut numbers = [[0; 4]; MAX_LANES];
                // SAFETY: the CPU has AVX2, and a number is four words.
                unsafe {
                    let rows = transpose([a.0, b.0, c.0, d.0]);
                    for (number, row) in numbers.iter_mut().zip(rows) {
                        _mm256_storeu_si256(number.as_mut_ptr().cast(), row);
                    }
                }
                numbers
            }
            #[inline(always)]
            fn permute(self, from: &[u64; MAX_LANES]) -> Self {
                // SAFETY: the CPU has AVX2.
                Self(unsafe { permute_words(self.0, from) })
            }
            #[inline(always)]
            fn mask_or(a: $name, b: $name) -> $name {
                a.or(b)
            }
            #[inline(always)]
            fn mask(bits: u64) -> $name {
                let bit = Self::load(&[1, 2, 4, 8]);
                Self::splat(bits).and(bit).eq(bit)
            }
            #[inline(always)]
            fn bits(mask: $name) -> u64 {
                // SAFETY: the CPU has the instruction.
                unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(mask.0)) as u64 }
            }
        }

        impl FourWords for $name {
            #[inline(always)]
            fn spread(words: &Self, lane: usize) -> Self {
                let words: *const __m256i = &words.0;
                // SAFETY: the CPU has the instruction; a vector has four words, and the index is
                // masked to be below four.
                Self(unsafe { _mm256_set1_epi64x(*words.cast::<i64>().add(lane & 3)) })
            }
            #[inline(always)]
            fn rotate_lanes<const R: usize>(self, wrapped: Self) -> Self {
                // SAFETY: the CPU has AVX2.
                Self(unsafe { rotate_lanes::<R>(self.0, wrapped.0) })
            }
        }
    };
}

four_words!(Ymm, "avx2", "avx2");
four_words!(YmmIfma, "avxifma", "avx2,avxifma");
fused!(YmmIfma, madd_lo _mm256_madd52lo_avx_epu64, madd_hi _mm256_madd52hi_avx_epu64);
four_words!(
    HalfZmmIfma,
    "ifma, four lanes",
    "avx2,avx512f,avx512vl,avx512ifma"
);
fused!(HalfZmmIfma, madd_lo _mm256_madd52lo_epu64, madd_hi _mm256_madd52hi_epu64);
