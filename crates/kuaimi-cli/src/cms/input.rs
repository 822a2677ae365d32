//! Messages as files: in BER or DER, which are read piece by piece, or in PEM.

use std::io::{Read, Write};
use std::path::Path;

use kuaimi_pki::Error;
use kuaimi_pki::message::{self, Kind};

use crate::cert::failed;
use crate::failure::{Failure, Result};
use crate::input::{self, Source, unreadable};
use crate::output::{Sink, Target};
use crate::progress::Progress;
use crate::say::show;
use crate::spool::Spool;
use crate::text::Encoding;

/// The longest message in text.
const MAX_TEXT: u64 = 1 << 30;

/// A message that can be read more than once.
pub enum Message {
    Binary(Spool),
    Text(std::io::Cursor<Vec<u8>>),
}

impl Message {
    /// `twice`: what is read first must be what is read again, so a file is copied.
    pub fn open(path: &Path, twice: bool) -> Result<Self> {
        let find = |_: &[u8]| Encoding::Binary;
        let cannot = |error: &std::io::Error| unreadable(path, error);
        let (mut spool, _) = Spool::open_as(path, find, cannot, twice)?;
        // The tag and the length of a message in BER are not both letters.
        let mut head = [0; 2];
        let count = input::fill(&mut spool, &mut head).map_err(|error| cannot(&error))?;
        std::io::Seek::rewind(&mut spool).map_err(|error| cannot(&error))?;
        if head[0] == 0x30 && !head[..count].is_ascii() {
            return Ok(Self::Binary(spool));
        }
        let mut text = Vec::new();
        (&mut spool)
            .take(MAX_TEXT + 1)
            .read_to_end(&mut text)
            .map_err(|error| cannot(&error))?;
        if text.len() as u64 > MAX_TEXT {
            return Err(Failure::file(
                show(path),
                "is no message in DER, and too long for text (1 GiB)",
            ));
        }
        let der = message::to_ber(&text).map_err(|error| failed(show(path), &error))?;
        Ok(Self::Text(std::io::Cursor::new(der.into_owned())))
    }

    /// Gives all of it to `consume`, from the beginning.
    pub fn each_piece(
        &mut self,
        path: &Path,
        mut consume: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let cannot = |error: std::io::Error| unreadable(path, &error);
        let mut buffer = input::buffer();
        let (reader, length): (&mut dyn Read, _) = match self {
            Self::Binary(spool) => {
                let length = spool.len().map_err(cannot)?;
                (spool, Some(length))
            }
            Self::Text(der) => {
                der.set_position(0);
                (der, None)
            }
        };
        let progress = Progress::new("reading", length);
        let mut reader = progress.reading(reader);
        loop {
            match input::fill(&mut reader, &mut buffer).map_err(cannot)? {
                0 => return Ok(()),
                count => consume(&buffer[..count])?,
            }
        }
    }
}

/// Where a message that is being made goes, piece by piece.
pub struct Pieces<'a> {
    target: &'a Target,
    /// Nothing: it is kept, to be written as text.
    sink: Option<Sink>,
    pub bytes: Vec<u8>,
}

impl<'a> Pieces<'a> {
    pub fn new(target: &'a Target, sink: Option<Sink>) -> Self {
        Self {
            target,
            sink,
            bytes: Vec::new(),
        }
    }

    /// Writes what has come together.
    pub fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(&self.bytes)
                .map_err(|error| self.target.cannot_write(&error))?;
        }
        self.bytes.clear();
        Ok(())
    }

    pub fn commit(mut self) -> Result<()> {
        self.flush()?;
        match self.sink {
            Some(sink) => sink.commit(),
            None => Ok(()),
        }
    }
}

/// The content of a file, and its length where that is known.
pub fn content(
    path: &Path,
    mut consume: impl FnMut(&[u8], Option<u64>) -> Result<()>,
) -> Result<()> {
    let source = Source::open(path)?;
    let length = source.len();
    let progress = Progress::new("reading", length);
    let mut reader = progress.reading(source);
    let mut buffer = input::buffer();
    // Once for an empty file, too.
    let mut first = true;
    loop {
        let count =
            input::fill(&mut reader, &mut buffer).map_err(|error| unreadable(path, &error))?;
        if count == 0 && !first {
            return Ok(());
        }
        consume(&buffer[..count], length)?;
        first = false;
    }
}

/// The failure that `error` of the message in the file is.
pub fn refused(path: &Path, error: &Error) -> Failure {
    match error {
        Error::Signer(..) | Error::Decryption | Error::NotARecipient => {
            Failure::refused(show(path), error)
        }
        Error::Algorithm(_, oid) => match Kind::from_oid(*oid) {
            Some(Kind::Signed) => other(path, "a signed message", "kuaimi cms verify"),
            Some(Kind::Enveloped | Kind::AuthEnveloped | Kind::SignedAndEnveloped) => {
                other(path, "an encrypted message", "kuaimi cms decrypt")
            }
            Some(kind) => Failure::file(
                show(path),
                format_args!("is {kind}, which is not read here"),
            ),
            None => failed(show(path), error),
        },
        error => failed(show(path), error),
    }
}

fn other(path: &Path, what: &str, command: &str) -> Failure {
    Failure::file(show(path), format_args!("is {what}; use `{command}`"))
}
