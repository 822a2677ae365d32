//! Constant-time look-up of secret indices, one a lane, at once.
//!
//! A permutation of words of 32 bits selects for each word of a register one of the words of
//! another register. So a register holds the same limb of many entries, and each lane selects its
//! own. The time of the instruction does not depend on the indices, and every register of the table
//! is loaded.

use zeroize::Zeroize;

use super::Limbs29;
use super::constants::{LIMBS, split};
use crate::arith::backend::{Backend, Portable};
use crate::arith::lanes::words::Simd;
use crate::arith::lanes::{MAX_LANES, Pair, inlined_array};
use crate::arith::modulus::Modulus;

/// Entries of a block.
pub const ENTRIES: usize = 16;

/// Sixteen entries: for each limb of `x`, then of `y`, the limbs of all entries.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Block([[[u32; ENTRIES]; LIMBS]; 2]);

impl Zeroize for Block {
    fn zeroize(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().zeroize();
    }
}

impl Block {
    /// The block of these entries, given in Montgomery form with `R = 2²⁵⁶`. Missing entries are
    /// zero.
    pub fn new<M: Modulus>(entries: &[Pair]) -> Self {
        let mut block = [[[0; ENTRIES]; LIMBS]; 2];
        for (e, entry) in entries.iter().enumerate() {
            for (c, number) in entry.iter().enumerate() {
                // a·2²⁶¹ from a·2²⁵⁶
                let mut a = *number;
                for _ in 0..5 {
                    a = Portable::add::<M>(&a, &a);
                }
                for (row, limb) in block[c].iter_mut().zip(split(&a)) {
                    row[e] = limb as u32;
                }
            }
        }
        Self(block)
    }
}

/// The two numbers of the entries with these indices, one a lane.
#[inline(always)]
pub fn look_up<S: Simd>(blocks: &[Block], indices: &[u32]) -> (Limbs29<S>, Limbs29<S>) {
    let mut index = [0; MAX_LANES];
    for (word, i) in index.iter_mut().zip(indices) {
        *word = u64::from(*i);
    }
    let index = S::load(&index);
    let (wanted, within) = (index.shr::<4>(), index.and(S::splat(15)));
    let mut found = [[S::zero(); LIMBS]; 2];
    for (b, block) in blocks.iter().enumerate() {
        let here = wanted.eq(S::splat(b as u64));
        for (found, rows) in found.iter_mut().zip(&block.0) {
            for (limb, row) in found.iter_mut().zip(rows) {
                *limb = S::blend(here, S::permute16_of_32(row, within), *limb);
            }
        }
    }
    // The upper halves have no meaning.
    let low = S::splat(u64::from(u32::MAX));
    let [x, y] = found;
    (
        inlined_array!(9, |i| x[i].and(low)),
        inlined_array!(9, |i| y[i].and(low)),
    )
}
