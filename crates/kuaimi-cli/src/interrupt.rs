//! What happens to a temporary file when the program is told to end: by Ctrl-C, a hang-up, or `kill`.

use std::io;
use std::path::PathBuf;
use std::process::exit;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::NamedTempFile;

/// The one file being written. (A file that was given up is gone already, and its name with it.)
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
static LISTEN: Once = Once::new();

/// Makes a temporary file that is removed when the program is told to end, from the moment there is one.
pub fn create(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    LISTEN.call_once(|| {
        // Where there are no signals to hear of, nothing is lost but the cleaning up.
        let _ = ctrlc::set_handler(|| {
            if let Some(file) = unfinished().take() {
                let _ = std::fs::remove_file(file);
            }
            exit(130);
        });
    });
    let mut unfinished = unfinished();
    let file = make()?;
    *unfinished = Some(file.path().to_owned());
    Ok(file)
}

/// The file is no temporary one any more.
pub fn done() {
    *unfinished() = None;
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
