//! Tables of the generators that are computed at their first use.
//!
//! A stored table is random bytes: it makes a program larger by its whole size, and no compression
//! helps. Where a program is downloaded before it runs, computing a table costs less time.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

/// A table whose entries are two coordinates of `W` words.
pub struct ComputedTable<const W: usize>(OnceBox<Vec<[[u64; W]; 2]>>);

impl<const W: usize> ComputedTable<W> {
    /// A table that nobody has used.
    pub const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// The entries. Threads that come first at the same time all compute them, and none waits.
    pub fn entries(&self, compute: impl FnOnce() -> Vec<[[u64; W]; 2]>) -> &[[[u64; W]; 2]] {
        self.0.get_or_init(|| Box::new(compute()))
    }
}

impl<const W: usize> Default for ComputedTable<W> {
    fn default() -> Self {
        Self::new()
    }
}
