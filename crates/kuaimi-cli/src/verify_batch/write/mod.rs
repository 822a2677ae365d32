//! Verdicts, written as rows: the number of the row, the first being 1, whether it is valid, and the reason if not.

mod csv;
mod jsonl;
mod parquet;

use std::io;

use crate::failure::Result;
use crate::output::{Sink, Target};
use crate::table::read::Format;
use kuaimi_bulk::Verdict;

/// A file of verdicts.
pub trait Rows {
    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()>;
    /// Writes what is left.
    fn finish(self: Box<Self>) -> io::Result<Sink>;
}

/// Where verdicts go.
pub struct Verdicts {
    target: Target,
    rows: Box<dyn Rows>,
    failures_only: bool,
}

impl Verdicts {
    pub fn create(target: &Target, format: Format, failures_only: bool) -> Result<Self> {
        let sink = target.create()?;
        let rows: io::Result<Box<dyn Rows>> = match format {
            Format::Jsonl => Ok(Box::new(jsonl::Lines::new(sink))),
            Format::Csv => csv::Table::new(sink).map(|table| Box::new(table) as _),
            Format::Parquet => parquet::File::new(sink).map(|file| Box::new(file) as _),
        };
        Ok(Self {
            rows: rows.map_err(|error| target.cannot_write(&error))?,
            target: target.clone(),
            failures_only,
        })
    }

    pub fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> Result<()> {
        if self.failures_only && *verdict == Verdict::Valid {
            return Ok(());
        }
        self.rows
            .write(row, verdict, reason)
            .map_err(|error| self.target.cannot_write(&error))
    }

    /// Makes the file appear.
    pub fn commit(self) -> Result<()> {
        let Self { target, rows, .. } = self;
        rows.finish()
            .map_err(|error| target.cannot_write(&error))?
            .commit()
    }
}
