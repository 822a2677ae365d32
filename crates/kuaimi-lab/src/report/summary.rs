//! The page of all documents: ratios, plots, and where to read more; and what became of the goals, for a page of its own.

use std::fmt::Write as _;

use anyhow::Result;

use super::markdown::{self, Side, table};
use super::{Document, Verdict};

pub(super) fn page(documents: &[Document]) -> Result<String> {
    let mut out = String::from("# Kuaimi, measured\n\n");
    writeln!(
        out,
        "Written by `make bench`; figures of every round are in the JSON files. Each table's page says on what machine, with \
         what compilers and\nby which command it came to be, and what an operation includes. `make report` makes one page of all of it, for\na browser.\n"
    )?;
    for (place, document) in documents.iter().enumerate() {
        let name = &document.name;
        let gap = if place == 0 { "" } else { "\n" };
        writeln!(out, "{gap}## [{}]({name}.md)\n", document.title)?;
        let lines = ratio_lines(document);
        if lines.len() > 1 {
            writeln!(out, "{}", table(&[Side::Left, Side::Right], &lines))?;
        }
        if super::plot::of(document).is_some() {
            writeln!(out, "[![{}]({name}.svg)]({name}.md)\n", document.title)?;
        }
        out += &document.provenance()?;
    }
    Ok(out)
}

/// All goals in one table, for a page that says more about them.
pub(super) fn goals(documents: &[Document]) -> Result<String> {
    let mut out = format!("{}\n", tally(documents)?);
    let mut lines = vec![
        ["", "×", "than", "at least", "aim", "reached"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for document in documents {
        for mut line in goal_lines(document).into_iter().skip(1) {
            if let Some(label) = line.first_mut() {
                *label = format!("{}: {label}", document.title);
            }
            line.insert(2, rival(document, ""));
            lines.push(line);
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
fn tally(documents: &[Document]) -> Result<String> {
    let verdicts: Vec<Verdict> = documents
        .iter()
        .flat_map(markdown::goals)
        .map(|(_, _, verdict)| verdict)
        .collect();
    let count = |wanted| {
        verdicts
            .iter()
            .filter(|&&verdict| verdict == wanted)
            .count()
    };
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

/// How many times as fast each operation is as the library's that goals are about.
fn ratio_lines(document: &Document) -> Vec<Vec<String>> {
    let mut lines = vec![vec![String::new(), rival(document, "× ")]];
    for row in &document.rows {
        if let Some(ratio) = document.ratio(row) {
            lines.push(vec![row.label.clone(), ratio.times()]);
        }
    }
    lines
}

/// The name of the library that goals are about, after a word.
fn rival(document: &Document, word: &str) -> String {
    let library = document
        .rival()
        .and_then(|column| document.libraries.get(column));
    library.map_or_else(String::new, |library| format!("{word}{}", library.name))
}

fn goal_lines(document: &Document) -> Vec<Vec<String>> {
    let heading = [
        String::new(),
        rival(document, "× "),
        "at least".to_owned(),
        "aim".to_owned(),
        "reached".to_owned(),
    ];
    let mut lines = vec![heading.to_vec()];
    for (row, goal, verdict) in markdown::goals(document) {
        let ratio = document.ratio(row);
        lines.push(vec![
            row.label.clone(),
            ratio.map_or_else(String::new, |ratio| ratio.times()),
            format!("{}", goal.at_least),
            goal.aim.map_or_else(String::new, |aim| format!("{aim}")),
            verdict.word().to_owned(),
        ]);
    }
    lines
}
