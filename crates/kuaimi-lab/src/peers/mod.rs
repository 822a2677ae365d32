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
mod report;

use std::io::{ErrorKind, IsTerminal, Write as _};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use self::operation::Operation;
use self::report::Report;
use crate::core;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds a slice; OpenSSL's own measuring knows whole seconds only and takes at least one.
    #[arg(long, default_value_t = 0.25, value_name = "S")]
    seconds: f64,
    /// How many rounds; the report gives the median of them.
    #[arg(long, default_value_t = 5, value_name = "N")]
    rounds: usize,
    /// Write JSON to standard output rather than tables.
    #[arg(long)]
    json: bool,
    /// The operations to measure, with commas between them; all by default.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    operations: Vec<Operation>,
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
    fn name(&self) -> String;

    /// What an operation includes with this library, in words; `None` if the library does not have it or has no way to
    /// measure it.
    fn condition(&self, operation: Operation) -> Option<&'static str>;

    /// Operations a second, measured for about `slice`. Called only for operations that have a condition.
    fn measure(&mut self, operation: Operation, slice: Duration) -> Result<f64>;

    /// A new round begins: nothing measured before may be given again.
    fn new_round(&mut self) {}
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        arguments.seconds > 0.0 && arguments.seconds <= 60.0,
        "--seconds must be above 0 and at most 60, but is {}",
        arguments.seconds
    );
    ensure!(
        (1..=1000).contains(&arguments.rounds),
        "--rounds must be from 1 to 1000, but is {}",
        arguments.rounds
    );
    let core = core::stay_on_one(arguments.core)?;
    let slice = Duration::from_secs_f64(arguments.seconds);
    let operations = chosen(&arguments.operations, Operation::value_variants());
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for library in chosen(&arguments.libraries, Library::value_variants()) {
        contenders.push(match library {
            Library::Kuaimi => Box::new(ours::Ours::new()?),
            Library::Gmsm => Box::new(gmsm::Gmsm::build()?),
            Library::Openssl => Box::new(openssl::OpenSsl::find()?),
        });
    }
    let mut report = Report::new(
        core,
        arguments.seconds,
        arguments.rounds,
        &operations,
        &contenders,
    );
    let progress = progress_bar(arguments.rounds * operations.len() * contenders.len());
    for round in 0..arguments.rounds {
        contenders
            .iter_mut()
            .for_each(|contender| contender.new_round());
        for (row, &operation) in operations.iter().enumerate() {
            let mut order: Vec<usize> = (0..contenders.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for column in order {
                if let Some(contender) = contenders.get_mut(column)
                    && contender.condition(operation).is_some()
                {
                    report.add(row, column, contender.measure(operation, slice)?);
                }
                progress.inc(1);
            }
        }
        report.end_round();
    }
    progress.finish_and_clear();
    let text = if arguments.json {
        report.json()?
    } else {
        report.tables()?
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the report cannot be written"),
    }
}

/// What was asked for, without repetition, or else everything.
fn chosen<T: Copy + PartialEq>(asked: &[T], all: &[T]) -> Vec<T> {
    if asked.is_empty() {
        return all.to_vec();
    }
    all.iter()
        .copied()
        .filter(|one| asked.contains(one))
        .collect()
}

/// On standard error and only for a person: pipes and logs see none of it.
fn progress_bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("measuring {bar:40} {percent}% {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
