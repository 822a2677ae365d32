//! A file that is being written, and appears under its name when it is finished.
//!
//! Where the system can, it has no name until then (`O_TMPFILE`), so nothing is left of it however
//! the program ends. Elsewhere it has a temporary one, which is made from its final name: what a
//! program that was killed left is found and removed when the same file is written again. A lock
//! tells it from what a running program writes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::input::directory;
use crate::interrupt;
use crate::text::hex;

pub struct Unfinished {
    /// The name that it will have.
    path: PathBuf,
    to: To,
}

enum To {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(NamedTempFile),
}

/// Temporary names that are tried: so many programs can write the same file at the same time.
const NAMES: u32 = 100;

impl Unfinished {
    /// Begins the file `path`, which gets these permissions (as far as the umask lets it).
    pub fn create(path: PathBuf, mode: u32) -> io::Result<Self> {
        interrupt::listen();
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed(&path, mode) {
            let to = To::Unnamed(file);
            return Ok(Self { path, to });
        }
        let to = To::Named(named(&path, mode)?);
        Ok(Self { path, to })
    }

    pub fn file(&mut self) -> &mut File {
        match &mut self.to {
            #[cfg(target_os = "linux")]
            To::Unnamed(file) => file,
            To::Named(file) => file.as_file_mut(),
        }
    }

    /// Writes it to the disk and gives it its name. A file of this name is replaced or, without
    /// `overwrite`, an error.
    pub fn finish(mut self, overwrite: bool) -> io::Result<()> {
        self.file().sync_all()?;
        let Self { path, to } = self;
        match to {
            #[cfg(target_os = "linux")]
            To::Unnamed(file) => name(&file, &path, overwrite)?,
            To::Named(file) => {
                let temporary = file.path().to_owned();
                interrupt::settle(&temporary, || {
                    let done = if overwrite {
                        file.persist(&path)
                    } else {
                        file.persist_noclobber(&path)
                    };
                    done.map_err(|failed| failed.error)
                })?;
            }
        }
        // So that the new name survives a power failure, too. Not every file system can do this.
        if let Ok(directory) = File::open(directory(&path)) {
            let _ = directory.sync_all();
        }
        Ok(())
    }
}

/// A temporary name for the file `path`. It is as long for every name, as names have a greatest
/// length.
fn temporary(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let digest = kuaimi::sm3::digest(name);
    let number = if number == 0 {
        String::new()
    } else {
        format!("-{number}")
    };
    directory(path).join(format!(".kuaimi-{}{number}.part", hex(&digest[..8])))
}

/// A file without a name, in the directory of `path`; nothing where the system or the file system
/// has no such files.
#[cfg(target_os = "linux")]
fn unnamed(path: &Path, mode: u32) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    // The way to name it leads through here.
    if !Path::new("/proc/self/fd").is_dir() {
        return None;
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = open(directory(path), flags, Mode::from_raw_mode(mode)).ok()?;
    Some(file.into())
}

/// Gives a file without a name the name `path`.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path, overwrite: bool) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{AtFlags, CWD, linkat};

    let from = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link =
        |to: &Path| linkat(CWD, &from, CWD, to, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match link(path) {
        Err(error) if overwrite && error.kind() == io::ErrorKind::AlreadyExists => {}
        result => return result,
    }
    // Nothing replaces a file by one without a name, so for a moment it has another name. The lock
    // says that a running program uses that name; what was left by a killed one has none. Where
    // there are no locks, nobody takes a name for a left one.
    let _ = file.try_lock();
    interrupt::hold(|| {
        for number in 0..NAMES {
            let temporary = temporary(path, number);
            match link_or_take(link, &temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                // One attempt: a file whose last name is gone never gets another one.
                Ok(()) => {
                    return fs::rename(&temporary, path).inspect_err(|_| {
                        let _ = fs::remove_file(&temporary);
                    });
                }
            }
        }
        // Not `AlreadyExists`: that would be about `path`, which may be overwritten.
        Err(io::Error::other(format!(
            "the {NAMES} temporary names from {} on are taken; remove those that ended programs left",
            temporary(path, 0).display()
        )))
    })
}

/// Gives a locked file the name `path`; [`io::ErrorKind::AlreadyExists`] if another program uses
/// that name.
#[cfg(target_os = "linux")]
fn link_or_take(link: impl Fn(&Path) -> io::Result<()>, path: &Path) -> io::Result<()> {
    match link(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        result => return result,
    }
    remove_left(open_left(path), path)?;
    link(path)
}

/// A file with a temporary name, locked.
fn named(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    interrupt::create(|| {
        let mut number = 0;
        loop {
            let temporary = temporary(path, number);
            match create_or_take(&temporary, mode) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < NAMES => {
                    number += 1;
                }
                result => {
                    let name = TempPath::try_from_path(temporary)?;
                    return Ok(NamedTempFile::from_parts(result?, name));
                }
            }
        }
    })
}

/// Creates the file `path` and locks it; [`io::ErrorKind::AlreadyExists`] if another program writes
/// it.
fn create_or_take(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    for _ in 0..NAMES {
        match options.clone().create_new(true).open(path) {
            Ok(file) => match file.try_lock() {
                Ok(()) if is_at(&file, path) => return Ok(file),
                // Another program took it for a left one, in the moment before it was locked.
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                // Without locks nothing can be taken from this program.
                Err(TryLockError::Error(_)) => return Ok(file),
            },
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                remove_left(open_left(path), path)?;
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Opens what may be left of a program that was killed. Anybody can put a link or a pipe there: it
/// is not followed, and not waited for.
fn open_left(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    options.open(path)
}

/// Removes the name `path`, opened as `left`, if a program left it that was killed;
/// [`io::ErrorKind::AlreadyExists`] if another program may still use it.
fn remove_left(left: io::Result<File>, path: &Path) -> io::Result<()> {
    let used = || io::Error::from(io::ErrorKind::AlreadyExists);
    let left = match left {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        left => left.map_err(|_| used())?,
    };
    left.try_lock().map_err(|_| used())?;
    // Only what is locked here is removed, so nobody else can be writing it.
    if is_at(&left, path) {
        // Another user's, in a directory where only the owner may.
        fs::remove_file(path).map_err(|_| used())?;
    }
    Ok(())
}

/// Whether this file still has this name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
            _ => false,
        }
    }
    // Elsewhere an open file is not removed.
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn write(file: io::Result<NamedTempFile>, path: &Path, content: &[u8]) -> Unfinished {
        let mut file = Unfinished {
            path: path.to_owned(),
            to: To::Named(file.unwrap()),
        };
        file.file().write_all(content).unwrap();
        file
    }

    #[test]
    fn under_a_temporary_name() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("n".repeat(250));
        let file = write(named(&path, 0o600), &path, b"one");
        assert!(names(lab.path())[0].ends_with(".part"));
        file.finish(false).unwrap();
        assert_eq!(names(lab.path()), ["n".repeat(250)]);
        let error = write(named(&path, 0o600), &path, b"two")
            .finish(false)
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(named(&path, 0o600), &path, b"three")
            .finish(true)
            .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        drop(named(&path, 0o600).unwrap());
        assert_eq!(names(lab.path()).len(), 1);
    }

    #[test]
    fn what_was_left_is_removed_and_what_is_written_is_not() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("f");
        // A program that was killed: its file is there, without a lock.
        let (file, left) = named(&path, 0o600).unwrap().into_parts();
        left.keep().unwrap();
        let writing = named(&path, 0o600).unwrap();
        assert_eq!(names(lab.path()).len(), 2);
        drop((writing, file));
        let one = named(&path, 0o600).unwrap();
        assert_eq!(names(lab.path()).len(), 1);
        let other = write(named(&path, 0o600), &path, b"other");
        assert_eq!(names(lab.path()).len(), 2);
        write(Ok(one), &path, b"one").finish(false).unwrap();
        other.finish(true).unwrap();
        assert_eq!(names(lab.path()), ["f"]);
        assert_eq!(fs::read(&path).unwrap(), b"other");
    }

    /// What others put under the temporary names is not written into, not waited for, and in
    /// nobody's way.
    #[cfg(unix)]
    #[test]
    fn names_that_others_took() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};

        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("f");
        let other = lab.path().join("other");
        fs::write(&other, b"other").unwrap();
        std::os::unix::fs::symlink(&other, temporary(&path, 0)).unwrap();
        mknodat(CWD, temporary(&path, 1), FileType::Fifo, Mode::RWXU, 0).unwrap();
        write(named(&path, 0o600), &path, b"one")
            .finish(false)
            .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        #[cfg(target_os = "linux")]
        if let Some(mut file) = unnamed(&path, 0o600) {
            mknodat(CWD, temporary(&path, 2), FileType::Fifo, Mode::RWXU, 0).unwrap();
            file.write_all(b"two").unwrap();
            name(&file, &path, true).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"two");
        }
        assert_eq!(fs::read(&other).unwrap(), b"other");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn without_a_name() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("f");
        let write = |content: &[u8]| {
            let mut file = unnamed(&path, 0o600)?;
            file.write_all(content).unwrap();
            Some(file)
        };
        let Some(one) = write(b"one") else {
            eprintln!("skipped: no files without names here");
            return;
        };
        assert!(names(lab.path()).is_empty());
        name(&one, &path, false).unwrap();
        let two = write(b"two").unwrap();
        let error = name(&two, &path, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        // What a program left that was killed in the moment of replacing is in the way of nothing.
        fs::write(temporary(&path, 0), b"left").unwrap();
        name(&two, &path, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(lab.path()), ["f"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn replacing_takes_no_name_of_another_program() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("f");
        let replace = || {
            let file = unnamed(&path, 0o600)?;
            Some(name(&file, &path, true))
        };
        fs::write(&path, b"old").unwrap();
        // Programs that are in the middle of it have locked their files.
        let other = |number| {
            let file = File::create(temporary(&path, number)).unwrap();
            file.lock().unwrap();
            file
        };
        let others: Vec<_> = (0..NAMES - 1).map(other).collect();
        let Some(done) = replace() else {
            eprintln!("skipped: no files without names here");
            return;
        };
        done.unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(names(lab.path()).len(), others.len() + 1);
        fs::write(&path, b"old").unwrap();
        let last = other(NAMES - 1);
        let error = replace().unwrap().unwrap_err();
        assert!(error.to_string().contains(".part on are taken"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // All of them are killed: their names are in nobody's way.
        drop((others, last));
        replace().unwrap().unwrap();
        assert_eq!(names(lab.path()).len(), NAMES as usize);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_replaced_says_why() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("d");
        fs::create_dir(&path).unwrap();
        let Some(file) = unnamed(&path, 0o600) else {
            eprintln!("skipped: no files without names here");
            return;
        };
        let error = name(&file, &path, true).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(names(lab.path()), ["d"]);
    }
}
