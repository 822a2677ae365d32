//! `kuaimi-lab`: measurements of Kuaimi, beside its peers and beside itself.

mod core;
mod peers;

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
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Peers(arguments) => peers::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kuaimi-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}
