//! Vectors of 128 bits. The target has the instructions, so most of them need no promise.

use core::arch::wasm32::*;

use super::super::constants::LOW_BITS;
use super::super::vector::Vector;

/// Four words; `simd128`, which the target has.
#[derive(Clone, Copy)]
pub(in super::super) struct V128(pub(super) v128);

impl Vector for V128 {
    const WORDS: usize = 4;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn constant(bytes: &'static [u8; 16]) -> Self {
        // SAFETY: 16 bytes are readable.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn nibbles(self) -> [Self; 2] {
        // Not a shift of bytes, which x86-64 lacks.
        let low_bits = Self::constant(&LOW_BITS).0;
        [
            Self(v128_and(self.0, low_bits)),
            Self(v128_and(u16x8_shr(self.0, 4), low_bits)),
        ]
    }

    /// A place from 16 on gives zero.
    #[inline(always)]
    fn shuffle(self, places: Self) -> Self {
        Self(u8x16_swizzle(self.0, places.0))
    }

    #[inline(always)]
    fn interleave_low(self, other: Self) -> Self {
        Self(u32x4_shuffle::<0, 4, 1, 5>(self.0, other.0))
    }

    #[inline(always)]
    fn interleave_high(self, other: Self) -> Self {
        Self(u32x4_shuffle::<2, 6, 3, 7>(self.0, other.0))
    }

    #[inline(always)]
    fn low_halves(self, other: Self) -> Self {
        Self(u64x2_shuffle::<0, 2>(self.0, other.0))
    }

    #[inline(always)]
    fn high_halves(self, other: Self) -> Self {
        Self(u64x2_shuffle::<1, 3>(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the bytes are readable by the contract, and the instruction needs no alignment.
        Self(unsafe { v128_load(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the bytes are writable by the contract, and the instruction needs no alignment.
        unsafe { v128_store(at.cast(), self.0) }
    }
}

impl V128 {
    /// Word 0.
    #[inline(always)]
    pub(in super::super) fn first_word(self) -> u32 {
        u32x4_extract_lane::<0>(self.0)
    }
}
