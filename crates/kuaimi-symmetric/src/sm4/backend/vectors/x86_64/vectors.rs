//! Vectors of 128, 256 and 512 bits.

use core::arch::x86_64::*;

use super::super::constants::LOW_BITS;
use super::super::tweaks::Shift;
use super::super::vector::Vector;

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $register:ty, $words:literal,
        splat $splat:ident, broadcast $broadcast:ident, load $load:ident, store $store:ident, shift $shift:ident, and $and:ident,
        binary { $($method:ident $intrinsic:ident),* },
        $($own:tt)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in super::super) struct $name(pub(super) $register);

        impl Vector for $name {
            const WORDS: usize = $words;

            #[inline(always)]
            fn splat(word: u32) -> Self {
                // SAFETY: values of this type occur only in functions with its target features.
                Self(unsafe { $splat(word.cast_signed()) })
            }

            #[inline(always)]
            fn constant(bytes: &'static [u8; 16]) -> Self {
                // SAFETY: values of this type occur only in functions with its target features; 16
                // bytes are readable.
                Self(unsafe { $broadcast(_mm_loadu_si128(bytes.as_ptr().cast())) })
            }

            #[inline(always)]
            fn nibbles(self) -> [Self; 2] {
                let low_bits = Self::constant(&LOW_BITS).0;
                // SAFETY: values of this type occur only in functions with its target features.
                unsafe {
                    [
                        Self($and(self.0, low_bits)),
                        Self($and($shift::<4>(self.0), low_bits)),
                    ]
                }
            }

            $(
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: values of this type occur only in functions with its target features.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            )*

            #[inline(always)]
            unsafe fn load(at: *const u8) -> Self {
                // SAFETY: by the contract of this function; the instruction needs no alignment.
                Self(unsafe { $load(at.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, at: *mut u8) {
                // SAFETY: by the contract of this function; the instruction needs no alignment.
                unsafe { $store(at.cast(), self.0) }
            }

            $($own)*
        }
    };
}

vector!(
    /// Four words; SSSE3.
    V128, __m128i, 4,
    splat _mm_set1_epi32, broadcast identity, load _mm_loadu_si128, store _mm_storeu_si128, shift _mm_srli_epi16, and _mm_and_si128,
    binary {
        xor _mm_xor_si128, add _mm_add_epi32, shuffle _mm_shuffle_epi8,
        interleave_low _mm_unpacklo_epi32, interleave_high _mm_unpackhi_epi32,
        low_halves _mm_unpacklo_epi64, high_halves _mm_unpackhi_epi64
    },
);

vector!(
    /// Four words; AVX-512 F and VL.
    V128Vl, __m128i, 4,
    splat _mm_set1_epi32, broadcast identity, load _mm_loadu_si128, store _mm_storeu_si128, shift _mm_srli_epi16, and _mm_and_si128,
    binary {
        xor _mm_xor_si128, add _mm_add_epi32, shuffle _mm_shuffle_epi8,
        interleave_low _mm_unpacklo_epi32, interleave_high _mm_unpackhi_epi32,
        low_halves _mm_unpacklo_epi64, high_halves _mm_unpackhi_epi64
    },
    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        // SAFETY: values of this type occur only in functions with its target features.
        Self(unsafe { _mm_ternarylogic_epi32::<0b1001_0110>(self.0, y.0, z.0) })
    }
);

vector!(
    /// Eight words; AVX2.
    V256, __m256i, 8,
    splat _mm256_set1_epi32, broadcast _mm256_broadcastsi128_si256, load _mm256_loadu_si256, store _mm256_storeu_si256,
    shift _mm256_srli_epi16, and _mm256_and_si256,
    binary {
        xor _mm256_xor_si256, add _mm256_add_epi32, shuffle _mm256_shuffle_epi8,
        interleave_low _mm256_unpacklo_epi32, interleave_high _mm256_unpackhi_epi32,
        low_halves _mm256_unpacklo_epi64, high_halves _mm256_unpackhi_epi64
    },
);

vector!(
    /// Sixteen words; AVX-512 F and BW.
    V512, __m512i, 16,
    splat _mm512_set1_epi32, broadcast _mm512_broadcast_i32x4, load _mm512_loadu_si512, store _mm512_storeu_si512,
    shift _mm512_srli_epi16, and _mm512_and_si512,
    binary {
        xor _mm512_xor_si512, add _mm512_add_epi32, shuffle _mm512_shuffle_epi8,
        interleave_low _mm512_unpacklo_epi32, interleave_high _mm512_unpackhi_epi32,
        low_halves _mm512_unpacklo_epi64, high_halves _mm512_unpackhi_epi64
    },
    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        // SAFETY: values of this type occur only in functions with its target features.
        Self(unsafe { _mm512_ternarylogic_epi32::<0b1001_0110>(self.0, y.0, z.0) })
    }
);

#[inline(always)]
fn identity(x: __m128i) -> __m128i {
    x
}

macro_rules! shift {
    ($($vector:ident up $up:ident down $down:ident),*) => {$(
        impl Shift for $vector {
            #[inline(always)]
            fn up(self) -> [Self; 3] {
                // SAFETY: values of this type occur only in functions with its target features.
                unsafe { [Self($up::<1>(self.0)), Self($up::<2>(self.0)), Self($up::<7>(self.0))] }
            }

            #[inline(always)]
            fn down(self) -> [Self; 3] {
                // SAFETY: as above.
                unsafe { [Self($down::<1>(self.0)), Self($down::<2>(self.0)), Self($down::<7>(self.0))] }
            }
        }
    )*};
}
shift!(
    V128 up _mm_slli_epi32 down _mm_srli_epi32,
    V256 up _mm256_slli_epi32 down _mm256_srli_epi32,
    V512 up _mm512_slli_epi32 down _mm512_srli_epi32
);
