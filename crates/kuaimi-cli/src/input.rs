//! Where input comes from: a file, or standard input under the name `-`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zeroize::Zeroizing;

use crate::failure::{Failure, Result, reason};
use crate::progress::Progress;
use crate::say::show;
use crate::startup;

/// Bytes read at a time.
pub const CHUNK: usize = 256 << 10;

/// Keys, signatures and their like are smaller than this; a larger file is not what it was given
/// for.
pub const SMALL: u64 = 16 << 20;

static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

/// A file or standard input, opened.
pub enum Source {
    Stdin(io::Stdin),
    File(File),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self> {
        let source = Self::open_listed(path)?;
        if is_stdin(path) {
            STDIN_TAKEN.store(true, Relaxed);
        }
        Ok(source)
    }

    /// One of a list of files that are treated alike: among them standard input may come again, and
    /// is then empty.
    pub fn open_listed(path: &Path) -> Result<Self> {
        // The second reader would find an empty file, and sign that, say.
        if is_stdin(path) && STDIN_TAKEN.load(Relaxed) {
            return Err(Failure::usage(
                "standard input is named twice, and can be read once; give one of them as a file",
            ));
        }
        if path == Path::new("-") {
            if startup::stdin_is_closed() {
                return Err(Failure::file(
                    show(path),
                    "is closed; open it, or give a file",
                ));
            }
            return Ok(Self::Stdin(io::stdin()));
        }
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        if file.metadata().is_ok_and(|found| found.is_dir()) {
            return Err(Failure::file(show(path), "is a directory; give a file"));
        }
        Ok(Self::File(file))
    }

    /// How many bytes will come, where that is known.
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::Stdin(_) => None,
            Self::File(file) => file
                .metadata()
                .ok()
                .filter(|found| found.is_file())
                .map(|found| found.len()),
        }
    }

    /// All of it, or `None` if that is more than `limit` bytes; wiped when dropped.
    pub fn read_at_most(self, limit: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        // With the right size from the start, no copy of a secret is left behind by growing. Where
        // little room is left, `read_to_end` reads by way of the stack.
        const ROOM: usize = 64;
        let expected = self.len().unwrap_or(64 << 10).min(limit) as usize;
        let mut content = Zeroizing::new(Vec::with_capacity(expected + ROOM));
        self.take(limit + 1).read_to_end(&mut content)?;
        Ok((content.len() as u64 <= limit).then_some(content))
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stdin(stdin) => stdin.read(buffer),
            Self::File(file) => file.read(buffer),
        }
    }
}

pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let what = format_args!("cannot read: {}", reason(error));
    match error.kind() {
        // The text of a ciphertext that was altered: as for another altered ciphertext, nothing is
        // wrong with the call.
        io::ErrorKind::InvalidData => Failure::refused(show(path), what),
        _ => Failure::file(show(path), what),
    }
}

/// All of a file of at most `limit` bytes; wiped when dropped, as it may be a secret.
pub fn read_all(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>> {
    all_of(path, Source::open(path)?, limit)
}

/// The same once it is open.
pub fn all_of(path: &Path, source: Source, limit: u64) -> Result<Zeroizing<Vec<u8>>> {
    let content = source
        .read_at_most(limit)
        .map_err(|error| unreadable(path, &error))?;
    content.ok_or_else(|| {
        Failure::file(
            show(path),
            format_args!(
                "has more than {limit} bytes, which is too much for what it was given for; check the name"
            ),
        )
    })
}

/// Reads until `buffer` is full or the input ends; how many bytes were read.
pub fn fill(mut reader: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Room for a piece of a file, wiped when dropped.
pub fn buffer() -> Zeroizing<Vec<u8>> {
    buffer_for(None)
}

/// The same for an input of so many bytes, where that is known: the pages of a large buffer that is
/// wiped take longer than a small file.
fn buffer_for(expected: Option<u64>) -> Zeroizing<Vec<u8>> {
    const PAGE: u64 = 4096;
    // One more, so that the end is seen by a read that has room.
    let size = expected.map_or(CHUNK as u64, |bytes| {
        bytes.saturating_add(1).clamp(PAGE, CHUNK as u64)
    });
    Zeroizing::new(vec![0; size as usize])
}

/// Gives all of a reader to `consume`, piece by piece.
pub fn each_chunk(
    mut reader: impl Read,
    buffer: &mut [u8],
    mut consume: impl FnMut(&[u8]),
) -> io::Result<()> {
    loop {
        match reader.read(buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => consume(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Gives all of a file to a hash function, piece by piece.
pub fn hash(path: &Path, update: impl FnMut(&[u8])) -> Result<()> {
    hash_source(path, Source::open(path)?, update)
}

/// The same once it is open.
pub fn hash_source(path: &Path, source: Source, update: impl FnMut(&[u8])) -> Result<()> {
    let bytes = source.len();
    let progress = Progress::new("hashing", bytes);
    each_chunk(progress.reading(source), &mut buffer_for(bytes), update)
        .map_err(|error| unreadable(path, &error))
}

/// Whether a name means standard input; the last three are the system's.
pub fn is_stdin(path: &Path) -> bool {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    names.iter().any(|name| path == Path::new(name))
}

/// Refuses standard input for two things at once.
pub fn stdin_once(inputs: &[(&str, &Path)]) -> Result<()> {
    let mut from_stdin = inputs
        .iter()
        .filter(|(_, path)| is_stdin(path))
        .map(|(name, _)| *name);
    match (from_stdin.next(), from_stdin.next()) {
        (Some(one), Some(other)) => Err(Failure::usage(format!(
            "{one} and {other} are both standard input, which can be read once; give one of them as a file"
        ))),
        _ => Ok(()),
    }
}

/// Whether two names are of one file, which need not be there yet.
pub fn same_file(one: &Path, other: &Path) -> bool {
    one == other || matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
}

fn place(path: &Path) -> Option<PathBuf> {
    let new = || Some(directory(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new)
}

/// The directory in which `path` is.
pub fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
