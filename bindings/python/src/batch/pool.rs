//! The threads that work on batches.
//!
//! They are the module's own: the child of a fork has none of its parent's threads, and one that
//! waited for them would wait forever. So a pool knows its process. Pools are kept in a dictionary,
//! which Python keeps whole across threads and forks. The dictionary is made when the module is
//! loaded, before any thread can be at it.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use kuaimi_platform::fork::ForkDetector;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Failure;

#[pyclass(frozen, name = "_Pool", module = "kuaimi._native.batch")]
struct Pool {
    /// Never dropped: in the child of a fork that would wait for locks of threads that are not
    /// there.
    threads: ManuallyDrop<Arc<ThreadPool>>,
    process: ForkDetector,
}

/// The most threads that a call may ask for.
const MOST: usize = 1024;

/// Runs work on so many threads, or on as many as the machine has CPUs, without the interpreter
/// lock.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let threads = match threads {
        Some(threads @ 1..=MOST) => threads,
        Some(threads) => {
            return Err(Failure::Argument(format!(
                "threads is from 1 to {MOST}, or None for as many as there are CPUs, not {threads}"
            )));
        }
        None => std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST)),
    };
    let pool = pool(py, threads)?;
    Ok(py.detach(|| pool.install(work)))
}

static POOLS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

pub(super) fn pools(py: Python<'_>) -> &Bound<'_, PyDict> {
    POOLS.get_or_init(py, || PyDict::new(py).unbind()).bind(py)
}

fn pool(py: Python<'_>, threads: usize) -> Result<Arc<ThreadPool>, Failure> {
    let pools = pools(py);
    if let Some(pool) = pools.get_item(threads)? {
        let pool = pool.cast::<Pool>().map_err(PyErr::from)?.get();
        if !pool.process.is_copy() {
            return Ok(Arc::clone(&pool.threads));
        }
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("kuaimi-{index}"))
        .build()
        .map_err(|error| Failure::Argument(format!("the threads cannot be started: {error}")))?;
    let pool = Arc::new(pool);
    let kept = Pool {
        threads: ManuallyDrop::new(Arc::clone(&pool)),
        process: ForkDetector::new(),
    };
    pools.set_item(threads, Bound::new(py, kept)?)?;
    Ok(pool)
}
