//! Files of rows: opened, their format detected, and read a chunk at a time.

mod blocks;
mod csv;
mod jsonl;
mod parquet;
mod template;

use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read};

use crate::{Chunk, Error, Format, Limits, Result, Wanted, format};

/// A longer row of text is malformed: no row makes a program use more memory than a few of these.
use kuaimi_bulk::{LONGEST_ROW as LONGEST, too_long};

/// Where the rows of a format come from.
pub(crate) trait Rows: Send {
    /// Reads rows until the chunk is full. False at the end, when the chunk may hold rows still.
    fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool>;
}

/// Where bytes come from.
pub enum Source {
    /// A file. Parquet is read from files only.
    File(File),
    /// Anything else, such as a pipe.
    Stream(Box<dyn Read + Send>),
}

impl Source {
    /// How many bytes will come, where that is known.
    fn length(&self) -> Option<u64> {
        match self {
            Self::File(file) => {
                let found = file.metadata().ok().filter(std::fs::Metadata::is_file);
                found.map(|found| found.len())
            }
            Self::Stream(_) => None,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File(_) => "Source::File",
            Self::Stream(_) => "Source::Stream",
        })
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

/// What is known of a file before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// Its format; else that is detected.
    pub format: Option<Format>,
    /// What separates the columns of CSV; else a comma.
    pub delimiter: Option<u8>,
    /// A file without a single byte is a file without rows, and not an error.
    pub allow_empty: bool,
}

/// Bytes by which the format is detected.
const HEAD: u64 = 4096;

/// A file of rows.
pub struct Reader {
    rows: Box<dyn Rows>,
    format: Format,
    length: Option<u64>,
}

impl Reader {
    /// Opens a file of rows, in which these columns are wanted.
    ///
    /// # Errors
    /// What is wrong with the file, as far as its beginning shows, and for Parquet its end.
    pub fn open(mut source: Source, hints: &Hints, wanted: Wanted) -> Result<Self> {
        let length = source.length();
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head)?;
        if head.is_empty() && hints.allow_empty {
            let format = hints.format.unwrap_or(Format::Jsonl);
            return Ok(Self::new(Box::new(Nothing), format, length));
        }
        let format = format::find(hints.format, hints.delimiter, &head)?;
        let bom: &[u8] = b"\xef\xbb\xbf";
        let skipped = if head.starts_with(bom) { bom.len() } else { 0 } as u64;
        let text = move |source| {
            let mut head = Cursor::new(head);
            head.set_position(skipped);
            Box::new(head.chain(source)) as Box<dyn Read + Send>
        };
        let rows: Box<dyn Rows> = match (format, source) {
            (Format::Jsonl, source) => Box::new(jsonl::Lines::new(text(source), skipped, wanted)),
            (Format::Csv, source) => {
                let delimiter = hints.delimiter.unwrap_or(b',');
                Box::new(csv::Table::new(text(source), skipped, delimiter, &wanted)?)
            }
            (Format::Parquet, Source::File(file)) if length.is_some() => {
                let file = parquet::File::new(file, &wanted)?;
                let length = file.len();
                return Ok(Self::new(Box::new(file), format, Some(length)));
            }
            (Format::Parquet, _) => return Err(Error::NotAFile),
        };
        Ok(Self::new(rows, format, length))
    }

    pub(crate) fn new(rows: Box<dyn Rows>, format: Format, length: Option<u64>) -> Self {
        Self {
            rows,
            format,
            length,
        }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What [`Chunk::position`] becomes in the end, where that is known: rows of Parquet, bytes of
    /// text.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Reads rows until the chunk, which must be empty, is full. False at the end, when the chunk
    /// may hold rows still.
    ///
    /// # Errors
    /// What is wrong with the file as a whole.
    pub fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool> {
        self.rows.fill(chunk, limits)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("format", &self.format)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// The rows of an empty file.
struct Nothing;

impl Rows for Nothing {
    fn fill(&mut self, _: &mut Chunk, _: Limits) -> Result<bool> {
        Ok(false)
    }
}
