//! Files of rows: opened, their format found, and read a chunk at a time.

mod blocks;
mod csv;
mod format;
mod jsonl;
mod parquet;
mod template;

use std::io::{Cursor, Read};
use std::path::Path;

pub use format::Format;

use super::columns::Wanted;
use super::rows::{Chunk, Limits};
use crate::failure::{Failure, Result};
use crate::input::{self, unreadable};
use crate::say::show;

/// A longer row of text is malformed: no row makes the program use more memory than a few of these.
pub use kuaimi_bulk::{LONGEST_ROW as LONGEST, too_long};

/// Where rows come from.
pub trait Rows: Send {
    /// Reads rows until the chunk is full. False at the end, when the chunk may hold rows still.
    fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool>;
}

/// Rows, and what is known of the file that has them.
pub struct Opened {
    pub rows: Box<dyn Rows>,
    pub format: Format,
    /// All that a chunk's position can become: bytes of text, rows of Parquet.
    pub length: Option<u64>,
}

/// Bytes that are looked at to find the format.
const HEAD: u64 = 4096;

/// What is said of a file on the command line.
pub struct How {
    pub format: Option<Format>,
    pub delimiter: Option<u8>,
    /// That there is nothing at all in it is no error.
    pub allow_empty: bool,
}

pub fn open(path: &Path, how: &How, wanted: Wanted) -> Result<Opened> {
    let name = show(path);
    let mut source = input::Source::open(path)?;
    let length = source.len();
    let mut head = Vec::new();
    source
        .by_ref()
        .take(HEAD)
        .read_to_end(&mut head)
        .map_err(|error| unreadable(path, &error))?;
    if head.is_empty() && how.allow_empty {
        return Ok(Opened {
            rows: Box::new(Nothing),
            format: how
                .format
                .or_else(|| Format::of_name(path))
                .unwrap_or(Format::Jsonl),
            length,
        });
    }
    let format = format::find(&name, path, how.format, how.delimiter, &head)?;
    let bom: &[u8] = b"\xef\xbb\xbf";
    let skipped = if head.starts_with(bom) { bom.len() } else { 0 };
    let text = move |source| {
        let mut head = Cursor::new(head);
        head.set_position(skipped as u64);
        Box::new(head.chain(source)) as Box<dyn Read + Send>
    };
    let skipped = skipped as u64;
    let (rows, length): (Box<dyn Rows>, _) = match (format, source) {
        (Format::Jsonl, source) => (
            Box::new(jsonl::Lines::new(name, text(source), skipped, wanted)),
            length,
        ),
        (Format::Csv, source) => {
            let delimiter = how.delimiter.unwrap_or_else(|| format::delimiter(path));
            (
                Box::new(csv::Table::new(
                    name,
                    text(source),
                    skipped,
                    delimiter,
                    wanted,
                )?),
                length,
            )
        }
        (Format::Parquet, input::Source::File(file)) if length.is_some() => {
            let file = parquet::File::new(name, file, &wanted)?;
            let length = file.len();
            (Box::new(file), Some(length))
        }
        (Format::Parquet, _) => {
            return Err(Failure::file(
                name,
                "Parquet is read from its end, which a pipe does not have yet; save it and give the file",
            ));
        }
    };
    Ok(Opened {
        rows,
        format,
        length,
    })
}

/// The rows of an empty file.
struct Nothing;

impl Rows for Nothing {
    fn fill(&mut self, _: &mut Chunk, _: Limits) -> Result<bool> {
        Ok(false)
    }
}
