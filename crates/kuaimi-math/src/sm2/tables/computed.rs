//! The generator's tables, each computed at its first use.

use crate::arith::backend::Portable;
use crate::curve::computed_table::ComputedTable;
use crate::curve::{Curve, FixedBaseTable, OddMultiples};
use crate::sm2::curve::{Sm2, WIDE_WINDOW_BITS, WINDOW_BITS, WNAF_WIDTH};

type C = Sm2<Portable>;

/// The odd multiples of `2^(W·i)·G` for each window `i`.
pub(super) fn generator() -> &'static [[[u64; 4]; 2]] {
    static TABLE: ComputedTable<4> = ComputedTable::new();
    TABLE.entries(|| FixedBaseTable::<C>::build_vartime(&C::GENERATOR, WINDOW_BITS))
}

/// The same with wider windows, for public scalars, where there are such.
pub(super) fn generator_wide() -> &'static [[[u64; 4]; 2]] {
    if WIDE_WINDOW_BITS == WINDOW_BITS {
        return generator();
    }
    static TABLE: ComputedTable<4> = ComputedTable::new();
    TABLE.entries(|| FixedBaseTable::<C>::build_vartime(&C::GENERATOR, WIDE_WINDOW_BITS))
}

/// `G, 3G, 5G, …`.
pub(super) fn generator_odd_multiples() -> &'static [[[u64; 4]; 2]] {
    static TABLE: ComputedTable<4> = ComputedTable::new();
    TABLE.entries(|| OddMultiples::<C>::build_vartime(&C::GENERATOR, WNAF_WIDTH))
}
