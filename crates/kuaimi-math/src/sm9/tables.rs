//! The generators' tables, and the precomputed lines of `P2`.

use super::curve::{G1_WINDOW_BITS, G1_WINDOWS, G2_WINDOW_BITS, G2_WINDOWS, Sm9G1, Sm9G2};
use crate::arith::Backend;
use crate::curve::FixedBaseTable;
use crate::curve::stored_table::{Table, read};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::group::{G1, G2};
use crate::sm9::pairing::precomputed_lines::Lines;
use crate::sm9::pairing::steps::LINES;

/// The odd multiples of `2^(W·i)·P1` for each window `i`.
static G1_GENERATOR_TABLE: Table<4, { G1_WINDOWS << (G1_WINDOW_BITS - 1) }> =
    read(include_bytes!("tables/g1_generator.bin"));

/// The odd multiples of `2^(W·i)·P2` for each window `i`.
static G2_GENERATOR_TABLE: Table<8, { G2_WINDOWS << (G2_WINDOW_BITS - 1) }> =
    read(include_bytes!("tables/g2_generator.bin"));

/// The lines of Miller's loop with `P2`. A line is two elements of `Fq2`, as a point is.
static G2_GENERATOR_LINES: Table<8, LINES> = read(include_bytes!("tables/g2_generator_lines.bin"));

/// The table for `[k]P1`.
#[inline]
pub const fn g1_generator_table<B: Backend>() -> FixedBaseTable<'static, Sm9G1<B>> {
    FixedBaseTable::new(G1_WINDOW_BITS, &G1_GENERATOR_TABLE.0)
}

/// The entries of that table.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) const fn g1_generator_entries() -> &'static [G1] {
    &G1_GENERATOR_TABLE.0
}

/// The lines for `e(P, P2)`.
#[inline]
pub const fn g2_lines() -> &'static Lines {
    &G2_GENERATOR_LINES.0
}

/// The table for `[k]P2`.
#[inline]
pub const fn g2_generator_table<B: Backend>() -> FixedBaseTable<'static, Sm9G2<B>> {
    FixedBaseTable::new(G2_WINDOW_BITS, &G2_GENERATOR_TABLE.0)
}

/// The entries of that table.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) const fn g2_generator_entries() -> &'static [G2] {
    &G2_GENERATOR_TABLE.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::backend::Portable;
    use crate::curve::Curve;
    use crate::curve::stored_table::check;
    use crate::sm9::pairing::LineTable;

    #[test]
    fn stored_tables() {
        type G1 = Sm9G1<Portable>;
        type G2 = Sm9G2<Portable>;
        check(
            "sm9/tables/g1_generator.bin",
            &G1_GENERATOR_TABLE.0,
            &FixedBaseTable::<G1>::build_vartime(&G1::GENERATOR, G1_WINDOW_BITS),
        );
        check(
            "sm9/tables/g2_generator.bin",
            &G2_GENERATOR_TABLE.0,
            &FixedBaseTable::<G2>::build_vartime(&G2::GENERATOR, G2_WINDOW_BITS),
        );
        check(
            "sm9/tables/g2_generator_lines.bin",
            &G2_GENERATOR_LINES.0,
            LineTable::new(&G2::GENERATOR).lines(),
        );
    }
}
