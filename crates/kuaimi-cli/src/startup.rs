//! What must be known before the program's runtime starts: it opens `/dev/null` in place of standard input or output that
//! are closed, and from then on nothing tells that from a `/dev/null` which the user gave. Results would be lost without
//! an error, and a closed input read as an empty one.
//!
//! The macro runs a function before `main`. That is the one place of the program where something unsafe is allowed: such a function
//! must not need the runtime. This one makes two system calls and sets two flags.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look() {
        use rustix::io::fcntl_getfd;
        use rustix::stdio::{stdin, stdout};

        STDIN_CLOSED.store(fcntl_getfd(stdin()).is_err(), Relaxed);
        STDOUT_CLOSED.store(fcntl_getfd(stdout()).is_err(), Relaxed);
    }
}

/// Whether the program was started without standard input.
pub fn stdin_is_closed() -> bool {
    STDIN_CLOSED.load(Relaxed)
}

/// Whether the program was started without standard output.
pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Relaxed)
}
