//! What was measured: `ladders.json`, of which tables and charts are made.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::measure::Figures;
use super::rung::{Ladder, Published};
use super::{FIGURES, LADDERS};
use crate::harness::environment::Environment;
use crate::harness::folder::{figures, put_json};
use crate::harness::record::Run;
use crate::harness::statistics::quantile;

/// All ladders of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) ladders: Vec<LadderReport>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LadderReport {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) run: Run,
    pub(crate) rungs: Vec<RungReport>,
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
    /// How many times as fast as the rung before it: the median of ratios formed within rounds.
    /// None for the first.
    pub(crate) times_previous: Option<f64>,
    /// The lower and the upper quartile of these ratios.
    pub(crate) times_previous_quartiles: Option<[f64; 2]>,
    /// How many times as fast as the first rung.
    pub(crate) times_first: f64,
    pub(crate) published: Option<Published>,
    /// How many times as fast the published figure is as the one published before it in this
    /// ladder.
    pub(crate) published_times: Option<f64>,
    /// How many times as fast this rung is as that one here.
    pub(crate) times_same_pair: Option<f64>,
    pub(crate) leaks: bool,
    pub(crate) used_by_library: bool,
}

impl LadderReport {
    /// `figures` has the nanoseconds of each rung.
    pub(crate) fn new(ladder: &Ladder, run: Run, figures: &[Figures]) -> Self {
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
            run,
            rungs,
        }
    }
}

impl Report {
    /// The figures that a folder has.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        figures(&folder.join(FIGURES))
    }

    /// Keeps the ladders measured before, of which only some are to be measured again: on the same
    /// machine only.
    pub(crate) fn keep(&mut self, old: Self, here: &Environment, folder: &Path) -> Result<()> {
        for ladder in &old.ladders {
            let there = &ladder.run.environment;
            ensure!(
                there.is_as(here),
                "{} is of another machine or compiler ({}): name another folder for part of the ladders, or measure all",
                folder.join(FIGURES).display(),
                there.machine()
            );
        }
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

    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        put_json(&folder.join(FIGURES), self)
    }
}
