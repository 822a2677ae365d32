//! The files in which a side keeps its state between two steps.

use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::failure::{Failure, Result, reason};
use crate::input::{self, Source};
use crate::output::{Secrecy, Target};
use crate::say::show;

/// A state has fewer bytes: the shared key of `respond`, of `--length` bytes, is the most that is
/// in it.
const LIMIT: u64 = 2 << 20;

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
    /// What was read, unless it was a pipe or standard input. Somebody else may put another file
    /// under its name meanwhile.
    file: Option<File>,
    pub bytes: Zeroizing<Vec<u8>>,
}

impl State {
    pub fn read(path: &Path) -> Result<Self> {
        if !input::is_stdin(path) && !path.exists() {
            return Err(Failure::file(
                show(path),
                "there is no such state; each can be used once and is then deleted, so start again if this one was used",
            ));
        }
        let unreadable = |error| input::unreadable(path, &error);
        let is_file = path.is_file() && !input::is_stdin(path);
        let (file, source) = if is_file {
            // To write into it, too, where that is allowed: it is wiped when used.
            let file = File::options().read(true).write(true).open(path);
            let file = file.or_else(|_| File::open(path)).map_err(unreadable)?;
            let source = Source::File(file.try_clone().map_err(unreadable)?);
            (Some(file), source)
        } else {
            (None, Source::open(path)?)
        };
        let bytes = input::all_of(path, source, LIMIT)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            bytes,
        })
    }

    pub fn name(&self) -> String {
        show(&self.path)
    }

    /// Deletes the file, before anything is made of what was in it: so there is no second use,
    /// whatever happens next.
    pub fn spend(&self) -> Result<()> {
        let Some(mut file) = self.file.as_ref() else {
            return Ok(());
        };
        // Some file systems keep the old blocks all the same; it costs nothing to try.
        let _ = file
            .rewind()
            .and_then(|()| file.write_all(&vec![0; self.bytes.len()]))
            .and_then(|()| file.sync_all());
        fs::remove_file(&self.path).map_err(|error| {
            Failure::file(
                self.name(),
                format_args!("the used state cannot be deleted: {}", reason(&error)),
            )
        })
    }
}
