//! `kuaimi speed`: what this build does on this machine.

mod machine;
mod measure;
mod operations;
mod peer;
mod report;

use clap::{Args, ValueEnum};

use crate::exit::{Answer, Failure, Result};
use crate::output::print;
use measure::Plan;

const EXAMPLE: &str = "\
Examples:
  kuaimi speed                        everything, one thread, a second each
  kuaimi speed sm2 --threads 4
  kuaimi speed --json > speed.json    one JSON object and nothing else
  KUAIMI_BACKEND=portable32 kuaimi speed sm2

Each measurement is calibrated, cut into slices, and the median slice is reported. Several
threads run independent copies: ops/s is their sum, ns/op the time of one operation on its
thread. SM2 messages have 32 bytes; sign and verify include hashing them; exchange is both sides
of a run without confirmation; `many` hashes 64 messages at once. Where an `openssl` program is on the PATH, the table shows what
its `speed` measures beside ours (one thread, one second each).";

/// Measure this build on this machine.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct SpeedCommand {
    /// What to measure; everything where nothing is named.
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<Algorithm>,
    /// Seconds for each measurement.
    #[arg(long, short, default_value_t = 1.0, value_name = "S", value_parser = seconds)]
    seconds: f64,
    /// How many threads run at the same time.
    #[arg(long, short, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: u16,
    /// Write one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    /// Leave the `openssl` program alone.
    #[arg(long)]
    no_openssl: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    Sm2,
    Sm3,
}

impl Algorithm {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sm2 => "sm2",
            Self::Sm3 => "sm3",
        }
    }
}

impl SpeedCommand {
    pub fn run(self) -> Result<Answer> {
        let selected =
            |algorithm| self.algorithms.is_empty() || self.algorithms.contains(&algorithm);
        let plan = Plan {
            seconds: self.seconds,
            threads: usize::from(self.threads),
        };
        let machine = machine::describe();
        let mut table = report::Table::new(self.json, &machine, &plan)?;
        for algorithm in [Algorithm::Sm2, Algorithm::Sm3] {
            if !selected(algorithm) {
                continue;
            }
            let peer = match (self.json, self.no_openssl) {
                (false, false) => peer::measure(algorithm),
                _ => peer::Peer::default(),
            };
            table.start(algorithm, &peer)?;
            for operation in operations::of(algorithm)
                .map_err(|error| Failure::usage(format!("speed: {}: {error}", algorithm.name())))?
            {
                let speed = measure::run(&plan, &operation);
                table.add(&operation, speed, &peer)?;
            }
        }
        if self.json {
            print(table.json(&machine))?;
        } else {
            table.finish()?;
        }
        Ok(Answer::Yes)
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.001..=3600.0).contains(seconds))
        .ok_or_else(|| "a number of seconds from 0.001 to 3600".to_owned())
}
