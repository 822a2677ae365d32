//! What was measured, with every round's figures: tables, the page and the summary are made of it,
//! also again without measuring.

use serde::{Deserialize, Serialize};

use super::environment::Environment;
use super::statistics::{Spread, thousands};

/// The figures of one run, or of one part of it, with contenders that do the same operations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The file's name: `sm2`.
    pub(crate) name: String,
    /// A heading.
    pub(crate) title: String,
    pub(crate) run: Run,
    /// In the order of the figures. Ratios are the first one's speed by another's.
    pub(crate) contenders: Vec<Contender>,
    /// The identity of the contender that goals are about.
    pub(crate) goals_against: String,
    pub(crate) operations: Vec<Operation>,
}

/// How figures came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) environment: Environment,
    /// The core that everything ran on, if it was kept on one.
    pub(crate) core: Option<usize>,
    /// Seconds a slice; none where a slice is a whole file.
    pub(crate) seconds: Option<f64>,
    pub(crate) rounds: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Contender {
    pub(crate) id: String,
    /// With its version.
    pub(crate) name: String,
    /// The language of a library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// Why nothing of it could be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) label: String,
    /// The length of the message where speed is told in bytes a second.
    pub(crate) bytes: Option<usize>,
    pub(crate) goal: Option<Goal>,
    /// One for each contender; none where it does not have the operation.
    pub(crate) figures: Vec<Option<Figures>>,
}

/// How many times as fast as the contender that goals are about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Goal {
    pub(crate) at_least: f64,
    pub(crate) aim: Option<f64>,
}

/// A contender's figures for an operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// What the operation includes here.
    pub(crate) condition: String,
    /// Operations a second, one figure a round.
    pub(crate) per_second: Vec<f64>,
    /// Why it could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
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

impl Run {
    /// A line about how the figures came to be.
    pub(crate) fn manner(&self) -> String {
        let core = match self.core {
            Some(core) => format!("core {core}"),
            None => "not kept on one core".to_owned(),
        };
        let plural = if self.rounds == 1 { "" } else { "s" };
        let slices = self
            .seconds
            .map_or_else(String::new, |seconds| format!(", slices of {seconds} s"));
        format!("{core}; {} round{plural}{slices}, in turn", self.rounds)
    }
}

impl Contender {
    pub(crate) fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            language: None,
            failed: None,
        }
    }
}

impl Figures {
    pub(crate) fn new(condition: impl Into<String>, per_second: Vec<f64>) -> Self {
        Self {
            condition: condition.into(),
            per_second,
            failed: None,
        }
    }
}

impl Record {
    /// The place of the contender that goals are about.
    pub(crate) fn rival(&self) -> Option<usize> {
        let is = |contender: &Contender| contender.id == self.goals_against;
        let place = self.contenders.iter().position(is);
        place.filter(|&place| place > 0)
    }

    /// The ratio that goals are about.
    pub(crate) fn ratio(&self, operation: &Operation) -> Option<Spread> {
        operation.ratio(self.rival()?)
    }

    pub(crate) fn verdict(&self, operation: &Operation) -> Verdict {
        match (operation.goal, self.ratio(operation)) {
            (Some(goal), Some(ratio)) => goal.verdict(ratio.median),
            _ => Verdict::None,
        }
    }

    /// The operations with goals that were measured, and what became of them.
    pub(crate) fn goals(&self) -> impl Iterator<Item = (&Operation, Goal, Verdict)> {
        self.operations.iter().filter_map(|operation| {
            let verdict = self.verdict(operation);
            let goal = operation.goal.filter(|_| verdict != Verdict::None)?;
            Some((operation, goal, verdict))
        })
    }

    /// A contender's conditions, each once, with the operations that it is about.
    pub(crate) fn conditions(&self, contender: usize) -> Vec<(Vec<&str>, &str)> {
        let mut conditions: Vec<(Vec<&str>, &str)> = Vec::new();
        for operation in &self.operations {
            let Some(Some(figures)) = operation.figures.get(contender) else {
                continue;
            };
            let known = conditions
                .iter_mut()
                .find(|(_, known)| *known == figures.condition);
            match known {
                Some((labels, _)) => labels.push(&operation.label),
                None => conditions.push((vec![&operation.label], &figures.condition)),
            }
        }
        conditions
    }
}

impl Goal {
    pub(crate) fn verdict(self, ratio: f64) -> Verdict {
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

impl Operation {
    /// Operations a second of a contender.
    pub(crate) fn rates(&self, contender: usize) -> &[f64] {
        match self.figures.get(contender) {
            Some(Some(figures)) => &figures.per_second,
            _ => &[],
        }
    }

    /// The figure in the middle of a contender's rounds.
    pub(crate) fn rate(&self, contender: usize) -> Option<f64> {
        Spread::of(self.rates(contender)).map(|spread| spread.median)
    }

    /// How many times as fast the first contender is as another.
    pub(crate) fn ratio(&self, contender: usize) -> Option<Spread> {
        Spread::of_ratios(self.rates(0), self.rates(contender))
    }

    /// A contender's speed in the operation's unit.
    pub(crate) fn speed(&self, contender: usize) -> Option<String> {
        let rate = self.rate(contender)?;
        let number = |figure: f64| match figure {
            ..100.0 => format!("{figure:.1}"),
            _ => thousands(figure),
        };
        Some(match self.bytes {
            // Megabytes of 10⁶ bytes.
            Some(bytes) => format!("{} MB/s", number(rate * bytes as f64 / 1e6)),
            None => format!("{} /s", number(rate)),
        })
    }

    /// Why a contender could not be measured.
    pub(crate) fn failed(&self, contender: usize) -> Option<&str> {
        self.figures.get(contender)?.as_ref()?.failed.as_deref()
    }
}
