//! From how many operations on it is faster to give each a lane than to compute one after another.

use super::Lanes;

/// The least numbers of operations.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// Of all operations.
    pub all: usize,
    /// Of those in the last vector, if there are others: these share inversions with it, so the
    /// first vector costs more.
    pub last: usize,
}

impl Least {
    /// `all` operations, and `last` in the last vector.
    pub const fn new(all: usize, last: usize) -> Self {
        Self { all, last }
    }

    /// The number of operations, of `count`, that are computed in lanes.
    pub const fn of<L: Lanes>(&self, count: usize) -> usize {
        let rest = count % L::LANES;
        if count < self.all {
            0
        } else if rest < self.last {
            count - rest
        } else {
            count
        }
    }
}
