//! `kuaimi speed`: what this build does on this machine.

mod batches;
mod machine;
mod measure;
mod operations;
mod peer;
mod report;
mod sm4;
mod sm9;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::backend::BackendArgs;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::print;
use measure::Plan;

const EXAMPLE: &str = "\
Examples:
  kuaimi speed                        everything, one thread, a second each
  kuaimi speed sm2 --threads 4
  kuaimi speed sm2 --variant single,batch --backend portable64
  kuaimi speed sm9 --variant prepared
  kuaimi speed sm4 --operation gcm,ctr
  kuaimi speed --operation sign,verify --variant batch
  kuaimi speed --json > speed.json    one JSON object and nothing else

Each measurement is calibrated, cut into slices, and the median slice is reported. Several
threads run independent copies: ops/s is their sum, ns/op the time of one operation on its
thread. SM2 messages have 32 bytes; sign and verify include hashing them; exchange is both sides
of a run without confirmation. Where an `openssl` program is on the PATH, the table shows what
its `speed` measures beside ours (one thread, one second each). With the provider of docs/openssl.md,
the `openssl` program and all others that use OpenSSL have our speeds.

Variants: single, one after another; prepared, with a key whose table was made before; batch, for
SM2 256 a thread in one call, for as many different keys where others' keys are used (verify,
encrypt) and with one key of one's own (sign, decrypt), for SM3 64 messages in one call on each
thread; batch-prepared, as batch, of 16 keys with tables. An operation has the variants that make
sense for it. For SM9, prepared has a master key's and a user's tables made before, and in verify
and encrypt those of a known identity; batch is 64 a thread, with one key of one's own and 16
identities of others. SM4 encrypts in place (cbc-decrypt decrypts) under one key, gcm with a tag
and without associated data, xts one sector at a time.

JSON has two fields. `machine`: cpu, logical_cpus, architecture, os, kuaimi, backend,
sm3_backend, sm3_lane_backend, sm4_backend, ghash_backend, build. `results`, a list: algorithm,
operation, variant, batch_size (operations in a call), backend, threads, message_bytes,
ops_per_second, ns_per_op; for sm3 and sm4, bytes_per_second. Fields may be added; these keep their names and meanings.";

/// Measure this build on this machine.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct SpeedCommand {
    /// What to measure; everything if nothing is named.
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<Algorithm>,
    /// Seconds for each measurement.
    #[arg(long, short, default_value_t = 1.0, value_name = "S", value_parser = seconds)]
    seconds: f64,
    /// How many threads run at the same time.
    #[arg(long, short, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: u16,
    /// Measure these ways of computing only; several are separated by commas [default: all that
    /// apply].
    #[arg(long, value_enum, value_delimiter = ',', value_name = "VARIANT")]
    variant: Vec<Variant>,
    /// Measure these operations only; several are separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    operation: Vec<String>,
    #[command(flatten)]
    backend: BackendArgs,
    /// Write one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    /// Do not measure the `openssl` program.
    #[arg(long)]
    no_openssl: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    Sm2,
    Sm3,
    Sm4,
    Sm9,
}

impl Algorithm {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sm2 => "sm2",
            Self::Sm3 => "sm3",
            Self::Sm4 => "sm4",
            Self::Sm9 => "sm9",
        }
    }
}

/// A way of computing an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Variant {
    /// One at a time.
    Single,
    /// One at a time, with a prepared key.
    Prepared,
    /// Many at a time.
    Batch,
    /// Many at a time, with prepared keys.
    BatchPrepared,
}

impl Variant {
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Prepared => "prepared",
            Self::Batch => "batch",
            Self::BatchPrepared => "batch-prepared",
        }
    }
}

impl SpeedCommand {
    pub fn run(self) -> Result<Answer> {
        self.backend.apply()?;
        let wanted = |variant| self.variant.is_empty() || self.variant.contains(&variant);
        let named =
            |name: &str| self.operation.is_empty() || self.operation.iter().any(|one| one == name);
        let selected =
            |algorithm| self.algorithms.is_empty() || self.algorithms.contains(&algorithm);
        let plan = Plan {
            seconds: self.seconds,
            threads: usize::from(self.threads),
        };
        let machine = machine::describe();
        let mut any = false;
        let mut beside_openssl = false;
        let mut table = report::Table::new(self.json, &machine, &plan)?;
        for algorithm in [
            Algorithm::Sm2,
            Algorithm::Sm3,
            Algorithm::Sm4,
            Algorithm::Sm9,
        ] {
            if !selected(algorithm) {
                continue;
            }
            let operations: Vec<_> = operations::of(algorithm, plan.threads)
                .map_err(|error| Failure::usage(format!("speed: {}: {error}", algorithm.name())))?
                .into_iter()
                .filter(|operation| wanted(operation.variant) && named(operation.name))
                .collect();
            if operations.is_empty() {
                continue;
            }
            any = true;
            let peer = match (self.json, self.no_openssl) {
                (false, false) => peer::measure(algorithm, named),
                _ => peer::Peer::default(),
            };
            beside_openssl |= peer.version.is_some();
            table.start(algorithm, &peer)?;
            for operation in operations {
                let speed = measure::run(&plan, &operation);
                table.add(&operation, speed, &peer)?;
            }
        }
        if !any {
            return Err(Failure::usage(
                "speed: none of these algorithms has these operations in these variants; leave --operation and --variant out to see \
                 which there are",
            ));
        }
        if self.json {
            print(table.json(&machine))?;
        } else {
            table.finish(beside_openssl)?;
        }
        Ok(Answer::Yes)
    }
}

/// The names of all operations, once each.
fn names() -> Vec<&'static str> {
    let mut names = operations::NAMES.to_vec();
    names.push(operations::HASH);
    names.extend(sm4::NAMES);
    for name in sm9::NAMES {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.001..=3600.0).contains(seconds))
        .ok_or_else(|| "a number of seconds from 0.001 to 3600".to_owned())
}
