//! What was measured: `ladders.json`, from which tables and pictures are made, also again without measuring.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::measure::Figures;
use super::rung::{Ladder, Published};
use super::{FIGURES, LADDERS, markdown, plot};
use crate::environment::Environment;
use crate::report::{figures, put};

/// All ladders of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: String,
    pub(crate) compilers: BTreeMap<String, String>,
    pub(crate) ladders: Vec<LadderReport>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LadderReport {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) manner: Manner,
    pub(crate) rungs: Vec<RungReport>,
}

/// How figures came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manner {
    /// The core that everything ran on, if it was kept on one.
    pub(crate) core: Option<usize>,
    /// Seconds a slice.
    pub(crate) seconds: f64,
    pub(crate) rounds: usize,
    /// Processes that wanted to run in the minute before.
    pub(crate) load: Option<f64>,
    pub(crate) commit: String,
    /// The day of the measurement, in UTC.
    #[serde(default)]
    pub(crate) date: Option<String>,
    pub(crate) command: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RungReport {
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) source: String,
    /// What an operation needs; empty where there is nothing to count.
    pub(crate) cost: String,
    /// Of an operation, by callgrind, where it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<f64>,
    /// The median of the rounds, of processor time.
    pub(crate) ns: f64,
    /// How many times as fast as the rung before it: the median of ratios formed within rounds. None for the first.
    pub(crate) times_previous: Option<f64>,
    /// The lower and the upper quartile of these ratios.
    pub(crate) times_previous_quartiles: Option<[f64; 2]>,
    /// How many times as fast as the first rung.
    pub(crate) times_first: f64,
    pub(crate) published: Option<Published>,
    /// How many times as fast the published figure is as the one published before it in this ladder.
    pub(crate) published_times: Option<f64>,
    /// How many times as fast this rung is as that one here.
    pub(crate) times_same_pair: Option<f64>,
    pub(crate) leaks: bool,
    pub(crate) used_by_library: bool,
}

impl LadderReport {
    /// `figures` has the nanoseconds of each rung.
    pub(crate) fn new(ladder: &Ladder, manner: Manner, figures: &[Figures]) -> Self {
        // The last rung with a published figure.
        let mut published: Option<(usize, Published)> = None;
        let mut rungs = Vec::new();
        for (place, rung) in ladder.rungs.iter().enumerate() {
            let ratios = |other: usize| {
                let rounds = figures[other].iter().zip(&figures[place]);
                rounds
                    .map(|(other, this)| other / this)
                    .collect::<Figures>()
            };
            let previous = place.checked_sub(1).map(ratios);
            let pair = rung.published.zip(published);
            rungs.push(RungReport {
                name: rung.name.to_owned(),
                what: rung.what.to_owned(),
                source: rung.source.to_owned(),
                cost: rung.cost.clone(),
                instructions: None,
                ns: quantile(&figures[place], 0.5),
                times_previous: previous.as_ref().map(|ratios| quantile(ratios, 0.5)),
                times_previous_quartiles: previous
                    .map(|ratios| [quantile(&ratios, 0.25), quantile(&ratios, 0.75)]),
                times_first: quantile(&ratios(0), 0.5),
                published: rung.published,
                published_times: pair.and_then(|(this, (_, before))| this.times(before)),
                times_same_pair: pair.map(|(_, (before, _))| quantile(&ratios(before), 0.5)),
                leaks: rung.leaks,
                used_by_library: rung.used_by_library,
            });
            published = rung.published.map(|this| (place, this)).or(published);
        }
        Self {
            name: ladder.name.to_owned(),
            title: ladder.title.to_owned(),
            about: ladder.about.to_owned(),
            manner,
            rungs,
        }
    }
}

/// The figure below which this share of the figures is, between two of them where it falls between them.
pub(crate) fn quantile(figures: &[f64], share: f64) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = share * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

impl Report {
    pub(crate) fn new(environment: &Environment) -> Self {
        // The load is that of a moment: each ladder has its own.
        let machine = Environment {
            load: None,
            ..environment.clone()
        }
        .machine();
        Self {
            machine,
            compilers: environment.compilers.clone(),
            ladders: Vec::new(),
        }
    }

    /// The figures that a folder has.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        figures(&folder.join(FIGURES), "ladders")
    }

    /// Keeps the ladders measured before, of which only some are to be measured again: on the same machine only.
    pub(crate) fn keep(&mut self, old: Self, folder: &Path) -> Result<()> {
        ensure!(
            old.machine == self.machine && old.compilers == self.compilers,
            "{} is of another machine or compiler ({}): name another folder for part of the ladders, or measure all",
            folder.join(FIGURES).display(),
            old.machine
        );
        self.ladders = old.ladders;
        Ok(())
    }

    /// Adds a ladder, in place of an older one of this name.
    pub(crate) fn put(&mut self, ladder: LadderReport) {
        self.ladders.retain(|one| one.name != ladder.name);
        self.ladders.push(ladder);
        let place = |ladder: &LadderReport| {
            let same = |(name, _): &(&str, _)| *name == ladder.name;
            LADDERS.iter().position(same).unwrap_or(LADDERS.len())
        };
        self.ladders.sort_by_key(place);
    }

    /// Writes the figures, the page and a picture for each ladder.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        put(&folder.join(FIGURES), &json)?;
        for ladder in &self.ladders {
            put(&folder.join(plot::file(ladder)), &plot::svg(ladder)?)?;
        }
        put(&folder.join("ladders.md"), &markdown::page(self))
    }
}
