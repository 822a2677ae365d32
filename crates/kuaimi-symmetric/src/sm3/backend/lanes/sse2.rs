//! Four lanes, with the instructions that every x86-64 processor has.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::*;

use super::{BLOCK_LEN, DIGEST_LEN, Words, engine, four_words, four_words_mut};

/// The engine. SSE2 is part of x86-64, so anyone may make a value.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Sse2;

#[derive(Clone, Copy)]
struct X4(__m128i);

/// Swaps the bytes of each word: those of each half, then the halves.
#[inline(always)]
fn swap_bytes(x: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let x = _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x));
        _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(x))
    }
}

impl Words<4> for X4 {
    #[inline(always)]
    unsafe fn load(words: &[u32; 4]) -> Self {
        // SAFETY: SSE2 is part of x86-64; 16 bytes are readable, and the instruction needs no
        // alignment.
        Self(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; 4], l: usize, c: usize) -> Self {
        let words = four_words(blocks[l], c);
        // SAFETY: SSE2 is part of x86-64; 16 bytes are readable, and the instruction needs no
        // alignment.
        Self(swap_bytes(unsafe {
            _mm_loadu_si128(words.as_ptr().cast())
        }))
    }

    #[inline(always)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; 4], l: usize, c: usize) {
        let words = four_words_mut(&mut digests[l], c);
        // SAFETY: SSE2 is part of x86-64; 16 bytes are writable, and the instruction needs no
        // alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), swap_bytes(self.0)) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4]) {
        // SAFETY: SSE2 is part of x86-64; 16 bytes are writable, and the instruction needs no
        // alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let (ab01, ab23) = (_mm_unpacklo_epi32(a.0, b.0), _mm_unpackhi_epi32(a.0, b.0));
            let (cd01, cd23) = (_mm_unpacklo_epi32(c.0, d.0), _mm_unpackhi_epi32(c.0, d.0));
            [
                Self(_mm_unpacklo_epi64(ab01, cd01)),
                Self(_mm_unpackhi_epi64(ab01, cd01)),
                Self(_mm_unpacklo_epi64(ab23, cd23)),
                Self(_mm_unpackhi_epi64(ab23, cd23)),
            ]
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        const { assert!(L + R == 32) };
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_or_si128(_mm_slli_epi32::<L>(self.0), _mm_srli_epi32::<R>(self.0)) })
    }

    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe {
            let either = _mm_or_si128(x.0, y.0);
            _mm_or_si128(_mm_and_si128(x.0, y.0), _mm_and_si128(either, z.0))
        })
    }

    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_xor_si128(z.0, _mm_and_si128(x.0, _mm_xor_si128(y.0, z.0))) })
    }
}

engine!(Sse2, 4, X4, min_lanes 3, "sse2");
