//! The generators' tables and the lines of `P2` from files.

use crate::curve::stored_table::{Table, read};
use crate::sm9::curve::{G1_WINDOW_BITS, G1_WINDOWS, G2_WINDOW_BITS, G2_WINDOWS};
use crate::sm9::pairing::precomputed_lines::Lines;
use crate::sm9::pairing::steps::LINES;

/// The odd multiples of `2^(W·i)·P1` for each window `i`.
static G1_GENERATOR_TABLE: Table<4, { G1_WINDOWS << (G1_WINDOW_BITS - 1) }> =
    read(include_bytes!("g1_generator.bin"));

/// The odd multiples of `2^(W·i)·P2` for each window `i`.
static G2_GENERATOR_TABLE: Table<8, { G2_WINDOWS << (G2_WINDOW_BITS - 1) }> =
    read(include_bytes!("g2_generator.bin"));

/// The lines of Miller's loop with `P2`. A line is two elements of `Fq2`, as a point is.
static G2_GENERATOR_LINES: Table<8, LINES> = read(include_bytes!("g2_generator_lines.bin"));

#[inline]
pub(super) const fn g1_generator() -> &'static [[[u64; 4]; 2]] {
    &G1_GENERATOR_TABLE.0
}

#[inline]
pub(super) const fn g2_generator() -> &'static [[[u64; 8]; 2]] {
    &G2_GENERATOR_TABLE.0
}

#[inline]
pub(super) const fn g2_lines() -> &'static Lines {
    &G2_GENERATOR_LINES.0
}
