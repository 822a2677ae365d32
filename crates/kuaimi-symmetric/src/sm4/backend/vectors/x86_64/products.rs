//! Carry-less products: PCLMULQDQ and VPCLMULQDQ.

use core::arch::x86_64::*;

use super::super::ghash::{Multiply, product};
use super::vectors::{V128, V256, V512};

macro_rules! multiply {
    ($vector:ident, $product:ident, $shuffle:ident, up $up:ident, down $down:ident, |$y:ident| $repeat:expr, |$first:ident| $powers:expr, |$x:ident| $sum:expr) => {
        impl Multiply for $vector {
            #[inline(always)]
            fn low_product(self, other: Self) -> Self {
                // SAFETY: values of this type occur only in functions with its target features,
                // here with multiplication.
                Self(unsafe { $product::<0x00>(self.0, other.0) })
            }

            #[inline(always)]
            fn high_product(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $product::<0x11>(self.0, other.0) })
            }

            #[inline(always)]
            fn swap_halves(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shuffle::<0b01_00_11_10>(self.0) })
            }

            #[inline(always)]
            fn low_half_up(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $up::<8>(self.0) })
            }

            #[inline(always)]
            fn high_half_down(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $down::<8>(self.0) })
            }

            #[inline(always)]
            fn repeat_first(self) -> Self {
                let $y = self.0;
                Self($repeat)
            }

            #[inline(always)]
            fn first_powers($first: V128) -> Self {
                $powers
            }

            #[inline(always)]
            fn sum(self) -> V128 {
                let $x = self;
                $sum
            }
        }
    };
}

multiply!(
    V128, _mm_clmulepi64_si128, _mm_shuffle_epi32,
    up _mm_slli_si128, down _mm_srli_si128, |x| x, |x| x, |x| x
);
multiply!(V256, _mm256_clmulepi64_epi128, _mm256_shuffle_epi32,
    up _mm256_bslli_epi128, down _mm256_bsrli_epi128, |x| {
        // SAFETY: as above.
        unsafe { _mm256_permute2x128_si256::<0>(x, x) }
    },
    |x| {
        let square = product(x, x);
        // SAFETY: as above.
        Self(unsafe { _mm256_set_m128i(x.0, square.0) })
    },
    |x| {
    // SAFETY: as above.
    unsafe {
        V128(_mm_xor_si128(
            _mm256_castsi256_si128(x.0),
            _mm256_extracti128_si256::<1>(x.0),
        ))
    }
});
multiply!(V512, _mm512_clmulepi64_epi128, _mm512_shuffle_epi32,
    up _mm512_bslli_epi128, down _mm512_bsrli_epi128, |x| {
        // SAFETY: as above.
        unsafe { _mm512_shuffle_i32x4::<0>(x, x) }
    },
    |x| {
        let square = product(x, x);
        let (third, fourth) = (product(square, x), product(square, square));
        // SAFETY: as above.
        unsafe {
            let low = _mm256_set_m128i(third.0, fourth.0);
            let high = _mm256_set_m128i(x.0, square.0);
            Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
    },
    |x| {
    // SAFETY: as above.
    unsafe {
        V256(_mm256_xor_si256(
            _mm512_castsi512_si256(x.0),
            _mm512_extracti64x4_epi64::<1>(x.0),
        ))
    }
    .sum()
});
