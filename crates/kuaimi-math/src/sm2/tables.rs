//! The generator's tables.

use super::curve::{Sm2, WIDE_WINDOW_BITS, WIDE_WINDOWS, WINDOW_BITS, WINDOWS, WNAF_WIDTH};
use crate::arith::Backend;
use crate::curve::stored_table::{Table, read};
use crate::curve::{FixedBaseTable, OddMultiples};

/// The odd multiples of `2^(W·i)·G` for each window `i`.
static GENERATOR_TABLE: Table<4, { WINDOWS << (WINDOW_BITS - 1) }> =
    read(include_bytes!("tables/generator.bin"));

/// The same with wider windows, for public scalars.
static GENERATOR_WIDE_TABLE: Table<4, { WIDE_WINDOWS << (WIDE_WINDOW_BITS - 1) }> =
    read(include_bytes!("tables/generator_wide.bin"));

/// `G, 3G, 5G, …`.
static GENERATOR_ODD_MULTIPLES: Table<4, { 1 << (WNAF_WIDTH - 2) }> =
    read(include_bytes!("tables/generator_odd_multiples.bin"));

/// The table for `[k]G` with secret `k`.
#[inline]
pub const fn generator_table<B: Backend>() -> FixedBaseTable<'static, Sm2<B>> {
    FixedBaseTable::new(WINDOW_BITS, &GENERATOR_TABLE.0)
}

/// The entries of [`generator_table`].
#[inline]
pub const fn generator_entries() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_TABLE.0
}

/// The entries of [`generator_wide_table`].
#[inline]
pub const fn generator_wide_entries() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_WIDE_TABLE.0
}

/// The table for `[s]G` in verification with a key without a table.
#[inline]
pub const fn generator_odd_multiples<B: Backend>() -> OddMultiples<'static, Sm2<B>> {
    OddMultiples::new(WNAF_WIDTH, &GENERATOR_ODD_MULTIPLES.0)
}

/// The table for `[s]G` in verification with a prepared key.
#[inline]
pub const fn generator_wide_table<B: Backend>() -> FixedBaseTable<'static, Sm2<B>> {
    FixedBaseTable::new(WIDE_WINDOW_BITS, &GENERATOR_WIDE_TABLE.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::backend::Portable;
    use crate::curve::Curve;
    use crate::curve::stored_table::check;

    #[test]
    fn stored_tables() {
        type C = Sm2<Portable>;
        let g = &C::GENERATOR;
        check(
            "sm2/tables/generator.bin",
            &GENERATOR_TABLE.0,
            &FixedBaseTable::<C>::build_vartime(g, WINDOW_BITS),
        );
        check(
            "sm2/tables/generator_wide.bin",
            &GENERATOR_WIDE_TABLE.0,
            &FixedBaseTable::<C>::build_vartime(g, WIDE_WINDOW_BITS),
        );
        check(
            "sm2/tables/generator_odd_multiples.bin",
            &GENERATOR_ODD_MULTIPLES.0,
            &OddMultiples::<C>::build_vartime(g, WNAF_WIDTH),
        );
    }
}
