//! What happens to a temporary file, and to a terminal without echo, when the program is told to
//! end: by Ctrl-C, a hang-up, or `kill`.

use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::NamedTempFile;

use crate::exit::INTERRUPTED;

/// The files with a temporary name. (A file that was given up is gone already, and its name with
/// it.)
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static LISTEN: Once = Once::new();
/// Whether the signals that are to be ignored are blocked.
static BLOCKED: AtomicBool = AtomicBool::new(false);
/// Whether somebody else ends the program.
static RELEASED: AtomicBool = AtomicBool::new(false);

/// Signals that were ignored when the program began stay without effect: `nohup` ignores hang-ups,
/// and a shell Ctrl-C for what it runs in the background. The handler would replace that, and
/// ignoring them again is unsafe code; blocking them comes to the same. Call it before there are
/// other threads, which inherit it.
pub fn keep_ignored() {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::signal::{SigSet, Signal};

        let Some(ignored) = std::fs::read("/proc/self/status")
            .ok()
            .and_then(|status| ignored(&status))
        else {
            return;
        };
        let blocked: SigSet = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM]
            .into_iter()
            .filter(|&signal| ignored >> (signal as u32 - 1) & 1 == 1)
            .collect();
        BLOCKED.store(blocked.thread_block().is_ok(), Relaxed);
    }
}

/// The signals that are ignored, the first one in the lowest bit, by `/proc/self/status`. (Which
/// need not be text: the program's name is in it.)
#[cfg(target_os = "linux")]
fn ignored(status: &[u8]) -> Option<u64> {
    let line = status
        .split(|&byte| byte == b'\n')
        .find_map(|line| line.strip_prefix(b"SigIgn:"))?;
    u64::from_str_radix(std::str::from_utf8(line).ok()?.trim(), 16).ok()
}

/// From now on the program ends with status 130 when it is told to.
pub fn listen() {
    RELEASED.store(false, Relaxed);
    LISTEN.call_once(|| {
        // Where no signals can be handled, only this status is missing.
        let _ = if BLOCKED.load(Relaxed) {
            ctrlc::set_handler(told)
        } else {
            // Where nothing tells which ones are ignored, none is handled if one of them is.
            ctrlc::try_set_handler(told)
        };
    });
}

/// Signals are another's from now on, who handles them, too: `kuaimi proxy` lets connections end.
pub fn release() {
    RELEASED.store(true, Relaxed);
}

fn told() {
    if !RELEASED.load(Relaxed) {
        end();
    }
}

/// Ends the program as a signal does.
pub fn end() -> ! {
    // Locked to the end, so that no file is begun any more.
    let mut unfinished = unfinished();
    for file in unfinished.drain(..) {
        let _ = std::fs::remove_file(file);
    }
    #[cfg(unix)]
    terminal::restore();
    process::exit(INTERRUPTED);
}

/// Asks for a password: the terminal is without echo meanwhile, and gets it back if the program is
/// told to end.
pub fn asking<T>(ask: impl FnOnce() -> T) -> T {
    listen();
    #[cfg(unix)]
    terminal::save();
    let answer = ask();
    #[cfg(unix)]
    terminal::forget();
    answer
}

#[cfg(unix)]
mod terminal {
    use std::fs::{File, OpenOptions};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use rustix::process::getpgrp;
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

    /// The terminal at which a password is asked for, and its settings before.
    static ASKED: Mutex<Option<(File, Termios)>> = Mutex::new(None);

    pub fn save() {
        let open = OpenOptions::new().read(true).write(true).open("/dev/tty");
        *asked() = open.ok().and_then(|terminal| {
            let settings = tcgetattr(&terminal).ok()?;
            Some((terminal, settings))
        });
    }

    /// It has its settings again.
    pub fn forget() {
        *asked() = None;
    }

    pub fn restore() {
        let Some((terminal, settings)) = asked().take() else {
            return;
        };
        // A program in the background would be stopped here instead of ending, and the terminal is
        // another one's.
        if tcgetpgrp(&terminal).is_ok_and(|foreground| foreground == getpgrp()) {
            let _ = tcsetattr(&terminal, OptionalActions::Now, &settings);
        }
    }

    fn asked() -> MutexGuard<'static, Option<(File, Termios)>> {
        ASKED.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a file that is removed then, from the moment there is one.
pub fn create(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut unfinished = unfinished();
    let file = make()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

/// Gives the file with this temporary name its final one, or gives it up: afterwards it is not
/// removed, as the temporary name may be another program's.
pub fn settle<T>(temporary: &Path, act: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let done = act();
    unfinished.retain(|file| file != temporary);
    done
}

/// Does something short that the program does not end in the middle of.
#[cfg(target_os = "linux")]
pub fn hold<T>(act: impl FnOnce() -> T) -> T {
    let _unfinished = unfinished();
    act()
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn signals_that_are_ignored() {
        let status = b"Name:\tSigIgn:\xff\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t00000000000004a0\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored(b"Name:\tkuaimi\n"), None);
        assert_eq!(ignored(b"SigIgn:\tnone\n"), None);
    }
}
