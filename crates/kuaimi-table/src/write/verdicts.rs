//! Verdicts, written as rows: the number of the row, the first being 1, whether it is valid, and
//! the reason if not.

use std::fmt;
use std::io::{self, Write};

use kuaimi_bulk::Verdict;

use super::{csv, jsonl, parquet};
use crate::Format;

/// How one format has them.
pub(super) trait Rows<W> {
    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()>;
    /// Writes what is left.
    fn finish(self: Box<Self>) -> io::Result<W>;
}

/// A file of verdicts.
pub struct Verdicts<W>(Box<dyn Rows<W>>);

impl<W: Write + Send + 'static> Verdicts<W> {
    /// Begins the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn create(writer: W, format: Format) -> io::Result<Self> {
        Ok(Self(match format {
            Format::Jsonl => Box::new(jsonl::Lines::new(writer)),
            Format::Csv => Box::new(csv::Table::new(writer)?),
            Format::Parquet => Box::new(parquet::File::new(writer)?),
        }))
    }

    /// Adds the verdict on a row, and why it is not valid.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()> {
        self.0.write(row, verdict, reason)
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W> fmt::Debug for Verdicts<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdicts").finish_non_exhaustive()
    }
}
