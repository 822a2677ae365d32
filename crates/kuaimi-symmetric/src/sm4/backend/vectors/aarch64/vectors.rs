//! Vectors of 128 bits.

use core::arch::aarch64::*;

use super::super::constants::LOW_BITS;
use super::super::tweaks::Shift;
use super::super::vector::Vector;

/// Four words; NEON, which the target has.
#[derive(Clone, Copy)]
pub(in super::super) struct V128(pub(super) uint8x16_t);

/// Operations on the elements of two vectors, of another size than bytes.
macro_rules! on_elements {
    ($($method:ident $intrinsic:ident $from:ident $to:ident),*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            // SAFETY: the target has NEON.
            Self(unsafe { $to($intrinsic($from(self.0), $from(other.0))) })
        }
    )*};
}

impl Vector for V128 {
    const WORDS: usize = 4;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vreinterpretq_u8_u32(vdupq_n_u32(word)) })
    }

    #[inline(always)]
    fn constant(bytes: &'static [u8; 16]) -> Self {
        // SAFETY: the target has NEON; 16 bytes are readable.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn nibbles(self) -> [Self; 2] {
        let low_bits = Self::constant(&LOW_BITS).0;
        // SAFETY: the target has NEON.
        unsafe {
            [
                Self(vandq_u8(self.0, low_bits)),
                Self(vshrq_n_u8::<4>(self.0)),
            ]
        }
    }

    #[inline(always)]
    fn shuffle(self, places: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vqtbl1q_u8(self.0, places.0) })
    }

    on_elements!(
        add vaddq_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32,
        interleave_low vzip1q_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32,
        interleave_high vzip2q_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32,
        low_halves vzip1q_u64 vreinterpretq_u64_u8 vreinterpretq_u8_u64,
        high_halves vzip2q_u64 vreinterpretq_u64_u8 vreinterpretq_u8_u64
    );

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the target has NEON; the bytes are readable by the contract, and the instruction
        // needs no alignment.
        Self(unsafe { vld1q_u8(at) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the target has NEON; the bytes are writable by the contract, and the instruction
        // needs no alignment.
        unsafe { vst1q_u8(at, self.0) }
    }
}

/// Shifts of words by a constant.
macro_rules! shifts {
    ($shift:ident, $x:expr, $($by:literal),*) => {
        // SAFETY: the target has NEON.
        unsafe {
            let x = vreinterpretq_u32_u8($x.0);
            [$(Self(vreinterpretq_u8_u32($shift::<$by>(x)))),*]
        }
    };
}

impl Shift for V128 {
    #[inline(always)]
    fn up(self) -> [Self; 3] {
        shifts!(vshlq_n_u32, self, 1, 2, 7)
    }

    #[inline(always)]
    fn down(self) -> [Self; 3] {
        shifts!(vshrq_n_u32, self, 1, 2, 7)
    }
}

impl V128 {
    /// Word 0.
    #[inline(always)]
    pub(in super::super) fn first_word(self) -> u32 {
        // SAFETY: the target has NEON.
        unsafe { vgetq_lane_u32::<0>(vreinterpretq_u32_u8(self.0)) }
    }
}
