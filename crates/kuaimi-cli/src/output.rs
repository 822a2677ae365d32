//! Where results go: standard output, or a file that appears whole or not at all.
//!
//! A file is written under a temporary name in the directory where it is to be, forced to the disk, and renamed. So a
//! failure leaves neither half a file nor an overwritten one, and nothing that was written before a failure can be
//! mistaken for a result. An interrupted program removes its temporary file too.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::NamedTempFile;

use crate::exit::{Failure, Result, reason, show};
use crate::interrupt;

/// The options of every command that writes a file.
#[derive(Args, Debug, Clone)]
pub struct OutputArgs {
    /// Where to write; `-` or nothing is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the output file if it exists.
    #[arg(long)]
    pub force: bool,
}

impl OutputArgs {
    pub fn target(&self, secrecy: Secrecy) -> Target {
        Target::new(self.out.as_deref(), self.force, secrecy)
    }
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrecy {
    /// Whoever the umask lets.
    Public,
    /// Its owner only: mode 0600.
    Secret,
}

/// A place to write to.
#[derive(Clone, Debug)]
pub struct Target {
    /// Nothing: standard output.
    path: Option<PathBuf>,
    force: bool,
    secrecy: Secrecy,
}

impl Target {
    pub fn new(path: Option<&Path>, force: bool, secrecy: Secrecy) -> Self {
        Self {
            path: path
                .filter(|path| *path != Path::new("-"))
                .map(Path::to_owned),
            force,
            secrecy,
        }
    }

    pub fn is_stdout(&self) -> bool {
        self.path.is_none()
    }

    /// Whether a person will look at what is written.
    pub fn is_terminal(&self) -> bool {
        self.is_stdout() && io::stdout().is_terminal()
    }

    pub fn name(&self) -> String {
        match &self.path {
            Some(path) => show(path),
            None => "standard output".to_owned(),
        }
    }

    /// Refuses early what [`create`](Self::create) would refuse, before a password is asked for or an hour is computed.
    pub fn check(&self) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Failure::file(
                self.name(),
                "is a directory; give the name of a file in it",
            )),
            Ok(found) if found.is_file() && !self.force => Err(self.exists()),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = directory(path);
                if parent.is_dir() {
                    Ok(())
                } else {
                    Err(Failure::file(
                        self.name(),
                        format_args!("there is no directory {}; make it first", show(parent)),
                    ))
                }
            }
            Err(error) => Err(self.cannot_write(&error)),
        }
    }

    /// Starts writing.
    pub fn create(&self) -> Result<Sink> {
        self.check()?;
        let Some(path) = &self.path else {
            return Ok(Sink {
                target: self.clone(),
                to: To::Stdout(io::stdout()),
            });
        };
        // A device or a pipe is written in place: there is nothing to rename.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = File::options()
                .write(true)
                .open(path)
                .map_err(|error| self.cannot_write(&error))?;
            return Ok(Sink {
                target: self.clone(),
                to: To::Device(file),
            });
        }
        // Where the name is a link to a file, that file is to be replaced and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".kuaimi-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = match self.secrecy {
                Secrecy::Secret => 0o600,
                Secrecy::Public => 0o666,
            };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let file = interrupt::create(|| builder.tempfile_in(directory(&path)))
            .map_err(|error| self.cannot_write(&error))?;
        Ok(Sink {
            target: self.clone(),
            to: To::File(file, path),
        })
    }

    /// Writes all of `content`.
    pub fn write(&self, content: &[u8]) -> Result<()> {
        let mut sink = self.create()?;
        sink.write_all(content)
            .map_err(|error| self.cannot_write(&error))?;
        sink.commit()
    }

    pub fn cannot_write(&self, error: &io::Error) -> Failure {
        if self.is_stdout() {
            return Failure::stdout(error);
        }
        Failure::file(self.name(), format_args!("cannot write: {}", reason(error)))
    }

    fn exists(&self) -> Failure {
        Failure::file(
            self.name(),
            "exists already and was left alone; give another name, or --force to overwrite it",
        )
    }
}

/// Something being written. What was written so far disappears unless [`commit`](Self::commit) is called.
pub struct Sink {
    target: Target,
    to: To,
}

enum To {
    Stdout(io::Stdout),
    Device(File),
    File(NamedTempFile, PathBuf),
}

impl Sink {
    /// Whether it can be written out of order.
    pub fn is_seekable(&self) -> bool {
        matches!(self.to, To::File(..))
    }

    /// Makes what was written the target's content.
    pub fn commit(self) -> Result<()> {
        let Self { target, to } = self;
        let cannot_write = |error: io::Error| target.cannot_write(&error);
        match to {
            To::Stdout(mut stdout) => stdout.flush().map_err(cannot_write),
            To::Device(mut file) => file.flush().map_err(cannot_write),
            To::File(file, path) => {
                file.as_file().sync_all().map_err(cannot_write)?;
                let done = if target.force {
                    file.persist(&path)
                } else {
                    file.persist_noclobber(&path)
                };
                done.map_err(|failed| match failed.error.kind() {
                    io::ErrorKind::AlreadyExists => target.exists(),
                    _ => target.cannot_write(&failed.error),
                })?;
                interrupt::done();
                // So that the new name survives a power failure too. Not every file system can.
                if let Ok(directory) = File::open(directory(&path)) {
                    let _ = directory.sync_all();
                }
                Ok(())
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(stdout) => stdout.write(bytes),
            To::Device(file) => file.write(bytes),
            To::File(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(stdout) => stdout.flush(),
            To::Device(file) => file.flush(),
            To::File(file, _) => file.flush(),
        }
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.to {
            To::File(file, _) => file.seek(to),
            To::Stdout(_) | To::Device(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// The directory in which `path` is.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Writes to standard output; for text that commands print.
pub fn print(text: impl AsRef<[u8]>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_ref())
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::stdout(&error))
}
