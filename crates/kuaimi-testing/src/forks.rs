//! Children of the test's process, and whether they end: what another thread of the parent had
//! locked stays locked in a child.

#![allow(unsafe_code, reason = "forks")]

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// After so many seconds the system ends a child that hangs.
const PATIENCE: u32 = 30;

/// Whether a child does its work, and ends.
pub fn ends_well(in_child: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child has one thread and the system's allocator, which glibc keeps usable over a
    // fork, and leaves by `_exit`.
    let id = unsafe { libc::fork() };
    assert!(id >= 0);
    if id == 0 {
        // SAFETY: the system ends this child, if it has not ended by then.
        unsafe { libc::alarm(PATIENCE) };
        // SAFETY: ends the child.
        unsafe { libc::_exit(i32::from(!in_child())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child.
    assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}

/// Runs `in_child` in so many children, one after another, while threads run each of `in_threads`
/// again and again.
pub fn in_children(count: usize, in_threads: &[&(dyn Fn() + Sync)], in_child: impl Fn() -> bool) {
    let (done, started) = (AtomicBool::new(false), Barrier::new(in_threads.len() + 1));
    let failed = thread::scope(|scope| {
        for work in in_threads {
            scope.spawn(|| {
                work();
                started.wait();
                while !done.load(Ordering::Relaxed) {
                    work();
                }
            });
        }
        started.wait();
        let failed = (0..count).find(|_| !ends_well(&in_child));
        done.store(true, Ordering::Relaxed);
        failed
    });
    assert_eq!(failed, None, "the number of a child that hung or failed");
}
