//! What happens to a temporary file when the program is told to end: by Ctrl-C, a hang-up, or `kill`.

use std::io;
use std::path::PathBuf;
use std::process::exit;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::NamedTempFile;

/// The one file with a temporary name. (A file that was given up is gone already, and its name with it.)
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
static LISTEN: Once = Once::new();

/// From now on the program ends with status 130 when it is told to.
pub fn listen() {
    LISTEN.call_once(|| {
        // Where no signals can be handled, only this status is missing.
        let _ = ctrlc::set_handler(|| {
            // Locked to the end, so that no file is begun any more.
            let mut unfinished = unfinished();
            if let Some(file) = unfinished.take() {
                let _ = std::fs::remove_file(file);
            }
            exit(130);
        });
    });
}

/// Makes a file that is removed then, from the moment there is one.
pub fn create(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut unfinished = unfinished();
    let file = make()?;
    *unfinished = Some(file.path().to_owned());
    Ok(file)
}

/// Gives that file its final name, or gives it up: afterwards nothing is removed, as the temporary name may be another program's.
pub fn settle<T>(act: impl FnOnce() -> T) -> T {
    let mut unfinished = unfinished();
    let done = act();
    *unfinished = None;
    done
}

/// Does something short that the program does not end in the middle of.
#[cfg(target_os = "linux")]
pub fn hold<T>(act: impl FnOnce() -> T) -> T {
    let _unfinished = unfinished();
    act()
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
