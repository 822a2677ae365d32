//! The tweaks of XTS (IEEE 1619-2018, 5.2; GB/T 17964-2021, clause 11).
//!
//! A tweak is an element of GF(2)\[X\]/(X¹²⁸+X⁷+X²+X+1), and each is X times the one before. Eight
//! steps at a time move whole bytes: X⁸ times a tweak is the tweak moved by a byte, plus the
//! byte that falls out times X⁷+X²+X+1. So vectors compute each tweak from the one eight places
//! before, several at once; the first eight are computed one after the other.

#![forbid(unsafe_code)]

use kuaimi_platform::value_barrier;

use super::{BLOCK_LEN, Block, XtsStandard};

/// Eight consecutive tweaks.
pub(super) type Eight = [Block; 8];

/// The first eight tweaks.
pub(super) fn first_eight(standard: XtsStandard, first: &[u8; BLOCK_LEN]) -> Eight {
    let mut eight = Eight::default();
    eight[0] = (*first).into();
    fill(standard, &mut eight);
    eight
}

/// All eights after the first, for machines without vectors.
#[cfg_attr(neon, allow(dead_code, reason = "vectors compute them"))]
pub(super) fn fill_eights(standard: XtsStandard, tweaks: &mut [Eight]) {
    // Those of the first are computed again.
    fill(standard, tweaks.as_flattened_mut());
}

/// All tweaks after the first, one after the other.
fn fill(standard: XtsStandard, tweaks: &mut [Block]) {
    let mut tweak = tweaks.first().copied().unwrap_or_default().into();
    for next in tweaks.iter_mut().skip(1) {
        tweak = step(standard, tweak);
        *next = tweak.into();
    }
}

/// A tweak times X. The coefficient of Xⁱ is in bit `i` (IEEE), or in bit `127 − i` (GB).
#[inline]
fn step(standard: XtsStandard, tweak: [u8; BLOCK_LEN]) -> [u8; BLOCK_LEN] {
    match standard {
        XtsStandard::Ieee => {
            let element = u128::from_le_bytes(tweak);
            (element << 1 ^ u128::from(0x87 & mask(element >> 127))).to_le_bytes()
        }
        XtsStandard::Gb => {
            let element = u128::from_be_bytes(tweak);
            (element >> 1 ^ u128::from(0xe1 & mask(element & 1)) << 120).to_be_bytes()
        }
    }
}

/// All ones for 1, zero for 0.
#[inline]
fn mask(bit: u128) -> u64 {
    value_barrier((bit as u64).wrapping_neg())
}
