//! The rounds' figures, and how they are told: tables for people, JSON for programs.

use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use super::Contender;
use super::operation::Operation;
use crate::core;

pub(crate) struct Report {
    core: Option<usize>,
    seconds: f64,
    rounds: usize,
    names: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    operation: Operation,
    cells: Vec<Cell>,
}

/// One library's figures for one operation.
struct Cell {
    condition: Option<&'static str>,
    /// Operations a second, one figure a round.
    rates: Vec<f64>,
    /// This round's figure, until the round ends.
    current: Option<f64>,
    /// The first library's rate divided by this one's, round by round.
    ratios: Vec<f64>,
}

impl Report {
    pub(crate) fn new(
        core: Option<usize>,
        seconds: f64,
        rounds: usize,
        operations: &[Operation],
        contenders: &[Box<dyn Contender>],
    ) -> Self {
        let row = |&operation: &Operation| Row {
            operation,
            cells: contenders
                .iter()
                .map(|contender| Cell {
                    condition: contender.condition(operation),
                    rates: Vec::new(),
                    current: None,
                    ratios: Vec::new(),
                })
                .collect(),
        };
        Self {
            core,
            seconds,
            rounds,
            names: contenders
                .iter()
                .map(|contender| contender.name())
                .collect(),
            rows: operations.iter().map(row).collect(),
        }
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, rate: f64) {
        if let Some(cell) = self
            .rows
            .get_mut(row)
            .and_then(|row| row.cells.get_mut(column))
        {
            cell.current = Some(rate);
        }
    }

    /// Forms the round's ratios, within the round.
    pub(crate) fn end_round(&mut self) {
        for row in &mut self.rows {
            let first = row.cells.first().and_then(|cell| cell.current);
            for cell in &mut row.cells {
                let Some(rate) = cell.current.take() else {
                    continue;
                };
                cell.rates.push(rate);
                if let Some(first) = first {
                    cell.ratios.push(first / rate);
                }
            }
        }
    }

    pub(crate) fn json(&self) -> Result<String> {
        let mut results = Vec::new();
        for row in &self.rows {
            for (name, cell) in self.names.iter().zip(&row.cells) {
                let Some(rate) = Spread::of(&cell.rates) else {
                    continue;
                };
                results.push(json!({
                    "algorithm": row.operation.algorithm(),
                    "operation": row.operation.label(),
                    "bytes": row.operation.sm3_bytes(),
                    "library": name,
                    "condition": cell.condition,
                    "ops_per_second": rate.json(),
                    "ns_per_op": 1e9 / rate.median,
                    "times_slower_than_first": Spread::of(&cell.ratios).map(|ratio| ratio.json()),
                }));
            }
        }
        let report = json!({
            "processor": core::processor(),
            "core": self.core,
            "seconds_a_slice": self.seconds,
            "rounds": self.rounds,
            "libraries": self.names,
            "results": results,
        });
        Ok(serde_json::to_string_pretty(&report)? + "\n")
    }

    pub(crate) fn tables(&self) -> Result<String> {
        let mut out = String::new();
        let processor = core::processor().unwrap_or_else(|| "unknown processor".to_owned());
        let core = self.core.map_or_else(
            || "not kept on one core".to_owned(),
            |core| format!("core {core}"),
        );
        writeln!(
            out,
            "{processor}, {core}; {} rounds, {} s a slice; medians",
            self.rounds, self.seconds
        )?;
        for (algorithm, unit) in [("sm2", "operations a second"), ("sm3", "MB/s")] {
            let rows: Vec<&Row> = self
                .rows
                .iter()
                .filter(|row| row.operation.algorithm() == algorithm)
                .collect();
            if rows.is_empty() {
                continue;
            }
            writeln!(out, "\n{} ({unit})", algorithm.to_uppercase())?;
            writeln!(out, "{}", self.table(&rows))?;
        }
        writeln!(
            out,
            "\n×: the first library's speed divided by this one's, formed in each round: median [least – greatest]."
        )?;
        writeln!(out, "What each figure includes:")?;
        for (column, name) in self.names.iter().enumerate() {
            writeln!(out, "  {name}")?;
            for (labels, condition) in self.conditions(column) {
                writeln!(out, "    {}: {condition}", labels.join(", "))?;
            }
        }
        Ok(out)
    }

    fn table(&self, rows: &[&Row]) -> Table {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let mut header = vec![String::new()];
        for (column, name) in self.names.iter().enumerate() {
            header.push(name.clone());
            if column > 0 {
                header.push("×".to_owned());
            }
        }
        table.set_header(header);
        for row in rows {
            let mut line = vec![row.operation.label().to_owned()];
            for (column, cell) in row.cells.iter().enumerate() {
                line.push(
                    Spread::of(&cell.rates)
                        .map_or_else(|| "–".to_owned(), |rate| figure(row.operation, rate.median)),
                );
                if column > 0 {
                    line.push(
                        Spread::of(&cell.ratios)
                            .map_or_else(|| "–".to_owned(), |ratio| ratio.times()),
                    );
                }
            }
            table.add_row(line);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    /// A library's conditions, each once, with the operations that it is about.
    fn conditions(&self, column: usize) -> Vec<(Vec<&'static str>, &'static str)> {
        let mut conditions: Vec<(Vec<&'static str>, &'static str)> = Vec::new();
        for row in &self.rows {
            let Some(condition) = row.cells.get(column).and_then(|cell| cell.condition) else {
                continue;
            };
            match conditions.iter_mut().find(|(_, known)| *known == condition) {
                Some((labels, _)) => labels.push(row.operation.label()),
                None => conditions.push((vec![row.operation.label()], condition)),
            }
        }
        conditions
    }
}

/// A hash is told in megabytes (10⁶ bytes) a second, anything else in operations.
fn figure(operation: Operation, rate: f64) -> String {
    match operation.sm3_bytes() {
        Some(bytes) => format!("{:.0}", rate * bytes as f64 / 1e6),
        None => thousands(rate),
    }
}

/// A whole number with a comma before every three digits.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The middle and the ends of some figures.
struct Spread {
    least: f64,
    median: f64,
    greatest: f64,
}

impl Spread {
    fn of(figures: &[f64]) -> Option<Self> {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self {
            least: *sorted.first()?,
            median: (lower + upper) / 2.0,
            greatest: *sorted.last()?,
        })
    }

    fn json(&self) -> Value {
        json!({ "median": self.median, "least": self.least, "greatest": self.greatest })
    }

    fn times(&self) -> String {
        format!(
            "{:.2} [{:.2} – {:.2}]",
            self.median, self.least, self.greatest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, thousands};

    #[test]
    fn medians() {
        let spread = |figures: &[f64]| {
            Spread::of(figures).map(|spread| (spread.least, spread.median, spread.greatest))
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some((3.0, 3.0, 3.0)));
        assert_eq!(spread(&[9.0, 1.0, 2.0]), Some((1.0, 2.0, 9.0)));
        assert_eq!(spread(&[4.0, 9.0, 1.0, 2.0]), Some((1.0, 3.0, 9.0)));
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(7.0), "7");
        assert_eq!(thousands(999.6), "1,000");
        assert_eq!(thousands(123_456.2), "123,456");
        assert_eq!(thousands(1_234_567.0), "1,234,567");
    }
}
