//! Detects that this process is a copy of another, made by a fork.
//!
//! Data that two processes must never both use, such as nonces computed in advance, must not be
//! used in a child that has a copy of them. The process number does not show every fork: the first
//! process of a new PID namespace has number 1, as its parent may have, and the number of a process
//! that has ended is given to another. So the fork itself is detected:
//!
//! - by a page of memory that the kernel fills with zeros in every child (`MADV_WIPEONFORK`, Linux
//!   4.14), whichever system call made the child;
//! - by a handler that the C library's `fork` calls in the child (`pthread_atfork`), on Unix
//!   systems;
//! - by the process number, where there is no such page.
//!
//! Not detected are copies that the kernel of this machine does not make, such as a virtual machine
//! or a process restored twice from one snapshot; and, where there is no page that the kernel
//! wipes, a child that was made by a system call without the C library's `fork` and has the number
//! of the process that made the detector.
//!
//! A child that *shares* its parent's memory (`vfork`, `CLONE_VM`) is no copy, and is not reported
//! as one.
//!
//! A child has one thread, the one that forked. What another thread of the parent had locked stays
//! locked in the child for ever: so what outlives a call is behind a [`Lock`] that knows of forks,
//! and not behind one of the standard library.

mod handler;
mod lock;
mod process;
mod state;
mod wiped_page;

pub use lock::{Guard, Lock};
pub use state::{State, StateGuard};

use process::Process;

/// Remembers the process in which it was made.
///
/// ```
/// let detector = kuaimi_platform::fork::ForkDetector::new();
/// assert!(!detector.is_copy());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForkDetector {
    process: &'static Process,
}

impl ForkDetector {
    /// A detector of forks from now on.
    #[expect(
        clippy::new_without_default,
        reason = "a new value means this moment, which is not a default"
    )]
    pub fn new() -> Self {
        Self {
            process: Process::current(),
        }
    }

    /// Whether this is a copy of the detector: there was a fork after [`new`](Self::new), and this
    /// process is a child, or the child of a child, of the one that called it.
    #[inline]
    pub fn is_copy(&self) -> bool {
        self.process.is_copy()
    }
}

// Miri cannot fork.
#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests;
