//! A table that all lanes share, in the blocks of an engine: a look-up permutes words within
//! registers, a tenth of the work of looking up an entry for each lane.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::{Lanes, vectorize};
use crate::arith::modulus::Modulus;

/// A table of windows with `PER_WINDOW` entries of `PAIRS` pairs of numbers each. The coordinates
/// of a point over a prime field are one pair; an element of a quadratic extension is one, too.
/// Wiped on drop.
pub struct SharedTable<L: Lanes, const PAIRS: usize, const PER_WINDOW: usize> {
    /// For each window, for each pair.
    blocks: Vec<L::Block>,
}

impl<L: Lanes, const PAIRS: usize, const PER_WINDOW: usize> SharedTable<L, PAIRS, PER_WINDOW> {
    /// The blocks of a pair in one window.
    const BLOCKS: usize = PER_WINDOW.div_ceil(L::BLOCK);

    /// The bytes that so many windows take.
    pub const fn bytes(windows: usize) -> usize {
        windows * PAIRS * Self::BLOCKS * size_of::<L::Block>()
    }

    /// From the words of the entries, window by window, which are reduced Montgomery forms with
    /// `R = 2²⁵⁶`.
    pub fn new<M: Modulus>(words: &[u64]) -> Self {
        let windows = words.chunks_exact(8 * PAIRS * PER_WINDOW);
        let mut blocks = Vec::with_capacity(windows.len() * PAIRS * Self::BLOCKS);
        let mut numbers = [[[0; 4]; 2]; PER_WINDOW];
        for window in windows {
            for pair in 0..PAIRS {
                let entries = window.chunks_exact(8 * PAIRS);
                for (numbers, entry) in numbers.iter_mut().zip(entries) {
                    numbers
                        .as_flattened_mut()
                        .copy_from_slice(&entry[8 * pair..][..8]);
                }
                for numbers in numbers.chunks(L::BLOCK) {
                    blocks.push(vectorize!(L, L::block::<M>(numbers)));
                }
            }
        }
        numbers.as_flattened_mut().as_flattened_mut().zeroize();
        Self { blocks }
    }

    /// The pair at this place of the entry with index `indices[i]` of a window, in lane `i`.
    /// Constant time in the indices: the pair is read in all entries of the window. To be called
    /// within `vectorize!`.
    #[inline(always)]
    pub fn look_up(&self, window: usize, pair: usize, indices: &[u32]) -> (L::Vector, L::Vector) {
        let first = (window * PAIRS + pair) * Self::BLOCKS;
        L::look_up(&self.blocks[first..][..Self::BLOCKS], indices)
    }
}

impl<L: Lanes, const PAIRS: usize, const PER_WINDOW: usize> Drop
    for SharedTable<L, PAIRS, PER_WINDOW>
{
    fn drop(&mut self) {
        self.blocks.zeroize();
    }
}
