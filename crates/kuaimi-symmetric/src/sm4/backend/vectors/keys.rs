//! The key schedule (GB/T 32907-2016, 7.3) on transformed words, all in vectors.
//!
//! It is computed like the rounds of a block that waits for the one before (see [`chain`]): with
//! the constants `CK` in place of round keys, and with `L'` in place of `L`.
//!
//! [`chain`]: super::chain

use super::super::super::field::{KEY_TRANSFORM, TRANSFORM};
use super::super::super::schedule::{CK, FK};
use super::super::super::{BLOCK_LEN, KEY_LEN, ROUNDS};
use super::super::RoundKeys;
use super::chain::{Parts, block, words};
use super::lanes::transpose;
use super::vector::Vector;

/// `E·FK`, bytes in the order of memory.
const TRANSFORMED_FK: [u32; 4] = {
    let (mut words, mut i) = ([0; 4], 0);
    while i < 4 {
        let [a, b, c, d] = FK[i].to_be_bytes();
        let bytes = [
            TRANSFORM.apply(a),
            TRANSFORM.apply(b),
            TRANSFORM.apply(c),
            TRANSFORM.apply(d),
        ];
        words[i] = u32::from_le_bytes(bytes);
        i += 1;
    }
    words
};

/// `E·CK + T·c`, in the same order.
const TRANSFORMED_CK: [u32; ROUNDS] = {
    let (mut words, mut i) = ([0; ROUNDS], 0);
    while i < ROUNDS {
        let [a, b, c, d] = CK[i].to_be_bytes();
        let map = KEY_TRANSFORM;
        let bytes = [map.apply(a), map.apply(b), map.apply(c), map.apply(d)];
        words[i] = u32::from_le_bytes(bytes);
        i += 1;
    }
    words
};

/// The transformed round keys of transformed keys: four words of keys, and a vector for each round.
/// With `ZERO`, also the words of the encryption of a block of zeros, the key of GCM's hash: its
/// rounds wait for each other, as those of the schedule do, so both are computed side by side, one
/// a round behind the other.
#[inline(always)]
pub(super) fn schedule<W: Parts, const ZERO: bool>(
    [a, b, c, d]: [W::Vector; 4],
) -> ([W::Vector; ROUNDS], [W::Vector; 4]) {
    let fk = |i: usize| W::Vector::splat(TRANSFORMED_FK[i]);
    let (mut a, mut b, mut c, mut d) = (a.xor(fk(0)), b.xor(fk(1)), c.xor(fk(2)), d.xor(fk(3)));
    let ck = |i: usize| W::Vector::splat(TRANSFORMED_CK[i % ROUNDS]);
    let constant = W::Vector::splat(W::KEY_CONSTANT);
    let zero = W::Vector::splat(0);
    let mut keys = [zero; ROUNDS];
    let mut x = b.xor(ck(0)).xor3(c, d);
    // The encryption of zeros, which are zeros when transformed, too.
    let (mut e, mut f, mut g, mut h, mut y) = (zero, zero, zero, zero, zero);
    macro_rules! encrypt {
        ($next:expr, $e:ident, $g:ident, $h:ident) => {
            let before = $next.xor3($g, $h).xor($e);
            let [p, q, r, s] = W::parts(y);
            y = before.xor3(p, q).xor3(r, s);
            $e = $e.xor3(p, q).xor3(r, s);
        };
    }
    macro_rules! round {
        ($i:expr, $a:ident, $c:ident, $d:ident, $e:ident, $g:ident, $h:ident) => {
            let before = ck($i + 1).xor3($c, $d).xor($a);
            let [p, q, r, s] = W::key_parts(x);
            x = before.xor3(p, q).xor3(r, s);
            $a = $a.xor3(p, q).xor3(r, s);
            keys[$i] = $a.xor(constant);
            if ZERO && $i == 0 {
                y = keys[0];
            } else if ZERO {
                encrypt!(keys[$i], $e, $g, $h);
            }
        };
    }
    for i in (0..ROUNDS).step_by(4) {
        round!(i, a, c, d, h, f, g);
        round!(i + 1, b, d, a, e, g, h);
        round!(i + 2, c, a, b, f, h, e);
        round!(i + 3, d, b, c, g, e, f);
    }
    if ZERO {
        let [p, q, r, s] = W::parts(y);
        h = h.xor3(p, q).xor3(r, s);
    }
    (keys, [h, g, f, e])
}

/// See [`Inversion::round_keys`](super::inversion::Inversion::round_keys).
#[inline(always)]
pub(super) fn round_keys<W: Parts>(key: &[u8; KEY_LEN]) -> RoundKeys {
    round_keys_and_zero::<W, false>(key).0
}

/// The round keys; with `ZERO`, also the encryption of a block of zeros.
#[inline(always)]
pub(super) fn round_keys_and_zero<W: Parts, const ZERO: bool>(
    key: &[u8; KEY_LEN],
) -> (RoundKeys, [u8; BLOCK_LEN]) {
    const { assert!(W::Vector::WORDS == 4) };
    // SAFETY: a key has as many bytes as the vector.
    let key = words::<W>(unsafe { W::Vector::load(key.as_ptr()) });
    let (vectors, zero) = schedule::<W, ZERO>(key);
    let mut keys = [0; ROUNDS];
    for (vectors, keys) in vectors
        .as_chunks()
        .0
        .iter()
        .zip(keys.as_chunks_mut::<4>().0)
    {
        let [four, ..] = transpose(*vectors);
        // SAFETY: there are four words.
        unsafe { four.store(keys.as_mut_ptr().cast()) }
    }
    let mut encrypted = [0; BLOCK_LEN];
    if ZERO {
        // SAFETY: the array is a block.
        unsafe { block::<W>(zero).store(encrypted.as_mut_ptr()) }
    }
    (keys, encrypted)
}
