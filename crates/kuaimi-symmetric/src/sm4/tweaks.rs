//! The tweaks of XTS (IEEE 1619-2018, 5.2; GB/T 17964-2021, clause 11).
//!
//! A tweak is an element of GF(2)\[X\]/(X¹²⁸+X⁷+X²+X+1), and each is X times the one before. Eight
//! steps at a time move whole bytes: X⁸ times a tweak is the tweak moved by a byte, plus the
//! byte that falls out times X⁷+X²+X+1. So the first eight are computed one after the other, and
//! all others from the one eight places before, several at once.

#![forbid(unsafe_code)]

use kuaimi_platform::value_barrier;

use super::{BLOCK_LEN, Block, XtsStandard};

/// Eight consecutive tweaks.
pub(super) type Eight = [Block; 8];

/// The first eight tweaks.
pub(super) fn first_eight(standard: XtsStandard, first: &[u8; BLOCK_LEN]) -> Eight {
    // The coefficient of Xⁱ is in bit `i` (IEEE), or in bit `127 − i` (GB).
    let mut element = match standard {
        XtsStandard::Ieee => u128::from_le_bytes(*first),
        XtsStandard::Gb => u128::from_be_bytes(*first),
    };
    let mut eight = Eight::default();
    for tweak in &mut eight {
        *tweak = match standard {
            XtsStandard::Ieee => {
                let bytes = element.to_le_bytes();
                element = element << 1 ^ u128::from(0x87 & mask(element >> 127));
                bytes
            }
            XtsStandard::Gb => {
                let bytes = element.to_be_bytes();
                element = element >> 1 ^ u128::from(0xe1 & mask(element & 1)) << 120;
                bytes
            }
        }
        .into();
    }
    eight
}

/// All ones for 1, zero for 0.
#[inline]
fn mask(bit: u128) -> u64 {
    value_barrier((bit as u64).wrapping_neg())
}

/// All eights after the first, each from the one before: for machines without vectors.
#[cfg_attr(neon, allow(dead_code, reason = "vectors compute them"))]
pub(super) fn fill(standard: XtsStandard, tweaks: &mut [Eight]) {
    let mut now = tweaks.first().copied().unwrap_or_default();
    for eight in tweaks.iter_mut().skip(1) {
        for tweak in &mut now {
            *tweak = eight_steps(standard, (*tweak).into()).into();
        }
        *eight = now;
    }
}

/// A tweak times X⁸.
#[inline]
fn eight_steps(standard: XtsStandard, tweak: [u8; BLOCK_LEN]) -> [u8; BLOCK_LEN] {
    match standard {
        XtsStandard::Ieee => {
            let element = u128::from_le_bytes(tweak);
            let out = u128::from((element >> 120) as u16);
            let product = out ^ out << 1 ^ out << 2 ^ out << 7;
            (element << 8 ^ product).to_le_bytes()
        }
        XtsStandard::Gb => {
            let element = u128::from_be_bytes(tweak);
            let out = u128::from(element as u8) << 8;
            let product = out ^ out >> 1 ^ out >> 2 ^ out >> 7;
            (element >> 8 ^ product << 112).to_be_bytes()
        }
    }
}
