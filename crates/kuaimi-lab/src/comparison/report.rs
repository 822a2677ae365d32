//! What was measured: `peers.json`, from which the tables are made.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::FIGURES;
use super::contestants::Contestant;
use super::markdown;
use super::measure::{Measured, Rates, Who};
use super::tasks::Way;
use crate::environment::Environment;
use crate::ladders::quantile;
use crate::report::{figures, put};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) machine: String,
    pub(super) compilers: BTreeMap<String, String>,
    pub(super) manner: Manner,
    pub(super) sections: Vec<Section>,
    pub(super) peers: Vec<PeerState>,
}

/// How figures came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manner {
    /// Seconds a slice.
    pub(super) seconds: f64,
    pub(super) rounds: usize,
    /// Processes that wanted to run in the minute before.
    pub(super) load: Option<f64>,
    pub(super) commit: String,
    pub(super) command: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) operations: Vec<Operation>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Operation {
    pub(super) name: String,
    /// `operations/s` or `MiB/s`.
    pub(super) unit: String,
    pub(super) conditions: String,
    pub(super) threads: usize,
    /// How many keys are in turn with Kuaimi; peers use one.
    pub(super) keys: usize,
    pub(super) kuaimi: Figure,
    pub(super) peers: Vec<PeerFigure>,
    /// The peers that have the operation, but not so that it could be measured.
    pub(super) failed: Vec<Failure>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figure {
    /// The median of the rounds.
    pub(super) value: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PeerFigure {
    pub(super) name: String,
    pub(super) version: String,
    /// The median of the rounds.
    pub(super) value: f64,
    /// How many times as fast Kuaimi is.
    pub(super) ratio: Quartiles,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Quartiles {
    pub(super) q1: f64,
    pub(super) median: f64,
    pub(super) q3: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) name: String,
    pub(super) error: String,
}

/// Whether a peer runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PeerState {
    pub(super) name: String,
    /// What it is called elsewhere.
    pub(super) title: String,
    pub(super) version: Option<String>,
    pub(super) language: String,
    pub(super) status: Status,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Ok,
    Failed,
}

impl Report {
    pub(super) fn new(
        environment: &Environment,
        seconds: f64,
        rounds: usize,
        contestants: &[Contestant],
    ) -> Self {
        // The load is that of a moment.
        let machine = Environment {
            load: None,
            ..environment.clone()
        }
        .machine();
        Self {
            machine,
            compilers: environment.compilers.clone(),
            manner: Manner {
                seconds,
                rounds,
                load: environment.load,
                commit: environment.commit.clone(),
                command: environment.command.clone(),
            },
            sections: Vec::new(),
            peers: contestants.iter().map(PeerState::new).collect(),
        }
    }

    /// Adds a task: each of Kuaimi's ways, on one thread and on all.
    pub(super) fn add(&mut self, measured: &Measured, threads: usize, contestants: &[Contestant]) {
        let task = measured.task;
        if self
            .sections
            .last()
            .is_none_or(|section| section.name != task.section)
        {
            self.sections.push(Section {
                name: task.section.to_owned(),
                operations: Vec::new(),
            });
        }
        let Some(section) = self.sections.last_mut() else {
            return;
        };
        let both = [(1, &measured.one), (threads, &measured.all)];
        for (place, way) in task.ways.iter().enumerate() {
            for (threads, rates) in both.iter().take(if threads == 1 { 1 } else { 2 }) {
                section.operations.push(operation(
                    measured,
                    place,
                    way,
                    *threads,
                    rates,
                    contestants,
                ));
            }
        }
    }

    /// The figures that a folder has.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        figures(&folder.join(FIGURES), "peers")
    }

    /// Writes the figures and the page.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        put(
            &folder.join(FIGURES),
            &(serde_json::to_string_pretty(self)? + "\n"),
        )?;
        put(&folder.join("peers.md"), &markdown::page(self))
    }
}

impl PeerState {
    fn new(contestant: &Contestant) -> Self {
        let hello = contestant.state.as_ref().map(|running| &running.hello);
        Self {
            name: contestant.name.to_owned(),
            title: contestant.title.to_owned(),
            version: hello.ok().map(|hello| hello.version.clone()),
            language: contestant.language.to_owned(),
            status: if hello.is_ok() {
                Status::Ok
            } else {
                Status::Failed
            },
            error: hello.err().map(|error| format!("{error:#}")),
        }
    }
}

fn operation(
    measured: &Measured,
    place: usize,
    way: &Way,
    threads: usize,
    rates: &Rates,
    contestants: &[Contestant],
) -> Operation {
    let task = measured.task;
    // MiB a second, or operations.
    let scale = if task.bytes {
        task.message as f64 / f64::from(1 << 20)
    } else {
        1.0
    };
    let ours = rates.get(&Who::Way(place)).cloned().unwrap_or_default();
    let median = |rates: &BTreeMap<usize, f64>| {
        scale * quantile(&rates.values().copied().collect::<Vec<_>>(), 0.5)
    };
    let mut peers = Vec::new();
    let mut failed = Vec::new();
    for (number, contestant) in contestants.iter().enumerate() {
        if let Some(error) = contestant.failed.get(&(task.peer, task.message)) {
            failed.push(Failure {
                name: contestant.name.to_owned(),
                error: error.clone(),
            });
        } else if let (Some(theirs), Ok(running)) =
            (rates.get(&Who::Peer(number)), &contestant.state)
        {
            let rounds = theirs.iter();
            let ratios: Vec<f64> = rounds
                .filter_map(|(round, rate)| Some(ours.get(round)? / rate))
                .collect();
            peers.push(PeerFigure {
                name: contestant.name.to_owned(),
                version: running.hello.version.clone(),
                value: median(theirs),
                ratio: Quartiles {
                    q1: quantile(&ratios, 0.25),
                    median: quantile(&ratios, 0.5),
                    q3: quantile(&ratios, 0.75),
                },
            });
        }
    }
    let particular = [task.conditions, way.conditions];
    let conditions: Vec<&str> = particular
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    Operation {
        name: way.name.to_owned(),
        unit: if task.bytes { "MiB/s" } else { "operations/s" }.to_owned(),
        conditions: conditions.join("; "),
        threads,
        keys: way.keys,
        kuaimi: Figure {
            value: median(&ours),
        },
        peers,
        failed,
    }
}
