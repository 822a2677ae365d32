//! Kuaimi beside everything that people use today, in one run (`make bench-peers`).
//!
//! | module | what it does |
//! | --- | --- |
//! | [`protocol`] | the lines that programs around other libraries speak |
//! | [`contestants`] | which peers there are, and how they are built |
//! | [`tasks`] | what is measured |
//! | [`check`](mod@check) | that all accept what the others make |
//! | [`kuaimi`] | Kuaimi's threads |
//! | [`measure`] | slices in turn |
//! | [`report`], [`markdown`] | the figures as JSON, and tables of them |

mod check;
mod contestants;
mod kuaimi;
mod markdown;
mod measure;
mod protocol;
mod report;
mod tasks;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};

use self::check::Keys;
use self::contestants::Contestant;
use self::kuaimi::Worker;
use self::measure::{Measured, Measurement};
use self::report::Report;
use crate::core;
use crate::environment::{self, Environment};
use crate::peers::{check, progress_bar, show};

/// The figures' file in a folder of reports.
pub(crate) const FIGURES: &str = "peers.json";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only these peers, with commas between them: openssl,gmsm. All by default; an unknown name lists them.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    peers: Vec<String>,
    /// Measure only these sections, with commas between them: sm2,sm9. All by default; an unknown name lists them.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    sections: Vec<String>,
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.05, value_name = "S")]
    seconds: f64,
    /// How many rounds; the tables give the medians of them.
    #[arg(long, default_value_t = 5, value_name = "N")]
    rounds: usize,
    /// How many threads are all threads; by default as many as there are cores that this process may use.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write peers.json and peers.md into this folder, in place of what is there, as well as tables to standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments.seconds, arguments.rounds)?;
    let tasks = tasks::chosen(&arguments.sections)?;
    let known = contestants::chosen(&arguments.peers)?;
    let cores = cores(arguments.threads)?;
    if let Some(folder) = &arguments.out {
        crate::report::prepare(folder)?;
    }
    environment::warn_if_slow();
    let environment = Environment::here();

    let building = progress_bar(known.len());
    let mut contestants = Vec::new();
    for peer in known {
        building.set_message(format!("building and starting {}", peer.name));
        contestants.push(Contestant::new(peer, &cores));
        building.inc(1);
    }
    building.finish_and_clear();

    let keys = Keys::new()?;
    for contestant in &mut contestants {
        if let Ok(running) = &mut contestant.state {
            let handed = running
                .processes
                .iter_mut()
                .try_for_each(|peer| keys.hand_over(peer));
            if let Err(error) = handed {
                contestant.state = Err(error);
            }
        }
    }
    let steps = tasks.len() * (contestants.len() + 1 + arguments.rounds);
    let progress = progress_bar(steps);
    check::all(&keys, &mut contestants, &tasks, &mut |what| {
        progress.set_message(format!("checking {what}"));
        progress.inc(1);
    });

    let sections: Vec<&str> = tasks.iter().map(|task| task.section).collect();
    let workers: Result<Vec<Worker>> = cores
        .iter()
        .map(|&core| Worker::start(core, &sections))
        .collect();
    let workers = workers?;
    let mut measurement = Measurement {
        keys: &keys,
        workers: &workers,
        contestants: &mut contestants,
        slice: Duration::from_secs_f64(arguments.seconds),
        rounds: arguments.rounds,
    };
    let mut all: Vec<Measured> = Vec::new();
    for task in tasks {
        progress.set_message(format!("warming up {}", task.peer));
        all.push(measurement.plan(task)?);
        progress.inc(1);
    }
    for round in 0..arguments.rounds {
        for measured in &mut all {
            progress.set_message(format!("measuring {}", measured.task.peer));
            measurement.round(round, measured)?;
            progress.inc(1);
        }
    }
    progress.finish_and_clear();

    let mut report = Report::new(
        &environment,
        arguments.seconds,
        arguments.rounds,
        &contestants,
    );
    for measured in &all {
        report.add(measured, cores.len(), &contestants);
    }
    if let Some(folder) = &arguments.out {
        report.write(folder)?;
    }
    show(&markdown::text(&report))
}

/// Makes the tables of a folder again, if it has figures of peers; says whether it has.
pub(crate) fn render(folder: &Path) -> Result<bool> {
    let Some(report) = Report::read(folder)? else {
        return Ok(false);
    };
    report.write(folder)?;
    Ok(true)
}

/// The cores that all threads stay on. The last one is the first, since the system's own work tends to be on the others.
fn cores(threads: Option<usize>) -> Result<Vec<Option<usize>>> {
    let mut cores: Vec<Option<usize>> = core::available().into_iter().rev().map(Some).collect();
    if cores.is_empty() {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        cores = vec![None; count];
    }
    if let Some(threads) = threads {
        ensure!(
            (1..=cores.len()).contains(&threads),
            "--threads must be from 1 to {}, but is {threads}",
            cores.len()
        );
        cores.truncate(threads);
    }
    Ok(cores)
}
