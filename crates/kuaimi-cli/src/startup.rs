//! What must be known before the program's runtime starts: it opens `/dev/null` in place of
//! standard input or output that are closed, and from then on nothing tells that from a `/dev/null`
//! which the user gave. Results would be lost without an error, and a closed input read as an empty
//! one.
//!
//! The macro runs a function before `main`. That is the one place of the program where something
//! unsafe is allowed: such a function must not need the runtime. This one makes two system calls
//! and sets two flags.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look() {
        use rustix::fs::{OFlags, fcntl_getfl};
        use rustix::stdio::{stdin, stdout};

        // One that cannot be read, or written, is as good as closed: the runtime takes the system's
        // error for the end of the input, and for success.
        let is_closed = |flags: rustix::io::Result<OFlags>, useless: OFlags| {
            flags.map_or(true, |flags| flags & OFlags::ACCMODE == useless)
        };
        STDIN_CLOSED.store(is_closed(fcntl_getfl(stdin()), OFlags::WRONLY), Relaxed);
        STDOUT_CLOSED.store(is_closed(fcntl_getfl(stdout()), OFlags::RDONLY), Relaxed);
    }
}

/// Whether the program was started without standard input, or with one that cannot be read.
pub fn stdin_is_closed() -> bool {
    STDIN_CLOSED.load(Relaxed)
}

/// Whether the program was started without standard output, or with one that cannot be written.
pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Relaxed)
}
