//! Constant-time look-up of four secret indices at once.
//!
//! For each 32-bit word of a register, `VPERMD` selects one of the eight words of another register.
//! So a register holds the same limb of eight entries, and each lane selects its own. The time of
//! the instruction does not depend on the indices, and every register of the table is loaded.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_or_si256, _mm256_permutevar8x32_epi32,
    _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srli_epi64,
};

use zeroize::Zeroize;

use super::Limbs29;
use super::constants::{LIMBS, split};
use crate::arith::backend::{Backend, Portable64};
use crate::arith::lanes::Pair;
use crate::arith::modulus::Modulus;

/// Entries of a block.
pub const ENTRIES: usize = 8;

/// Eight entries: for each limb of `x`, then of `y`, the limbs of all entries.
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
                    a = Portable64::add::<M>(&a, &a);
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
#[inline]
#[target_feature(enable = "avx2")]
pub fn look_up(blocks: &[Block], indices: [u32; 4]) -> (Limbs29, Limbs29) {
    let [i0, i1, i2, i3] = indices.map(i64::from);
    let index = _mm256_set_epi64x(i3, i2, i1, i0);
    let block_index = _mm256_srli_epi64::<3>(index);
    let zero = _mm256_setzero_si256();
    let mut found = [[zero; LIMBS]; 2];
    for (b, block) in blocks.iter().enumerate() {
        // The upper halves of the lanes are masked, as a limb has 29 bits.
        let here = _mm256_and_si256(
            _mm256_cmpeq_epi64(block_index, _mm256_set1_epi64x(b as i64)),
            _mm256_set1_epi64x(0xFFFF_FFFF),
        );
        for (found, rows) in found.iter_mut().zip(&block.0) {
            for (limb, row) in found.iter_mut().zip(rows) {
                let row: __m256i = load(row);
                let selected = _mm256_permutevar8x32_epi32(row, index);
                *limb = _mm256_or_si256(*limb, _mm256_and_si256(selected, here));
            }
        }
    }
    let [x, y] = found;
    (x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(row: &[u32; ENTRIES]) -> __m256i {
    // SAFETY: eight numbers of 32 bits are 32 bytes, and the load needs no alignment.
    unsafe { core::arch::x86_64::_mm256_loadu_si256(row.as_ptr().cast()) }
}
