//! Slices in turn: within a round every task is visited, and within a task Kuaimi's ways and all peers, one after the other; odd rounds go
//! backwards. Ratios are formed within a round.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::check::Keys;
use super::contestants::Contestant;
use super::kuaimi::Worker;
use super::protocol::{Peer, Took, not_too_long};
use super::tasks::Task;

/// The longest that all slices of a peer's operation may take.
const ALL_SLICES: Duration = Duration::from_secs(3);

/// Who takes part in a task, by place: Kuaimi's ways first, then the peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Way(usize),
    Peer(usize),
}

/// Operations a second, a figure for each round that it took part in.
pub(super) type Rates = BTreeMap<Who, BTreeMap<usize, f64>>;

/// The measurements of a task.
pub(super) struct Measured {
    pub(super) task: &'static Task,
    /// On one thread.
    pub(super) one: Rates,
    /// On all threads.
    pub(super) all: Rates,
    /// How many operations are a slice, and in how many rounds it takes part.
    plans: BTreeMap<Who, Plan>,
}

#[derive(Clone, Copy)]
struct Plan {
    count: u64,
    rounds: usize,
}

/// What measures.
pub(super) struct Measurement<'a> {
    pub(super) keys: &'a Keys,
    pub(super) workers: &'a [Worker],
    pub(super) contestants: &'a mut [Contestant],
    pub(super) slice: Duration,
    pub(super) rounds: usize,
}

impl Measurement<'_> {
    /// Warms up, and finds how many operations fill a slice.
    pub(super) fn plan(&mut self, task: &'static Task) -> Result<Measured> {
        let mut plans = BTreeMap::new();
        for (place, way) in task.ways.iter().enumerate() {
            let plan = calibrate(self.slice, self.rounds, self.slice, |count| {
                self.workers
                    .iter()
                    .try_for_each(|worker| worker.begin(way.work, count))?;
                let took: Result<Vec<Took>> = self
                    .workers
                    .iter()
                    .map(|worker| Ok(worker.finish()?.took))
                    .collect();
                longest(&took?)
            });
            plans.insert(
                Who::Way(place),
                plan.with_context(|| format!("Kuaimi failed at {}", way.name))?,
            );
        }
        for (place, contestant) in self.contestants.iter_mut().enumerate() {
            let warm_up = if contestant.warms_up() {
                Duration::from_secs(1)
            } else {
                self.slice
            };
            let Some(running) = contestant.running(task) else {
                continue;
            };
            let hello = running.hello.clone();
            let plan = running
                .processes
                .iter_mut()
                .try_for_each(|peer| self.keys.prepare(peer, &hello, task))
                .and_then(|()| {
                    calibrate(self.slice, self.rounds, warm_up, |count| {
                        longest(&together(&mut running.processes, task, count)?)
                    })
                });
            match plan {
                Ok(plan) => drop(plans.insert(Who::Peer(place), plan)),
                Err(error) => contestant.fail(task, &error),
            }
        }
        Ok(Measured {
            task,
            one: Rates::new(),
            all: Rates::new(),
            plans,
        })
    }

    /// One round of a task.
    pub(super) fn round(&mut self, round: usize, measured: &mut Measured) -> Result<()> {
        let mut order: Vec<(Who, Plan)> = measured
            .plans
            .iter()
            .map(|(&who, &plan)| (who, plan))
            .collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for (who, plan) in order {
            if round >= plan.rounds {
                continue;
            }
            let rates = match who {
                Who::Way(place) => self.ours(measured.task.ways[place].work, plan.count),
                Who::Peer(place) => {
                    let contestant = &mut self.contestants[place];
                    let Some(running) = contestant.running(measured.task) else {
                        continue;
                    };
                    let hello = running.hello.clone();
                    let rates = running
                        .processes
                        .iter_mut()
                        .try_for_each(|peer| self.keys.prepare(peer, &hello, measured.task))
                        .and_then(|()| theirs(&mut running.processes, measured.task, plan.count));
                    match rates {
                        Err(error) => {
                            contestant.fail(measured.task, &error);
                            measured.one.remove(&who);
                            measured.all.remove(&who);
                            continue;
                        }
                        rates => rates,
                    }
                }
            };
            let (one, all) = rates?;
            measured.one.entry(who).or_default().insert(round, one);
            measured.all.entry(who).or_default().insert(round, all);
        }
        Ok(())
    }

    /// Operations a second of Kuaimi's, on one thread and on all.
    fn ours(&self, work: &'static str, count: u64) -> Result<(f64, f64)> {
        let first = self.workers.first().context("there is no core to run on")?;
        first.begin(work, count)?;
        let done = first.finish()?;
        let one = done.operations / time_of(done.took).as_secs_f64();
        self.workers
            .iter()
            .try_for_each(|worker| worker.begin(work, count))?;
        let mut all = 0.0;
        for worker in self.workers {
            let done = worker.finish()?;
            all += done.operations / time_of(done.took).as_secs_f64();
        }
        Ok((one, all))
    }
}

/// Operations a second of a peer's, on one thread and on all.
fn theirs(processes: &mut [Peer], task: &Task, count: u64) -> Result<(f64, f64)> {
    let first = processes
        .first_mut()
        .context("there is no core to run on")?;
    let one = count as f64 / time_of(first.run(task.peer, count)?).as_secs_f64();
    let took = together(processes, task, count)?;
    let all = took
        .into_iter()
        .map(|took| count as f64 / time_of(took).as_secs_f64());
    Ok((one, all.sum()))
}

/// The same slice in all processes at once, and how long it took each.
fn together(processes: &mut [Peer], task: &Task, count: u64) -> Result<Vec<Took>> {
    let begun = processes
        .iter_mut()
        .map(|peer| peer.begin(task.peer, count));
    let begun = begun.collect::<Result<Vec<_>>>()?;
    let both = processes.iter_mut().zip(begun);
    both.map(|(peer, before)| peer.finish(before)).collect()
}

/// The time of a slice: that on the processor, so that what other programs do there in the meantime does not count.
fn time_of(took: Took) -> Duration {
    took.processor
        .filter(|time| !time.is_zero())
        .unwrap_or(took.wall)
}

fn longest(took: &[Took]) -> Result<Duration> {
    let times = took.iter().map(|&took| time_of(took));
    times.max().context("there is no core to run on")
}

/// How many operations take about a slice, and how many rounds of that are not too long. Runs for as long as `warm_up` asks.
fn calibrate(
    slice: Duration,
    rounds: usize,
    warm_up: Duration,
    mut run: impl FnMut(u64) -> Result<Duration>,
) -> Result<Plan> {
    let begun = Instant::now();
    let mut count = 1;
    loop {
        let took = run(count)?;
        if count == 1 {
            not_too_long(took)?;
        }
        let wanted = (count as f64 * slice.as_secs_f64() / took.as_secs_f64().max(1e-9))
            .round()
            .max(1.0);
        if (took >= slice / 4 || count >= 1 << 40) && begun.elapsed() >= warm_up {
            // A slice is at least one operation, which may take much longer than a slice.
            let each = took.as_secs_f64() / count as f64 * wanted;
            let affordable = ALL_SLICES.as_secs_f64() / (2.0 * each.max(1e-9));
            return Ok(Plan {
                count: wanted as u64,
                rounds: (affordable as usize).clamp(1, rounds),
            });
        }
        count = if took >= slice / 4 {
            wanted as u64
        } else {
            count * 2
        };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::calibrate;

    #[test]
    fn slices_are_filled() {
        let slice = Duration::from_millis(50);
        let plan = |nanoseconds: u64, rounds| {
            calibrate(slice, rounds, Duration::ZERO, |count| {
                Ok(Duration::from_nanos(nanoseconds * count))
            })
        };
        let quick = plan(1000, 5).unwrap();
        assert_eq!((quick.count, quick.rounds), (50_000, 5));
        // 0.7 s each, twice a round: two rounds.
        let slow = plan(700_000_000, 5).unwrap();
        assert_eq!((slow.count, slow.rounds), (1, 2));
        let error = plan(2_500_000_000, 5).err().unwrap().to_string();
        assert!(error.contains("2.5 s"), "{error}");
        assert!(calibrate(slice, 5, Duration::ZERO, |_| anyhow::bail!("no")).is_err());
    }
}
