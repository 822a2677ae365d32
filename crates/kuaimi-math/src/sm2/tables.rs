//! The generator's tables: from files of this crate, or computed at their first use.

use super::curve::{Sm2, WIDE_WINDOW_BITS, WINDOW_BITS, WNAF_WIDTH};
use crate::arith::Backend;
use crate::curve::{FixedBaseTable, OddMultiples};

#[cfg(any(test, target_family = "wasm"))]
mod computed;
#[cfg(not(target_family = "wasm"))]
mod stored;

#[cfg(target_family = "wasm")]
use computed as source;
#[cfg(not(target_family = "wasm"))]
use stored as source;

/// The table for `[k]G` with secret `k`.
#[inline]
pub fn generator_table<B: Backend>() -> FixedBaseTable<'static, Sm2<B>> {
    FixedBaseTable::new(WINDOW_BITS, generator_entries())
}

/// The entries of [`generator_table`].
#[inline]
pub fn generator_entries() -> &'static [[[u64; 4]; 2]] {
    source::generator()
}

/// The entries of [`generator_wide_table`].
#[inline]
pub fn generator_wide_entries() -> &'static [[[u64; 4]; 2]] {
    source::generator_wide()
}

/// The table for `[s]G` in verification with a key without a table.
#[inline]
pub fn generator_odd_multiples<B: Backend>() -> OddMultiples<'static, Sm2<B>> {
    OddMultiples::new(WNAF_WIDTH, source::generator_odd_multiples())
}

/// The table for `[s]G` in verification with a prepared key.
#[inline]
pub fn generator_wide_table<B: Backend>() -> FixedBaseTable<'static, Sm2<B>> {
    FixedBaseTable::new(WIDE_WINDOW_BITS, generator_wide_entries())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::curve::stored_table::check;

    #[test]
    fn stored_tables() {
        check(
            "sm2/tables/generator.bin",
            stored::generator(),
            computed::generator(),
        );
        check(
            "sm2/tables/generator_wide.bin",
            stored::generator_wide(),
            computed::generator_wide(),
        );
        check(
            "sm2/tables/generator_odd_multiples.bin",
            stored::generator_odd_multiples(),
            computed::generator_odd_multiples(),
        );
    }
}
