//! Four lanes, with the vectors of WebAssembly.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::wasm32::*;

use super::{BLOCK_LEN, DIGEST_LEN, Words, engine, four_words, four_words_mut};

/// The engine. The target has the instructions, so anyone may make a value.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Simd128;

#[derive(Clone, Copy)]
struct X4(v128);

/// Swaps the bytes of each word.
#[inline(always)]
fn swap_bytes(x: v128) -> v128 {
    u8x16_swizzle(
        x,
        u8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12),
    )
}

impl Words<4> for X4 {
    #[inline(always)]
    unsafe fn load(words: &[u32; 4]) -> Self {
        // SAFETY: 16 bytes are readable, and the instruction needs no alignment.
        Self(unsafe { v128_load(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; 4], l: usize, c: usize) -> Self {
        let words = four_words(blocks[l], c);
        // SAFETY: 16 bytes are readable, and the instruction needs no alignment.
        Self(swap_bytes(unsafe { v128_load(words.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; 4], l: usize, c: usize) {
        let words = four_words_mut(&mut digests[l], c);
        // SAFETY: 16 bytes are writable, and the instruction needs no alignment.
        unsafe { v128_store(words.as_mut_ptr().cast(), swap_bytes(self.0)) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4]) {
        // SAFETY: 16 bytes are writable, and the instruction needs no alignment.
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let ab01 = u32x4_shuffle::<0, 4, 1, 5>(a.0, b.0);
        let ab23 = u32x4_shuffle::<2, 6, 3, 7>(a.0, b.0);
        let cd01 = u32x4_shuffle::<0, 4, 1, 5>(c.0, d.0);
        let cd23 = u32x4_shuffle::<2, 6, 3, 7>(c.0, d.0);
        [
            Self(u64x2_shuffle::<0, 2>(ab01, cd01)),
            Self(u64x2_shuffle::<1, 3>(ab01, cd01)),
            Self(u64x2_shuffle::<0, 2>(ab23, cd23)),
            Self(u64x2_shuffle::<1, 3>(ab23, cd23)),
        ]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        const { assert!(L + R == 32) };
        Self(v128_or(
            u32x4_shl(self.0, L as u32),
            u32x4_shr(self.0, R as u32),
        ))
    }

    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        let either = v128_or(x.0, y.0);
        Self(v128_or(v128_and(x.0, y.0), v128_and(either, z.0)))
    }

    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        Self(v128_xor(z.0, v128_and(x.0, v128_xor(y.0, z.0))))
    }
}

engine!(Simd128, 4, X4, min_lanes 3, "simd128");
