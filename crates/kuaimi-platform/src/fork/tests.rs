//! Each way of detecting a fork, without the others.

#![allow(unsafe_code, reason = "forks")]

use super::{ForkDetector, WipedPage, handler};

/// Whether `detects` holds in a child of the C library's `fork`.
fn in_fork(detects: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child does nothing but call `detects`, which allocates nothing, and end.
    in_child(unsafe { libc::fork() }, detects)
}

/// Whether `detects` holds in a child of the system call alone.
fn in_raw_clone(detects: impl FnOnce() -> bool) -> bool {
    let (none, flags): (libc::c_long, libc::c_long) = (0, libc::SIGCHLD as libc::c_long);
    // The stack comes first on S/390.
    let (first, second) = if cfg!(target_arch = "s390x") {
        (none, flags)
    } else {
        (flags, none)
    };
    // SAFETY: as above.
    let id = unsafe { libc::syscall(libc::SYS_clone, first, second, none, none, none) };
    in_child(id as libc::pid_t, detects)
}

fn in_child(id: libc::pid_t, detects: impl FnOnce() -> bool) -> bool {
    assert!(id >= 0);
    if id == 0 {
        // SAFETY: ends the child.
        unsafe { libc::_exit(i32::from(detects())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child.
    assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
    assert!(libc::WIFEXITED(status));
    libc::WEXITSTATUS(status) == 1
}

#[test]
fn the_kernel_wipes_the_page_in_every_child() {
    let Some(page) = WipedPage::new() else {
        eprintln!("this kernel has no pages that it wipes: nothing was tested");
        return;
    };
    assert!(in_fork(|| page.is_wiped()));
    assert!(in_raw_clone(|| page.is_wiped()));
    assert!(!page.is_wiped());
}

#[test]
fn the_handler_counts_forks_in_the_child() {
    handler::register();
    let before = handler::forks();
    assert!(in_fork(|| handler::forks() != before));
    assert_eq!(handler::forks(), before);
}

#[test]
fn a_detector_knows_children_and_grandchildren() {
    for detector in [ForkDetector::new(), ForkDetector::with_page(None)] {
        assert!(!detector.is_copy());
        assert!(in_fork(|| detector.is_copy()));
        assert!(in_raw_clone(|| detector.is_copy()));
        assert!(in_fork(|| in_fork(|| detector.is_copy())));
        // One that a child makes is the child's own.
        assert!(!in_fork(|| ForkDetector::new().is_copy()));
        assert!(!detector.is_copy());
    }
}
