//! The ways to invert in GF(2⁸): with the AES instructions, and with GFNI.
//!
//! `AESENCLAST` with a zero key is the S-box of AES after `ShiftRows`. The map after the inversion, with the inverse of AES's own affine
//! map in it, is two look-ups of 16 entries within registers (`PSHUFB`), by the low and the high four bits of a byte; and the moves
//! of bytes, which are shuffles anyway, undo `ShiftRows`: for eight blocks of a vector of 256 bits, a round is 22
//! instructions. `GF2P8AFFINEINVQB` inverts and maps at once, which leaves 10 for the sixteen blocks of one of 512 bits.

use core::arch::x86_64::*;

use super::super::super::field::{AFTER_INVERSE, AFTER_INVERSE_U, AFTER_INVERSE_V, ENTER, LEAVE};
use super::constants::{
    AFTER_AES_NIBBLES, AFTER_AES_U_NIBBLES, AFTER_AES_V_NIBBLES, ENTER_NIBBLES, KEY_CONSTANT,
    LEAVE_NIBBLES, ROTATE, ROTATE_SHIFTED_ROWS,
};
use super::vectors::{V128, V256, V512, Vector};

/// A vector, and what is done to the bytes in it. To be called only from functions with the target features of the way.
pub(super) trait Way {
    type Vector: Vector;

    /// `E·x`, byte by byte.
    fn enter(x: Self::Vector) -> Self::Vector;
    /// `E⁻¹·x`, byte by byte.
    fn leave(x: Self::Vector) -> Self::Vector;
    /// `sum + E·L(S(y))`, with `x = E·y + T·c`, as a sum of words and a round key is.
    fn add_round(sum: Self::Vector, x: Self::Vector) -> Self::Vector;
    /// `S(y)`, of a vector all of whose words are equal, with `x` as above.
    fn substitute(x: Self::Vector) -> Self::Vector;
}

/// A round key, or the argument of the S-box in the key schedule.
#[inline(always)]
pub(super) fn enter_key<W: Way>(word: u32) -> W::Vector {
    W::enter(W::Vector::splat(word)).xor(W::Vector::splat(KEY_CONSTANT))
}

/// `sum + u + (v<<<24) + (w<<<8) + (w<<<16)`, `w = u + v`.
#[inline(always)]
fn add_moved<V: Vector>(sum: V, u: V, v: V, rotate: &'static [[u8; 16]; 4]) -> V {
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
                // SAFETY: called only from functions with the target features of this way.
                $vector(unsafe { $last })
            }
        }

        impl Way for $name {
            type Vector = $vector;

            #[inline(always)]
            fn enter(x: $vector) -> $vector {
                $vector::look_up(x.nibbles(), &ENTER_NIBBLES)
            }

            #[inline(always)]
            fn leave(x: $vector) -> $vector {
                $vector::look_up(x.nibbles(), &LEAVE_NIBBLES)
            }

            #[inline(always)]
            fn add_round(sum: $vector, x: $vector) -> $vector {
                let nibbles = Self::aes_sbox(x).nibbles();
                let u = $vector::look_up(nibbles, &AFTER_AES_U_NIBBLES);
                let v = $vector::look_up(nibbles, &AFTER_AES_V_NIBBLES);
                add_moved(sum, u, v, &ROTATE_SHIFTED_ROWS)
            }

            #[inline(always)]
            fn substitute(x: $vector) -> $vector {
                // ShiftRows moves bytes between words that are equal.
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
    /// AVX2, and AES-NI on the halves.
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

        impl Way for $name {
            type Vector = $vector;

            #[inline(always)]
            fn enter($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this way.
                $vector(unsafe { $affine::<0>(x, $set(ENTER.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn leave($vector(x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this way.
                $vector(unsafe { $affine::<0>(x, $set(LEAVE.gfni().cast_signed())) })
            }

            #[inline(always)]
            fn add_round(sum: $vector, $vector(x): $vector) -> $vector {
                const U: i32 = AFTER_INVERSE_U.constant as i32;
                const V: i32 = AFTER_INVERSE_V.constant as i32;
                // SAFETY: called only from functions with the target features of this way.
                let [u, v] = unsafe {
                    [
                        $inverse_affine::<U>(x, $set(AFTER_INVERSE_U.matrix.gfni().cast_signed())),
                        $inverse_affine::<V>(x, $set(AFTER_INVERSE_V.matrix.gfni().cast_signed())),
                    ]
                };
                add_moved(sum, $vector(u), $vector(v), &ROTATE)
            }

            #[inline(always)]
            fn substitute($vector(x): $vector) -> $vector {
                const C: i32 = AFTER_INVERSE.constant as i32;
                // SAFETY: called only from functions with the target features of this way.
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
