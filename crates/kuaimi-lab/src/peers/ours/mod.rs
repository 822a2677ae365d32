//! Kuaimi itself, in this process, with whatever backend it chooses on this machine (`KUAIMI_BACKEND` overrides it).

mod sm2;
mod sm3;
mod sm4;
mod sm9;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::operation::Operation;
use super::{Contender, Measured};
use crate::ladders;
use crate::report::Library;

/// What an algorithm has to be measured.
type Works = fn() -> Result<Vec<Work>>;

const ALGORITHMS: [(&str, Works); 4] = [
    ("sm2", sm2::works),
    ("sm3", sm3::works),
    ("sm4", sm4::works),
    ("sm9", sm9::works),
];

/// An operation, ready to be measured.
struct Work {
    /// As in the table of operations.
    id: &'static str,
    /// What it includes, in words.
    condition: &'static str,
    run: Run,
}

enum Run {
    /// To be repeated; how many operations one call is.
    Repeat(f64, Box<dyn FnMut() -> Result<()>>),
    /// Measures itself: operations a second.
    Rate(Box<dyn FnMut(Duration) -> Result<f64>>),
}

impl Work {
    fn new(
        id: &'static str,
        condition: &'static str,
        once: impl FnMut() -> Result<()> + 'static,
    ) -> Self {
        Self::many(id, 1, condition, once)
    }

    /// One call is so many operations.
    fn many(
        id: &'static str,
        count: usize,
        condition: &'static str,
        once: impl FnMut() -> Result<()> + 'static,
    ) -> Self {
        Self {
            id,
            condition,
            run: Run::Repeat(count as f64, Box::new(once)),
        }
    }
}

pub(crate) struct Ours(HashMap<&'static str, Work>);

impl Ours {
    /// Makes the keys of the algorithms of these operations.
    pub(crate) fn new(operations: &[&Operation]) -> Result<Self> {
        let mut all = HashMap::new();
        for (name, works) in ALGORITHMS {
            if operations.iter().any(|one| one.algorithm == name) {
                let works = works().with_context(|| format!("Kuaimi cannot prepare {name}"))?;
                all.extend(works.into_iter().map(|work| (work.id, work)));
            }
        }
        for operation in operations {
            ensure!(
                all.contains_key(operation.id),
                "kuaimi-lab has no way to measure {}: add it to peers/ours",
                operation.id
            );
        }
        Ok(Self(all))
    }
}

impl Contender for Ours {
    fn library(&self) -> Library {
        Library {
            id: "kuaimi".to_owned(),
            name: concat!("Kuaimi ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    fn measure(&mut self, operation: &Operation, slice: Duration) -> Result<Option<Measured>> {
        let Some(work) = self.0.get_mut(operation.id) else {
            return Ok(None);
        };
        let rate = match &mut work.run {
            Run::Repeat(count, once) => rate(slice, once).map(|rate| rate * *count),
            Run::Rate(rate) => rate(slice),
        };
        Ok(Some(Measured {
            rate: rate.with_context(|| format!("Kuaimi failed at {}", operation.id))?,
            condition: work.condition.to_owned(),
        }))
    }
}

/// The operations for benchmarks that measure on their own, and some that only these benchmarks measure.
pub(crate) struct Bench(HashMap<&'static str, Work>);

impl Bench {
    /// Makes the keys of these algorithms.
    pub(crate) fn new(algorithms: &[&str]) -> Result<Self> {
        let mut all = Vec::new();
        for (name, works) in ALGORITHMS {
            if algorithms.contains(&name) {
                all.extend(works().with_context(|| format!("Kuaimi cannot prepare {name}"))?);
            }
        }
        if algorithms.contains(&"sm2") {
            all.extend(sm2::long_messages()?);
        }
        if algorithms.contains(&"integers")
            && let Some(mut products) = ladders::library_product()
        {
            all.push(Work::new(
                "integers-thousand-products",
                "a chain",
                move || {
                    products(1000);
                    Ok(())
                },
            ));
        }
        Ok(Self(all.into_iter().map(|work| (work.id, work)).collect()))
    }

    /// Does something so many times; gives how many operations that was.
    pub(crate) fn repeat(&mut self, id: &str, count: u64) -> Result<f64> {
        let work = self
            .0
            .get_mut(id)
            .with_context(|| format!("Kuaimi has no {id}"))?;
        let Run::Repeat(operations, once) = &mut work.run else {
            bail!("{id} measures itself");
        };
        for _ in 0..count {
            once().with_context(|| format!("Kuaimi failed at {id}"))?;
        }
        Ok(*operations * count as f64)
    }
}

/// Repetitions a second. Warms up, finds how many fill about a millisecond so that reading the clock costs nothing, and counts
/// whole batches until the time is over: the same way as the Go peer's.
fn rate(slice: Duration, once: &mut dyn FnMut() -> Result<()>) -> Result<f64> {
    let warm_up = (slice / 4).min(Duration::from_millis(50));
    let begun = Instant::now();
    let mut batch = 1_u64;
    loop {
        let start = Instant::now();
        for _ in 0..batch {
            once()?;
        }
        if start.elapsed() < Duration::from_millis(1) {
            batch *= 2;
        } else if begun.elapsed() >= warm_up {
            break;
        }
    }
    let mut count = 0_u64;
    let start = Instant::now();
    loop {
        for _ in 0..batch {
            once()?;
        }
        count += batch;
        let elapsed = start.elapsed();
        if elapsed >= slice {
            return Ok(count as f64 / elapsed.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Ours;
    use crate::peers::Contender;
    use crate::peers::operation::OPERATIONS;

    /// Every operation of the table runs here without an error, and tells what it includes.
    #[test]
    fn has_all_operations() {
        let operations: Vec<_> = OPERATIONS.iter().collect();
        let mut ours = Ours::new(&operations).unwrap();
        assert_eq!(ours.0.len(), operations.len());
        for operation in operations {
            let measured = ours.measure(operation, Duration::from_micros(1));
            let measured = measured.unwrap().unwrap();
            assert!(
                measured.rate.is_finite() && measured.rate > 0.0,
                "{}",
                operation.id
            );
            assert!(!measured.condition.is_empty());
        }
    }
}
