//! The table of a prepared public key: the fixed-base table of its point (see
//! [`crate::curve::fixed_base`]).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Point, many};
use crate::arith::Backend;
use crate::curve::FixedBaseTable;
use crate::sm2::curve::Sm2;

/// Bits of a window.
pub const WIDTH: usize = 5;
/// The number of windows.
pub const WINDOWS: usize = 256usize.div_ceil(WIDTH);
/// The entries of a window.
pub const PER_WINDOW: usize = 1 << (WIDTH - 1);

/// The fixed-base table of a public point: for each window `i` the odd multiples `1, 3, …, 2^W − 1`
/// of `2^(W·i)·P`.
pub struct KeyTable {
    entries: Box<[Point]>,
}

impl KeyTable {
    /// The size of a table on the heap, in bytes.
    pub const BYTES: usize = WINDOWS * PER_WINDOW * size_of::<Point>();

    /// The table of a public point.
    pub fn build_vartime(point: &Point) -> Self {
        (many::selected().key_table_vartime)(point)
    }

    /// The table with these entries, from the lowest window.
    pub(super) fn from_entries(entries: Vec<Point>) -> Self {
        Self {
            entries: entries.into_boxed_slice(),
        }
    }

    /// All entries, from the lowest window.
    pub fn entries(&self) -> &[Point] {
        &self.entries
    }

    /// Reads all of it in order, so that it is in the CPU's caches.
    pub fn read(&self) {
        let all = self.entries.iter().fold(0, |all, [x, _]| all | x[0]);
        core::hint::black_box(all);
    }

    /// The table for the backend `B`.
    #[inline]
    pub fn fixed_base_table<B: Backend>(&self) -> FixedBaseTable<'_, Sm2<B>> {
        FixedBaseTable::new(WIDTH, self.entries())
    }
}
