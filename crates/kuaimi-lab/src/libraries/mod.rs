//! Kuaimi beside other libraries: the same operations, in slices that take turns within one run
//! (`make bench`, `make bench-peers`).
//!
//! | module | what it does |
//! | --- | --- |
//! | [`operations`] | what is measured |
//! | [`library`] | which libraries there are, and their peers |
//! | [`protocol`] | the lines that peers speak |
//! | [`check`](mod@check) | that all accept what the others make |
//! | [`kuaimi`] | Kuaimi's threads |
//! | [`measure`] | slices in turn |

mod check;
mod kuaimi;
mod library;
mod measure;
pub(crate) mod operations;
mod protocol;
#[cfg(test)]
mod tests;

use std::time::Duration;

use anyhow::{Result, ensure};

use self::check::Keys;
use self::kuaimi::Worker;
use self::library::Library;
use self::measure::{Measured, Measurement, Rates, Who};
use self::operations::Way;
use crate::harness::environment::{self, Environment};
use crate::harness::folder::Output;
use crate::harness::record::{Contender, Figures, Operation, Record, Run};
use crate::harness::{check, cores, progress_bar, show};
use crate::report::text;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure Kuaimi beside these libraries only, with commas between them: openssl,gmsm. All by
    /// default; an unknown name lists them.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    libraries: Vec<String>,
    /// Measure only operations whose names contain one of these words, with commas between them:
    /// sm2,verify,sm4-gcm. An unknown word lists them.
    #[arg(long, value_delimiter = ',', value_name = "WORD")]
    operations: Vec<String>,
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.05, value_name = "S")]
    seconds: f64,
    /// How many rounds; the tables give the medians of them.
    #[arg(long, default_value_t = 7, value_name = "N")]
    rounds: usize,
    /// How many cores are all cores; by default as many as this process may use. With 1 there is no
    /// second measurement on all.
    #[arg(long, value_name = "N")]
    cores: Option<usize>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments.seconds, arguments.rounds)?;
    let chosen = operations::chosen(&arguments.operations)?;
    let known = library::chosen(&arguments.libraries)?;
    let cores = cores_to_use(arguments.cores)?;
    arguments.output.prepare()?;
    environment::warn_if_slow();
    // Before this process has work of its own.
    let environment = Environment::here();
    let slice = Duration::from_secs_f64(arguments.seconds);

    let building = progress_bar(known.len());
    let mut libraries = Vec::new();
    for one in known {
        building.set_message(format!("building and starting {}", one.name));
        libraries.push(Library::new(one, &cores));
        building.inc(1);
    }
    building.finish_and_clear();

    let keys = Keys::new()?;
    for library in &mut libraries {
        if let Ok(running) = &mut library.state {
            let mut peers = running.peers.iter_mut();
            if let Err(error) = peers.try_for_each(|peer| keys.hand_over(peer)) {
                library.state = Err(error);
            }
        }
    }
    let steps = chosen.len() * (libraries.len() + 1 + arguments.rounds);
    let progress = progress_bar(steps);
    let operations: Vec<_> = chosen.iter().map(|(operation, _)| *operation).collect();
    check::all(&keys, &mut libraries, &operations, &mut |what| {
        progress.set_message(format!("checking {what}"));
        progress.inc(1);
    });

    let sections: Vec<&str> = operations.iter().map(|one| one.section).collect();
    let workers: Result<Vec<Worker>> = cores
        .iter()
        .map(|&core| Worker::start(core, &sections, slice))
        .collect();
    let workers = workers?;
    let mut measurement = Measurement {
        keys: &keys,
        workers: &workers,
        libraries: &mut libraries,
        slice,
        rounds: arguments.rounds,
    };
    let mut all: Vec<Measured> = Vec::new();
    for (operation, ways) in chosen {
        progress.set_message(format!("warming up {}", operation.name));
        all.push(measurement.plan(operation, ways)?);
        progress.inc(1);
    }
    for round in 0..arguments.rounds {
        for measured in &mut all {
            progress.set_message(format!("measuring {}", measured.operation.name));
            measurement.round(round, measured)?;
            progress.inc(1);
        }
    }
    progress.finish_and_clear();

    let run = |core| Run {
        environment: environment.clone(),
        core,
        seconds: Some(arguments.seconds),
        rounds: arguments.rounds,
    };
    let mut records = records(
        &all,
        &libraries,
        &run(cores.first().copied().flatten()),
        None,
    );
    if cores.len() > 1 {
        records.extend(self::records(
            &all,
            &libraries,
            &run(None),
            Some(cores.len()),
        ));
    }
    arguments.output.write(&records)?;
    let texts: Result<Vec<String>> = records.iter().map(text::record).collect();
    show(&texts?.join("\n"))
}

/// A record for each section: on one core, or on all of so many.
fn records(
    all: &[Measured],
    libraries: &[Library],
    run: &Run,
    cores: Option<usize>,
) -> Vec<Record> {
    let contenders: Vec<Contender> = [Contender::new(
        "kuaimi",
        concat!("Kuaimi ", env!("CARGO_PKG_VERSION")),
    )]
    .into_iter()
    .chain(libraries.iter().map(Library::contender))
    .collect();
    let mut records: Vec<Record> = Vec::new();
    for measured in all {
        let section = measured.operation.section;
        let (name, title) = match cores {
            None => (section.to_owned(), operations::title(section)),
            Some(cores) => (
                format!("{section}-all-cores"),
                format!("{}, {cores} cores", operations::title(section)),
            ),
        };
        let rates = cores.map_or(&measured.one, |_| &measured.all);
        let ways = measured.ways.iter().enumerate();
        let operations =
            ways.map(|(place, way)| operation(measured, place, way, rates, libraries, cores));
        match records.last_mut().filter(|record| record.name == name) {
            Some(record) => record.operations.extend(operations),
            None => records.push(Record {
                name,
                title,
                run: run.clone(),
                contenders: contenders.clone(),
                goals_against: "gmsm".to_owned(),
                operations: operations.collect(),
            }),
        }
    }
    records
}

/// One of Kuaimi's ways beside the libraries.
fn operation(
    measured: &Measured,
    place: usize,
    way: &Way,
    rates: &Rates,
    libraries: &[Library],
    cores: Option<usize>,
) -> Operation {
    let of = |who| rates.get(&who).cloned();
    let ours = Figures::new(
        measured.conditions[place],
        of(Who::Way(place)).unwrap_or_default(),
    );
    let theirs = libraries.iter().enumerate().map(|(number, library)| {
        let failed = library.failure(measured.operation).cloned();
        let per_second = of(Who::Library(number)).filter(|_| failed.is_none());
        (per_second.is_some() || failed.is_some()).then(|| Figures {
            condition: measured.operation.condition.to_owned(),
            per_second: per_second.unwrap_or_default(),
            failed,
        })
    });
    Operation {
        id: way.id.to_owned(),
        label: way.label.to_owned(),
        bytes: Some(measured.operation.message).filter(|_| measured.operation.bytes),
        // Goals are for one core.
        goal: way.goal.filter(|_| cores.is_none()),
        figures: [Some(ours)].into_iter().chain(theirs).collect(),
    }
}

/// The cores to stay on. The last one is the first, since the system's own work tends to be on the
/// others.
fn cores_to_use(wanted: Option<usize>) -> Result<Vec<Option<usize>>> {
    let mut cores: Vec<Option<usize>> = cores::available().into_iter().rev().map(Some).collect();
    if cores.is_empty() {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        cores = vec![None; count];
    }
    if let Some(wanted) = wanted {
        ensure!(
            (1..=cores.len()).contains(&wanted),
            "--cores must be from 1 to {}, but is {wanted}",
            cores.len()
        );
        cores.truncate(wanted);
    }
    Ok(cores)
}
