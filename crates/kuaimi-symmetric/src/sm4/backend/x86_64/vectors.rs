//! Vectors of 128, 256 and 512 bits.

use core::arch::x86_64::*;

use super::constants::{LOW_BITS, Nibbles};

/// A vector of words, in lanes of four. Values of these types occur only in functions with the vector's target
/// features, into which all methods are inlined. (Closures may not be inlined: code on vectors must not use `map` and
/// `from_fn`.)
pub(super) trait Vector: Copy {
    /// The number of words in a vector.
    const WORDS: usize;

    fn splat(word: u32) -> Self;
    /// The same 16 bytes in every lane.
    fn constant(bytes: &'static [u8; 16]) -> Self;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    /// Shifts every 16 bits right by four.
    fn shift_right_by_4(self) -> Self;
    /// Byte `i` of a lane of the result is byte `places[i]` of the same lane.
    fn shuffle(self, places: Self) -> Self;
    /// The elements 0 and 1 of each lane of both vectors: `x₀ y₀ x₁ y₁`.
    fn interleave_low(self, other: Self) -> Self;
    /// The elements 2 and 3 of each lane of both vectors: `x₂ y₂ x₃ y₃`.
    fn interleave_high(self, other: Self) -> Self;
    /// The lower half of each lane of both vectors: `x₀ x₁ y₀ y₁`.
    fn low_halves(self, other: Self) -> Self;
    /// The upper half of each lane of both vectors: `x₂ x₃ y₂ y₃`.
    fn high_halves(self, other: Self) -> Self;
    /// # Safety
    /// As many bytes as the vector has must be readable at `at`.
    unsafe fn load(at: *const u8) -> Self;
    /// # Safety
    /// As many bytes as the vector has must be writable at `at`.
    unsafe fn store(self, at: *mut u8);

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y).xor(z)
    }

    /// The low and the high four bits of every byte.
    #[inline(always)]
    fn nibbles(self) -> [Self; 2] {
        let low_bits = Self::constant(&LOW_BITS);
        [self.and(low_bits), self.shift_right_by_4().and(low_bits)]
    }

    /// A map of bytes, from the low and the high four bits of every byte.
    #[inline(always)]
    fn look_up([low, high]: [Self; 2], tables: &'static Nibbles) -> Self {
        let [low_table, high_table] = tables;
        let low = Self::constant(low_table).shuffle(low);
        low.xor(Self::constant(high_table).shuffle(high))
    }
}

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $register:ty, $words:literal,
        splat $splat:ident, broadcast $broadcast:ident, load $load:ident, store $store:ident, shift $shift:ident,
        binary { $($method:ident $intrinsic:ident),* },
        $($own:tt)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(pub(super) $register);

        impl Vector for $name {
            const WORDS: usize = $words;

            #[inline(always)]
            fn splat(word: u32) -> Self {
                // SAFETY: values of this type occur only in functions with its target features.
                Self(unsafe { $splat(word.cast_signed()) })
            }

            #[inline(always)]
            fn constant(bytes: &'static [u8; 16]) -> Self {
                // SAFETY: values of this type occur only in functions with its target features; 16 bytes are readable.
                Self(unsafe { $broadcast(_mm_loadu_si128(bytes.as_ptr().cast())) })
            }

            #[inline(always)]
            fn shift_right_by_4(self) -> Self {
                // SAFETY: values of this type occur only in functions with its target features.
                Self(unsafe { $shift::<4>(self.0) })
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
    splat _mm_set1_epi32, broadcast identity, load _mm_loadu_si128, store _mm_storeu_si128, shift _mm_srli_epi16,
    binary {
        xor _mm_xor_si128, and _mm_and_si128, add _mm_add_epi32, shuffle _mm_shuffle_epi8,
        interleave_low _mm_unpacklo_epi32, interleave_high _mm_unpackhi_epi32,
        low_halves _mm_unpacklo_epi64, high_halves _mm_unpackhi_epi64
    },
);

vector!(
    /// Eight words; AVX2.
    V256, __m256i, 8,
    splat _mm256_set1_epi32, broadcast _mm256_broadcastsi128_si256, load _mm256_loadu_si256, store _mm256_storeu_si256,
    shift _mm256_srli_epi16,
    binary {
        xor _mm256_xor_si256, and _mm256_and_si256, add _mm256_add_epi32, shuffle _mm256_shuffle_epi8,
        interleave_low _mm256_unpacklo_epi32, interleave_high _mm256_unpackhi_epi32,
        low_halves _mm256_unpacklo_epi64, high_halves _mm256_unpackhi_epi64
    },
);

vector!(
    /// Sixteen words; AVX-512 F and BW.
    V512, __m512i, 16,
    splat _mm512_set1_epi32, broadcast _mm512_broadcast_i32x4, load _mm512_loadu_si512, store _mm512_storeu_si512,
    shift _mm512_srli_epi16,
    binary {
        xor _mm512_xor_si512, and _mm512_and_si512, add _mm512_add_epi32, shuffle _mm512_shuffle_epi8,
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
