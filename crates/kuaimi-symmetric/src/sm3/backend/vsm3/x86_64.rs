//! The instructions.

#![allow(unsafe_code, reason = "instructions for SM3")]

use core::arch::x86_64::*;

use super::super::super::hasher::to_bytes;
use super::super::super::{BLOCK_LEN, DIGEST_LEN, State};
use super::super::lanes::{Engine, States};
use super::{Halves, Words, compress, halves, words};

/// Four words. Values occur only in functions with these instructions, into which all methods are
/// inlined.
#[derive(Clone, Copy)]
struct Register(__m128i);

impl Words for Register {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the CPU has the instructions, as the operands prove.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_right(self, by: [u32; 4]) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let [a, b, c, d] = by.map(u32::cast_signed);
            let right = _mm_setr_epi32(a, b, c, d);
            let left = _mm_setr_epi32(32 - a, 32 - b, 32 - c, 32 - d);
            _mm_or_si128(_mm_srlv_epi32(self.0, right), _mm_sllv_epi32(self.0, left))
        })
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_shuffle_epi32::<0b00_01_10_11>(self.0) })
    }

    #[inline(always)]
    fn low_halves(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_unpacklo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_halves(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_unpackhi_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn skip<const N: i32>(self, more: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            match N {
                1 => _mm_alignr_epi8::<4>(more.0, self.0),
                2 => _mm_alignr_epi8::<8>(more.0, self.0),
                _ => _mm_alignr_epi8::<12>(more.0, self.0),
            }
        })
    }

    #[inline(always)]
    fn expand_first(self, w13: Self, w0: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sm3msg1_epi32(self.0, w13.0, w0.0) })
    }

    #[inline(always)]
    fn expand_last(self, w3: Self, w10: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sm3msg2_epi32(self.0, w3.0, w10.0) })
    }

    #[inline(always)]
    fn two_rounds<const J: i32>(self, feba: Self, w: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sm3rnds2_epi32::<J>(self.0, feba.0, w.0) })
    }
}

#[inline]
#[target_feature(enable = "sm3,avx2")]
fn load(state: &State) -> Halves<Register> {
    // SAFETY: eight words are readable, and the instruction needs no alignment.
    let [abcd, efgh] = unsafe {
        [
            Register(_mm_loadu_si128(state.as_ptr().cast())),
            Register(_mm_loadu_si128(state.as_ptr().add(4).cast())),
        ]
    };
    halves(abcd, efgh)
}

#[inline]
#[target_feature(enable = "sm3,avx2")]
fn store(state: Halves<Register>) -> State {
    let [abcd, efgh] = words(state);
    let mut state = [0; 8];
    // SAFETY: eight words are writable, and the instruction needs no alignment.
    unsafe {
        _mm_storeu_si128(state.as_mut_ptr().cast(), abcd.0);
        _mm_storeu_si128(state.as_mut_ptr().add(4).cast(), efgh.0);
    }
    state
}

#[inline]
#[target_feature(enable = "sm3,avx2")]
fn message(block: &[u8; BLOCK_LEN]) -> [Register; 4] {
    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let mut words = [Register(order); 4];
    for (words, bytes) in words.iter_mut().zip(block.as_chunks::<16>().0) {
        // SAFETY: 16 bytes are readable, and the instruction needs no alignment.
        let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
        words.0 = _mm_shuffle_epi8(bytes, order);
    }
    words
}

/// Compresses whole blocks into the state, in order.
#[target_feature(enable = "sm3,avx2")]
pub(in super::super) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    let mut halves = [load(state)];
    for block in blocks {
        compress(&mut halves, [message(block)]);
    }
    *state = store(halves[0]);
}

/// The engine for two messages. A value proves that the CPU has the instructions.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Pairs(());

impl Pairs {
    /// # Safety
    /// The CPU has the instructions for SM3, and AVX2.
    #[inline]
    pub(in super::super) const unsafe fn new() -> Self {
        Self(())
    }
}

impl Engine<2> for Pairs {
    const MIN_LANES: usize = 2;

    #[inline]
    fn compress(self, states: &mut States<2>, runs: &[&[[u8; BLOCK_LEN]]; 2]) -> usize {
        #[target_feature(enable = "sm3,avx2")]
        fn compiled(states: &mut States<2>, runs: &[&[[u8; BLOCK_LEN]]; 2]) -> usize {
            let mut halves = [load(&states.get(0)), load(&states.get(1))];
            for (first, second) in runs[0].iter().zip(runs[1]) {
                compress(&mut halves, [message(first), message(second)]);
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
