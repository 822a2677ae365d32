//! Batches of many sizes on one thread, in turn: what an item costs when so many are computed together.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::core;
use crate::environment::{self, Environment};
use crate::peers::{check, progress_bar, show};
use crate::report::{Cell, Document, Library, Output, Row};
use crate::scaling::{OPERATIONS, batch, pool, rate};

/// Items of a batch.
const SIZES: [usize; 13] = [1, 2, 3, 4, 5, 8, 9, 16, 32, 64, 128, 256, 1024];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.05, value_name = "S")]
    seconds: f64,
    /// How many times they take turns.
    #[arg(long, default_value_t = 7, value_name = "N")]
    rounds: usize,
    /// The core to stay on (Linux); by default the last one this process may use.
    #[arg(long, value_name = "NUMBER")]
    core: Option<usize>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check(arguments.seconds, arguments.rounds)?;
    arguments.output.prepare()?;
    environment::warn_if_slow();
    let environment = Environment::here();
    let core = core::stay_on_one(arguments.core)?;
    let document = Document {
        name: "batches".to_owned(),
        title: "Batches of many sizes".to_owned(),
        environment,
        core,
        seconds: arguments.seconds,
        rounds: arguments.rounds,
        libraries: SIZES
            .map(|size| Library {
                id: size.to_string(),
                name: size.to_string(),
            })
            .into(),
        goals_against: String::new(),
        rows: measure(arguments)?,
    };
    arguments.output.write(std::slice::from_ref(&document))?;
    show(&document.text()?)
}

fn measure(arguments: &Arguments) -> Result<Vec<Row>> {
    let slice = Duration::from_secs_f64(arguments.seconds);
    let one = pool(1)?;
    let progress = progress_bar(OPERATIONS.len() * SIZES.len() * arguments.rounds);
    let mut rows = Vec::new();
    for (name, label) in OPERATIONS {
        let mut cells = SIZES.map(|_| Cell {
            condition: "each batch is finished before the next one".to_owned(),
            operations_per_second: Vec::new(),
        });
        let works = SIZES.map(|size| batch(name, size));
        let works: Vec<_> = works.into_iter().collect::<Result<_>>()?;
        for round in 0..arguments.rounds {
            let mut turns: Vec<_> = cells.iter_mut().zip(SIZES).zip(&works).collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for ((cell, size), work) in turns {
                progress.set_message(format!("{label}, {size}"));
                let figure = rate(&one, slice, size, work)?;
                ensure!(figure.is_finite(), "{label}: no time has passed");
                cell.operations_per_second.push(figure);
                progress.inc(1);
            }
        }
        rows.push(Row {
            id: format!("batches-{name}"),
            label: label.to_owned(),
            bytes: None,
            goal: None,
            cells: cells.map(Some).into(),
        });
    }
    progress.finish_and_clear();
    Ok(rows)
}
