//! The generators' tables and the lines of `P2`, each computed at its first use.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use crate::arith::backend::Portable;
use crate::curve::computed_table::ComputedTable;
use crate::curve::{Curve, FixedBaseTable};
use crate::sm9::curve::{G1_WINDOW_BITS, G2_WINDOW_BITS, Sm9G1, Sm9G2};
use crate::sm9::pairing::LineTable;
use crate::sm9::pairing::precomputed_lines::Lines;

type G1 = Sm9G1<Portable>;
type G2 = Sm9G2<Portable>;

/// The odd multiples of `2^(W·i)·P1` for each window `i`.
pub(super) fn g1_generator() -> &'static [[[u64; 4]; 2]] {
    static TABLE: ComputedTable<4> = ComputedTable::new();
    TABLE.entries(|| FixedBaseTable::<G1>::build_vartime(&G1::GENERATOR, G1_WINDOW_BITS))
}

/// The odd multiples of `2^(W·i)·P2` for each window `i`.
pub(super) fn g2_generator() -> &'static [[[u64; 8]; 2]] {
    static TABLE: ComputedTable<8> = ComputedTable::new();
    TABLE.entries(|| FixedBaseTable::<G2>::build_vartime(&G2::GENERATOR, G2_WINDOW_BITS))
}

/// The lines of Miller's loop with `P2`.
pub(super) fn g2_lines() -> &'static Lines {
    static LINES: OnceBox<LineTable> = OnceBox::new();
    let table = LINES.get_or_init(|| Box::new(LineTable::new(&G2::GENERATOR)));
    table.lines()
}
