//! The S-box by look-ups of four bits: see [`tower`].
//!
//! `i8x16.swizzle` looks up sixteen bytes in sixteen places of a register, without a memory access.
//! The whole S-box would be sixteen such look-ups; this is nine, with the maps after it.

use super::super::super::super::{KEY_LEN, tower};
use super::super::super::RoundKeys;
use super::super::constants::Nibbles;
use super::super::inversion::{Inversion, Substitution};
use super::super::vector::Vector;
use super::super::word_keys;
use super::vectors::V128;
use core::arch::wasm32::*;

static TRANSFORM_NIBBLES: Nibbles = tower::TRANSFORM.nibbles();
static INVERSE_TRANSFORM_NIBBLES: Nibbles = tower::INVERSE_TRANSFORM.nibbles();

static BYTES_AND_WORDS: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// Look-ups in a tower of fields.
pub(in super::super) struct Tower;

const fn in_every_byte(byte: u8) -> u32 {
    u32::from_ne_bytes([byte; 4])
}

/// `io` and `jo` of every byte.
#[inline(always)]
fn invert(x: V128) -> [V128; 2] {
    let inverses = V128::constant(&tower::INVERSES);
    let [k, i] = x.nibbles();
    let j = i.xor(k);
    let quotient = V128::constant(&tower::TRACE_QUOTIENTS).shuffle(k);
    let one = inverses.shuffle(i).xor(quotient);
    let other = inverses.shuffle(j).xor(quotient);
    [inverses.shuffle(one).xor(j), inverses.shuffle(other).xor(i)]
}

impl Inversion for Tower {
    type Vector = V128;
    const KEY_CONSTANT: u32 = in_every_byte(tower::KEY_CONSTANT);
    const LACKING: u32 = in_every_byte(tower::LACKING);

    /// Byte `m` of word `w` and byte `w` of word `m` change places. So all bytes of the same place
    /// are a word, and the rotations of a round move whole words, which is one instruction.
    #[inline(always)]
    fn arrange(x: V128) -> V128 {
        x.shuffle(V128::constant(&BYTES_AND_WORDS))
    }

    #[inline(always)]
    fn transform(x: V128) -> V128 {
        V128::look_up(x.nibbles(), &TRANSFORM_NIBBLES)
    }

    #[inline(always)]
    fn inverse_transform(x: V128) -> V128 {
        V128::look_up(x.nibbles(), &INVERSE_TRANSFORM_NIBBLES)
    }

    #[inline(always)]
    fn add_round(sum: V128, x: V128) -> V128 {
        let inverse = invert(x);
        let u = V128::look_up(inverse, &tower::AFTER_INVERSE_U);
        let v = V128::look_up(inverse, &tower::AFTER_INVERSE_V);
        let w = u.xor(v);
        let v = u32x4_shuffle::<3, 0, 1, 2>(v.0, v.0);
        let w1 = u32x4_shuffle::<1, 2, 3, 0>(w.0, w.0);
        let w2 = u32x4_shuffle::<2, 3, 0, 1>(w.0, w.0);
        sum.xor3(u, V128(v)).xor3(V128(w1), V128(w2))
    }

    #[inline(always)]
    fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
        word_keys::round_keys::<Self>(key)
    }
}

impl Substitution for Tower {
    #[inline(always)]
    fn substitute(x: V128) -> V128 {
        V128::look_up(invert(x), &tower::AFTER_INVERSE)
            .xor(V128::splat(in_every_byte(tower::CONSTANT)))
    }
}
