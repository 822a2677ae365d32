//! The generators' tables, and the precomputed lines of `P2`: from files of this crate, or computed
//! at their first use.

use super::curve::{G1_WINDOW_BITS, G2_WINDOW_BITS, Sm9G1, Sm9G2};
use crate::arith::Backend;
use crate::curve::FixedBaseTable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::group::{G1, G2};
use crate::sm9::pairing::precomputed_lines::Lines;

#[cfg(any(test, target_family = "wasm"))]
mod computed;
#[cfg(not(target_family = "wasm"))]
mod stored;

#[cfg(target_family = "wasm")]
use computed as source;
#[cfg(not(target_family = "wasm"))]
use stored as source;

/// The table for `[k]P1`.
#[inline]
pub fn g1_generator_table<B: Backend>() -> FixedBaseTable<'static, Sm9G1<B>> {
    FixedBaseTable::new(G1_WINDOW_BITS, source::g1_generator())
}

/// The entries of that table.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) fn g1_generator_entries() -> &'static [G1] {
    source::g1_generator()
}

/// The lines for `e(P, P2)`.
#[inline]
pub fn g2_lines() -> &'static Lines {
    source::g2_lines()
}

/// The table for `[k]P2`.
#[inline]
pub fn g2_generator_table<B: Backend>() -> FixedBaseTable<'static, Sm9G2<B>> {
    FixedBaseTable::new(G2_WINDOW_BITS, source::g2_generator())
}

/// The entries of that table.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) fn g2_generator_entries() -> &'static [G2] {
    source::g2_generator()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::curve::stored_table::check;

    #[test]
    fn stored_tables() {
        check(
            "sm9/tables/g1_generator.bin",
            stored::g1_generator(),
            computed::g1_generator(),
        );
        check(
            "sm9/tables/g2_generator.bin",
            stored::g2_generator(),
            computed::g2_generator(),
        );
        check(
            "sm9/tables/g2_generator_lines.bin",
            stored::g2_lines(),
            computed::g2_lines(),
        );
    }
}
