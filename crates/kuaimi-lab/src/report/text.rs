//! Records as tables that also read well as plain text.

use std::fmt::Write as _;

use anyhow::Result;

use crate::harness::environment::list;
use crate::harness::record::{Operation, Record, Run};

/// The most contenders that have columns of their own; more of them are lines.
const COLUMNS: usize = 3;
/// Operations side by side where contenders are lines.
const SIDE_BY_SIDE: usize = 4;

/// Where a column's text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A table whose columns are padded to one width. The first line is the heading.
pub(crate) fn table(sides: &[Side], lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
            .max(4)
    };
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, side) in sides.iter().enumerate() {
            let cell = line.get(column).map_or("", String::as_str);
            let gap = " ".repeat(width(column).saturating_sub(cell.chars().count()));
            text += &match side {
                Side::Left => format!("| {cell}{gap} "),
                Side::Right => format!("| {gap}{cell} "),
            };
        }
        text += "|\n";
        if number == 0 {
            for (column, side) in sides.iter().enumerate() {
                let dashes = "-".repeat(width(column) - 1);
                text += &match side {
                    Side::Left => format!("| {dashes}- "),
                    Side::Right => format!("| {dashes}: "),
                };
            }
            text += "|\n";
        }
    }
    text
}

/// What a terminal gets.
pub(crate) fn record(record: &Record) -> Result<String> {
    let mut out = format!(
        "{}\n{}; {}\n\n",
        record.title,
        record.run.environment.machine(),
        record.run.manner()
    );
    if record.contenders.len() <= COLUMNS {
        out += &by_operation(record);
    } else {
        for operations in record.operations.chunks(SIDE_BY_SIDE) {
            writeln!(out, "{}", by_contender(record, operations))?;
        }
    }
    writeln!(
        out,
        "\n×: the first one's speed divided by the other's, formed in each round: median [least – greatest].\n"
    )?;
    conditions(&mut out, record)?;
    failures(&mut out, record)?;
    Ok(out)
}

/// A line for each operation.
pub(super) fn by_operation(record: &Record) -> String {
    let mut sides = vec![Side::Left];
    let mut heading = vec![String::new()];
    for (place, contender) in record.contenders.iter().enumerate() {
        sides.push(Side::Right);
        heading.push(contender.name.clone());
        if place > 0 {
            sides.push(Side::Right);
            heading.push("×".to_owned());
        }
    }
    let mut lines = vec![heading];
    for operation in &record.operations {
        let mut line = vec![operation.label.clone()];
        for place in 0..record.contenders.len() {
            let failed = operation.failed(place).map_or("", |_| "failed");
            line.push(operation.speed(place).unwrap_or(failed.to_owned()));
            if place > 0 {
                line.push(times(operation, place));
            }
        }
        lines.push(line);
    }
    table(&sides, &lines)
}

/// A line for each contender that has one of these operations.
fn by_contender(record: &Record, operations: &[Operation]) -> String {
    let labels = operations.iter().map(|operation| operation.label.clone());
    let mut lines = vec![
        [String::new()]
            .into_iter()
            .chain(labels)
            .collect::<Vec<_>>(),
    ];
    for (place, contender) in record.contenders.iter().enumerate() {
        let cell = |operation: &Operation| match (operation.speed(place), place) {
            (Some(speed), 0) => speed,
            (Some(speed), _) => format!("{speed} × {}", times(operation, place)),
            (None, _) if operation.failed(place).is_some() => "failed".to_owned(),
            (None, _) => String::new(),
        };
        let cells: Vec<String> = operations.iter().map(cell).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            lines.push([contender.name.clone()].into_iter().chain(cells).collect());
        }
    }
    let rights = operations.iter().map(|_| Side::Right);
    let sides: Vec<Side> = [Side::Left].into_iter().chain(rights).collect();
    table(&sides, &lines)
}

fn times(operation: &Operation, place: usize) -> String {
    let ratio = operation.ratio(place);
    ratio.map_or_else(String::new, |ratio| ratio.times())
}

/// Each contender's conditions, each once, with the operations that it is about.
fn conditions(out: &mut String, record: &Record) -> Result<()> {
    let mut known: Vec<(String, Vec<&str>)> = Vec::new();
    for (place, contender) in record.contenders.iter().enumerate() {
        let mut text = String::new();
        for (labels, condition) in record.conditions(place) {
            writeln!(text, "  - {}: {condition}", labels.join("; "))?;
        }
        // Many libraries do the same.
        match known.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) => names.push(&contender.name),
            None => known.push((text, vec![&contender.name])),
        }
    }
    for (text, names) in known.iter().filter(|(text, _)| !text.is_empty()) {
        write!(out, "- {}\n{text}", names.join("; "))?;
    }
    Ok(())
}

/// What could not be measured, and why.
fn failures(out: &mut String, record: &Record) -> Result<()> {
    for (place, contender) in record.contenders.iter().enumerate() {
        if let Some(error) = &contender.failed {
            writeln!(out, "- **{} failed**: {}", contender.name, escaped(error))?;
        }
        for operation in &record.operations {
            if let Some(error) = operation.failed(place) {
                writeln!(
                    out,
                    "- **{} failed** at *{}*: {}",
                    contender.name,
                    operation.label,
                    escaped(error)
                )?;
            }
        }
    }
    Ok(())
}

/// Machine, compilers, commit, command.
pub(super) fn provenance(run: &Run) -> Result<String> {
    let environment = &run.environment;
    let mut out = String::new();
    writeln!(out, "```sh\n{}\n```\n", environment.command)?;
    writeln!(out, "- Machine: {}.", environment.machine())?;
    writeln!(out, "- Compilers: {}.", list(&environment.compilers))?;
    let implementations = list(&environment.backends);
    if !implementations.is_empty() {
        writeln!(out, "- Implementations of Kuaimi: {implementations}.")?;
    }
    let date = environment.date.iter().map(|date| format!(", {date}"));
    writeln!(
        out,
        "- Commit: {}{}.",
        environment.commit,
        date.collect::<String>()
    )?;
    writeln!(out, "- Manner: {}.", run.manner())?;
    Ok(out)
}

/// A text that cannot end a cell, nor put anything else into a page.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' => out.extend(['\\', character]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}
