//! The files in which a side keeps its state between two steps.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::exit::{Failure, Result, reason, show};
use crate::input;
use crate::output::{Secrecy, Target};

/// Where a new state goes; never to standard output.
pub fn target(path: &Path, force: bool) -> Result<Target> {
    let target = Target::new(Some(path), force, Secrecy::Secret);
    if target.is_stdout() {
        return Err(Failure::usage(
            "--out-state: the state is a secret that is needed once more; give a file",
        ));
    }
    target.check()?;
    Ok(target)
}

/// A state that was read and not used yet.
pub struct State {
    path: PathBuf,
    pub bytes: Zeroizing<Vec<u8>>,
}

impl State {
    pub fn read(path: &Path) -> Result<Self> {
        if path != Path::new("-") && !path.exists() {
            return Err(Failure::file(
                show(path),
                "there is no such state; each serves once and is deleted when used, so start again if this one was",
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            bytes: input::read_all(path, 1 << 16)?,
        })
    }

    pub fn name(&self) -> String {
        show(&self.path)
    }

    /// Deletes the file, before anything is made of what was in it: so there is no second use, whatever happens next.
    pub fn spend(&self) -> Result<()> {
        if self.path == Path::new("-") {
            return Ok(());
        }
        // Some file systems keep the old blocks all the same; it costs nothing to try.
        if let Ok(mut file) = File::options().write(true).open(&self.path) {
            let _ = file.write_all(&vec![0; self.bytes.len()]);
            let _ = file.sync_all();
        }
        fs::remove_file(&self.path).map_err(|error| {
            Failure::file(
                self.name(),
                format_args!("the used state cannot be deleted: {}", reason(&error)),
            )
        })
    }
}
