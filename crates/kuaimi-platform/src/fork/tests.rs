//! Each way of detecting a fork, without the others.

#![allow(unsafe_code, reason = "forks")]

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::{ptr, thread};

use super::process::Process;
use super::wiped_page::WipedPage;
use super::{ForkDetector, Lock, handler};

/// Whether `detects` holds in a child of the C library's `fork`.
fn in_fork(detects: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child calls `detects` and ends. glibc keeps its allocator usable over a fork.
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
    // SAFETY: the child does nothing but call `detects`, which allocates nothing, and end.
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
fn a_process_knows_its_children_and_grandchildren() {
    for process in [WipedPage::new(), None].map(Process::with_page) {
        assert!(!process.is_copy());
        assert!(in_fork(|| process.is_copy()));
        assert!(in_raw_clone(|| process.is_copy()));
        assert!(in_fork(|| in_fork(|| process.is_copy())));
        assert!(!process.is_copy());
    }
}

#[test]
fn a_detector_knows_children_and_grandchildren() {
    let detector = ForkDetector::new();
    assert!(!detector.is_copy());
    assert!(in_fork(|| detector.is_copy()));
    assert!(in_raw_clone(|| detector.is_copy()));
    assert!(in_fork(|| in_fork(|| detector.is_copy())));
    assert!(in_fork(|| {
        // One that a child makes is the child's own, and known to be a copy in the grandchild.
        let own = ForkDetector::new();
        !own.is_copy() && in_fork(|| own.is_copy() && detector.is_copy())
    }));
    assert!(!detector.is_copy());
}

/// What the lock holds in a child, and again after the child has changed it.
fn used_in_child(lock: &Lock<Vec<u8>>) -> [Vec<u8>; 2] {
    let first = lock.lock(|| vec![9]).clone();
    lock.lock(|| vec![8]).push(5);
    [first, lock.lock(|| vec![7]).clone()]
}

#[test]
fn a_child_goes_on_with_what_nobody_used() {
    let lock = Lock::new(vec![1]);
    lock.lock(Vec::new).push(2);
    let goes_on = || used_in_child(&lock) == [vec![1, 2], vec![1, 2, 5]];
    assert!(in_fork(goes_on));
    assert!(in_fork(|| in_fork(goes_on)), "the child does not use it");
    assert!(in_fork(|| {
        goes_on() && in_fork(|| used_in_child(&lock) == [vec![1, 2, 5], vec![1, 2, 5, 5]])
    }));
    assert_eq!(*lock.lock(Vec::new), [1, 2]);
}

/// Of a value that another thread uses at the fork, a child has a new one, and so have its own
/// children.
#[test]
fn a_child_begins_anew_where_a_thread_was_at_work() {
    let lock = Lock::new(vec![1]);
    let (taken, done) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let guard = lock.lock(Vec::new);
            taken.wait();
            done.wait();
            drop(guard);
        });
        taken.wait();
        let begins = || used_in_child(&lock) == [vec![9], vec![9, 5]];
        assert!(in_fork(begins));
        assert!(in_fork(|| in_fork(begins)), "the child does not use it");
        assert!(in_fork(|| {
            begins() && in_fork(|| used_in_child(&lock) == [vec![9, 5], vec![9, 5, 5]])
        }));
        done.wait();
    });
    assert_eq!(*lock.lock(Vec::new), [1]);
}

/// The threads of a child wait for each other, whether they use a value of the parent's or a new
/// one.
#[test]
fn the_threads_of_a_child_wait_for_each_other() {
    for is_held in [false, true] {
        let lock = Lock::new(0_u32);
        let guard = is_held.then(|| lock.lock(|| 0));
        assert!(in_fork(|| {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..1000).for_each(|_| *lock.lock(|| 0) += 1));
                }
            });
            *lock.lock(|| 0) == 4000
        }));
        drop(guard);
    }
}

/// What a thread of the parent may have half done is not dropped in a child.
#[test]
fn what_is_half_done_is_left_alone() {
    struct Broken(bool);
    impl Drop for Broken {
        fn drop(&mut self) {
            assert!(!self.0, "dropped while it was broken");
        }
    }
    for is_held in [false, true] {
        let lock = ManuallyDrop::new(Lock::new(Broken(is_held)));
        let lock_in_place: &Lock<Broken> = &lock;
        let guard = is_held.then(|| lock_in_place.lock(|| Broken(false)));
        // SAFETY: it is the child's copy, which nothing else drops.
        let drop_copy = || drop(unsafe { ptr::read(&raw const *lock_in_place) });
        assert!(in_fork(|| catch_unwind(AssertUnwindSafe(drop_copy)).is_ok()));
        if let Some(mut guard) = guard {
            guard.0 = false;
        }
    }
}
