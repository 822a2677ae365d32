//! `kuaimi-evidence`: evidence that what Kuaimi does with secrets is constant time.
//!
//! | module | what it shows |
//! | --- | --- |
//! | `constant_time` (feature `memcheck`) | under valgrind or on an emulated CPU: no branch, no address and no division depends on a secret |
//! | [`timing`] | by statistics on this machine: no time does |

#[cfg(feature = "memcheck")]
mod constant_time;
mod timing;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evidence that what Kuaimi does with secrets is constant time.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Whether the time of operations depends on their secrets, by statistics (`make timing`).
    Timing(timing::Arguments),
    /// Every operation on secrets under valgrind, which reports what in them is not constant time
    /// (`make constant-time`).
    #[cfg(feature = "memcheck")]
    ConstantTime,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Timing(arguments) => timing::run(&arguments),
        #[cfg(feature = "memcheck")]
        Command::ConstantTime => constant_time::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kuaimi-evidence: {error:#}");
            ExitCode::FAILURE
        }
    }
}
