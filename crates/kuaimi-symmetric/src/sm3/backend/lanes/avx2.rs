//! Eight lanes, with AVX2.
//!
//! AVX2 has no rotation. A rotation is two shifts and an OR, and half as many execution units can
//! shift as can do other operations. But a rotation by whole bytes is one shuffle. So the rotations
//! below share the part that is not whole bytes:
//!
//! ```text
//! P0(x)             = x ⊕ ((x ⊕ (x <<< 8)) <<< 9)
//! P1(y) ⊕ (z <<< 7) = y ⊕ ((y ⊕ (y <<< 8) ⊕ (z <<< 24)) <<< 15)
//! ```

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::*;

use super::{BLOCK_LEN, DIGEST_LEN, Words, engine, four_words, four_words_mut};

/// The engine. A value proves that the CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The CPU has AVX2, and the operating system saves the registers.
    #[inline]
    pub(in super::super) const unsafe fn new() -> Self {
        Self(())
    }
}

/// Only functions whose contract requires AVX2 make a value, so a value proves that the CPU has it.
#[derive(Clone, Copy)]
struct X8(__m256i);

impl X8 {
    /// Swaps the bytes of each word.
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the CPU has AVX2, as the operand proves.
        Self(unsafe {
            let order = _mm256_set_epi64x(
                0x0c0d_0e0f_0809_0a0b,
                0x0405_0607_0001_0203,
                0x0c0d_0e0f_0809_0a0b,
                0x0405_0607_0001_0203,
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }

    #[inline(always)]
    fn rotate_left_8(self) -> Self {
        // SAFETY: the CPU has AVX2, as the operand proves.
        Self(unsafe {
            let order = _mm256_set_epi64x(
                0x0e0d_0c0f_0a09_080b,
                0x0605_0407_0201_0003,
                0x0e0d_0c0f_0a09_080b,
                0x0605_0407_0201_0003,
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }

    #[inline(always)]
    fn rotate_left_24(self) -> Self {
        // SAFETY: the CPU has AVX2, as the operand proves.
        Self(unsafe {
            let order = _mm256_set_epi64x(
                0x0c0f_0e0d_080b_0a09,
                0x0407_0605_0003_0201,
                0x0c0f_0e0d_080b_0a09,
                0x0407_0605_0003_0201,
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }
}

impl Words<8> for X8 {
    #[inline(always)]
    unsafe fn load(words: &[u32; 8]) -> Self {
        // SAFETY: the caller's promise; 32 bytes are readable, and the instruction needs no
        // alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; 8], l: usize, c: usize) -> Self {
        let [low, high] = [four_words(blocks[l], c), four_words(blocks[4 + l], c)];
        // SAFETY: the caller's promise; 16 bytes are readable at each place, and the instructions
        // need no alignment.
        let row = unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) };
        Self(row).swap_bytes()
    }

    #[inline(always)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; 8], l: usize, c: usize) {
        let row = self.swap_bytes().0;
        let low = four_words_mut(&mut digests[l], c).as_mut_ptr();
        // SAFETY: the CPU has AVX2, as the operand proves; 16 bytes are writable, and the
        // instruction needs no alignment.
        unsafe { _mm_storeu_si128(low.cast(), _mm256_castsi256_si128(row)) }
        let high = four_words_mut(&mut digests[4 + l], c).as_mut_ptr();
        // SAFETY: as above.
        unsafe { _mm_storeu_si128(high.cast(), _mm256_extracti128_si256::<1>(row)) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 8]) {
        // SAFETY: the CPU has AVX2, as the operand proves; 32 bytes are writable, and the
        // instruction needs no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: the CPU has AVX2, as the operands prove.
        unsafe {
            let (ab01, ab23) = (
                _mm256_unpacklo_epi32(a.0, b.0),
                _mm256_unpackhi_epi32(a.0, b.0),
            );
            let (cd01, cd23) = (
                _mm256_unpacklo_epi32(c.0, d.0),
                _mm256_unpackhi_epi32(c.0, d.0),
            );
            [
                Self(_mm256_unpacklo_epi64(ab01, cd01)),
                Self(_mm256_unpackhi_epi64(ab01, cd01)),
                Self(_mm256_unpacklo_epi64(ab23, cd23)),
                Self(_mm256_unpackhi_epi64(ab23, cd23)),
            ]
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX2, as the operands prove.
        Self(unsafe { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX2, as the operands prove.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        const { assert!(L + R == 32) };
        // SAFETY: the CPU has AVX2, as the operand proves.
        Self(unsafe {
            _mm256_or_si256(
                _mm256_slli_epi32::<L>(self.0),
                _mm256_srli_epi32::<R>(self.0),
            )
        })
    }

    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the CPU has AVX2, as the operands prove.
        Self(unsafe {
            let either = _mm256_or_si256(x.0, y.0);
            _mm256_or_si256(_mm256_and_si256(x.0, y.0), _mm256_and_si256(either, z.0))
        })
    }

    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the CPU has AVX2, as the operands prove.
        Self(unsafe { _mm256_xor_si256(z.0, _mm256_and_si256(x.0, _mm256_xor_si256(y.0, z.0))) })
    }

    #[inline(always)]
    fn p0(self) -> Self {
        self.xor(self.xor(self.rotate_left_8()).rotate_left::<9, 23>())
    }

    #[inline(always)]
    fn expanded(y: Self, z: Self, v: Self) -> Self {
        let shared = Self::parity(y, y.rotate_left_8(), z.rotate_left_24());
        Self::parity(y, shared.rotate_left::<15, 17>(), v)
    }
}

engine!(Avx2, 8, X8, min_lanes 3, "avx2");
