//! Sixteen lanes, with AVX-512: F has the rotation (VPROLD) and any function of three bits
//! (VPTERNLOGD), BW has the shuffle that swaps bytes. A round is 20 instructions, a word of the
//! expansion seven.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::*;

use super::{BLOCK_LEN, DIGEST_LEN, Words, engine, four_words, four_words_mut};

/// The engine. A value proves that the CPU has AVX-512 F and BW and that the operating system saves
/// the registers.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The CPU has AVX-512 F and BW, and the operating system saves the registers.
    #[inline]
    pub(in super::super) const unsafe fn new() -> Self {
        Self(())
    }
}

/// The functions of three bits, as VPTERNLOGD takes them: bit `4x + 2y + z` is the value at `x`,
/// `y`, `z`.
const PARITY: i32 = 0b1001_0110;
const MAJORITY: i32 = 0b1110_1000;
const CHOOSE: i32 = 0b1100_1010;

/// Only functions whose contract requires AVX-512 F and BW make a value, so a value proves that the
/// CPU has them.
#[derive(Clone, Copy)]
struct X16(__m512i);

impl X16 {
    /// Swaps the bytes of each word.
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the CPU has AVX-512 F and BW, as the operand proves.
        Self(unsafe {
            let order = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
            _mm512_shuffle_epi8(self.0, order)
        })
    }
}

impl Words<16> for X16 {
    #[inline(always)]
    unsafe fn load(words: &[u32; 16]) -> Self {
        // SAFETY: the caller's promise; 64 bytes are readable, and the instruction needs no
        // alignment.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm512_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; 16], l: usize, c: usize) -> Self {
        let [p0, p1, p2, p3] = [
            four_words(blocks[l], c),
            four_words(blocks[4 + l], c),
            four_words(blocks[8 + l], c),
            four_words(blocks[12 + l], c),
        ];
        // SAFETY: the caller's promise; 16 bytes are readable at each place, and the instructions
        // need no alignment.
        let row = unsafe {
            let row = _mm512_castsi128_si512(_mm_loadu_si128(p0.as_ptr().cast()));
            let row = _mm512_inserti32x4::<1>(row, _mm_loadu_si128(p1.as_ptr().cast()));
            let row = _mm512_inserti32x4::<2>(row, _mm_loadu_si128(p2.as_ptr().cast()));
            _mm512_inserti32x4::<3>(row, _mm_loadu_si128(p3.as_ptr().cast()))
        };
        Self(row).swap_bytes()
    }

    #[inline(always)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; 16], l: usize, c: usize) {
        let row = self.swap_bytes().0;
        macro_rules! part {
            ($p:literal, $words:expr) => {
                let place = four_words_mut(&mut digests[4 * $p + l], c).as_mut_ptr();
                // SAFETY: the CPU has AVX-512 F, as the operand proves; 16 bytes are writable, and
                // the instruction needs no alignment.
                unsafe { _mm_storeu_si128(place.cast(), $words) }
            };
        }
        part!(0, _mm512_castsi512_si128(row));
        part!(1, _mm512_extracti32x4_epi32::<1>(row));
        part!(2, _mm512_extracti32x4_epi32::<2>(row));
        part!(3, _mm512_extracti32x4_epi32::<3>(row));
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 16]) {
        // SAFETY: the CPU has AVX-512 F, as the operand proves; 64 bytes are writable, and the
        // instruction needs no alignment.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        unsafe {
            let (ab01, ab23) = (
                _mm512_unpacklo_epi32(a.0, b.0),
                _mm512_unpackhi_epi32(a.0, b.0),
            );
            let (cd01, cd23) = (
                _mm512_unpacklo_epi32(c.0, d.0),
                _mm512_unpackhi_epi32(c.0, d.0),
            );
            [
                Self(_mm512_unpacklo_epi64(ab01, cd01)),
                Self(_mm512_unpackhi_epi64(ab01, cd01)),
                Self(_mm512_unpacklo_epi64(ab23, cd23)),
                Self(_mm512_unpackhi_epi64(ab23, cd23)),
            ]
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        Self(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        const { assert!(L + R == 32) };
        // SAFETY: the CPU has AVX-512 F, as the operand proves.
        Self(unsafe { _mm512_rol_epi32::<L>(self.0) })
    }

    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        Self(unsafe { _mm512_ternarylogic_epi32::<MAJORITY>(x.0, y.0, z.0) })
    }

    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        Self(unsafe { _mm512_ternarylogic_epi32::<CHOOSE>(x.0, y.0, z.0) })
    }

    #[inline(always)]
    fn parity(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, as the operands prove.
        Self(unsafe { _mm512_ternarylogic_epi32::<PARITY>(x.0, y.0, z.0) })
    }
}

engine!(Avx512, 16, X16, min_lanes 3, "avx512f,avx512bw");
