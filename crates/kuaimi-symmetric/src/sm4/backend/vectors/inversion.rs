//! The S-box in a round, and its inversion in GF(2⁸) by the AES instructions, which x86-64 and
//! AArch64 have.
//!
//! `AESENCLAST` and `AESE` with a zero key compute `ShiftRows` and the S-box of AES. The map after
//! the inversion includes the inverse of the affine map of AES. It is two look-ups in 16 entries
//! within registers (`PSHUFB`, `TBL`), by the low and by the high four bits of a byte. The moves of
//! bytes are shuffles, and also undo `ShiftRows`. So a round is 22 instructions for all blocks of a
//! vector.

use super::constants::KEY_CONSTANT;
use super::vector::Vector;

/// The S-box and the maps around it, on all bytes of a vector. To be called only from functions
/// with the target features that the implementation needs. See [`field`](crate::sm4::field) for
/// `E`, `T` and `c`.
pub(super) trait Inversion {
    type Vector: Vector;
    /// `T·c` in every byte.
    const KEY_CONSTANT: u32 = KEY_CONSTANT;

    /// `E·x` for each byte.
    fn transform(x: Self::Vector) -> Self::Vector;
    /// `E⁻¹·x` for each byte.
    fn inverse_transform(x: Self::Vector) -> Self::Vector;
    /// `sum + E·L(S(y))` for `x = E·y + T·c`, which is a sum of transformed words and a transformed
    /// round key.
    fn add_round(sum: Self::Vector, x: Self::Vector) -> Self::Vector;
    /// `S(y)` for `x = E·y + T·c`. All words of the vector must be equal.
    fn substitute(x: Self::Vector) -> Self::Vector;
}

/// `E·k + T·c` in every word, for a round key `k`, or for the argument of the S-box in the key
/// schedule.
#[inline(always)]
pub(super) fn transform_key<W: Inversion>(word: u32) -> W::Vector {
    W::transform(W::Vector::splat(word)).xor(W::Vector::splat(W::KEY_CONSTANT))
}

/// `sum + u + (v<<<24) + (w<<<8) + (w<<<16)` with `w = u + v`.
#[inline(always)]
pub(super) fn add_rotated<V: Vector>(sum: V, u: V, v: V, rotate: &'static [[u8; 16]; 4]) -> V {
    let w = u.xor(v);
    let u = u.shuffle(V::constant(&rotate[0]));
    let v = v.shuffle(V::constant(&rotate[3]));
    let w1 = w.shuffle(V::constant(&rotate[1]));
    let w2 = w.shuffle(V::constant(&rotate[2]));
    sum.xor3(u, v).xor3(w1, w2)
}

/// Implements [`Inversion`] with the AES instructions: `ShiftRows` and the S-box of AES for a
/// vector `x`.
macro_rules! with_aes {
    ($(#[$doc:meta])* $name:ident, $vector:ident, |$x:ident| $last:expr) => {
        $(#[$doc])*
        pub(in super::super) struct $name;

        impl $name {
            #[inline(always)]
            fn aes_sbox($vector($x): $vector) -> $vector {
                // SAFETY: called only from functions with the target features of this
                // implementation.
                $vector(unsafe { $last })
            }
        }

        impl Inversion for $name {
            type Vector = $vector;

            #[inline(always)]
            fn transform(x: $vector) -> $vector {
                <$vector>::look_up(x.nibbles(), &TRANSFORM_NIBBLES)
            }

            #[inline(always)]
            fn inverse_transform(x: $vector) -> $vector {
                <$vector>::look_up(x.nibbles(), &INVERSE_TRANSFORM_NIBBLES)
            }

            #[inline(always)]
            fn add_round(sum: $vector, x: $vector) -> $vector {
                let nibbles = Self::aes_sbox(x).nibbles();
                let u = <$vector>::look_up(nibbles, &AFTER_AES_U_NIBBLES);
                let v = <$vector>::look_up(nibbles, &AFTER_AES_V_NIBBLES);
                add_rotated(sum, u, v, &ROTATE_SHIFTED_ROWS)
            }

            #[inline(always)]
            fn substitute(x: $vector) -> $vector {
                // ShiftRows moves bytes between equal words, so it changes nothing.
                <$vector>::look_up(Self::aes_sbox(x).nibbles(), &AFTER_AES_NIBBLES)
            }
        }
    };
}
pub(super) use with_aes;
