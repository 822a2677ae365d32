//! `kuaimi-lab`: measurements of Kuaimi, beside its peers and beside itself.

mod batch_sizes;
mod comparison;
mod core;
mod environment;
mod ladders;
mod ledger;
mod page;
mod peers;
mod report;
mod scaling;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measurements of Kuaimi.
///
/// Absolute figures depend on the machine and on what else it does: compare ratios taken in one run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Kuaimi, emmansun/gmsm (Go) and OpenSSL, the same operations in turn on one core.
    Peers(peers::Arguments),
    /// Batches on one thread and on several, in turn.
    Scaling(scaling::Arguments),
    /// Batches of many sizes on one thread, in turn.
    Batches(batch_sizes::Arguments),
    /// `kuaimi verify-batch` on files, beside the same items in memory, and two threads beside two processes.
    Files(ledger::Arguments),
    /// Kuaimi beside all peers, which are built first; they check each other, and take turns on one core and on all.
    Compare(comparison::Arguments),
    /// Every optimisation beside what it replaces: rungs of ladders, in turn on one core.
    Ladders(ladders::Arguments),
    /// The tables and plots of a folder that `--out` wrote, made anew of its figures; nothing is measured.
    Render(report::Arguments),
    /// All figures of a folder as one HTML page, for a browser; nothing is measured.
    Report(page::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Peers(arguments) => peers::run(&arguments),
        Command::Scaling(arguments) => scaling::run(&arguments),
        Command::Batches(arguments) => batch_sizes::run(&arguments),
        Command::Files(arguments) => ledger::run(&arguments),
        Command::Compare(arguments) => comparison::run(&arguments),
        Command::Ladders(arguments) => ladders::run(&arguments),
        Command::Render(arguments) => report::render(&arguments),
        Command::Report(arguments) => page::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kuaimi-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}
