//! Batches of many sizes on one thread, in turn: what an item costs when so many are computed
//! together.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::harness::environment::{self, Environment};
use crate::harness::folder::Output;
use crate::harness::record::{Contender, Figures, Operation, Record, Run};
use crate::harness::slices::turns;
use crate::harness::{check, cores, progress_bar, show};
use crate::report::text;
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
    let core = cores::stay_on_one(arguments.core)?;
    let record = Record {
        name: "batches".to_owned(),
        title: "Batches of many sizes".to_owned(),
        run: Run {
            environment,
            core,
            seconds: Some(arguments.seconds),
            rounds: arguments.rounds,
        },
        contenders: SIZES
            .map(|size| Contender::new(size.to_string(), size.to_string()))
            .into(),
        goals_against: String::new(),
        operations: measure(arguments)?,
    };
    arguments.output.write(std::slice::from_ref(&record))?;
    show(&text::record(&record)?)
}

fn measure(arguments: &Arguments) -> Result<Vec<Operation>> {
    let slice = Duration::from_secs_f64(arguments.seconds);
    let one = pool(1)?;
    let progress = progress_bar(OPERATIONS.len() * SIZES.len() * arguments.rounds);
    let mut operations = Vec::new();
    for (name, label) in OPERATIONS {
        let condition = "each batch is finished before the next one";
        let mut figures = SIZES.map(|_| Figures::new(condition, Vec::new()));
        let works = SIZES.map(|size| batch(name, size));
        let works: Vec<_> = works.into_iter().collect::<Result<_>>()?;
        for round in 0..arguments.rounds {
            for turn in turns(round, SIZES.len()) {
                let size = SIZES[turn];
                progress.set_message(format!("{label}, {size}"));
                let figure = rate(&one, slice, size, &works[turn])?;
                ensure!(figure.is_finite(), "{label}: no time has passed");
                figures[turn].per_second.push(figure);
                progress.inc(1);
            }
        }
        operations.push(Operation {
            id: format!("batches-{name}"),
            label: label.to_owned(),
            bytes: None,
            goal: None,
            figures: figures.map(Some).into(),
        });
    }
    progress.finish_and_clear();
    Ok(operations)
}
