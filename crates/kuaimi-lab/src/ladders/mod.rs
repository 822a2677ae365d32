//! The ladders: each optimisation measured beside what it replaces, from the slowest way to compute
//! something to the library's.
//!
//! A *rung* is a complete implementation of the ladder's operation, in a file of its own that is
//! named as the literature names it. The tests compare all rungs of a ladder on random numbers and
//! at the edges. Rungs that leak say so in their first line; they are in this program only, never
//! in the library.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`rung`] | what a ladder and a rung are |
//! | [`measure`] | slices of all rungs in turn |
//! | [`count`] | instructions under callgrind |
//! | [`report`] | the record of ladders, and what is derived of its figures |
//! | [`integer`], [`field`] | numbers of 256 bits; SM2's curve over a rung's arithmetic |
//! | [`backend`] | the library's fastest arithmetic |
//! | [`text`] | tables |
//! | [`multiplication`] | the product of two 256-bit numbers |
//! | [`reduction`], [`inversion`] | products and inverses modulo SM2's prime |
//! | [`points`] | additions and doublings |
//! | [`generator`], [`double_scalar`] | `[k]G`, and `[s]G + [t]P` |
//! | [`tables`] | what their tables cost to make |
//! | [`sm2`] | signatures, verifications, encryptions and decryptions |
//! | [`sm9`] | products of points, powers and pairings; the protocols |

pub(crate) mod backend;
mod count;
mod double_scalar;
mod field;
mod generator;
mod integer;
mod inversion;
mod measure;
mod multiplication;
mod points;
mod reduction;
pub(crate) mod report;
pub(crate) mod rung;
mod sm2;
mod sm9;
mod tables;
#[cfg(test)]
mod tests;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};

use self::report::{LadderReport, Report};
use self::rung::Ladder;
use crate::harness::environment::{self, Environment};
use crate::harness::record::Run;
use crate::harness::{check, cores, folder, progress_bar, show};

/// The ladders' file in a folder of records.
pub(crate) const FIGURES: &str = "ladders.json";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only these ladders, with commas between them; all by default. An unknown name lists
    /// them.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.02, value_name = "S")]
    seconds: f64,
    /// How many rounds; the tables give the medians of them.
    #[arg(long, default_value_t = 15, value_name = "N")]
    rounds: usize,
    /// The core to stay on (Linux); by default the last one this process may use.
    #[arg(long, value_name = "NUMBER")]
    core: Option<usize>,
    /// Write the figures into this folder, as well as tables to standard output. Ladders of the
    /// same machine that are not measured now stay in its file.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure nothing: count the instructions of rungs under callgrind, and write them beside the
    /// times in the folder `--out`. The program must be built with its feature memcheck (make
    /// count-ladders).
    #[arg(long, requires = "out")]
    instructions: bool,
    /// What `--instructions` runs.
    #[arg(long, hide = true)]
    under_callgrind: bool,
}

/// A ladder's name, and what makes it.
type Named = (&'static str, fn() -> Ladder);

/// All ladders, in the order of the record.
const LADDERS: [Named; 28] = [
    (multiplication::NAME, multiplication::ladder),
    (reduction::NAME, reduction::ladder),
    (inversion::NAME, inversion::ladder),
    (points::ADDITION, points::addition),
    (points::DOUBLING, points::doubling),
    (generator::NAME, generator::ladder),
    (double_scalar::NAME, double_scalar::ladder),
    (tables::NAME, tables::ladder),
    (sm2::tongsuo::SIGN, sm2::tongsuo::signing),
    (sm2::tongsuo::VERIFY, sm2::tongsuo::verifying),
    (sm2::long::SIGN, sm2::long::signing),
    (sm2::long::VERIFY, sm2::long::verifying),
    (sm2::pke::ENCRYPT, sm2::pke::encryption),
    (sm2::pke::DECRYPT, sm2::pke::decryption),
    (sm2::gmssl::SIGN, sm2::gmssl::signing),
    (sm2::gmssl::VERIFY, sm2::gmssl::verifying),
    (sm2::go::NAME, sm2::go::ladder),
    (sm9::G1_PRODUCT, sm9::g1_product),
    (sm9::G2_PRODUCT, sm9::g2_product),
    (sm9::POWER, sm9::power),
    (sm9::PAIRING, sm9::pairing),
    (sm9::protocols::SIGN, || {
        sm9::protocols::ladder(sm9::protocols::SIGN)
    }),
    (sm9::protocols::VERIFY, || {
        sm9::protocols::ladder(sm9::protocols::VERIFY)
    }),
    (sm9::protocols::ENCAPSULATE, || {
        sm9::protocols::ladder(sm9::protocols::ENCAPSULATE)
    }),
    (sm9::protocols::DECAPSULATE, || {
        sm9::protocols::ladder(sm9::protocols::DECAPSULATE)
    }),
    (sm9::protocols::ENCRYPT, || {
        sm9::protocols::ladder(sm9::protocols::ENCRYPT)
    }),
    (sm9::protocols::DECRYPT, || {
        sm9::protocols::ladder(sm9::protocols::DECRYPT)
    }),
    (sm9::protocols::EXCHANGE, || {
        sm9::protocols::ladder(sm9::protocols::EXCHANGE)
    }),
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments.seconds, arguments.rounds)?;
    let mut ladders = chosen(&arguments.only)?;
    if arguments.under_callgrind {
        return count::under_callgrind(&mut ladders);
    }
    if let (true, Some(folder)) = (arguments.instructions, &arguments.out) {
        return count::into(folder, &ladders);
    }
    // Before this process stays on one core, and before its own load.
    let environment = Environment::here();
    let mut report = Report::default();
    if let Some(folder) = &arguments.out {
        folder::prepare(folder)?;
        let all = ladders.len() == LADDERS.len();
        if let Some(old) = Report::read(folder)?.filter(|_| !all) {
            report.keep(old, &environment, folder)?;
        }
    }
    environment::warn_if_slow();
    // Batches, too, stay on the core.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    let core = cores::stay_on_one(arguments.core)?;
    let slice = Duration::from_secs_f64(arguments.seconds);
    let rungs: usize = ladders.iter().map(|ladder| ladder.rungs.len()).sum();
    let progress = progress_bar(rungs * arguments.rounds);
    for ladder in &mut ladders {
        let figures = measure::ladder(ladder, slice, arguments.rounds, &progress)?;
        let run = Run {
            environment: environment.clone(),
            core,
            seconds: Some(arguments.seconds),
            rounds: arguments.rounds,
        };
        report.put(LadderReport::new(ladder, run, &figures));
    }
    progress.finish_and_clear();
    if let Some(folder) = &arguments.out {
        report.write(folder)?;
    }
    let measured = |one: &&LadderReport| ladders.iter().any(|ladder| ladder.name == one.name);
    let texts: Vec<String> = report
        .ladders
        .iter()
        .filter(measured)
        .map(text::ladder)
        .collect();
    show(&texts.join("\n"))
}

/// The ladders of these names.
fn chosen(only: &[String]) -> Result<Vec<Ladder>> {
    let names: Vec<&str> = LADDERS.iter().map(|(name, _)| *name).collect();
    for name in only {
        ensure!(
            names.contains(&name.as_str()),
            "there is no ladder {name:?}: choose among {}",
            names.join(", ")
        );
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    Ok(LADDERS
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(_, ladder)| ladder())
        .collect())
}
