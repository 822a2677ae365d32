//! The summary of the last runs (`docs/bench.md`), and what became of the goals, for a page that
//! people write.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::text::{Side, provenance, table};
use crate::harness::record::{Operation, Record, Run, Verdict};
use crate::harness::statistics::Spread;
use crate::ladders::report::{LadderReport, Report};

/// Where the goals stand in a page that people write.
const BEGIN: &str = "<!-- goals: written by make summary -->\n";
const END: &str = "<!-- end of goals -->\n";

/// The contenders beside the first that have columns of their own; of more, the fastest one has.
const COLUMNS: usize = 2;

/// The headline figures of all records. Those of one run stand together, with the machine and the
/// command.
pub(crate) fn summary(records: &[Record], ladders: Option<&Report>) -> Result<String> {
    let mut out = String::from("# Kuaimi, measured\n\n");
    writeln!(
        out,
        "The last summary, written by `make summary` of the records that `make bench`, `make bench-peers` and `make bench-ladders` leave in\n\
         `target/bench`. Those have every round's figures and what each operation includes; `make report` makes a page of them for a browser. They\n\
         are kept with a release, not here.\n\n\
         ×: the first one's speed divided by the other's, formed in each round: median [least – greatest]."
    )?;
    for (place, record) in records.iter().enumerate() {
        writeln!(out, "\n## {}\n", record.title)?;
        out += &headline(record);
        let next = records.get(place + 1);
        if next.is_none_or(|next| !same(&next.run, &record.run)) {
            write!(out, "\n{}", provenance(&record.run)?)?;
        }
    }
    if let Some(report) = ladders {
        out += &of_ladders(report)?;
    }
    Ok(out)
}

/// Whether two records came of one command.
fn same(one: &Run, other: &Run) -> bool {
    let about = |run: &Run| {
        let of = &run.environment;
        (
            of.command.clone(),
            of.commit.clone(),
            of.machine(),
            run.manner(),
        )
    };
    about(one) == about(other)
}

fn headline(record: &Record) -> String {
    let others = 1..record.contenders.len();
    // Where nothing is a ratio's other side, all speeds are told.
    if record.goals_against.is_empty() {
        return speeds(record);
    }
    let mut heading = vec![String::new(), record.contenders[0].name.clone()];
    let few = others.len() <= COLUMNS;
    if few {
        let names = others.clone().map(|place| &record.contenders[place].name);
        heading.extend(names.map(|name| format!("× {name}")));
    } else {
        heading.push("× the fastest other".to_owned());
        let rival = record.rival().map(|place| &record.contenders[place].name);
        heading.extend(rival.map(|name| format!("× {name}")));
    }
    let times = |ratio: Option<Spread>| ratio.map_or_else(String::new, |ratio| ratio.times());
    let mut lines = vec![heading];
    for operation in &record.operations {
        let Some(speed) = operation.speed(0) else {
            continue;
        };
        let mut line = vec![operation.label.clone(), speed];
        if few {
            line.extend(others.clone().map(|place| times(operation.ratio(place))));
        } else {
            line.push(fastest(record, operation).unwrap_or_default());
            line.extend(record.rival().map(|place| times(operation.ratio(place))));
        }
        lines.push(line);
    }
    let rights = (1..lines[0].len()).map(|_| Side::Right);
    let sides: Vec<Side> = [Side::Left].into_iter().chain(rights).collect();
    table(&sides, &lines)
}

/// The other contender that comes nearest, and its ratio.
fn fastest(record: &Record, operation: &Operation) -> Option<String> {
    let others = (1..record.contenders.len())
        .filter_map(|place| Some((record.contenders.get(place)?, operation.ratio(place)?)));
    let (contender, ratio) = others.min_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
    Some(format!("{}: {}", contender.name, ratio.times()))
}

fn speeds(record: &Record) -> String {
    let names = record.contenders.iter().map(|one| one.name.clone());
    let mut lines = vec![[String::new()].into_iter().chain(names).collect::<Vec<_>>()];
    for operation in &record.operations {
        let speeds =
            (0..record.contenders.len()).map(|place| operation.speed(place).unwrap_or_default());
        lines.push(
            [operation.label.clone()]
                .into_iter()
                .chain(speeds)
                .collect(),
        );
    }
    let rights = record.contenders.iter().map(|_| Side::Right);
    let sides: Vec<Side> = [Side::Left].into_iter().chain(rights).collect();
    table(&sides, &lines)
}

/// What the library uses of each ladder, and how many times as fast as the first rung that is.
fn of_ladders(report: &Report) -> Result<String> {
    let mut lines = vec![
        ["ladder", "what the library uses, × the first rung"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for LadderReport { name, rungs, .. } in &report.ladders {
        let used = rungs.iter().filter(|rung| rung.used_by_library);
        let used: Vec<String> = used
            .map(|rung| format!("`{}` {:.2}", rung.name, rung.times_first))
            .collect();
        lines.push(vec![format!("`{name}`"), used.join(", ")]);
    }
    let mut out = format!("\n## Ladders\n\n{}", table(&[Side::Left; 2], &lines));
    // Ladders that were measured again have runs of their own.
    let mut runs: Vec<(&Run, Vec<String>)> = Vec::new();
    for ladder in &report.ladders {
        let name = format!("`{}`", ladder.name);
        match runs.iter_mut().find(|(run, _)| same(run, &ladder.run)) {
            Some((_, names)) => names.push(name),
            None => runs.push((&ladder.run, vec![name])),
        }
    }
    for (run, names) in runs {
        write!(out, "\n{}:\n\n{}", names.join(", "), provenance(run)?)?;
    }
    Ok(out)
}

/// All goals in one table, for a page that says more about them.
pub(crate) fn goals(records: &[Record]) -> Result<String> {
    let mut out = format!("{}\n", tally(records)?);
    let mut lines = vec![
        ["", "×", "than", "at least", "aim", "reached"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for record in records {
        let rival = record
            .rival()
            .map(|place| record.contenders[place].name.clone());
        for (operation, goal, verdict) in record.goals() {
            let ratio = record.ratio(operation);
            lines.push(vec![
                format!("{}: {}", record.title, operation.label),
                ratio.map_or_else(String::new, |ratio| ratio.times()),
                rival.clone().unwrap_or_default(),
                format!("{}", goal.at_least),
                goal.aim.map_or_else(String::new, |aim| format!("{aim}")),
                verdict.word().to_owned(),
            ]);
        }
    }
    let sides = [
        Side::Left,
        Side::Right,
        Side::Left,
        Side::Right,
        Side::Right,
        Side::Left,
    ];
    out += &table(&sides, &lines);
    Ok(out)
}

/// How many goals became what.
fn tally(records: &[Record]) -> Result<String> {
    let verdicts: Vec<Verdict> = records
        .iter()
        .flat_map(Record::goals)
        .map(|(_, _, verdict)| verdict)
        .collect();
    let count = |wanted| verdicts.iter().filter(|&&one| one == wanted).count();
    let mut out = String::new();
    if verdicts.is_empty() {
        writeln!(out, "No operation that has a goal was measured.")?;
        return Ok(out);
    }
    writeln!(
        out,
        "Goals measured: {}. The aim is reached by {}, what is asked at least by {}, neither by {}.",
        verdicts.len(),
        count(Verdict::Aim),
        count(Verdict::AtLeast),
        count(Verdict::Missed)
    )?;
    Ok(out)
}

/// A page with other goals in it.
pub(crate) fn with_goals(page: &Path, goals: &str) -> Result<String> {
    let text =
        fs::read_to_string(page).with_context(|| format!("{} cannot be read", page.display()))?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| {
        format!(
            "{} has no place for the goals: it must have a line {} and after it a line {}",
            page.display(),
            BEGIN.trim(),
            END.trim()
        )
    })?;
    Ok([before, BEGIN, goals, END, after].concat())
}
