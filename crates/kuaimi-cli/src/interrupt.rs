//! What happens to a temporary file when the program is told to end: by Ctrl-C, a hang-up, or `kill`.

use std::io;
use std::path::{Path, PathBuf};
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
            if let Some(file) = unfinished().take() {
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

/// The file of this name is to be removed then. Call it before there is one.
pub fn remove(path: &Path) {
    *unfinished() = Some(path.to_owned());
}

/// The file has its final name.
pub fn forget() {
    *unfinished() = None;
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
