//! The inversion in GF(2⁸): with the AES instructions, and with GFNI.
//!
//! `AESENCLAST` with a zero key computes `ShiftRows` and the S-box of AES. The map after the inversion includes the
//! inverse of the affine map of AES. It is two look-ups in 16 entries within registers (`PSHUFB`), by the low and by
//! the high four bits of a byte. The moves of bytes are shuffles, and also undo `ShiftRows`. So a round is 22
//! instructions for the eight blocks of a vector of 256 bits. `GF2P8AFFINEINVQB` computes the inversion and the map in
//! one instruction: a round is 10 instructions for the sixteen blocks of a vector of 512 bits.

use core::arch::x86_64::*;

use super::super::super::field::{
    AFTER_INVERSE, AFTER_INVERSE_U, AFTER_INVERSE_V, INVERSE_TRANSFORM, TRANSFORM,
};
use super::constants::{
    AFTER_AES_NIBBLES, AFTER_AES_U_NIBBLES, AFTER_AES_V_NIBBLES, INVERSE_TRANSFORM_NIBBLES,
    KEY_CONSTANT, ROTATE, ROTATE_SHIFTED_ROWS, TRANSFORM_NIBBLES,
};
use super::vectors::{V128, V256, V512, Vector};

/// The S-box and the maps around it, on all bytes of a vector. To be called only from functions with the target
/// features that the implementation needs. See [`field`](super::super::super::field) for `E`, `T` and `c`.
pub(super) trait Inversion {
    type Vector: Vector;

    /// `E·x` for each byte.
    fn transform(x: Self::Vector) -> Self::Vector;
    /// `E⁻¹·x` for each byte.
    fn inverse_transform(x: Self::Vector) -> Self::Vector;
    /// `sum + E·L(S(y))` for `x = E·y + T·c`, which is a sum of transformed words and a transformed round key.
    fn add_round(sum: Self::Vector, x: Self::Vector) -> Self::Vector;
    /// `S(y)` for `x = E·y + T·c`. All words of the vector must be equal.
    fn substitute(x: Self::Vector) -> Self::Vector;
}

/// `E·k + T·c` in every word, for a round key `k`, or for the argument of the S-box in the key schedule.
#[inline(always)]
pub(super) fn transform_key<W: Inversion>(word: u32) -> W::Vector {
    W::transform(W::Vector::splat(word)).xor(W::Vector::splat(KEY_CONSTANT))
}

/// `sum + u + (v<<<24) + (w<<<8) + (w<<<16)` with `w = u + v`.
#[inline(always)]
fn add_rotated<V: Vector>(sum: V, u: V, v: V, rotate: &'static [[u8; 16]; 4]) -> V {
    let w = u.xor(v);
    let u = u.shuffle(V::constant(&rotate[0]));
    let v = v.shuffle(V::constant(&rotate[3]));
    let w1 = w.shuffle(V::constant(&rotate[1]));
    let w2 = w.shuffle(V::constant(&rotate[2]));
    sum.xor3(u, v).xor3(w1, w2)
}

macro_rules! with_aes {
    ($(#[$doc:meta])* $name:ident, $vector:ident, |$x:ident| $last:expr) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl $name {
            #[inline(always)]
            fn aes_sbox($vector($x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this implementation.
                $vector(unsafe { $last })
            }
        }

        impl Inversion for $name {
            type Vector = $vector;

            #[inline(always)]
            fn transform(x: $vector) -> $vector {
                $vector::look_up(x.nibbles(), &TRANSFORM_NIBBLES)
            }

            #[inline(always)]
            fn inverse_transform(x: $vector) -> $vector {
                $vector::look_up(x.nibbles(), &INVERSE_TRANSFORM_NIBBLES)
            }

            #[inline(always)]
            fn add_round(sum: $vector, x: $vector) -> $vector {
                let nibbles = Self::aes_sbox(x).nibbles();
                let u = $vector::look_up(nibbles, &AFTER_AES_U_NIBBLES);
                let v = $vector::look_up(nibbles, &AFTER_AES_V_NIBBLES);
                add_rotated(sum, u, v, &ROTATE_SHIFTED_ROWS)
            }

            #[inline(always)]
            fn substitute(x: $vector) -> $vector {
                // ShiftRows moves bytes between equal words, so it changes nothing.
                $vector::look_up(Self::aes_sbox(x).nibbles(), &AFTER_AES_NIBBLES)
            }
        }
    };
}

with_aes!(
    /// AES-NI.
    Aes, V128, |x| _mm_aesenclast_si128(x, _mm_setzero_si128())
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
        pub(super) struct $name;

        impl Inversion for $name {
            type Vector = $vector;

            #[inline(always)]
            fn transform($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this implementation.
                $vector(unsafe { $affine::<0>(x, $set(TRANSFORM.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn inverse_transform($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this implementation.
                $vector(unsafe { $affine::<0>(x, $set(INVERSE_TRANSFORM.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn add_round(sum: $vector, $vector(x): $vector) -> $vector {
                const U: i32 = AFTER_INVERSE_U.constant as i32;
                const V: i32 = AFTER_INVERSE_V.constant as i32;
                // SAFETY: called only from functions with the target features of this implementation.
                let [u, v] = unsafe {
                    [
                        $inverse_affine::<U>(x, $set(AFTER_INVERSE_U.matrix.gfni().cast_signed())),
                        $inverse_affine::<V>(x, $set(AFTER_INVERSE_V.matrix.gfni().cast_signed())),
                    ]
                };
                add_rotated(sum, $vector(u), $vector(v), &ROTATE)
            }

            #[inline(always)]
            fn substitute($vector(x): $vector) -> $vector {
                const C: i32 = AFTER_INVERSE.constant as i32;
                // SAFETY: called only from functions with the target features of this implementation.
                $vector(unsafe {
                    $inverse_affine::<C>(x, $set(AFTER_INVERSE.matrix.gfni().cast_signed()))
                })
            }
        }
    };
}

with_gfni!(
    /// GFNI, and AVX for its registers.
    Gfni128, V128, _mm_set1_epi64x, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8
);
with_gfni!(
    /// AVX2 and GFNI.
    Gfni, V256, _mm256_set1_epi64x, _mm256_gf2p8affine_epi64_epi8, _mm256_gf2p8affineinv_epi64_epi8
);
with_gfni!(
    /// AVX-512 and GFNI.
    Gfni512, V512, _mm512_set1_epi64, _mm512_gf2p8affine_epi64_epi8, _mm512_gf2p8affineinv_epi64_epi8
);
