//! Children with one flip each, on all cores, and how they ended.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use kuaimi_testing::Repeatable;

use crate::flip::{self, KINDS};
use crate::operations::{Operation, Wrong};

/// How children ended. The names are the table's columns.
pub const ENDS: [&str; 10] = [
    "right",
    "refused",
    "panic",
    "crash",
    "hang",
    "other nonce",
    "wrong",
    "same nonce",
    "nonce bit",
    "key",
];

/// From this end on, what is given out reveals the key, or some of its nonce.
const SAME_NONCE: usize = 7;

/// Counts by kind of bit and by end.
#[derive(Default)]
pub struct Counts([[AtomicU64; ENDS.len()]; KINDS.len()]);

/// What a child leaves in memory that its parent sees.
#[repr(C)]
struct Result {
    /// 0 as long as there is none; then 1 for a result, 2 for a refusal, 3 for a panic.
    end: AtomicU64,
    /// 0 for none, else the kind plus one.
    flipped: AtomicU64,
    length: AtomicU64,
    bytes: [u8; 4096],
}

/// Memory that the processes forked from this one share with it; zeros.
fn shared<T>() -> &'static T {
    // SAFETY: new memory, zeroed, aligned to a page; atomics and bytes may be zero.
    unsafe {
        let memory = libc::mmap(
            std::ptr::null_mut(),
            size_of::<T>(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        assert_ne!(memory, libc::MAP_FAILED, "no memory");
        &*memory.cast()
    }
}

/// Runs `child` in a new process, which ends with it; its number.
fn fork(child: impl FnOnce()) -> libc::pid_t {
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        0 => {
            child();
            // SAFETY: no destructor of the parent's is run.
            unsafe { libc::_exit(0) }
        }
        number => {
            assert!(number > 0, "no process");
            number
        }
    }
}

fn wait(process: libc::pid_t) -> libc::c_int {
    let mut status = 0;
    // SAFETY: a child of this process.
    assert_eq!(unsafe { libc::waitpid(process, &mut status, 0) }, process);
    status
}

/// A child runs the operation so often that it takes about as many nanoseconds, as a timer is not
/// precise, until a result is not the right one.
const CHILD_TIME: u64 = 200_000;

/// How many nanoseconds the operation takes, once its code and its memory are warm.
pub fn duration(operation: &Operation) -> u64 {
    let mut times: Vec<_> = (0..50)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box((operation.run)());
            start.elapsed().as_nanos() as u64
        })
        .collect();
    times.sort_unstable();
    times[25].max(1)
}

/// One flip; nothing if the timer missed the operation.
fn one(
    operation: &Operation,
    right: &[u8],
    result: &'static Result,
    time: (u64, u64),
    place: u64,
) -> Option<(usize, usize)> {
    result.end.store(0, Relaxed);
    result.flipped.store(0, Relaxed);
    let status = wait(fork(|| child(operation, right, result, time, place)));
    if libc::WIFSIGNALED(status) {
        let hang = libc::WTERMSIG(status) == libc::SIGALRM;
        // What was flipped is not known for sure: the operation never ended.
        let kind = result.flipped.load(Relaxed).checked_sub(1)? as usize;
        return Some((kind.min(KINDS.len() - 1), if hang { 4 } else { 3 }));
    }
    let kind = result.flipped.load(Relaxed).checked_sub(1)? as usize;
    let end = match result.end.load(Relaxed) {
        1 => {
            let length = (result.length.load(Relaxed) as usize).min(result.bytes.len());
            let bytes = &result.bytes[..length];
            match bytes == right {
                true => 0,
                false => match (operation.judge)(bytes) {
                    Wrong::OtherNonce => 5,
                    Wrong::Useless => 6,
                    Wrong::SameNonce => 7,
                    Wrong::NonceBit => 8,
                    Wrong::Key => 9,
                },
            }
        }
        2 => 1,
        3 => 2,
        _ => 3,
    };
    Some((kind, end))
}

fn child(
    operation: &Operation,
    right: &[u8],
    result: &'static Result,
    (moment, times): (u64, u64),
    place: u64,
) {
    // SAFETY: ends this process if the operation does not end; what it says when it fails is not
    // printed.
    unsafe {
        libc::alarm(3);
        libc::close(2);
    }
    // The pages are this process's own afterwards.
    std::hint::black_box((operation.run)());
    let kind = flip::kind_of(place);
    // Kept in case that the operation never ends; cleared if nothing was flipped.
    result.flipped.store(kind as u64 + 1, Relaxed);
    let (outcome, flipped) = flip::during(moment, place, || {
        let run = || catch_unwind(AssertUnwindSafe(|| (operation.run)()));
        let is_right = |outcome: &std::thread::Result<Option<Vec<u8>>>| match outcome {
            Ok(Some(bytes)) => bytes == right,
            _ => false,
        };
        (1..times)
            .map(|_| run())
            .find(|it| !is_right(it))
            .unwrap_or_else(run)
    });
    if !flipped {
        result.flipped.store(0, Relaxed);
    }
    let end = match outcome {
        Ok(Some(bytes)) => {
            let length = bytes.len().min(result.bytes.len());
            // SAFETY: only this process writes there until it ends.
            unsafe {
                let place = result.bytes.as_ptr().cast_mut();
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, length);
            }
            result.length.store(bytes.len() as u64, Relaxed);
            1
        }
        Ok(None) => 2,
        Err(_) => 3,
    };
    result.end.store(end, Relaxed);
}

/// So many flips, shared among as many processes as there are cores.
pub fn run(operation: &Operation, flips: u64, seed: u64) -> &'static Counts {
    // A panic in a child is an outcome, and not to be printed.
    std::panic::set_hook(Box::new(|_| {}));
    let right = (operation.run)().expect("the operation succeeds");
    assert_eq!((operation.run)(), Some(right.clone()), "it repeats");
    let time = duration(operation);
    let times = (CHILD_TIME / time).clamp(1, 50);
    let counts: &'static Counts = shared();
    let cores = std::thread::available_parallelism().map_or(1, |it| it.get()) as u64;
    let workers: Vec<_> = (0..cores)
        .map(|worker| {
            let wanted = flips / cores + u64::from(worker < flips % cores);
            fork(|| {
                let result: &'static Result = shared();
                let mut random = Repeatable(seed << 32 | worker << 16 | 9);
                let mut done = 0;
                while done < wanted {
                    let (moment, place) = (random.word() % (time * times), random.word());
                    let time = (moment, times);
                    if let Some((kind, end)) = one(operation, &right, result, time, place) {
                        counts.0[kind][end].fetch_add(1, Relaxed);
                        done += 1;
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        assert_eq!(wait(worker), 0, "a worker ended");
    }
    let _ = std::panic::take_hook();
    counts
}

pub fn print_head() {
    println!("| operation | bit | flips | {} |", ENDS.join(" | "));
    println!("| --- | --- | {}", " ---: |".repeat(ENDS.len() + 1));
}

/// How many flips gave out a signature that reveals the key, or some of its nonce.
pub fn revealing(counts: &Counts) -> u64 {
    let kinds = counts.0.iter();
    let ends = kinds.flat_map(|ends| &ends[SAME_NONCE..]);
    ends.map(|count| count.load(Relaxed)).sum()
}

pub fn print_row(operation: &Operation, counts: &Counts) {
    let row = |kind: &str, counts: [u64; ENDS.len()]| {
        let total: u64 = counts.iter().sum();
        let counts = counts.map(|count| count.to_string()).join(" | ");
        println!("| {} | {kind} | {total} | {counts} |", operation.name);
    };
    let each = counts
        .0
        .each_ref()
        .map(|row| row.each_ref().map(|it| it.load(Relaxed)));
    for (kind, counts) in KINDS.iter().zip(&each) {
        row(kind, *counts);
    }
    row(
        "all",
        std::array::from_fn(|end| each.iter().map(|row| row[end]).sum()),
    );
    let _ = std::io::stdout().flush();
}
