//! The key schedule (GB/T 32907-2016, 7.3) on transformed words, all in vectors.
//!
//! It is computed like the rounds of a block that waits for the one before (see [`chain`]): with
//! the constants `CK` in place of round keys, and with `L'` in place of `L`.
//!
//! [`chain`]: super::chain

use super::super::super::field::{KEY_TRANSFORM, TRANSFORM};
use super::super::super::schedule::{CK, FK};
use super::super::super::{KEY_LEN, ROUNDS};
use super::super::RoundKeys;
use super::chain::{Parts, words};
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
#[inline(always)]
fn schedule<W: Parts>([a, b, c, d]: [W::Vector; 4]) -> [W::Vector; ROUNDS] {
    let fk = |i: usize| W::Vector::splat(TRANSFORMED_FK[i]);
    let (mut a, mut b, mut c, mut d) = (a.xor(fk(0)), b.xor(fk(1)), c.xor(fk(2)), d.xor(fk(3)));
    let ck = |i: usize| W::Vector::splat(TRANSFORMED_CK[i % ROUNDS]);
    let constant = W::Vector::splat(W::KEY_CONSTANT);
    let mut keys = [W::Vector::splat(0); ROUNDS];
    let mut x = b.xor(ck(0)).xor3(c, d);
    macro_rules! round {
        ($i:expr, $a:ident, $c:ident, $d:ident) => {
            let before = ck($i + 1).xor3($c, $d).xor($a);
            let [p, q, r, s] = W::key_parts(x);
            x = before.xor3(p, q).xor3(r, s);
            $a = $a.xor3(p, q).xor3(r, s);
            keys[$i] = $a.xor(constant);
        };
    }
    for i in (0..ROUNDS).step_by(4) {
        round!(i, a, c, d);
        round!(i + 1, b, d, a);
        round!(i + 2, c, a, b);
        round!(i + 3, d, b, c);
    }
    keys
}

/// See [`Inversion::round_keys`](super::inversion::Inversion::round_keys).
#[inline(always)]
pub(super) fn round_keys<W: Parts>(key: &[u8; KEY_LEN]) -> RoundKeys {
    const { assert!(W::Vector::WORDS == 4) };
    // SAFETY: a key has as many bytes as the vector.
    let key = words::<W>(unsafe { W::Vector::load(key.as_ptr()) });
    let vectors = schedule::<W>(key);
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
    keys
}
