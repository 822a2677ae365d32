//! What a ladder is: implementations of one operation, each with what it improves over the one
//! before.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

/// Runs the operation as often as it is told.
pub(crate) type Work = Box<dyn FnMut(u64)>;

/// One operation, from the slowest implementation to the library's.
pub(crate) struct Ladder {
    /// `--only` knows it by this.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// What one operation is, and how it is run.
    pub(crate) about: &'static str,
    pub(crate) rungs: Vec<Rung>,
}

/// One implementation.
pub(crate) struct Rung {
    /// The literature's name.
    pub(crate) name: &'static str,
    /// The algorithm in a line.
    pub(crate) what: &'static str,
    /// Where it comes from.
    pub(crate) source: &'static str,
    /// What an operation needs: products, additions, bytes of tables.
    pub(crate) cost: String,
    pub(crate) published: Option<Published>,
    /// Its time or its addresses depend on the operands. No function of the library reaches such a
    /// rung with a secret.
    pub(crate) leaks: bool,
    /// The library does it so on this machine.
    pub(crate) used_by_library: bool,
    /// What it runs is chosen by this CPU's features beyond `adx`, which valgrind does not have.
    pub(crate) depends_on_cpu: bool,
    pub(crate) work: Work,
}

/// A figure that others reported for this step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Published {
    pub(crate) value: f64,
    pub(crate) unit: Unit,
}

/// What a published figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unit {
    /// Nanoseconds an operation.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Operations a second.
    #[serde(rename = "/s")]
    PerSecond,
    /// Times as fast as the first step of the published ladder.
    #[serde(rename = "×")]
    Times,
}

impl Published {
    /// How many times as fast this is as `other`, where both are told in the same unit.
    pub(crate) fn times(self, other: Self) -> Option<f64> {
        (self.unit == other.unit).then_some(match self.unit {
            Unit::Nanoseconds => other.value / self.value,
            Unit::PerSecond | Unit::Times => self.value / other.value,
        })
    }
}

impl Rung {
    pub(crate) fn new(
        name: &'static str,
        what: &'static str,
        source: &'static str,
        work: Work,
    ) -> Self {
        Self {
            name,
            what,
            source,
            cost: String::new(),
            published: None,
            leaks: false,
            used_by_library: false,
            depends_on_cpu: false,
            work,
        }
    }

    pub(crate) fn cost(mut self, cost: impl Into<String>) -> Self {
        self.cost = cost.into();
        self
    }

    pub(crate) fn published(mut self, value: f64, unit: Unit) -> Self {
        self.published = Some(Published { value, unit });
        self
    }

    pub(crate) fn leaks(mut self) -> Self {
        self.leaks = true;
        self
    }

    pub(crate) fn depends_on_cpu(mut self) -> Self {
        self.depends_on_cpu = true;
        self
    }

    pub(crate) fn used_by_library(mut self) -> Self {
        self.used_by_library = true;
        self
    }
}

/// Operations in a chain: each begins when the one before has its result, as in the formulas that
/// use them.
pub(crate) fn chain<T: 'static>(start: T, mut step: impl FnMut(&T) -> T + 'static) -> Work {
    let mut value = start;
    Box::new(move |count| {
        for _ in 0..count {
            value = step(&value);
        }
        black_box(&value);
    })
}

/// Independent operations, which take their operands from a list in turn.
pub(crate) fn each<I: 'static, O>(
    items: Vec<I>,
    mut operation: impl FnMut(&I) -> O + 'static,
) -> Work {
    let mut next = 0;
    Box::new(move |count| {
        for _ in 0..count {
            if let Some(item) = items.get(next) {
                black_box(operation(black_box(item)));
            }
            next = (next + 1) % items.len().max(1);
        }
    })
}

/// Operations as parts of batches: the function is told how many to do at once, which is at most
/// `most`.
pub(crate) fn batches(most: usize, mut batch: impl FnMut(usize) + 'static) -> Work {
    Box::new(move |count| {
        let mut left = usize::try_from(count).unwrap_or(usize::MAX);
        while left > 0 {
            let size = left.min(most.max(1));
            batch(size);
            left -= size;
        }
    })
}
