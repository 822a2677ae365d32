//! Locks that no child of a fork waits for in vain.
//!
//! The child of a fork has one thread. What another thread of the parent had locked stays locked in the child, and what it was changing is half
//! changed. Python tells when a process is such a child. So a lock remembers after how many forks it was taken: if that was before
//! the last one, nobody is there to give it back, and the child gets an error.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// How many forks lie between the process that loaded the module and this one.
static FORKS: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn forks() -> usize {
    FORKS.load(Ordering::Relaxed)
}

#[pyfunction]
fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Has forks counted. Systems without `fork` have no such function.
pub(crate) fn count_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let os = module.py().import("os")?;
    if os.hasattr("register_at_fork")? {
        let in_child = PyDict::new(module.py());
        in_child.set_item("after_in_child", wrap_pyfunction!(forked, module)?)?;
        os.call_method("register_at_fork", (), Some(&in_child))?;
    }
    Ok(())
}

/// A value that threads change in turn.
pub(crate) struct Lock<T> {
    value: Mutex<T>,
    /// After how many forks it was taken last.
    taken_after: AtomicUsize,
}

const LOST: Failure = Failure::Finished(
    "another thread was at this object when the process forked, and left it unfinished: make a new one in the child",
);

/// How often a holder is looked for that has taken the lock and not said so yet, a millisecond each time.
const LOOKS: usize = 1000;

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            taken_after: AtomicUsize::new(forks()),
        }
    }

    /// Waits for the threads before this one. Fails in the child of a fork where a thread that was not copied holds it.
    pub(crate) fn get(&self) -> Result<MutexGuard<'_, T>, Failure> {
        for _ in 0..LOOKS {
            let held = match self.value.try_lock() {
                Ok(value) => value,
                // A panic under it leaves a state that can be used.
                Err(TryLockError::Poisoned(value)) => value.into_inner(),
                Err(TryLockError::WouldBlock)
                    if self.taken_after.load(Ordering::Relaxed) == forks() =>
                {
                    self.value
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
            };
            self.taken_after.store(forks(), Ordering::Relaxed);
            return Ok(held);
        }
        Err(LOST)
    }
}
