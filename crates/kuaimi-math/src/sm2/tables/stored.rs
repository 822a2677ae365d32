//! The generator's tables from files.

use crate::curve::stored_table::{Table, read};
use crate::sm2::curve::{WIDE_WINDOW_BITS, WIDE_WINDOWS, WINDOW_BITS, WINDOWS, WNAF_WIDTH};

/// The odd multiples of `2^(W·i)·G` for each window `i`.
static GENERATOR_TABLE: Table<4, { WINDOWS << (WINDOW_BITS - 1) }> =
    read(include_bytes!("generator.bin"));

/// The same with wider windows, for public scalars.
static GENERATOR_WIDE_TABLE: Table<4, { WIDE_WINDOWS << (WIDE_WINDOW_BITS - 1) }> =
    read(include_bytes!("generator_wide.bin"));

/// `G, 3G, 5G, …`.
static GENERATOR_ODD_MULTIPLES: Table<4, { 1 << (WNAF_WIDTH - 2) }> =
    read(include_bytes!("generator_odd_multiples.bin"));

#[inline]
pub(super) const fn generator() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_TABLE.0
}

#[inline]
pub(super) const fn generator_wide() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_WIDE_TABLE.0
}

#[inline]
pub(super) const fn generator_odd_multiples() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_ODD_MULTIPLES.0
}
