//! Ciphertexts that can be read more than once: a file as it is, and everything else (standard
//! input, pipes, text) by way of memory or, when it is long, a temporary file. Plaintext never
//! takes that way.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};
use std::path::Path;

use kuaimi::sm2::stream::Error;
use tempfile::SpooledTempFile;

use crate::failure::{Failure, Result, reason};
use crate::input::{Source, unreadable};
use crate::progress::Progress;
use crate::say::show;
use crate::text::{self, Decoder, Encoding};

/// Up to here in memory.
pub const IN_MEMORY: usize = 16 << 20;

/// Bytes by which an encoding is detected.
const HEAD: u64 = 4096;

/// Up to this length the library removes what is around a text.
const SHORT: u64 = 1 << 20;

/// An empty place for a ciphertext.
pub fn empty() -> SpooledTempFile {
    tempfile::spooled_tempfile(IN_MEMORY)
}

/// The error for a place that cannot be written.
pub fn failed(error: &io::Error) -> Failure {
    Failure::file(
        show(&std::env::temp_dir()),
        format_args!(
            "cannot keep the ciphertext in a temporary file: {}; set TMPDIR to a directory with room",
            reason(error)
        ),
    )
}

/// A ciphertext in binary, to be read again and again.
pub enum Spool {
    File(File),
    Copy(SpooledTempFile),
}

impl Spool {
    /// The ciphertext in a file or on standard input, and the encoding in which it was.
    pub fn open(path: &Path) -> Result<(Self, Encoding)> {
        let unreadable = |error: &io::Error| unreadable(path, error);
        let (mut spool, encoding) = Self::open_as(path, text::sniff, unreadable, false)?;
        let unreadable = |error| unreadable(&error);
        if encoding != Encoding::Binary || spool.len().map_err(unreadable)? > SHORT {
            return Ok((spool, encoding));
        }
        // A short text may have something around it, a byte order mark say.
        let mut content = Vec::new();
        spool.read_to_end(&mut content).map_err(unreadable)?;
        if let Ok((encoding @ (Encoding::Hex | Encoding::Base64), bytes)) = text::decode(&content) {
            let mut copy = empty();
            copy.write_all(&bytes)
                .and_then(|()| copy.rewind())
                .map_err(|error| failed(&error))?;
            return Ok((Self::Copy(copy), encoding));
        }
        spool.rewind().map_err(unreadable)?;
        Ok((spool, encoding))
    }

    /// The same where `find` says the encoding from the first bytes, and `unreadable` what is wrong
    /// with the input; as a copy in any case, if it is to be `private`.
    pub fn open_as(
        path: &Path,
        find: impl Fn(&[u8]) -> Encoding,
        unreadable: impl Fn(&io::Error) -> Failure,
        private: bool,
    ) -> Result<(Self, Encoding)> {
        let mut source = Source::open(path)?;
        let length = source.len();
        let mut head = Vec::new();
        (&mut source)
            .take(HEAD)
            .read_to_end(&mut head)
            .map_err(|error| unreadable(&error))?;
        let encoding = find(&head);
        if let (Source::File(file), Encoding::Binary, Some(_), false) =
            (&mut source, encoding, length, private)
        {
            file.rewind().map_err(|error| unreadable(&error))?;
            let Source::File(file) = source else {
                return Err(Failure::file(show(path), "cannot be read twice"));
            };
            return Ok((Self::File(file), encoding));
        }
        let progress = Progress::new("reading", length);
        let all = Cursor::new(head).chain(source);
        let mut decoder = Decoder::new(progress.reading(all), encoding);
        let mut copy = empty();
        copy_all(&mut decoder, &mut copy).map_err(|error| match error {
            Error::Write(error) => failed(&error),
            Error::Read(error) => unreadable(&error),
            error => Failure::file(show(path), error),
        })?;
        copy.rewind().map_err(|error| failed(&error))?;
        Ok((Self::Copy(copy), encoding))
    }

    /// How many bytes it has.
    pub fn len(&mut self) -> io::Result<u64> {
        let length = self.seek(SeekFrom::End(0))?;
        self.rewind()?;
        Ok(length)
    }
}

impl Read for Spool {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Copy(copy) => copy.read(buffer),
        }
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Copy(copy) => copy.seek(to),
        }
    }
}

/// Copies all that `reader` gives.
pub fn copy_all(reader: &mut impl Read, writer: &mut impl io::Write) -> Result<(), Error> {
    let mut buffer = vec![0; crate::input::CHUNK];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return writer.flush().map_err(Error::Write),
            Ok(count) => writer.write_all(&buffer[..count]).map_err(Error::Write)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Read(error)),
        }
    }
}
