//! Counter mode of many keys at once: each element of a vector belongs to a cipher with a key of
//! its own.
//!
//! The key schedule is a chain of 32 rounds in which each waits for the one before, and leaves most
//! of the processor idle; so does a message of few blocks. With a key in each element, a vector has
//! the schedules of all keys at the price of one, and then a block of each message. A round reads a
//! vector of keys where otherwise it repeats one key: that costs the same.

use zeroize::optimization_barrier;

use super::super::super::{BLOCK_LEN, KEY_LEN, ROUNDS};
use super::super::{LANES, STEP};
use super::chain::Parts;
use super::constants::SWAP_BYTES;
use super::inversion::Inversion;
use super::keys::schedule;
use super::lanes::{Keys, inverse_transform, load, rounds, store, transform, transpose};
use super::vector::Vector;

/// For each round, the transformed keys of all ciphers. Wiped when dropped.
pub(in super::super::super) struct LaneKeys([[u32; LANES]; ROUNDS]);

impl LaneKeys {
    pub(in super::super::super) const EMPTY: Self = Self([[0; LANES]; ROUNDS]);
}

impl Drop for LaneKeys {
    fn drop(&mut self) {
        self.0 = [[0; LANES]; ROUNDS];
        optimization_barrier(self);
    }
}

impl<V: Vector> Keys<V> for &LaneKeys {
    #[inline(always)]
    fn round(&self, i: usize) -> V {
        const { assert!(V::WORDS <= LANES) };
        // SAFETY: a round has at least as many words as the vector.
        unsafe { V::load(self.0[i].as_ptr().cast()) }
    }
}

/// The round keys of as many keys as a vector has words, and the encryption of a block of zeros
/// under each.
#[inline(always)]
pub(super) fn lane_keys<W: Parts>(
    keys: &[[u8; KEY_LEN]; LANES],
    lane_keys: &mut LaneKeys,
    zeros: &mut [[u8; BLOCK_LEN]; LANES],
) {
    const { assert!(W::Vector::WORDS <= LANES) };
    // SAFETY: there are at least as many keys as the vector has words.
    let mut words = transpose(unsafe { load::<W::Vector>(keys.as_ptr().cast()) });
    transform::<W>(&mut words);
    let (mut vectors, mut zero) = schedule::<W, true>(words);
    for (round, vector) in lane_keys.0.iter_mut().zip(&vectors) {
        // SAFETY: a round has at least as many words as the vector.
        unsafe { vector.store(round.as_mut_ptr().cast()) }
    }
    vectors = [W::Vector::splat(0); ROUNDS];
    optimization_barrier(&vectors);
    inverse_transform::<W>(&mut zero);
    // SAFETY: there are at least as many blocks as the vector has words.
    unsafe { store(transpose(zero), zeros.as_mut_ptr().cast()) }
}

/// The key streams of `out.len()` blocks under each key, from block `from` after its counter on.
#[inline(always)]
pub(super) fn streams<W: Inversion, const GROUPS: usize>(
    keys: &LaneKeys,
    counters: &[[u8; BLOCK_LEN]; LANES],
    from: u32,
    out: &mut [[[u8; BLOCK_LEN]; LANES]],
) {
    const { assert!(W::Vector::WORDS <= LANES && STEP.is_multiple_of(GROUPS)) };
    let (groups, rest) = out.as_chunks_mut::<GROUPS>();
    let mut at = from;
    for out in groups {
        stream_group::<W, GROUPS>(keys, counters, at, out);
        at = at.wrapping_add(GROUPS as u32);
    }
    let (pairs, last) = rest.as_chunks_mut::<2>();
    for out in pairs {
        stream_group::<W, 2>(keys, counters, at, out);
        at = at.wrapping_add(2);
    }
    for out in last {
        stream_group::<W, 1>(keys, counters, at, core::array::from_mut(out));
    }
}

#[inline(always)]
fn stream_group<W: Inversion, const GROUPS: usize>(
    keys: &LaneKeys,
    counters: &[[u8; BLOCK_LEN]; LANES],
    from: u32,
    out: &mut [[[u8; BLOCK_LEN]; LANES]; GROUPS],
) {
    // SAFETY: there are at least as many counters as the vector has words.
    let [a, b, c, d] = transpose(unsafe { load::<W::Vector>(counters.as_ptr().cast()) });
    let swap_bytes = W::Vector::constant(&SWAP_BYTES);
    let low = d.shuffle(swap_bytes);
    let mut first = [a, b, c, d];
    transform::<W>(&mut first);
    let [a, b, c, _] = first;
    let mut groups = [[a, b, c, d]; GROUPS];
    for (i, words) in groups.iter_mut().enumerate() {
        let number = W::Vector::splat(from.wrapping_add(i as u32));
        let d = low.add(number).shuffle(swap_bytes);
        words[3] = W::arrange(W::transform(d));
    }
    rounds::<W, _, GROUPS>(keys, &mut groups);
    for (words, out) in groups.iter_mut().zip(out) {
        inverse_transform::<W>(words);
        // SAFETY: there are at least as many blocks as the vector has words.
        unsafe { store(transpose(*words), out.as_mut_ptr().cast()) }
    }
}

/// One combination, with the features that it needs.
macro_rules! lane_keys {
    ($(#[$doc:meta])* $name:ident, $inversion:ident, $groups:literal groups, $features:literal) => {
        $(#[$doc])*
        pub(in super::super) mod $name {
            use super::super::machine::$inversion as Long;
            use super::super::inversion::Inversion;
            use super::super::vector::Vector;
            use super::{BLOCK_LEN, KEY_LEN, LANES, LaneKeys};

            pub(in super::super::super) const KEYS: usize = <Long as Inversion>::Vector::WORDS;

            #[target_feature(enable = $features)]
            pub(in super::super::super) fn lane_keys(keys: &[[u8; KEY_LEN]; LANES], lane_keys: &mut LaneKeys, zeros: &mut [[u8; BLOCK_LEN]; LANES]) {
                super::lane_keys::<Long>(keys, lane_keys, zeros);
            }

            #[target_feature(enable = $features)]
            pub(in super::super::super) fn streams(keys: &LaneKeys, counters: &[[u8; BLOCK_LEN]; LANES], from: u32, out: &mut [[[u8; BLOCK_LEN]; LANES]]) {
                super::streams::<Long, $groups>(keys, counters, from, out);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lane_keys!(aesni, Aes, 2 groups, "aes,ssse3");
#[cfg(target_arch = "x86_64")]
lane_keys!(aesni_avx2, AesAvx2, 2 groups, "aes,avx2");
#[cfg(target_arch = "x86_64")]
lane_keys!(vaes, Vaes, 4 groups, "aes,vaes,avx2");
#[cfg(target_arch = "x86_64")]
lane_keys!(gfni, Gfni, 3 groups, "gfni,avx2");
#[cfg(target_arch = "x86_64")]
lane_keys!(vaes512, Vaes512, 4 groups, "aes,vaes,avx2,avx512f,avx512bw,avx512vl");
#[cfg(target_arch = "x86_64")]
lane_keys!(gfni512, Gfni512, 4 groups, "gfni,avx2,avx512f,avx512bw,avx512vl");
#[cfg(target_arch = "aarch64")]
lane_keys!(aese, Aes, 4 groups, "neon,aes");
