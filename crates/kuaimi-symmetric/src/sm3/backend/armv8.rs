//! SM3 with the instructions of ARMv8.2, for one message or for two at the same time.
//!
//! Two registers hold the state: `A` to `D` and `E` to `H`, the first of each in the highest lane.
//! `SM3SS1` computes `SS1` of a round, `SM3TT1A` and `SM3TT1B` the next `A` to `D`, `SM3TT2A` and
//! `SM3TT2B` the next `E` to `H`; the forms `A` are for the first sixteen rounds. `SM3PARTW1` and
//! `SM3PARTW2` compute four words of the message expansion. The steps of a round wait for each
//! other, so that two messages take less than twice the time of one.
//!
//! No branch and no address depends on data.

#![allow(unsafe_code, reason = "instructions for SM3")]

use core::arch::aarch64::*;
use core::arch::asm;

use super::super::compress::T;
use super::super::hasher::to_bytes;
use super::super::{BLOCK_LEN, DIGEST_LEN, State};
use super::lanes::{Engine, States};

/// `A` to `D`, and `E` to `H`.
type Halves = [uint32x4_t; 2];

/// `SS1` in the highest lane, of `A`, of `E` and of `T_j <<< j`, which are in the highest lanes.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn ss1(abcd: uint32x4_t, efgh: uint32x4_t, t: uint32x4_t) -> uint32x4_t {
    let ss1;
    // SAFETY: the CPU has the instruction, by the features of this function; it changes one
    // register.
    unsafe {
        asm!("sm3ss1 {0:v}.4s, {1:v}.4s, {2:v}.4s, {3:v}.4s", lateout(vreg) ss1, in(vreg) abcd, in(vreg) efgh, in(vreg) t,
            options(pure, nomem, nostack, preserves_flags));
    }
    ss1
}

/// An instruction that computes half of the next state from that half, `SS1`, and lane `I` of a
/// vector of words.
macro_rules! half_round {
    ($(#[$doc:meta])* $name:ident $text:literal) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "neon,sm4")]
        fn $name<const I: usize>(mut half: uint32x4_t, ss1: uint32x4_t, words: uint32x4_t) -> uint32x4_t {
            // SAFETY: as above.
            unsafe {
                asm!(concat!($text, " {0:v}.4s, {1:v}.4s, {2:v}.s[{3}]"), inout(vreg) half, in(vreg) ss1, in(vreg) words,
                    const I, options(pure, nomem, nostack, preserves_flags));
            }
            half
        }
    };
}
half_round!(
    /// `A` to `D` with `FF_j` for `j < 16`; the words are `W'_j`.
    tt1a "sm3tt1a"
);
half_round!(
    /// `A` to `D` with `FF_j` for `j ≥ 16`.
    tt1b "sm3tt1b"
);
half_round!(
    /// `E` to `H` with `GG_j` for `j < 16`; the words are `W_j`.
    tt2a "sm3tt2a"
);
half_round!(
    /// `E` to `H` with `GG_j` for `j ≥ 16`.
    tt2b "sm3tt2b"
);

/// `W_j` to `W_{j+3}` from the sixteen words before them.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn expand([w0, w4, w8, w12]: [uint32x4_t; 4]) -> uint32x4_t {
    let mut next = vextq_u32::<3>(w4, w8);
    // SAFETY: as above.
    unsafe {
        asm!("sm3partw1 {0:v}.4s, {1:v}.4s, {2:v}.4s", inout(vreg) next, in(vreg) w0, in(vreg) w12,
            options(pure, nomem, nostack, preserves_flags));
        asm!("sm3partw2 {0:v}.4s, {1:v}.4s, {2:v}.4s", inout(vreg) next,
            in(vreg) vextq_u32::<2>(w8, w12), in(vreg) vextq_u32::<3>(w0, w4),
            options(pure, nomem, nostack, preserves_flags));
    }
    next
}

/// Four words in reverse order.
#[inline]
#[target_feature(enable = "neon")]
fn reversed(words: uint32x4_t) -> uint32x4_t {
    let swapped = vrev64q_u32(words);
    vextq_u32::<2>(swapped, swapped)
}

#[inline]
#[target_feature(enable = "neon")]
fn load(state: &State) -> Halves {
    // SAFETY: eight words are readable.
    unsafe {
        [
            reversed(vld1q_u32(state.as_ptr())),
            reversed(vld1q_u32(state.as_ptr().add(4))),
        ]
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn store([abcd, efgh]: Halves) -> State {
    let mut state = [0; 8];
    // SAFETY: eight words are writable.
    unsafe {
        vst1q_u32(state.as_mut_ptr(), reversed(abcd));
        vst1q_u32(state.as_mut_ptr().add(4), reversed(efgh));
    }
    state
}

/// Compresses one block into each of `N` states.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn compress<const N: usize>(states: &mut [Halves; N], blocks: [&[u8; BLOCK_LEN]; N]) {
    let start = *states;
    // W_j to W_{j+15} when round j begins, in the registers (j / 4 + i) mod 4.
    let mut w = [[vdupq_n_u32(0); 4]; N];
    for (w, block) in w.iter_mut().zip(blocks) {
        for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
            // SAFETY: 16 bytes are readable.
            *w = vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }));
        }
    }
    macro_rules! four_rounds {
        ($tt1:ident, $tt2:ident, $q:expr) => {
            let mut next = [vdupq_n_u32(0); N];
            // W_{j+4} ⊕ W_j, which are W'_j.
            let mut x = [vdupq_n_u32(0); N];
            for l in 0..N {
                let words = [
                    w[l][$q % 4],
                    w[l][($q + 1) % 4],
                    w[l][($q + 2) % 4],
                    w[l][($q + 3) % 4],
                ];
                x[l] = veorq_u32(words[0], words[1]);
                // The last rounds need no word after W_67.
                if $q < 13 {
                    next[l] = expand(words);
                }
            }
            four_rounds!(one, $tt1, $tt2, $q, x, 0);
            four_rounds!(one, $tt1, $tt2, $q, x, 1);
            four_rounds!(one, $tt1, $tt2, $q, x, 2);
            four_rounds!(one, $tt1, $tt2, $q, x, 3);
            for l in 0..N {
                w[l][$q % 4] = next[l];
            }
        };
        (one, $tt1:ident, $tt2:ident, $q:expr, $x:ident, $i:literal) => {
            // SAFETY: the word is readable.
            let t = unsafe { vld1q_dup_u32(&T[4 * $q + $i]) };
            for l in 0..N {
                let [abcd, efgh] = states[l];
                let ss1 = ss1(abcd, efgh, t);
                states[l] = [
                    $tt1::<$i>(abcd, ss1, $x[l]),
                    $tt2::<$i>(efgh, ss1, w[l][$q % 4]),
                ];
            }
        };
    }
    four_rounds!(tt1a, tt2a, 0);
    four_rounds!(tt1a, tt2a, 1);
    four_rounds!(tt1a, tt2a, 2);
    four_rounds!(tt1a, tt2a, 3);
    four_rounds!(tt1b, tt2b, 4);
    four_rounds!(tt1b, tt2b, 5);
    four_rounds!(tt1b, tt2b, 6);
    four_rounds!(tt1b, tt2b, 7);
    four_rounds!(tt1b, tt2b, 8);
    four_rounds!(tt1b, tt2b, 9);
    four_rounds!(tt1b, tt2b, 10);
    four_rounds!(tt1b, tt2b, 11);
    four_rounds!(tt1b, tt2b, 12);
    four_rounds!(tt1b, tt2b, 13);
    four_rounds!(tt1b, tt2b, 14);
    four_rounds!(tt1b, tt2b, 15);
    for (state, start) in states.iter_mut().zip(start) {
        *state = [veorq_u32(state[0], start[0]), veorq_u32(state[1], start[1])];
    }
}

/// Compresses whole blocks into the state, in order.
#[target_feature(enable = "neon,sm4")]
pub(super) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    let mut halves = [load(state)];
    for block in blocks {
        compress(&mut halves, [block]);
    }
    *state = store(halves[0]);
}

/// The engine for two messages. A value proves that the CPU has the instructions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Pairs(());

impl Pairs {
    /// # Safety
    /// The CPU has the instructions for SM3.
    pub(super) const unsafe fn new() -> Self {
        Self(())
    }
}

impl Engine<2> for Pairs {
    const MIN_LANES: usize = 2;

    #[inline]
    fn compress(self, states: &mut States<2>, runs: &[&[[u8; BLOCK_LEN]]; 2]) -> usize {
        #[target_feature(enable = "neon,sm4")]
        fn compiled(states: &mut States<2>, runs: &[&[[u8; BLOCK_LEN]]; 2]) -> usize {
            let mut halves = [load(&states.get(0)), load(&states.get(1))];
            for (first, second) in runs[0].iter().zip(runs[1]) {
                compress(&mut halves, [first, second]);
            }
            states.set(0, &store(halves[0]));
            states.set(1, &store(halves[1]));
            runs[0].len().min(runs[1].len())
        }
        // SAFETY: the CPU has the instructions, as this value proves.
        unsafe { compiled(states, runs) }
    }

    #[inline]
    fn digests(self, states: &States<2>, digests: &mut [[u8; DIGEST_LEN]; 2]) {
        *digests = [to_bytes(&states.get(0)), to_bytes(&states.get(1))];
    }
}
