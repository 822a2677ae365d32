//! The S-box by look-ups of four bits: see [`tower`].
//!
//! `i8x16.swizzle` looks up sixteen bytes in sixteen places of a register, without a memory access.
//! The whole S-box would be sixteen such look-ups; this is nine, with the maps after it.

use super::super::super::super::tower;
use super::super::constants::{Nibbles, ROTATE};
use super::super::inversion::{Inversion, add_rotated};
use super::super::vector::Vector;
use super::vectors::V128;

static TRANSFORM_NIBBLES: Nibbles = tower::TRANSFORM.nibbles();
static INVERSE_TRANSFORM_NIBBLES: Nibbles = tower::INVERSE_TRANSFORM.nibbles();

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
        add_rotated(sum, u, v, &ROTATE)
    }

    #[inline(always)]
    fn substitute(x: V128) -> V128 {
        V128::look_up(invert(x), &tower::AFTER_INVERSE)
            .xor(V128::splat(in_every_byte(tower::CONSTANT)))
    }
}
