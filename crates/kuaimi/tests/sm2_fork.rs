//! A pool of nonces in processes that have copies of one memory: parent and child hold the same
//! nonces after a fork, and must not both use them. Each test forks a process of its own first, in
//! which no other test runs threads.
#![cfg(target_os = "linux")]

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::FromRawFd as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kuaimi::sm2::{NoncePool, PrivateKey, Signature, SigningKey};

/// How many signatures each process makes at a time.
const COUNT: usize = 40;

/// Nonces in a pool: enough that a process that signs with inherited ones finds them.
const CAPACITY: usize = 4 * COUNT;

/// How long the thread of a pool may take to fill it before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The exit status of a process that the system does not let do what its test needs.
const NOT_PERMITTED: i32 = 77;

/// The system refuses what a test needs.
struct NotPermitted;

/// Why the last system call made no process: a filter or a missing right refuses it. Anything else
/// is a fault of the test.
fn refused() -> NotPermitted {
    let error = io::Error::last_os_error();
    let expected = [libc::EPERM, libc::EACCES, libc::ENOSYS];
    assert!(
        error
            .raw_os_error()
            .is_some_and(|code| expected.contains(&code)),
        "{error}"
    );
    NotPermitted
}

/// Why a process of a test ended early, or nothing.
type Outcome = Result<(), NotPermitted>;

fn signatures(pool: &NoncePool, key: &SigningKey) -> Vec<u8> {
    (0..COUNT)
        .flat_map(|_| {
            let signature = key.sign_with_pool(pool, b"text");
            signature.map_or([0; 64], |s| s.to_bytes())
        })
        .collect()
}

fn key() -> SigningKey {
    SigningKey::new(PrivateKey::from_bytes(&[3; 32]).expect("in range"))
}

/// A full pool, whose thread waits: it holds no lock, of the allocator's either, that a child would
/// find taken.
fn full_pool() -> NoncePool {
    let pool = NoncePool::new(CAPACITY).expect("random");
    wait_until_filled(&pool, CAPACITY);
    pool
}

fn wait_until_filled(pool: &NoncePool, count: usize) {
    let begun = Instant::now();
    while pool.stats().ready < count {
        assert!(begun.elapsed() < PATIENCE, "the pool was not filled");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// In a child: signs at once, when there can be nothing but what was inherited, and once more from
/// its own pool.
fn sign_in_child(pool: NoncePool, key: &SigningKey, mut out: File) {
    let mut bytes = signatures(&pool, key);
    wait_until_filled(&pool, COUNT);
    let before = pool.stats().served;
    bytes.extend(signatures(&pool, key));
    assert!(
        pool.stats().served > before,
        "a child has a pool of its own"
    );
    out.write_all(&bytes).expect("the pipe takes them");
    drop(out);
    // Ends the child's own thread, and waits for none of the parent's.
    drop(pool);
}

/// Every signature of all processes is right, and no two have one nonce: `r` is the nonce's point
/// and the digest, which is the same for all.
fn assert_no_nonce_twice(all: &[u8], count: usize) {
    assert_eq!(all.len(), count * 64);
    let key = key();
    let mut seen = HashSet::new();
    for bytes in all.chunks(64) {
        let signature = Signature::from_slice(bytes).expect("a signature");
        assert_eq!(key.verifying_key().verify(b"text", &signature), Ok(()));
        assert!(
            seen.insert(signature.r()),
            "a nonce was used in two processes"
        );
    }
}

fn pipe() -> (File, File) {
    let mut ends = [0; 2];
    // SAFETY: the array has room for the two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the descriptors are new and belong to nobody else.
    let [from, to] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    (from, to)
}

/// By the C library, which calls the handlers of `pthread_atfork`.
fn fork() -> libc::pid_t {
    // SAFETY: the child runs on with its one thread and the system's allocator, which glibc keeps
    // usable over a fork, and leaves by `_exit`.
    unsafe { libc::fork() }
}

/// By the system call alone: no handler of `pthread_atfork` is called.
fn raw_clone(flags: libc::c_int) -> libc::pid_t {
    let flags = (flags | libc::SIGCHLD) as libc::c_long;
    let none: libc::c_long = 0;
    // The stack comes first on S/390.
    let (first, second) = if cfg!(target_arch = "s390x") {
        (none, flags)
    } else {
        (flags, none)
    };
    // SAFETY: without CLONE_VM and a stack of its own, the child runs on with a copy of everything,
    // as after `fork`. No other thread of this process holds a lock of the allocator.
    let id = unsafe { libc::syscall(libc::SYS_clone, first, second, none, none, none) };
    libc::pid_t::try_from(id).expect("a process number")
}

/// As [`raw_clone`], with a process number of the caller's choice that is free.
fn raw_clone_with_number(number: libc::pid_t) -> libc::pid_t {
    // `struct clone_args` of clone3(2), which `libc` has for some machines only: eleven numbers of
    // 64 bits.
    const EXIT_SIGNAL: usize = 4;
    const SET_TID: usize = 8;
    const SET_TID_SIZE: usize = 9;
    let mut arguments = [0u64; 11];
    arguments[EXIT_SIGNAL] = libc::SIGCHLD as u64;
    arguments[SET_TID] = &raw const number as u64;
    arguments[SET_TID_SIZE] = 1;
    // SAFETY: as for `raw_clone`; the arguments and the number outlive the call.
    let id = unsafe {
        libc::syscall(
            libc::SYS_clone3,
            arguments.as_mut_ptr(),
            size_of_val(&arguments),
        )
    };
    libc::pid_t::try_from(id).expect("a process number")
}

/// Runs the rest of a forked process, which ends with what `run` comes to, or after some time.
fn end_with(run: impl FnOnce() -> Outcome) -> ! {
    // SAFETY: the signal ends the process.
    unsafe { libc::alarm(2 * PATIENCE.as_secs() as u32) };
    let status = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => 0,
        Ok(Err(NotPermitted)) => NOT_PERMITTED,
        Err(panic) => {
            // What a panic prints in a test is kept in this process's copy of a buffer.
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref().copied())
                .unwrap_or("a panic");
            drop(writeln!(io::stderr(), "in a forked process: {text}"));
            1
        }
    };
    // SAFETY: ends the process.
    unsafe { libc::_exit(status) }
}

/// The exit status of the child `id`, or of the next that ends for −1.
fn wait_for(id: libc::pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: waits for a child of this process.
    let ended = unsafe { libc::waitpid(id, &raw mut status, 0) };
    assert!(ended > 0 && (id == -1 || id == ended));
    if libc::WIFEXITED(status) {
        libc::WEXITSTATUS(status)
    } else {
        -1
    }
}

/// Runs a test in a process of its own.
fn in_a_process(run: impl FnOnce() -> Outcome) {
    let id = fork();
    assert!(id >= 0);
    if id == 0 {
        end_with(run);
    }
    match wait_for(id) {
        NOT_PERMITTED => eprintln!("not permitted on this system: nothing was tested"),
        status => assert_eq!(status, 0),
    }
}

/// Runs a test in a process with number 1, the first of a new namespace of process numbers.
fn as_number_one(run: impl FnOnce() -> Outcome) {
    in_a_process(|| {
        // SAFETY: changes what this process and its children may see, nothing of its memory.
        let unshare = |flags| unsafe { libc::unshare(flags) } == 0;
        if !unshare(libc::CLONE_NEWPID) && !unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWPID) {
            return Err(NotPermitted);
        }
        let id = fork();
        assert!(id >= 0);
        if id == 0 {
            end_with(|| {
                assert_eq!(std::process::id(), 1);
                run()
            });
        }
        match wait_for(id) {
            NOT_PERMITTED => Err(NotPermitted),
            status => {
                assert_eq!(status, 0);
                Ok(())
            }
        }
    });
}

/// Makes a pool, then a child by `clone`, and lets both sign. `child_number` is the number that the
/// child must find that it has.
fn parent_and_child(clone: impl FnOnce() -> libc::pid_t, child_number: Option<u32>) -> Outcome {
    let (pool, key) = (full_pool(), key());
    let (mut from, to) = pipe();
    let id = clone();
    if id < 0 {
        return Err(refused());
    }
    if id == 0 {
        end_with(|| {
            if let Some(number) = child_number {
                assert_eq!(std::process::id(), number);
            }
            sign_in_child(pool, &key, to);
            Ok(())
        });
    }
    drop(to);
    let mut all = signatures(&pool, &key);
    assert!(pool.stats().served > 0, "the parent goes on with its pool");
    from.read_to_end(&mut all).expect("the pipe can be read");
    assert_no_nonce_twice(&all, 3 * COUNT);
    assert_eq!(wait_for(id), 0, "the child signs, and ends");
    Ok(())
}

#[test]
fn a_forked_child_uses_none_of_its_parents_nonces() {
    in_a_process(|| parent_and_child(fork, None));
}

/// Handlers of `pthread_atfork` are not called.
#[test]
fn a_child_by_the_system_call_uses_none_of_its_parents_nonces() {
    in_a_process(|| parent_and_child(|| raw_clone(0), None));
}

#[test]
fn a_forked_child_with_its_parents_number_uses_none_of_its_nonces() {
    as_number_one(|| {
        let clone = || {
            // SAFETY: as above. It is after the pool's thread was made: none can be made now in
            // this process.
            if unsafe { libc::unshare(libc::CLONE_NEWPID) } != 0 {
                return -1;
            }
            fork()
        };
        parent_and_child(clone, Some(1))
    });
}

/// Neither the number nor a handler of `pthread_atfork` tells that there was a fork.
#[test]
fn a_child_by_the_system_call_with_its_parents_number_uses_none_of_its_nonces() {
    as_number_one(|| parent_and_child(|| raw_clone(libc::CLONE_NEWPID), Some(1)));
}

/// A process ends, and a grandchild gets its number.
#[test]
fn a_process_with_a_recycled_number_uses_none_of_the_nonces_of_the_one_that_had_it() {
    as_number_one(|| {
        let (mut from, to) = pipe();
        let (mut wait, go) = pipe();
        let first = fork();
        assert!(first >= 0);
        if first == 0 {
            end_with(|| {
                drop(go);
                let (pool, key) = (full_pool(), key());
                let number = std::process::id();
                let heir = fork();
                assert!(heir >= 0);
                if heir == 0 {
                    end_with(|| {
                        // Until the number is free.
                        wait.read_to_end(&mut Vec::new()).expect("a pipe");
                        let id = raw_clone_with_number(number as libc::pid_t);
                        if id < 0 {
                            return Err(refused());
                        }
                        if id == 0 {
                            end_with(|| {
                                assert_eq!(std::process::id(), number);
                                sign_in_child(pool, &key, to);
                                Ok(())
                            });
                        }
                        drop(to);
                        assert_eq!(wait_for(id), 0);
                        Ok(())
                    });
                }
                let mut to = to;
                to.write_all(&signatures(&pool, &key)).expect("a pipe");
                assert!(pool.stats().served > 0);
                Ok(())
            });
        }
        drop((to, wait));
        assert_eq!(wait_for(first), 0);
        // The number is free; whoever waits for it sees the end of its pipe.
        drop(go);
        let mut all = Vec::new();
        from.read_to_end(&mut all).expect("the pipe can be read");
        if all.len() > COUNT * 64 {
            assert_no_nonce_twice(&all, 3 * COUNT);
        }
        // Orphans become children of number one.
        match wait_for(-1) {
            NOT_PERMITTED => Err(NotPermitted),
            status => {
                assert_eq!(status, 0);
                Ok(())
            }
        }
    });
}
