//! What came of all rows: for people, and as JSON.

use std::time::Duration;

use serde_json::{Value, json};

use crate::table::progress::grouped;

use kuaimi_bulk::Verdict;

/// How many rows were what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub valid: u64,
    pub invalid: u64,
    pub malformed: u64,
}

impl Counts {
    pub fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Valid => self.valid += 1,
            Verdict::Invalid => self.invalid += 1,
            Verdict::Malformed(_) => self.malformed += 1,
        }
    }

    pub fn total(&self) -> u64 {
        self.valid + self.invalid + self.malformed
    }

    pub fn failures(&self) -> u64 {
        self.invalid + self.malformed
    }
}

pub struct Summary<'a> {
    pub file: &'a str,
    pub format: &'static str,
    pub counts: Counts,
    pub took: Duration,
    pub threads: usize,
}

impl Summary<'_> {
    fn rate(&self) -> f64 {
        self.counts.total() as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let line = |what: &str, count: u64| format!("{what:<10}{:>15}\n", grouped(count));
        let mut out = line("rows", self.counts.total());
        out += &line("valid", self.counts.valid);
        out += &line("invalid", self.counts.invalid);
        out += &line("malformed", self.counts.malformed);
        out += &format!(
            "{:<10}{:>15.2}   {} rows/s on {} {}, backend {}\n",
            "seconds",
            self.took.as_secs_f64(),
            grouped(self.rate() as u64),
            self.threads,
            if self.threads == 1 {
                "thread"
            } else {
                "threads"
            },
            kuaimi::backend().name()
        );
        out
    }

    /// One object, on one line.
    pub fn json(&self) -> Value {
        let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
        json!({
            "file": self.file,
            "format": self.format,
            "total": self.counts.total(),
            "valid": self.counts.valid,
            "invalid": self.counts.invalid,
            "malformed": self.counts.malformed,
            "all_valid": self.counts.failures() == 0,
            "seconds": rounded(self.took.as_secs_f64()),
            "rows_per_second": rounded(self.rate()),
            "threads": self.threads,
            "backend": kuaimi::backend().name(),
        })
    }
}
