//! Ladders as tables that also read well as plain text.

use super::plot;
use super::report::{LadderReport, Report, RungReport};
use super::rung::{Published, Unit};
use crate::environment::list;
use crate::report::markdown::{Side, table};
use crate::report::thousands;

/// The page of all ladders.
pub(super) fn page(report: &Report) -> String {
    let mut out = format!(
        "# Ladders: each optimisation beside what it replaces\n\n\
         Written by `make bench-ladders`; the figures are in [ladders.json](ladders.json).\n\n\
         - Machine: {}.\n- Compilers: {}.\n\n\
         ns: nanoseconds of processor time an operation, the median of the rounds. × previous and × first: how many times as fast as the\n\
         rung before it and as the first one, the median [lower quartile – upper quartile] of ratios formed within rounds. Published: what\n\
         others reported for this step on a machine of theirs, and in brackets how many times as fast as\n\
         their step before it, and the same pair here. A rung that\n\
         *leaks* takes time, or reads addresses, that depend on its operands; the library does so with public operands only.\n\
         Instructions of an operation: counted by callgrind (`make count-ladders`), which does not know AVX-512, nor what else is chosen for\n\
         this CPU beyond MULX and ADX.\n",
        report.machine,
        list(&report.compilers)
    );
    for one in &report.ladders {
        out += &format!(
            "\n{}\n![{}: how many times as fast as the first rung]({})\n\n{}\n{}",
            ladder(one),
            one.title,
            plot::file(one),
            explanations(one),
            manner(one)
        );
    }
    out
}

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

/// What each rung does, and where it comes from.
fn explanations(ladder: &LadderReport) -> String {
    let lines = ladder.rungs.iter().map(|rung| {
        format!(
            "- **{}**: {} Source: {}.\n",
            rung.name, rung.what, rung.source
        )
    });
    lines.collect()
}

fn manner(ladder: &LadderReport) -> String {
    let manner = &ladder.manner;
    let core = match manner.core {
        Some(core) => format!("core {core}"),
        None => "not kept on one core".to_owned(),
    };
    let load = manner
        .load
        .map_or_else(String::new, |load| format!("; load {load:.1} before"));
    let date = manner
        .date
        .as_ref()
        .map_or_else(String::new, |date| format!(", {date}"));
    format!(
        "Commit {}{date}; {core}; {} rounds, slices of {} s, in turn{load}.\n\n```sh\n{}\n```\n",
        manner.commit, manner.rounds, manner.seconds, manner.command
    )
}
