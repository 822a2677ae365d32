//! Any number of lanes in plain Rust, to compare the vectors with. Nothing is inlined, as the
//! compiler would take minutes.

use super::super::super::compress;
use super::{BLOCK_LEN, DIGEST_LEN, Engine, States, Words};

/// The engine: slow, and available everywhere.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Model;

impl<const N: usize> Engine<N> for Model {
    const MIN_LANES: usize = 2;

    fn compress(self, states: &mut States<N>, runs: &[&[[u8; BLOCK_LEN]]; N]) -> usize {
        // SAFETY: no special instructions.
        unsafe { super::compress::<N, [u32; N]>(states, runs) }
    }

    fn digests(self, states: &States<N>, digests: &mut [[u8; DIGEST_LEN]; N]) {
        // SAFETY: no special instructions.
        unsafe { super::digests::<N, [u32; N]>(states, digests) }
    }
}

impl<const N: usize> Words<N> for [u32; N] {
    #[inline(never)]
    unsafe fn load(words: &[u32; N]) -> Self {
        *words
    }

    #[inline(never)]
    unsafe fn splat(word: u32) -> Self {
        [word; N]
    }

    #[inline(never)]
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; N], l: usize, c: usize) -> Self {
        core::array::from_fn(|i| {
            let (words, _) = blocks[i / 4 * 4 + l].as_chunks::<4>();
            u32::from_be_bytes(words[4 * c + i % 4])
        })
    }

    #[inline(never)]
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; N], l: usize, c: usize) {
        for (i, word) in self.into_iter().enumerate() {
            digests[i / 4 * 4 + l].as_chunks_mut::<4>().0[4 * c + i % 4] = word.to_be_bytes();
        }
    }

    #[inline(never)]
    fn store(self, words: &mut [u32; N]) {
        *words = self;
    }

    #[inline(never)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        core::array::from_fn(|k| core::array::from_fn(|i| rows[i % 4][i / 4 * 4 + k]))
    }

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i].wrapping_add(other[i]))
    }

    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] ^ other[i])
    }

    #[inline(never)]
    fn rotate_left<const L: i32, const R: i32>(self) -> Self {
        self.map(|word| word.rotate_left(L as u32))
    }

    #[inline(never)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        core::array::from_fn(|i| compress::majority(x[i], y[i], z[i]))
    }

    #[inline(never)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        core::array::from_fn(|i| compress::choose(x[i], y[i], z[i]))
    }
}
