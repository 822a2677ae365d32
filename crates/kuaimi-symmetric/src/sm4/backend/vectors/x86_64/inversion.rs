//! The inversion with AES-NI, with VAES, and with GFNI.
//!
//! `GF2P8AFFINEINVQB` computes the inversion and the map after it in one instruction: a round is 10
//! instructions for the sixteen blocks of a vector of 512 bits.

use core::arch::x86_64::*;

use super::super::super::super::field::{
    AFTER_INVERSE_KEY, AFTER_INVERSE_U, AFTER_INVERSE_V, AFTER_INVERSE_W, INVERSE_TRANSFORM,
    TRANSFORM,
};
use super::super::super::super::maps::Affine;
use super::super::super::super::{BLOCK_LEN, KEY_LEN};
use super::super::super::{Direction, RoundKeys};
use super::super::aes::{
    AFTER_AES_KEY_NIBBLES, AFTER_AES_U_NIBBLES, AFTER_AES_V_NIBBLES, INVERSE_TRANSFORM_NIBBLES,
    KEY_CONSTANT, ROTATE_SHIFTED_ROWS, TRANSFORM_NIBBLES, with_aes,
};
use super::super::inversion::Inversion;
use super::super::rotations::{ROTATE, add_rotated, rotated};
use super::super::vector::Vector;
use super::super::{chain, keys};
use super::vectors::{V128, V128Vl, V256, V512};

with_aes!(
    /// AES-NI.
    Aes, V128, |x| _mm_aesenclast_si128(x, _mm_setzero_si128())
);
with_aes!(
    /// AES-NI and AVX-512 VL.
    AesVl, V128Vl, |x| _mm_aesenclast_si128(x, _mm_setzero_si128())
);
with_aes!(
    /// AVX2, and AES-NI on the halves of a vector.
    AesAvx2, V256, |x| {
        let zero = _mm_setzero_si128();
        let low = _mm_aesenclast_si128(_mm256_castsi256_si128(x), zero);
        let high = _mm_aesenclast_si128(_mm256_extracti128_si256::<1>(x), zero);
        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
    }
);
with_aes!(
    /// AVX2 and VAES.
    Vaes, V256, |x| _mm256_aesenclast_epi128(x, _mm256_setzero_si256())
);
with_aes!(
    /// AVX-512 and VAES.
    Vaes512, V512, |x| _mm512_aesenclast_epi128(x, _mm512_setzero_si512())
);

macro_rules! with_gfni {
    ($(#[$doc:meta])* $name:ident, $vector:ident, $set:ident, $affine:ident, $inverse_affine:ident) => {
        $(#[$doc])*
        pub(in super::super) struct $name;

        impl chain::Parts for $name {
            // W by an inversion of its own, and not as a sum: nothing waits for it so long.
            #[inline(always)]
            fn parts($vector(x): $vector) -> [$vector; 4] {
                const U: i32 = AFTER_INVERSE_U.constant as i32;
                const V: i32 = AFTER_INVERSE_V.constant as i32;
                const W: i32 = AFTER_INVERSE_W.constant as i32;
                // SAFETY: called only from functions with the target features of this
                // implementation.
                let [u, v, w] = unsafe {
                    [
                        $inverse_affine::<U>(x, $set(AFTER_INVERSE_U.matrix.gfni().cast_signed())),
                        $inverse_affine::<V>(x, $set(AFTER_INVERSE_V.matrix.gfni().cast_signed())),
                        $inverse_affine::<W>(x, $set(AFTER_INVERSE_W.matrix.gfni().cast_signed())),
                    ]
                };
                rotated($vector(u), $vector(v), $vector(w), &ROTATE)
            }

            #[inline(always)]
            fn key_parts($vector(x): $vector) -> [$vector; 4] {
                macro_rules! part {
                    ($i:literal) => {{
                        const MAP: Affine = AFTER_INVERSE_KEY[$i];
                        const CONSTANT: i32 = MAP.constant as i32;
                        // SAFETY: called only from functions with the target features of this
                        // implementation.
                        let part = unsafe { $inverse_affine::<CONSTANT>(x, $set(MAP.matrix.gfni().cast_signed())) };
                        $vector(part).shuffle($vector::constant(&ROTATE[$i]))
                    }};
                }
                [part!(0), part!(1), part!(2), part!(3)]
            }
        }

        impl Inversion for $name {
            type Vector = $vector;
            const KEY_CONSTANT: u32 = KEY_CONSTANT;

            #[inline(always)]
            fn transform($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this
                // implementation.
                $vector(unsafe { $affine::<0>(x, $set(TRANSFORM.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn inverse_transform($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this
                // implementation.
                $vector(unsafe { $affine::<0>(x, $set(INVERSE_TRANSFORM.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn add_round(sum: $vector, $vector(x): $vector) -> $vector {
                const U: i32 = AFTER_INVERSE_U.constant as i32;
                const V: i32 = AFTER_INVERSE_V.constant as i32;
                // SAFETY: called only from functions with the target features of this
                // implementation.
                let [u, v] = unsafe {
                    [
                        $inverse_affine::<U>(x, $set(AFTER_INVERSE_U.matrix.gfni().cast_signed())),
                        $inverse_affine::<V>(x, $set(AFTER_INVERSE_V.matrix.gfni().cast_signed())),
                    ]
                };
                add_rotated(sum, $vector(u), $vector(v), &ROTATE)
            }

            #[inline(always)]
            fn rounds_of_one(keys: &RoundKeys, direction: Direction, words: [$vector; 4]) -> [$vector; 4] {
                chain::rounds::<Self>(keys, direction, words)
            }

            #[inline(always)]
            fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
                keys::round_keys::<Self>(key)
            }

            #[inline(always)]
            fn round_keys_and_zero(key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN]) {
                keys::round_keys_and_zero::<Self, true>(key)
            }
        }
    };
}

with_gfni!(
    /// GFNI, and AVX for its registers.
    Gfni128, V128, _mm_set1_epi64x, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8
);
with_gfni!(
    /// GFNI and AVX-512 VL.
    GfniVl, V128Vl, _mm_set1_epi64x, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8
);
with_gfni!(
    /// AVX2 and GFNI.
    Gfni, V256, _mm256_set1_epi64x, _mm256_gf2p8affine_epi64_epi8, _mm256_gf2p8affineinv_epi64_epi8
);
with_gfni!(
    /// AVX-512 and GFNI.
    Gfni512, V512, _mm512_set1_epi64, _mm512_gf2p8affine_epi64_epi8, _mm512_gf2p8affineinv_epi64_epi8
);
