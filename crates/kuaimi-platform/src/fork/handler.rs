//! Counts forks by a handler that the C library's `fork` calls in the child (POSIX,
//! `pthread_atfork`).

#![allow(unsafe_code, reason = "the C library's pthread_atfork")]

pub(super) use counted::{forks, register};

#[cfg(all(
    any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    ),
    not(miri)
))]
mod counted {
    use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    static FORKS: AtomicUsize = AtomicUsize::new(0);
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);

    /// Has forks counted from now on, unless the system has no room for the handler.
    pub(in super::super) fn register() {
        // Without a lock, which a fork might find taken. Two threads may both register the handler:
        // then a fork counts twice.
        if !IS_REGISTERED.load(Ordering::Acquire) {
            // SAFETY: the handler only adds to an atomic, which the child of a process with threads
            // may do.
            let status = unsafe { libc::pthread_atfork(None, None, Some(count_fork)) };
            IS_REGISTERED.store(status == 0, Ordering::Release);
        }
    }

    /// A number that is another one in the child than it was before the fork.
    pub(in super::super) fn forks() -> usize {
        FORKS.load(Ordering::Relaxed)
    }

    unsafe extern "C" fn count_fork() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(not(all(
    any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    ),
    not(miri)
)))]
mod counted {
    pub(in super::super) fn register() {}

    pub(in super::super) fn forks() -> usize {
        0
    }
}
