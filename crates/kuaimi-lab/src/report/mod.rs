//! What is told of records: tables for a terminal, the summary of the last runs, and what became of
//! the goals.

mod summary;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::harness::folder::{self, put};
use crate::ladders::{self, report::Report};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with the records.
    #[arg(default_value = "target/bench", value_name = "DIR")]
    directory: PathBuf,
    /// The page of the summary.
    #[arg(long, default_value = "docs/bench.md", value_name = "FILE")]
    out: PathBuf,
    /// Write what became of all goals into this page, between its two comments about goals.
    #[arg(long, value_name = "FILE")]
    goals: Option<PathBuf>,
}

/// Writes the headline figures of a folder's records into pages.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.directory;
    let records = folder::read(folder, ladders::FIGURES)?;
    let ladders = Report::read(folder)?;
    ensure!(
        !records.is_empty() || ladders.is_some(),
        "{} has no records: make bench and make bench-ladders write some",
        folder.display()
    );
    let summary = summary::summary(&records, ladders.as_ref())?;
    if let Some(page) = &arguments.goals {
        put(
            page,
            &summary::with_goals(page, &summary::goals(&records)?)?,
        )?;
    }
    put(&arguments.out, &summary)
}
