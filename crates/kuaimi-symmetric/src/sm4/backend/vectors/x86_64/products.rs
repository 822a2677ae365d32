//! Carry-less products: PCLMULQDQ and VPCLMULQDQ.

use core::arch::x86_64::*;

use super::super::ghash::Multiply;
use super::vectors::{V128, V256, V512};

macro_rules! multiply {
    ($vector:ident, $product:ident, $shuffle:ident, |$x:ident| $sum:expr) => {
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
            fn sum(self) -> V128 {
                let $x = self;
                $sum
            }
        }
    };
}

multiply!(V128, _mm_clmulepi64_si128, _mm_shuffle_epi32, |x| x);
multiply!(V256, _mm256_clmulepi64_epi128, _mm256_shuffle_epi32, |x| {
    // SAFETY: as above.
    unsafe {
        V128(_mm_xor_si128(
            _mm256_castsi256_si128(x.0),
            _mm256_extracti128_si256::<1>(x.0),
        ))
    }
});
multiply!(V512, _mm512_clmulepi64_epi128, _mm512_shuffle_epi32, |x| {
    // SAFETY: as above.
    unsafe {
        V256(_mm256_xor_si256(
            _mm512_castsi512_si256(x.0),
            _mm512_extracti64x4_epi64::<1>(x.0),
        ))
    }
    .sum()
});
