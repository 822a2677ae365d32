//! Slices in turn: within a round every operation is visited, and within an operation Kuaimi's ways
//! and all libraries, one after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};

use super::check::Keys;
use super::kuaimi::Worker;
use super::library::Library;
use super::operations::{Operation, Way};
use super::protocol::{Peer, not_too_long};
use crate::harness::slices::{fill, turns};
use crate::ours::Done;

/// The longest that all slices of a library's operation may take.
const ALL_SLICES: Duration = Duration::from_secs(3);

/// Who takes part in an operation, by place: Kuaimi's ways first, then the libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Way(usize),
    Library(usize),
}

/// Operations a second, a figure for each round that it took part in: those from the first on.
pub(super) type Rates = BTreeMap<Who, Vec<f64>>;

/// The measurements of an operation.
pub(super) struct Measured {
    pub(super) operation: &'static Operation,
    pub(super) ways: Vec<&'static Way>,
    /// What each way includes.
    pub(super) conditions: Vec<&'static str>,
    /// On one core.
    pub(super) one: Rates,
    /// On all cores.
    pub(super) all: Rates,
    /// How many operations are a slice, and in how many rounds it takes part.
    pub(super) plans: Vec<(Who, Plan)>,
}

#[derive(Clone, Copy)]
pub(super) struct Plan {
    count: u64,
    rounds: usize,
}

/// What measures.
pub(super) struct Measurement<'a> {
    pub(super) keys: &'a Keys,
    pub(super) workers: &'a [Worker],
    pub(super) libraries: &'a mut [Library],
    pub(super) slice: Duration,
    pub(super) rounds: usize,
}

impl Measurement<'_> {
    /// Warms up, and finds how many operations fill a slice.
    pub(super) fn plan(
        &mut self,
        operation: &'static Operation,
        ways: Vec<&'static Way>,
    ) -> Result<Measured> {
        let (mut plans, mut conditions) = (Vec::new(), Vec::new());
        for (place, way) in ways.iter().enumerate() {
            let mut condition = "";
            let (count, _) = fill(self.slice, self.slice, |count| {
                let done = together(self.workers, way.id, count)?;
                condition = done.first().map_or("", |done| done.condition);
                Ok(done.iter().map(|done| done.took).max().unwrap_or_default())
            })?;
            conditions.push(condition);
            let rounds = self.rounds;
            plans.push((Who::Way(place), Plan { count, rounds }));
        }
        for (place, library) in self.libraries.iter_mut().enumerate() {
            let warm_up = if library.warms_up() {
                Duration::from_secs(1)
            } else {
                self.slice
            };
            let Some(running) = library.running(operation) else {
                continue;
            };
            let filled = self.keys.prepare_all(running, operation).and_then(|()| {
                fill(self.slice, warm_up, |count| {
                    let times = all_peers(&mut running.peers, operation, count)?;
                    let longest = times.into_iter().max().unwrap_or_default();
                    if count == 1 {
                        not_too_long(longest)?;
                    }
                    Ok(longest)
                })
            });
            match filled {
                Ok((count, took)) => {
                    let rounds = affordable(took, self.rounds);
                    plans.push((Who::Library(place), Plan { count, rounds }));
                }
                Err(error) => library.fail(operation, &error),
            }
        }
        Ok(Measured {
            operation,
            ways,
            conditions,
            one: Rates::new(),
            all: Rates::new(),
            plans,
        })
    }

    /// One round of an operation.
    pub(super) fn round(&mut self, round: usize, measured: &mut Measured) -> Result<()> {
        for place in turns(round, measured.plans.len()) {
            let (who, plan) = measured.plans[place];
            if round >= plan.rounds {
                continue;
            }
            let rates = match who {
                Who::Way(place) => self.ours(measured.ways[place].id, plan.count)?,
                Who::Library(place) => {
                    let library = &mut self.libraries[place];
                    let Some(running) = library.running(measured.operation) else {
                        continue;
                    };
                    let rates = self
                        .keys
                        .prepare_all(running, measured.operation)
                        .and_then(|()| theirs(&mut running.peers, measured.operation, plan.count));
                    match rates {
                        Ok(rates) => rates,
                        Err(error) => {
                            library.fail(measured.operation, &error);
                            continue;
                        }
                    }
                }
            };
            measured.one.entry(who).or_default().push(rates.0);
            measured.all.entry(who).or_default().push(rates.1);
        }
        Ok(())
    }

    /// Operations a second of Kuaimi's, on one core and on all.
    fn ours(&self, id: &'static str, count: u64) -> Result<(f64, f64)> {
        let rate = |done: &[Done]| {
            let rates = done
                .iter()
                .map(|one| one.operations / one.took.as_secs_f64());
            rates.sum()
        };
        let one = together(self.workers.get(..1).unwrap_or_default(), id, count)?;
        let all = together(self.workers, id, count)?;
        Ok((rate(&one), rate(&all)))
    }
}

/// The same slice in all of Kuaimi's threads at once.
fn together(workers: &[Worker], id: &'static str, count: u64) -> Result<Vec<Done>> {
    workers
        .iter()
        .try_for_each(|worker| worker.begin(id, count))?;
    workers.iter().map(Worker::finish).collect()
}

/// Operations a second of a library's, on one core and on all.
fn theirs(peers: &mut [Peer], operation: &Operation, count: u64) -> Result<(f64, f64)> {
    let first = peers.first_mut().context("there is no core to run on")?;
    let rate = |took: Duration| count as f64 / took.as_secs_f64();
    let one = rate(first.run(operation.name, count)?.time());
    let all = all_peers(peers, operation, count)?;
    Ok((one, all.into_iter().map(rate).sum()))
}

/// The same slice in all of a library's processes at once, and how long it took each.
fn all_peers(peers: &mut [Peer], operation: &Operation, count: u64) -> Result<Vec<Duration>> {
    let begun: Result<Vec<_>> = peers
        .iter_mut()
        .map(|peer| peer.begin(operation.name, count))
        .collect();
    let both = peers.iter_mut().zip(begun?);
    both.map(|(peer, before)| Ok(peer.finish(before)?.time()))
        .collect()
}

/// In how many rounds a library can take part whose slice takes so long, once on one core and once
/// on all.
fn affordable(took: Duration, rounds: usize) -> usize {
    let slices = ALL_SLICES.as_secs_f64() / took.as_secs_f64().max(1e-9);
    ((slices / 2.0) as usize).clamp(1, rounds)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::affordable;

    #[test]
    fn slow_libraries_take_part_in_fewer_rounds() {
        assert_eq!(affordable(Duration::from_millis(50), 5), 5);
        assert_eq!(affordable(Duration::from_millis(700), 5), 2);
        assert_eq!(affordable(Duration::from_secs(30), 5), 1);
    }
}
