//! `kuaimi-lab`: measurements of Kuaimi, beside other libraries and beside itself. The words that
//! it uses are defined in [`harness`].
//!
//! | module | what it does |
//! | --- | --- |
//! | [`harness`] | what all measurements share |
//! | [`ours`] | Kuaimi's operations, ready to be measured |
//! | [`libraries`] | Kuaimi beside other libraries |
//! | [`ladders`] | every optimisation beside what it replaces |
//! | [`scaling`], [`batches`] | threads, and sizes of batches |
//! | [`files`] | files of signatures |
//! | [`report`], [`page`] | tables and the summary; the HTML page |

mod batches;
mod files;
mod harness;
mod ladders;
mod libraries;
mod ours;
mod page;
mod report;
mod scaling;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measurements of Kuaimi.
///
/// Absolute figures depend on the machine and on what else it does: compare ratios taken in one
/// run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Kuaimi beside other libraries, whose peers are built first; they check each other, and take
    /// turns on one core and on all.
    Libraries(libraries::Arguments),
    /// Batches on one thread and on several, in turn.
    Scaling(scaling::Arguments),
    /// Batches of many sizes on one thread, in turn.
    Batches(batches::Arguments),
    /// `kuaimi verify-batch` on files, beside the same items in memory, and two threads beside two
    /// processes.
    Files(files::Arguments),
    /// Every optimisation beside what it replaces: rungs of ladders, in turn on one core.
    Ladders(ladders::Arguments),
    /// All records of a folder as one HTML page, for a browser; nothing is measured.
    Report(page::Arguments),
    /// The headline figures of a folder's records, and what became of the goals, in pages of docs;
    /// nothing is measured.
    Summary(report::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Libraries(arguments) => libraries::run(&arguments),
        Command::Scaling(arguments) => scaling::run(&arguments),
        Command::Batches(arguments) => batches::run(&arguments),
        Command::Files(arguments) => files::run(&arguments),
        Command::Ladders(arguments) => ladders::run(&arguments),
        Command::Report(arguments) => page::run(&arguments),
        Command::Summary(arguments) => report::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kuaimi-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}
