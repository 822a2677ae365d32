//! Many SM2 key pairs.

use kuaimi::Threads;
use kuaimi::sm2::batch::generate_batch;
use pyo3::prelude::*;

use super::column::listable;
use super::pool;
use crate::error::Failure;
use crate::sm2::PrivateKey;

/// Many new private keys, from the operating system's random generator. Constant time.
///
/// Raises RandomFailed where that fails, and MemoryError for more keys than there is memory for.
///
/// >>> len(kuaimi.sm2.generate_batch(3))
/// 3
#[pyfunction]
#[pyo3(signature = (count, *, threads = None))]
pub(super) fn sm2_generate_batch(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
) -> Result<Vec<Py<PrivateKey>>, Failure> {
    listable(count)?;
    let keys = pool::run(py, threads, || generate_batch(count, Threads::Pool))?;
    // Keys that are moved out of a vector, or into one that grows, leave copies in its memory.
    keys.iter()
        .map(|key| {
            let key = key.as_ref().map_err(Clone::clone)?;
            Ok(Py::new(py, PrivateKey::of(key.clone()))?)
        })
        .collect()
}
