//! How many threads a batch takes.

use kuaimi::Threads;

/// The calling thread (0), or all cores.
pub(crate) fn pool(threads: u32) -> Threads {
    match threads {
        0 => Threads::One,
        _ => Threads::Pool,
    }
}
