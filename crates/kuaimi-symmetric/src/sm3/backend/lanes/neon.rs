//! Four lanes, with NEON.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::aarch64::*;

use super::{BLOCK_LEN, DIGEST_LEN, Words, engine, four_words, four_words_mut};

/// The engine. The target has NEON, so anyone may make a value.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Neon;

#[derive(Clone, Copy)]
struct X4(uint32x4_t);

impl Words<4> for X4 {
    #[inline(always)]
    unsafe fn load(words: &[u32; 4]) -> Self {
        // SAFETY: the target has NEON; 16 bytes are readable.
        Self(unsafe { vld1q_u32(words.as_ptr()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vdupq_n_u32(word) })
    }

    #[inline(always)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; 4], l: usize, c: usize) -> Self {
        let words = four_words(blocks[l], c);
        // SAFETY: the target has NEON; 16 bytes are readable.
        Self(unsafe { vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(words.as_ptr()))) })
    }

    #[inline(always)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; 4], l: usize, c: usize) {
        let words = four_words_mut(&mut digests[l], c);
        // SAFETY: the target has NEON; 16 bytes are writable.
        unsafe { vst1q_u8(words.as_mut_ptr(), vrev32q_u8(vreinterpretq_u8_u32(self.0))) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4]) {
        // SAFETY: the target has NEON; 16 bytes are writable.
        unsafe { vst1q_u32(words.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: the target has NEON.
        unsafe {
            let (ac_low, ac_high) = (vzip1q_u32(a.0, c.0), vzip2q_u32(a.0, c.0));
            let (bd_low, bd_high) = (vzip1q_u32(b.0, d.0), vzip2q_u32(b.0, d.0));
            [
                Self(vzip1q_u32(ac_low, bd_low)),
                Self(vzip2q_u32(ac_low, bd_low)),
                Self(vzip1q_u32(ac_high, bd_high)),
                Self(vzip2q_u32(ac_high, bd_high)),
            ]
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vaddq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { veorq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        const { assert!(L + R == 32) };
        // The right shift is inserted below the left one.
        // SAFETY: the target has NEON.
        Self(unsafe { vsriq_n_u32::<R>(vshlq_n_u32::<L>(self.0), self.0) })
    }

    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        // Where x and y differ, the third decides.
        // SAFETY: the target has NEON.
        Self(unsafe { vbslq_u32(veorq_u32(x.0, y.0), z.0, x.0) })
    }

    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vbslq_u32(x.0, y.0, z.0) })
    }
}

engine!(Neon, 4, X4, min_lanes 3, "neon");
