//! The S-box with the AES instructions, and with NEON alone.
//!
//! With NEON alone the S-box is a look-up in all of its 256 bytes, which are in sixteen registers:
//! `TBL` and `TBX` choose among 64 bytes each, by numbers in a register and without a memory
//! access, so the time does not depend on the numbers. Words are not transformed, and the maps `U`
//! and `V` (see [`field`](crate::sm4::field)) are shifts.

use core::arch::aarch64::*;
use core::arch::asm;

use super::super::super::super::field::SBOX;
use super::super::super::super::{BLOCK_LEN, KEY_LEN};
use super::super::super::{Direction, RoundKeys};
use super::super::aes::{
    AFTER_AES_KEY_NIBBLES, AFTER_AES_U_NIBBLES, AFTER_AES_V_NIBBLES, INVERSE_TRANSFORM_NIBBLES,
    KEY_CONSTANT, ROTATE_SHIFTED_ROWS, TRANSFORM_NIBBLES, with_aes,
};
use super::super::inversion::{Inversion, Substitution};
use super::super::rotations::{ROTATE, add_rotated, rotated};
use super::super::vector::Vector;
use super::super::{chain, keys, word_keys};
use super::vectors::V128;

with_aes!(
    /// AESE.
    Aes, V128, |x| {
        let mut x = x;
        // Assembly, as the intrinsic would be inlined only into functions that name the feature.
        asm!("aese {0:v}.16b, {1:v}.16b", inout(vreg) x, in(vreg) vdupq_n_u8(0), options(pure, nomem, nostack, preserves_flags));
        x
    }
);

/// NEON.
pub(in super::super) struct Table;

/// `S` of every byte.
#[inline(always)]
fn sbox(V128(x): V128) -> V128 {
    // SAFETY: the target has NEON; each load reads one quarter of the table.
    V128(unsafe {
        let [first, second, third, fourth] = SBOX.as_chunks::<64>().0 else {
            unreachable!("256 bytes")
        };
        let quarter = vdupq_n_u8(64);
        // Numbers from 64 on give zero, then leave the byte as it is.
        let y = vqtbl4q_u8(vld1q_u8_x4(first.as_ptr()), x);
        let x = vsubq_u8(x, quarter);
        let y = vqtbx4q_u8(y, vld1q_u8_x4(second.as_ptr()), x);
        let x = vsubq_u8(x, quarter);
        let y = vqtbx4q_u8(y, vld1q_u8_x4(third.as_ptr()), x);
        let x = vsubq_u8(x, quarter);
        vqtbx4q_u8(y, vld1q_u8_x4(fourth.as_ptr()), x)
    })
}

impl Inversion for Table {
    type Vector = V128;
    const KEY_CONSTANT: u32 = 0;

    #[inline(always)]
    fn transform(x: V128) -> V128 {
        x
    }

    #[inline(always)]
    fn inverse_transform(x: V128) -> V128 {
        x
    }

    #[inline(always)]
    fn add_round(sum: V128, x: V128) -> V128 {
        let s = sbox(x);
        // SAFETY: the target has NEON.
        let [u, v] = unsafe { [vshlq_n_u8::<2>(s.0), vshrq_n_u8::<6>(s.0)] };
        add_rotated(sum, s.xor(V128(u)), s.xor(V128(v)), &ROTATE)
    }

    #[inline(always)]
    fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
        word_keys::round_keys::<Self>(key)
    }
}

impl Substitution for Table {
    #[inline(always)]
    fn substitute(x: V128) -> V128 {
        sbox(x)
    }
}
