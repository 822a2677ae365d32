//! What was measured, and how it is told: a document for each algorithm, with every round's figures; tables and a plot are made
//! from it, so that they can be made again without measuring again.

pub(crate) mod files;
pub(crate) mod markdown;
pub(crate) mod plot;
mod summary;
#[cfg(test)]
mod tests;

use anyhow::Result;
use serde::{Deserialize, Serialize};

pub(crate) use self::files::{Arguments, Output, figures, prepare, put, render};
use crate::environment::Environment;

/// The measurements of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Document {
    /// The files' name: `sm2`.
    pub(crate) name: String,
    /// A heading.
    pub(crate) title: String,
    pub(crate) environment: Environment,
    /// The core that everything ran on, if it was kept on one.
    pub(crate) core: Option<usize>,
    /// Seconds a slice.
    pub(crate) seconds: f64,
    pub(crate) rounds: usize,
    /// In the order of the cells. Ratios are the first one's speed by another's.
    pub(crate) libraries: Vec<Library>,
    /// The identity of the library that goals are about.
    pub(crate) goals_against: String,
    pub(crate) rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Library {
    pub(crate) id: String,
    /// With its version.
    pub(crate) name: String,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The name that `--filter` knows it by.
    pub(crate) id: String,
    pub(crate) label: String,
    /// The length of the message where speed is told in bytes a second.
    pub(crate) bytes: Option<usize>,
    pub(crate) goal: Option<Goal>,
    /// One for each library; none where it does not have the operation.
    pub(crate) cells: Vec<Option<Cell>>,
}

/// How many times as fast as the library that goals are about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Goal {
    pub(crate) at_least: f64,
    pub(crate) aim: Option<f64>,
}

/// A library's figures for an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cell {
    /// What the operation includes here.
    pub(crate) condition: String,
    /// Operations a second, one figure a round.
    pub(crate) operations_per_second: Vec<f64>,
}

/// What became of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Aim,
    AtLeast,
    Missed,
    /// There is no goal, or nothing was measured.
    None,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Aim => "aim reached",
            Self::AtLeast => "at least",
            Self::Missed => "**missed**",
            Self::None => "",
        }
    }
}

impl Document {
    /// The column that goals are about.
    fn rival(&self) -> Option<usize> {
        let position = |library: &Library| library.id == self.goals_against;
        self.libraries
            .iter()
            .position(position)
            .filter(|&column| column > 0)
    }

    /// The ratio that goals are about.
    fn ratio(&self, row: &Row) -> Option<Spread> {
        row.ratio(self.rival()?)
    }

    fn verdict(&self, row: &Row) -> Verdict {
        match (row.goal, self.ratio(row)) {
            (Some(goal), Some(ratio)) => goal.verdict(ratio.median),
            _ => Verdict::None,
        }
    }

    /// A line about how the figures came to be.
    pub(crate) fn manner(&self) -> String {
        let core = match self.core {
            Some(core) => format!("core {core}"),
            None => "not kept on one core".to_owned(),
        };
        let plural = if self.rounds == 1 { "" } else { "s" };
        format!(
            "{core}; {} round{plural}, slices of {} s, in turn",
            self.rounds, self.seconds
        )
    }

    pub(crate) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl Goal {
    fn verdict(self, ratio: f64) -> Verdict {
        if self.aim.is_some_and(|aim| ratio >= aim) {
            Verdict::Aim
        } else if ratio < self.at_least {
            Verdict::Missed
        } else if self.aim.is_none() {
            // Nothing more was asked for.
            Verdict::Aim
        } else {
            Verdict::AtLeast
        }
    }
}

impl Row {
    pub(crate) fn rates(&self, column: usize) -> &[f64] {
        match self.cells.get(column) {
            Some(Some(cell)) => &cell.operations_per_second,
            _ => &[],
        }
    }

    /// How many times as fast the first library is as another: formed in each round, of figures that are neighbours in time.
    pub(crate) fn ratio(&self, column: usize) -> Option<Spread> {
        let rounds = self.rates(0).iter().zip(self.rates(column));
        let ratios: Vec<f64> = rounds.map(|(first, other)| first / other).collect();
        Spread::of(&ratios)
    }

    /// A library's speed in the row's unit.
    pub(crate) fn speed(&self, column: usize) -> Option<String> {
        let rate = Spread::of(self.rates(column))?.median;
        Some(match self.bytes {
            // Megabytes of 10⁶ bytes.
            Some(bytes) => format!("{} MB/s", thousands(rate * bytes as f64 / 1e6)),
            None => format!("{} /s", thousands(rate)),
        })
    }
}

/// A whole number with a comma before every three digits.
pub(crate) fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The middle and the ends of some figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) greatest: f64,
}

impl Spread {
    pub(crate) fn of(figures: &[f64]) -> Option<Self> {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self {
            least: *sorted.first()?,
            median: (lower + upper) / 2.0,
            greatest: *sorted.last()?,
        })
    }

    pub(crate) fn times(&self) -> String {
        format!(
            "{:.2} [{:.2} – {:.2}]",
            self.median, self.least, self.greatest
        )
    }
}
