//! How far it is: a bar for a person at a terminal, a line now and then for a log.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::say::say;

/// Seconds between the lines of a log.
const EVERY: Duration = Duration::from_secs(10);

pub enum Progress {
    None,
    Bar(ProgressBar),
    Lines {
        started: Instant,
        next: Instant,
        length: Option<u64>,
    },
}

impl Progress {
    /// `verb` is what is done to the rows. `forced` is what --progress asks for: lines where no
    /// terminal is.
    pub fn new(verb: &str, length: Option<u64>, quiet: bool, forced: bool) -> Self {
        if quiet {
            return Self::None;
        }
        if io::stderr().is_terminal() {
            let (bar, template) = match length {
                Some(length) => (
                    ProgressBar::new(length),
                    format!("{verb} {{wide_bar}} {{percent}}%, {{msg}}, {{eta}} left"),
                ),
                None => (
                    ProgressBar::new_spinner(),
                    format!("{verb} {{spinner}} {{msg}}, {{elapsed}}"),
                ),
            };
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            return Self::Bar(bar);
        }
        if forced {
            let started = Instant::now();
            return Self::Lines {
                started,
                next: started,
                length,
            };
        }
        Self::None
    }

    /// `position` of the length is done, which were `rows` rows, done in `took`.
    pub fn update(&mut self, position: u64, rows: u64, took: Duration) {
        let rate = rows as f64 / took.as_secs_f64().max(1e-9);
        let message = format!("{} rows, {} rows/s", grouped(rows), grouped(rate as u64));
        match self {
            Self::None => {}
            Self::Bar(bar) => {
                bar.set_message(message);
                bar.set_position(position);
            }
            Self::Lines {
                started,
                next,
                length,
            } => {
                let now = Instant::now();
                if now < *next {
                    return;
                }
                *next = now + EVERY;
                match length {
                    Some(length) if position > 0 && *length > 0 => {
                        let part = (position as f64 / *length as f64).min(1.0);
                        let left = started.elapsed().mul_f64((1.0 - part) / part);
                        say(format_args!(
                            "{message}, {:.0} %, {} left",
                            100.0 * part,
                            HumanDuration(left)
                        ));
                    }
                    _ => say(message),
                }
            }
        }
    }

    /// Says a line without disturbing the bar.
    pub fn say(&self, line: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| say(line)),
            _ => say(line),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
