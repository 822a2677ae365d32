//! The page of all documents: which goals are reached, the plots, and where to read more.

use std::fmt::Write as _;

use anyhow::Result;

use super::markdown::{Side, goals, table};
use super::{Document, Verdict};

pub(super) fn page(documents: &[Document]) -> Result<String> {
    let mut out = String::from("# Kuaimi, measured\n\n");
    writeln!(
        out,
        "Written by `make bench`; figures of every round are in the JSON files. Each table's page says on what machine, with \
         what compilers and\nby which command it came to be, and what an operation includes.\n"
    )?;
    out += &tally(documents)?;
    for document in documents {
        let name = &document.name;
        writeln!(out, "\n## [{}]({name}.md)\n", document.title)?;
        let lines = goal_lines(document);
        if lines.len() > 1 {
            let sides = [
                Side::Left,
                Side::Right,
                Side::Right,
                Side::Right,
                Side::Left,
            ];
            writeln!(out, "{}", table(&sides, &lines))?;
        }
        if super::plot::of(document).is_some() {
            writeln!(out, "[![{}]({name}.svg)]({name}.md)\n", document.title)?;
        }
        out += &document.provenance()?;
    }
    Ok(out)
}

/// How many goals became what.
fn tally(documents: &[Document]) -> Result<String> {
    let verdicts: Vec<Verdict> = documents
        .iter()
        .flat_map(goals)
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
        "Of {} goals that were measured, {} reach their aim, {} reach what is asked at least, {} reach neither.",
        verdicts.len(),
        count(Verdict::Aim),
        count(Verdict::AtLeast),
        count(Verdict::Missed)
    )?;
    Ok(out)
}

fn goal_lines(document: &Document) -> Vec<Vec<String>> {
    let rival = document
        .rival()
        .and_then(|column| document.libraries.get(column));
    let heading = [
        String::new(),
        rival.map_or_else(String::new, |rival| format!("× {}", rival.name)),
        "at least".to_owned(),
        "aim".to_owned(),
        "reached".to_owned(),
    ];
    let mut lines = vec![heading.to_vec()];
    for (row, goal, verdict) in goals(document) {
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
