//! Ladders as tables that also read well as plain text.

use super::report::{LadderReport, RungReport};
use super::rung::{Published, Unit};
use crate::harness::statistics::thousands;
use crate::report::text::{Side, table};

/// A heading and the table.
pub(super) fn ladder(ladder: &LadderReport) -> String {
    let costs = ladder.rungs.iter().any(|rung| !rung.cost.is_empty());
    let published = ladder.rungs.iter().any(|rung| rung.published.is_some());
    let counted = ladder.rungs.iter().any(|rung| rung.instructions.is_some());
    let mut sides = vec![Side::Left, Side::Right, Side::Right, Side::Right];
    let mut heading = vec!["rung", "ns", "× previous", "× first"];
    if counted {
        sides.push(Side::Right);
        heading.push("instructions");
    }
    if published {
        sides.push(Side::Right);
        heading.push("published");
    }
    if costs {
        sides.push(Side::Left);
        heading.push("cost");
    }
    sides.push(Side::Left);
    heading.push("");
    let mut lines = vec![heading.into_iter().map(str::to_owned).collect()];
    for rung in &ladder.rungs {
        let mut line = vec![
            rung.name.clone(),
            nanoseconds(rung.ns),
            times_previous(rung),
            format!("{:.2}", rung.times_first),
        ];
        if counted {
            line.push(rung.instructions.map_or_else(String::new, thousands));
        }
        if published {
            line.push(
                rung.published
                    .map_or_else(String::new, |published| figure(published, rung)),
            );
        }
        if costs {
            line.push(rung.cost.clone());
        }
        line.push(notes(rung));
        lines.push(line);
    }
    format!(
        "## {}\n\n{}\n\n{}",
        ladder.title,
        ladder.about,
        table(&sides, &lines)
    )
}

fn times_previous(rung: &RungReport) -> String {
    match (rung.times_previous, rung.times_previous_quartiles) {
        (Some(times), Some([low, high])) => format!("{times:.2} [{low:.2} – {high:.2}]"),
        _ => String::new(),
    }
}

fn figure(published: Published, rung: &RungReport) -> String {
    let figure = match published.unit {
        Unit::Nanoseconds => format!("{} ns", published.value),
        Unit::PerSecond => format!("{} /s", thousands(published.value)),
        Unit::Times => format!("{} ×", published.value),
    };
    match (rung.published_times, rung.times_same_pair) {
        (Some(times), Some(here)) => format!("{figure} ({times:.2} ×; here {here:.2} ×)"),
        _ => figure,
    }
}

fn notes(rung: &RungReport) -> String {
    let mut notes = Vec::new();
    if rung.leaks {
        notes.push("leaks");
    }
    if rung.used_by_library {
        notes.push("**the library**");
    }
    notes.join(", ")
}

/// Three figures that count.
fn nanoseconds(ns: f64) -> String {
    if ns < 100.0 {
        format!("{ns:.1}")
    } else {
        thousands(ns)
    }
}
