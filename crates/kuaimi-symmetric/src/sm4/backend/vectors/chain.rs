//! Modes in which each block waits for the encryption of the one before: CBC, CFB, OFB, and
//! CBC-MAC.
//!
//! What counts is how long one block takes. So the chain stays in registers, its words transformed;
//! and a round computes the input of the next round, not only its word: words and keys that are
//! known before are added while the S-box is waited for.

#[cfg(clmul)]
use super::super::super::ROUNDS;
use super::super::super::{BLOCK_LEN, Block};
use super::super::{Chaining, Direction, RoundKeys};
use super::inversion::Inversion;
use super::lanes::{inverse_transform, transpose};
use super::vector::Vector;

/// The S-box and the maps after it, as four parts.
#[cfg(clmul)]
pub(super) trait Parts: Inversion {
    /// Four vectors whose sum is `E·L(S(y))` but for `LACKING`, for `x = E·y + T·c`.
    fn parts(x: Self::Vector) -> [Self::Vector; 4];
    /// The same for `E·L'(S(y))`, of the key schedule.
    fn key_parts(x: Self::Vector) -> [Self::Vector; 4];
}

/// All rounds of one group of transformed words. The last four words are returned in reverse order.
#[cfg(clmul)]
#[inline(always)]
pub(super) fn rounds<W: Parts>(
    keys: &RoundKeys,
    direction: Direction,
    [mut a, mut b, mut c, mut d]: [W::Vector; 4],
) -> [W::Vector; 4] {
    let key = |i: usize| keys[direction.index(i % ROUNDS)];
    let mut x = b.xor(W::Vector::splat(key(0))).xor3(c, d);
    macro_rules! round {
        ($i:expr, $a:ident, $c:ident, $d:ident) => {
            // The input of the next round, but for the word that this one computes, and with what
            // that one is computed from.
            let before = W::Vector::splat(key($i + 1)).xor3($c, $d).xor($a);
            let [p, q, r, s] = W::parts(x);
            x = before.xor3(p, q).xor3(r, s);
            $a = $a.xor3(p, q).xor3(r, s);
        };
    }
    for i in (0..ROUNDS).step_by(4) {
        round!(i, a, c, d);
        round!(i + 1, b, d, a);
        round!(i + 2, c, a, b);
        round!(i + 3, d, b, c);
    }
    [d, c, b, a]
}

/// The places of word `i` of a block, four times.
static WORD: [[u8; 16]; 4] = {
    let (mut all, mut i) = ([[0; 16]; 4], 0);
    while i < 64 {
        all[i / 16][i % 16] = (4 * (i / 16) + i % 4) as u8;
        i += 1;
    }
    all
};

/// The transformed words of a block, in all elements of four vectors.
#[inline(always)]
pub(super) fn words<W: Inversion>(block: W::Vector) -> [W::Vector; 4] {
    let block = W::transform(block);
    [
        W::arrange(block.shuffle(W::Vector::constant(&WORD[0]))),
        W::arrange(block.shuffle(W::Vector::constant(&WORD[1]))),
        W::arrange(block.shuffle(W::Vector::constant(&WORD[2]))),
        W::arrange(block.shuffle(W::Vector::constant(&WORD[3]))),
    ]
}

/// The block of four vectors of words.
#[inline(always)]
pub(super) fn block<W: Inversion>(mut words: [W::Vector; 4]) -> W::Vector {
    inverse_transform::<W>(&mut words);
    let [block, ..] = transpose(words);
    block
}

#[inline(always)]
fn add<W: Inversion>(x: [W::Vector; 4], y: [W::Vector; 4]) -> [W::Vector; 4] {
    [
        x[0].xor(y[0]),
        x[1].xor(y[1]),
        x[2].xor(y[2]),
        x[3].xor(y[3]),
    ]
}

/// See [`Implementation::chain`](super::super::Implementation::chain).
#[inline(always)]
pub(super) fn encrypt<W: Inversion>(
    keys: &RoundKeys,
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
) {
    const { assert!(W::Vector::WORDS == 4) };
    // SAFETY: the array is a block.
    let mut now = words::<W>(unsafe { W::Vector::load(chain.as_ptr()) });
    for each in blocks {
        // SAFETY: it is a block.
        let data = unsafe { W::Vector::load(each.as_ptr()) };
        let result = match mode {
            Chaining::Cbc => {
                let sum = add::<W>(now, words::<W>(data));
                now = W::rounds_of_one(keys, Direction::Encrypt, sum);
                block::<W>(now)
            }
            Chaining::Cfb => {
                let stream = W::rounds_of_one(keys, Direction::Encrypt, now);
                now = add::<W>(stream, words::<W>(data));
                block::<W>(now)
            }
            Chaining::Ofb => {
                now = W::rounds_of_one(keys, Direction::Encrypt, now);
                block::<W>(now).xor(data)
            }
        };
        // SAFETY: as above.
        unsafe { result.store(each.as_mut_ptr()) }
    }
    // SAFETY: the array is a block.
    unsafe { block::<W>(now).store(chain.as_mut_ptr()) }
}

/// See [`Implementation::mac`](super::super::Implementation::mac).
#[inline(always)]
pub(super) fn mac<W: Inversion>(keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
    // SAFETY: the array is a block.
    let mut now = words::<W>(unsafe { W::Vector::load(chain.as_ptr()) });
    for each in blocks {
        // SAFETY: it is a block.
        let data = unsafe { W::Vector::load(each.as_ptr()) };
        let sum = add::<W>(now, words::<W>(data));
        now = W::rounds_of_one(keys, Direction::Encrypt, sum);
    }
    // SAFETY: the array is a block.
    unsafe { block::<W>(now).store(chain.as_mut_ptr()) }
}
