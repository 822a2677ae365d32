//! Kuaimi beside its peers: the same operations, in short slices that take turns within one run, so that whatever
//! else the machine does falls on all of them alike.
//!
//! A round visits every operation once and, within it, every library; odd rounds go through the libraries backwards.
//! A ratio is formed within its round, and the median of the rounds' ratios is reported: it is steadier than the ratio
//! of two medians.

mod gmsm;
mod openssl;
mod operation;
mod ours;

use std::io::{ErrorKind, IsTerminal, Write as _};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use self::operation::Operation;
pub(crate) use self::ours::Bench;
use crate::core;
use crate::environment::{self, Environment};
use crate::report::{Cell, Document, Library as LibraryName, Output, Row};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds a slice; OpenSSL's own measuring knows whole seconds only and takes at least one.
    #[arg(long, default_value_t = 0.2, value_name = "S")]
    seconds: f64,
    /// How many rounds; the reports give the median of them.
    #[arg(long, default_value_t = 7, value_name = "N")]
    rounds: usize,
    #[command(flatten)]
    output: Output,
    /// Write JSON to standard output rather than tables.
    #[arg(long)]
    json: bool,
    /// Measure only operations whose names contain one of these words: sm2, verify, sm4-gcm; commas between them.
    #[arg(long, value_delimiter = ',', value_name = "WORD")]
    filter: Vec<String>,
    /// The libraries to measure, with commas between them; all by default.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    libraries: Vec<Library>,
    /// The core to stay on (Linux); by default the last one this process may use.
    #[arg(long, value_name = "NUMBER")]
    core: Option<usize>,
}

/// A library that can be measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Library {
    /// This project.
    Kuaimi,
    /// github.com/emmansun/gmsm; needs Go.
    Gmsm,
    /// The `openssl` program; needs OpenSSL 3.
    Openssl,
}

/// One library in the comparison.
trait Contender {
    /// Name and version, for the report.
    fn library(&self) -> LibraryName;

    /// Measures for about `slice`; nothing where the library does not have the operation or has no way to measure it.
    fn measure(&mut self, operation: &Operation, slice: Duration) -> Result<Option<Measured>>;

    /// A new round begins: nothing measured before may be given again.
    fn new_round(&mut self) {}
}

struct Measured {
    /// Operations a second.
    rate: f64,
    /// What the operation includes with this library, in words.
    condition: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments.seconds, arguments.rounds)?;
    let operations = operation::chosen(&arguments.filter)?;
    arguments.output.prepare()?;
    if !arguments.filter.is_empty() {
        let rows = operations.iter().map(|one| (one.algorithm, one.id));
        arguments.output.keep_rows(&rows.collect::<Vec<_>>())?;
    }
    environment::warn_if_slow();
    // Batches, too, stay on the core: a pool of more threads, started before, would not.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    // Before this process stays on one core, and before its own load.
    let mut environment = Environment::here();
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for &library in Library::value_variants() {
        if !arguments.libraries.is_empty() && !arguments.libraries.contains(&library) {
            continue;
        }
        contenders.push(match library {
            Library::Kuaimi => Box::new(ours::Ours::new(&operations)?),
            Library::Gmsm => {
                let peer = gmsm::Gmsm::build()?;
                if let Some(compiler) = gmsm::compiler() {
                    environment.compilers.insert("Go".to_owned(), compiler);
                }
                Box::new(peer)
            }
            Library::Openssl => Box::new(openssl::OpenSsl::find()?),
        });
    }
    let core = core::stay_on_one(arguments.core)?;
    let rows = measure(arguments, &operations, &mut contenders)?;

    let mut documents: Vec<Document> = Vec::new();
    for (operation, row) in operations.iter().zip(rows) {
        match documents
            .iter_mut()
            .find(|document| document.name == operation.algorithm)
        {
            Some(document) => document.rows.push(row),
            None => documents.push(Document {
                name: operation.algorithm.to_owned(),
                title: operation.algorithm.to_uppercase(),
                environment: environment.clone(),
                core,
                seconds: arguments.seconds,
                rounds: arguments.rounds,
                libraries: contenders.iter().map(|one| one.library()).collect(),
                goals_against: "gmsm".to_owned(),
                rows: vec![row],
            }),
        }
    }
    arguments.output.write(&documents)?;
    show(&if arguments.json {
        serde_json::to_string_pretty(&documents)? + "\n"
    } else {
        let texts: Result<Vec<String>> = documents.iter().map(Document::text).collect();
        texts?.join("\n")
    })
}

/// An error for slices or rounds that make no sense.
pub(crate) fn check(seconds: f64, rounds: usize) -> Result<()> {
    ensure!(
        seconds > 0.0 && seconds <= 60.0,
        "--seconds must be above 0 and at most 60, but is {seconds}"
    );
    ensure!(
        (1..=1000).contains(&rounds),
        "--rounds must be from 1 to 1000, but is {rounds}"
    );
    Ok(())
}

/// All rounds.
fn measure(
    arguments: &Arguments,
    operations: &[&Operation],
    contenders: &mut [Box<dyn Contender>],
) -> Result<Vec<Row>> {
    let slice = Duration::from_secs_f64(arguments.seconds);
    let mut rows: Vec<Row> = operations
        .iter()
        .map(|operation| Row {
            id: operation.id.to_owned(),
            label: operation.label.to_owned(),
            bytes: operation.bytes,
            goal: operation.goal,
            cells: vec![None; contenders.len()],
        })
        .collect();
    let progress = progress_bar(arguments.rounds * operations.len() * contenders.len());
    for round in 0..arguments.rounds {
        contenders
            .iter_mut()
            .for_each(|contender| contender.new_round());
        for (row, operation) in rows.iter_mut().zip(operations) {
            progress.set_message(operation.id);
            let pairs = row.cells.iter_mut().zip(contenders.iter_mut());
            let mut pairs: Vec<_> = pairs.collect();
            if round % 2 == 1 {
                pairs.reverse();
            }
            for (cell, contender) in pairs {
                if let Some(measured) = contender.measure(operation, slice)? {
                    cell.get_or_insert_with(|| Cell {
                        condition: measured.condition,
                        operations_per_second: Vec::new(),
                    })
                    .operations_per_second
                    .push(measured.rate);
                }
                progress.inc(1);
            }
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// Writes to standard output.
pub(crate) fn show(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the report cannot be written"),
    }
}

/// On standard error and only for a person: pipes and logs see none of it.
pub(crate) fn progress_bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("measuring {bar:40} {percent}%, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
