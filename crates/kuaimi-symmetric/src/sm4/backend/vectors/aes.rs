//! The S-box by the inversion in GF(2⁸) of the AES instructions, which x86-64 and AArch64 have.
//!
//! `AESENCLAST` and `AESE` with a zero key compute `ShiftRows` and the S-box of AES. The map after
//! the inversion includes the inverse of the affine map of AES. It is two look-ups in 16 entries
//! within registers (`PSHUFB`, `TBL`), by the low and by the high four bits of a byte. The moves of
//! bytes are shuffles, and also undo `ShiftRows`. So a round is 22 instructions for all blocks of a
//! vector.

use super::super::super::field::{
    AFTER_AES_KEY, AFTER_AES_U, AFTER_AES_V, INVERSE_TRANSFORM, KEY_TRANSFORM, TRANSFORM,
};
use super::super::super::maps::linear;
use super::constants::Nibbles;
use super::rotations::rotations;

pub(super) static TRANSFORM_NIBBLES: Nibbles = linear(TRANSFORM).nibbles();
pub(super) static INVERSE_TRANSFORM_NIBBLES: Nibbles = linear(INVERSE_TRANSFORM).nibbles();
pub(super) static AFTER_AES_U_NIBBLES: Nibbles = AFTER_AES_U.nibbles();
pub(super) static AFTER_AES_V_NIBBLES: Nibbles = AFTER_AES_V.nibbles();
pub(super) static AFTER_AES_KEY_NIBBLES: [Nibbles; 4] = {
    let [a, b, c, d] = AFTER_AES_KEY;
    [a.nibbles(), b.nibbles(), c.nibbles(), d.nibbles()]
};

/// The constant of the transformed round key, in every byte.
pub(super) const KEY_CONSTANT: u32 = u32::from_ne_bytes([KEY_TRANSFORM.constant; 4]);

/// [`ROTATE`](super::rotations::ROTATE) after `ShiftRows`.
pub(super) static ROTATE_SHIFTED_ROWS: [[u8; 16]; 4] = rotations(true);

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

        impl chain::Parts for $name {
            #[inline(always)]
            fn parts(x: $vector) -> [$vector; 4] {
                let nibbles = Self::aes_sbox(x).nibbles();
                let u = <$vector>::look_up(nibbles, &AFTER_AES_U_NIBBLES);
                let v = <$vector>::look_up(nibbles, &AFTER_AES_V_NIBBLES);
                rotated(u, v, u.xor(v), &ROTATE_SHIFTED_ROWS)
            }

            #[inline(always)]
            fn key_parts(x: $vector) -> [$vector; 4] {
                let nibbles = Self::aes_sbox(x).nibbles();
                let [a, b, c, d] = &AFTER_AES_KEY_NIBBLES;
                let [r0, r1, r2, r3] = &ROTATE_SHIFTED_ROWS;
                [
                    <$vector>::look_up(nibbles, a).shuffle(<$vector>::constant(r0)),
                    <$vector>::look_up(nibbles, b).shuffle(<$vector>::constant(r1)),
                    <$vector>::look_up(nibbles, c).shuffle(<$vector>::constant(r2)),
                    <$vector>::look_up(nibbles, d).shuffle(<$vector>::constant(r3)),
                ]
            }
        }

        impl Inversion for $name {
            type Vector = $vector;
            const KEY_CONSTANT: u32 = KEY_CONSTANT;

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
pub(super) use with_aes;
