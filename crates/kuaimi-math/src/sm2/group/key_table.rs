//! The table of a prepared key: the fixed-base table of its point (see [`crate::curve::fixed_base`]).

use alloc::boxed::Box;

use super::Point;
use crate::arith::Backend;
use crate::arith::backend::with_backend;
use crate::curve::{Affine, FixedBaseTable};
use crate::sm2::curve::Sm2;

/// Bits of a window.
pub const WIDTH: usize = 5;
/// Windows: the additions of a product, and one more.
pub const WINDOWS: usize = 256usize.div_ceil(WIDTH);
/// Entries a window.
pub const PER_WINDOW: usize = 1 << (WIDTH - 1);

/// For window `i` the multiples `1, 3, …, 2^W − 1` of `2^(W·i)·P`, window after window; an entry is 64 bytes.
pub struct KeyTable {
    entries: Box<[Point]>,
}

impl KeyTable {
    /// Bytes of a table on the heap.
    pub const BYTES: usize = WINDOWS * PER_WINDOW * size_of::<Point>();

    /// The table of a public point.
    pub fn build_vartime(point: &Point) -> Self {
        let entries = with_backend!(B => {
            FixedBaseTable::<Sm2<B>>::build_vartime(&Affine::from_entry(point), WIDTH)
        });
        Self {
            entries: entries.into_boxed_slice(),
        }
    }

    /// All entries, window after window.
    pub fn entries(&self) -> &[Point] {
        &self.entries
    }

    /// The table as a fixed-base table.
    #[inline]
    pub fn fixed_base<B: Backend>(&self) -> FixedBaseTable<'_, Sm2<B>> {
        FixedBaseTable::new(WIDTH, self.entries())
    }
}
