//! A document as Markdown that also reads well as plain text.

use std::fmt::Write as _;

use anyhow::Result;

use super::{Document, Goal, Row, Verdict};
use crate::environment::list;

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

impl Document {
    /// The whole page; `plot` is the name of the picture beside it, if there is one.
    pub(super) fn page(&self, plot: Option<&str>) -> Result<String> {
        let mut out = format!("# {}\n\n", self.title);
        if let Some(plot) = plot {
            let rival = self.rival().and_then(|column| self.libraries.get(column));
            let rival = rival.map_or("another", |library| &library.name);
            writeln!(
                out,
                "![{}: each operation's speed as a multiple of that of {rival}]({plot})\n",
                self.title
            )?;
        }
        out += &self.table();
        writeln!(
            out,
            "\n×: the first column's speed divided by the other's, formed in each round: median [least – greatest]."
        )?;
        writeln!(out, "\n## How it was measured\n")?;
        out += &self.provenance()?;
        writeln!(out, "\n## What each figure includes\n")?;
        out += &self.conditions()?;
        Ok(out)
    }

    /// What a terminal gets.
    pub(crate) fn text(&self) -> Result<String> {
        Ok(format!(
            "{}\n{}; {}\n\n{}\n{}",
            self.title,
            self.environment.machine(),
            self.manner(),
            self.table(),
            self.conditions()?
        ))
    }

    fn table(&self) -> String {
        let mut sides = vec![Side::Left];
        let mut heading = vec![String::new()];
        for (column, library) in self.libraries.iter().enumerate() {
            sides.push(Side::Right);
            heading.push(library.name.clone());
            if column > 0 {
                sides.push(Side::Right);
                heading.push("×".to_owned());
            }
        }
        let mut lines = vec![heading];
        for row in &self.rows {
            let mut line = vec![row.label.clone()];
            for column in 0..self.libraries.len() {
                line.push(row.speed(column).unwrap_or_default());
                if column > 0 {
                    line.push(
                        row.ratio(column)
                            .map_or_else(String::new, |ratio| ratio.times()),
                    );
                }
            }
            lines.push(line);
        }
        table(&sides, &lines)
    }

    /// Machine, compilers, commit, command.
    pub(super) fn provenance(&self) -> Result<String> {
        let environment = &self.environment;
        let mut out = String::new();
        writeln!(out, "```sh\n{}\n```\n", environment.command)?;
        writeln!(out, "- Machine: {}.", environment.machine())?;
        writeln!(out, "- Compilers: {}.", list(&environment.compilers))?;
        writeln!(
            out,
            "- Backends of Kuaimi: {}.",
            list(&environment.backends)
        )?;
        let date = environment.date.iter().map(|date| format!(", {date}"));
        writeln!(
            out,
            "- Commit: {}{}.",
            environment.commit,
            date.collect::<String>()
        )?;
        writeln!(out, "- Manner: {}.", self.manner())?;
        Ok(out)
    }

    /// Each library's conditions, each once, with the operations that it is about.
    fn conditions(&self) -> Result<String> {
        let mut out = String::new();
        for (column, library) in self.libraries.iter().enumerate() {
            let conditions = self.conditions_of(column);
            if conditions.is_empty() {
                continue;
            }
            writeln!(out, "- {}", library.name)?;
            for (labels, condition) in conditions {
                writeln!(out, "  - {}: {condition}", labels.join("; "))?;
            }
        }
        Ok(out)
    }

    /// A column's conditions, each with the operations that it is about.
    pub(crate) fn conditions_of(&self, column: usize) -> Vec<(Vec<&str>, &str)> {
        let mut conditions: Vec<(Vec<&str>, &str)> = Vec::new();
        for row in &self.rows {
            let Some(Some(cell)) = row.cells.get(column) else {
                continue;
            };
            match conditions
                .iter_mut()
                .find(|(_, known)| *known == cell.condition)
            {
                Some((labels, _)) => labels.push(&row.label),
                None => conditions.push((vec![&row.label], &cell.condition)),
            }
        }
        conditions
    }
}

/// A document's rows with goals that were measured, and what became of them.
pub(super) fn goals(document: &Document) -> impl Iterator<Item = (&Row, Goal, Verdict)> {
    document.rows.iter().filter_map(|row| {
        let verdict = document.verdict(row);
        row.goal
            .filter(|_| verdict != Verdict::None)
            .map(|goal| (row, goal, verdict))
    })
}
