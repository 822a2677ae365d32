//! Where results go: standard output, or a file that appears whole or not at all.
//!
//! A file gets its name when all of it is on the disk. So a failure leaves neither half a file nor an overwritten one, and
//! nothing that was written before a failure can be mistaken for a result.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use parquet::errors::ParquetError;

use crate::exit::{Answer, Failure, Result, reason, show};
use crate::input::directory;
use crate::startup;
use crate::text::Encoding;
use crate::unfinished::Unfinished;

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

    /// Whether what is written appears all at once, when it is finished.
    pub fn appears_whole(&self) -> bool {
        self.path
            .as_ref()
            .is_some_and(|path| fs::metadata(path).map_or(true, |found| found.is_file()))
    }

    /// Whether a person will look at what is written.
    pub fn is_terminal(&self) -> bool {
        self.is_stdout() && io::stdout().is_terminal()
    }

    /// How a result is written: as asked for, else binary, or this text where a person looks at it.
    pub fn encoding(&self, asked: Option<Encoding>, on_terminal: Encoding) -> Encoding {
        asked.unwrap_or(match self.is_terminal() {
            true => on_terminal,
            false => Encoding::Binary,
        })
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
            return check_stdout();
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
        let mode = match self.secrecy {
            Secrecy::Secret => 0o600,
            Secrecy::Public => 0o666,
        };
        // The new file gets no permission that the file it replaces did not have.
        let mode = mode & existing_mode(&path);
        let file = Unfinished::create(path, mode).map_err(|error| self.cannot_write(&error))?;
        Ok(Sink {
            target: self.clone(),
            to: To::File(file),
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

/// The permissions of a file that is there, else all.
fn existing_mode(path: &Path) -> u32 {
    #[cfg(unix)]
    if let Ok(found) = fs::metadata(path) {
        return std::os::unix::fs::PermissionsExt::mode(&found.permissions());
    }
    let _ = path;
    0o777
}

/// Something being written. What was written so far disappears unless [`commit`](Self::commit) is called.
pub struct Sink {
    target: Target,
    to: To,
}

enum To {
    Stdout(io::Stdout),
    Device(File),
    File(Unfinished),
}

impl Sink {
    /// Whether it can be written out of order.
    pub fn is_seekable(&self) -> bool {
        matches!(self.to, To::File(_))
    }

    /// Makes what was written the target's content.
    pub fn commit(self) -> Result<()> {
        let Self { target, to } = self;
        let cannot_write = |error: io::Error| target.cannot_write(&error);
        match to {
            To::Stdout(mut stdout) => stdout.flush().map_err(cannot_write),
            To::Device(mut file) => file.flush().map_err(cannot_write),
            To::File(file) => file
                .finish(target.force)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => target.exists(),
                    _ => target.cannot_write(&error),
                }),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(stdout) => stdout.write(bytes),
            To::Device(file) => file.write(bytes),
            To::File(file) => file.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(stdout) => stdout.flush(),
            To::Device(file) => file.flush(),
            To::File(file) => file.file().flush(),
        }
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.to {
            To::File(file) => file.file().seek(to),
            To::Stdout(_) | To::Device(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// Refuses a standard output that was closed when the program started: what is written to it would be lost. Commands that
/// print at their end call it at their beginning, before anything is written elsewhere.
pub fn check_stdout() -> Result<()> {
    if startup::stdout_is_closed() {
        return Err(Failure::file(
            "standard output",
            "is closed, so the result would be lost; open it, or give a file",
        ));
    }
    Ok(())
}

/// Prints whether a signature is valid, unless `quiet`.
pub fn verdict(valid: bool, quiet: bool) -> Result<Answer> {
    if !quiet {
        match print(if valid { "OK\n" } else { "INVALID\n" }) {
            // The status says what was found even where nobody reads the word.
            Err(failure) if !failure.is_closed_pipe() => return Err(failure),
            _ => {}
        }
    }
    Ok(if valid { Answer::Yes } else { Answer::No })
}

/// Prints help, in colours on a terminal.
pub fn help(message: &clap::Error) -> Result<()> {
    check_stdout()?;
    message
        .print()
        .and_then(|()| io::stdout().flush())
        .map_err(|error| Failure::stdout(&error))
}

/// Writes to standard output; for text that commands print.
pub fn print(text: impl AsRef<[u8]>) -> Result<()> {
    check_stdout()?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_ref())
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::stdout(&error))
}

/// What the writer of Parquet says: the system's error, where it is one.
pub fn parquet_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
