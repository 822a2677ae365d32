//! Slices of all rungs in turn, so that a machine whose speed drifts hits all of them alike.

use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;

use super::rung::{Ladder, Work};
use crate::harness::slices::{fill, processor_time, turns};

/// A rung's nanoseconds an operation, one figure a round.
pub(super) type Figures = Vec<f64>;

/// The figures of each rung.
pub(super) fn ladder(
    ladder: &mut Ladder,
    slice: Duration,
    rounds: usize,
    progress: &ProgressBar,
) -> Result<Vec<Figures>> {
    let mut counts = Vec::new();
    for rung in &mut ladder.rungs {
        let (count, _) = fill(slice, Duration::ZERO, |count| {
            Ok(time(&mut rung.work, count))
        })?;
        counts.push(count);
    }
    let mut figures = vec![Vec::with_capacity(rounds); ladder.rungs.len()];
    for round in 0..rounds {
        for rung in turns(round, counts.len()) {
            progress.set_message(format!("{}: {}", ladder.name, ladder.rungs[rung].name));
            let time = time(&mut ladder.rungs[rung].work, counts[rung]);
            figures[rung].push(time.as_nanos() as f64 / counts[rung] as f64);
            progress.inc(1);
        }
    }
    Ok(figures)
}

fn time(work: &mut Work, count: u64) -> Duration {
    let start = processor_time();
    work(count);
    processor_time().saturating_sub(start)
}
