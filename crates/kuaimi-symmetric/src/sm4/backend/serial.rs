//! SM4 of one block, in plain Rust: for the blocks of a chain, and for the key schedule.
//!
//! A set of bit planes (see [`portable`](super::portable)) takes as long for one block as for 16.
//! Here a round has the four bytes of its word side by side in 32 bits: shifted down by `i`, the
//! word has plane `i` in the lowest bit of each byte. The circuit ignores the other bits, so they
//! are removed from its results alone.

#![forbid(unsafe_code)]

use super::super::schedule::Substitute;
use super::super::{Block, ROUNDS};
use super::circuit::{INPUT_CONSTANT, OUTPUT_CONSTANT, sbox_without_constants};
use super::{Direction, RoundKeys};

/// `S` on each of the four bytes of a word, without the constants.
#[inline(always)]
fn substitute(word: u32) -> u32 {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = sbox_without_constants([
        word,
        word >> 1,
        word >> 2,
        word >> 3,
        word >> 4,
        word >> 5,
        word >> 6,
        word >> 7,
    ])
    .map(|plane| plane & 0x0101_0101);
    let pairs = [p0 | p1 << 1, p2 | p3 << 1, p4 | p5 << 1, p6 | p7 << 1];
    pairs[0] | pairs[1] << 2 | (pairs[2] | pairs[3] << 2) << 4
}

/// The S-box for the key schedule.
pub(super) struct Circuit;

impl Substitute for Circuit {
    #[inline(always)]
    fn substitute(word: u32) -> u32 {
        let word = word ^ u32::from_ne_bytes([INPUT_CONSTANT; 4]);
        substitute(word) ^ u32::from_ne_bytes([OUTPUT_CONSTANT; 4])
    }
}

/// `x + L(S(y))`, without the constants of `S`.
#[inline(always)]
fn round(x: u32, y: u32) -> u32 {
    let s = substitute(y);
    // All but one of the rotations of L are by two bits and whole bytes.
    let by_two = (s ^ s.rotate_left(8) ^ s.rotate_left(16)).rotate_left(2);
    x ^ s ^ s.rotate_left(24) ^ by_two
}

/// Encrypts or decrypts one block, with the round keys of [`portable`](super::portable).
pub(super) fn crypt(keys: &RoundKeys, direction: Direction, block: &Block) -> Block {
    let words = block.as_chunks::<4>().0;
    let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i| u32::from_be_bytes(words[i]));
    for i in 0..ROUNDS {
        let next = round(a, b ^ c ^ d ^ keys[direction.index(i)]);
        (a, b, c, d) = (b, c, d, next);
    }
    let mut result = Block::default();
    for (bytes, word) in result.as_chunks_mut::<4>().0.iter_mut().zip([d, c, b, a]) {
        *bytes = word.to_be_bytes();
    }
    result
}
