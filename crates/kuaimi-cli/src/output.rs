//! Where results go: standard output, or a file that appears whole or not at all.
//!
//! A file gets its name when all of it is on the disk. So a failure leaves neither half a file nor
//! an overwritten one, and nothing that was written before a failure can be mistaken for a result.
//!
//! What stands at the name already is never opened, unless it is a pipe or a device. A secret goes
//! into those with `--force` only, and never into another user's: a user who makes a pipe at an
//! expected name, such as one in `/tmp`, would read the secret.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::Answer;
use crate::failure::{Failure, Result, reason};
use crate::input::directory;
use crate::say::show;
use crate::startup;
use crate::text::Encoding;
use crate::unfinished::Unfinished;

/// The options of every command that writes a file.
#[derive(Args, Debug, Clone)]
pub struct OutputArgs {
    /// Where to write; `-` or nothing is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the output file if it exists; write a secret into a pipe or a device, too.
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
    /// Those whom the umask allows.
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
            path: path.filter(|path| !is_stdout(path)).map(Path::to_owned),
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

    /// Refuses early what [`create`](Self::create) would refuse, before a password is asked for or
    /// an hour is computed.
    pub fn check(&self) -> Result<()> {
        match &self.path {
            Some(path) => self.look(path).map(drop),
            None => check_stdout(),
        }
    }

    /// What stands at the name, if it may be replaced or written into.
    fn look(&self, path: &Path) -> Result<Option<Metadata>> {
        match fs::symlink_metadata(path) {
            Ok(link) if link.is_symlink() => self.check_owner(&link, "link")?,
            _ => {}
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Failure::file(
                self.name(),
                "is a directory; give the name of a file in it",
            )),
            Ok(found) if found.is_file() && !self.force => Err(self.exists()),
            Ok(found) if found.is_file() => Ok(Some(found)),
            Ok(found) => {
                self.check_device(&found)?;
                Ok(Some(found))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = directory(path);
                if parent.is_dir() {
                    Ok(None)
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

    /// Refuses a pipe or a device for a secret, unless it is asked for and no other user's.
    fn check_device(&self, found: &Metadata) -> Result<()> {
        if self.secrecy == Secrecy::Secret && !self.force {
            return Err(Failure::file(
                self.name(),
                format_args!(
                    "is a {}, and its reader would get the secret; give the name of a file, or --force to write the secret there",
                    kind(found)
                ),
            ));
        }
        self.check_owner(found, kind(found))
    }

    /// Refuses a secret's way through what another user made. The superuser's own is what the
    /// system has, as `/dev/null`.
    fn check_owner(&self, found: &Metadata, what: &str) -> Result<()> {
        if self.secrecy == Secrecy::Secret && is_foreign(found) {
            return Err(Failure::file(
                self.name(),
                format_args!(
                    "is a {what} that another user made, and a secret would go to that user; give another name"
                ),
            ));
        }
        Ok(())
    }

    /// Starts writing.
    pub fn create(&self) -> Result<Sink> {
        let Some(path) = &self.path else {
            check_stdout()?;
            return Ok(Sink {
                target: self.clone(),
                to: To::Stdout(io::stdout()),
            });
        };
        // A device or a pipe is written in place: there is nothing to rename.
        if self.look(path)?.is_some_and(|found| !found.is_file()) {
            return Ok(Sink {
                target: self.clone(),
                to: To::Device(self.open_device(path)?),
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

    /// A pipe or a device. Somebody may have put something else there since it was looked at: what
    /// was opened counts.
    fn open_device(&self, path: &Path) -> Result<File> {
        let opened = File::options().write(true).open(path);
        let file = opened.map_err(|error| self.cannot_write(&error))?;
        let found = file.metadata().map_err(|error| self.cannot_write(&error))?;
        if found.is_file() {
            return Err(Failure::file(
                self.name(),
                "became a file while it was opened, and was left alone; try again",
            ));
        }
        self.check_device(&found)?;
        Ok(file)
    }

    /// Writes all of `content`.
    pub fn write(&self, content: &[u8]) -> Result<()> {
        self.begin(content)?.commit()
    }

    /// The same, but for the file's name: for one of two outputs that are of use only together.
    pub fn begin(&self, content: &[u8]) -> Result<Sink> {
        let mut sink = self.create()?;
        sink.write_all(content)
            .and_then(|()| sink.flush())
            .map_err(|error| self.cannot_write(&error))?;
        Ok(sink)
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

/// Whether a name means standard output; the last three are the system's.
pub fn is_stdout(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// What something is that is no file and no directory.
fn kind(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if found.file_type().is_fifo() {
            return "pipe";
        }
        if found.file_type().is_socket() {
            return "socket";
        }
    }
    let _ = found;
    "device"
}

/// Whether it belongs neither to the user nor to the superuser.
fn is_foreign(found: &Metadata) -> bool {
    #[cfg(unix)]
    {
        let owner = std::os::unix::fs::MetadataExt::uid(found);
        owner != 0 && owner != rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        false
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

/// Something being written. What was written so far disappears unless [`commit`](Self::commit) is
/// called.
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
    /// Whether it appears all at once, when it is finished; until then it can be written out of
    /// order.
    pub fn appears_whole(&self) -> bool {
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

/// Refuses a standard output that was closed when the program started: what is written to it would
/// be lost. Commands that print at their end call it at their beginning, before anything is written
/// elsewhere.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

    use super::*;

    /// Somebody puts another thing there between the look and the opening.
    #[test]
    fn what_was_opened_counts() {
        let lab = tempfile::tempdir().unwrap();
        let file = lab.path().join("file");
        fs::write(&file, "something").unwrap();
        for secrecy in [Secrecy::Public, Secrecy::Secret] {
            let target = Target::new(Some(&file), true, secrecy);
            let refused = target.open_device(&file).unwrap_err().to_string();
            assert!(refused.contains("became a file"), "{refused}");
        }
        assert_eq!(fs::read(&file).unwrap(), b"something");

        let pipe = lab.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        // Without a reader it would wait.
        let _reader = File::options()
            .read(true)
            .custom_flags(OFlags::NONBLOCK.bits() as i32)
            .open(&pipe)
            .unwrap();
        let open = |force, secrecy| Target::new(Some(&pipe), force, secrecy).open_device(&pipe);
        let refused = open(false, Secrecy::Secret).unwrap_err().to_string();
        assert!(refused.contains("is a pipe"), "{refused}");
        assert!(open(true, Secrecy::Secret).is_ok());
        assert!(open(false, Secrecy::Public).is_ok());
    }
}
