//! Kuaimi's operations, in this process, with whatever implementations it chooses on this machine
//! (`KUAIMI_BACKEND` overrides it).

pub(crate) mod integers;
mod sm2;
mod sm3;
mod sm4;
mod sm9;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::harness::slices::thread_time;

/// What a section has to be measured.
type Works = fn() -> Result<Vec<Work>>;

const SECTIONS: [(&str, Works); 5] = [
    ("sm2", sm2::works),
    ("sm3", sm3::works),
    ("sm4", sm4::works),
    ("sm9", sm9::works),
    ("integers", integers::works),
];

/// An operation, ready to be measured.
struct Work {
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

/// Operations with their keys.
pub(crate) struct Ours(HashMap<&'static str, Work>);

/// What was done in a slice.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    pub(crate) operations: f64,
    /// This thread's time on a processor.
    pub(crate) took: Duration,
    /// What the operation includes.
    pub(crate) condition: &'static str,
}

impl Ours {
    /// Makes the keys of these sections.
    pub(crate) fn new(sections: &[&str]) -> Result<Self> {
        let mut all = HashMap::new();
        for (name, works) in SECTIONS {
            if sections.contains(&name) {
                let works = works().with_context(|| format!("Kuaimi cannot prepare {name}"))?;
                all.extend(works.into_iter().map(|work| (work.id, work)));
            }
        }
        Ok(Self(all))
    }

    /// Calls an operation so many times, or has it measure itself for about so many slices. A call
    /// may be a batch of many operations.
    pub(crate) fn repeat(&mut self, id: &str, count: u64, slice: Duration) -> Result<Done> {
        let work = self
            .0
            .get_mut(id)
            .with_context(|| format!("Kuaimi has no operation {id}: add it to src/ours"))?;
        let failed = || format!("Kuaimi failed at {id}");
        let (operations, took) = match &mut work.run {
            Run::Repeat(operations, once) => {
                let start = thread_time();
                for _ in 0..count {
                    once().with_context(failed)?;
                }
                (*operations * count as f64, thread_time() - start)
            }
            Run::Rate(rate) => {
                let start = Instant::now();
                let rate = rate(slice.mul_f64(count as f64)).with_context(failed)?;
                let took = start.elapsed();
                (rate * took.as_secs_f64(), took)
            }
        };
        Ok(Done {
            operations,
            took: took.max(Duration::from_nanos(1)),
            condition: work.condition,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Ours;
    use crate::libraries::operations::{OPERATIONS, sections};

    /// Every way of every operation runs here without an error, and tells what it includes; there
    /// are no others.
    #[test]
    fn has_all_operations() {
        let mut ours = Ours::new(&sections()).unwrap();
        let ways: Vec<_> = OPERATIONS.iter().flat_map(|one| one.ways).collect();
        assert_eq!(ours.0.len(), ways.len());
        for way in ways {
            let done = ours.repeat(way.id, 1, Duration::from_micros(1)).unwrap();
            assert!(done.operations > 0.0, "{}", way.id);
            assert!(!done.took.is_zero() && !done.condition.is_empty());
        }
        let error = ours.repeat("sm5", 1, Duration::ZERO).err().unwrap();
        assert!(error.to_string().contains("sm5"));
    }
}
