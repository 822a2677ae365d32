//! Comparisons: libraries beside each other, threads beside processes, files beside what is in memory.

use super::model::{Bar, Bars, Cell, Column, Fact, Group, Heading, Part, Source, Table, Text};
use super::words::{both, fact, looked_up};
use crate::environment::{Environment, list};
use crate::report::{Document, Row};

/// The chart of a document: for each operation a bar for each column, as long as it is fast.
pub(super) fn chart(document: &Document) -> Vec<Part> {
    let title = title(document);
    let heading = Part::Heading(Heading {
        id: document.name.clone(),
        title: title.clone(),
        about: Text::default(),
    });
    let bars = Bars {
        title: both(
            format!(
                "{}: speed; the fastest of an operation fills the line",
                title.en
            ),
            format!(
                "{}：速度，每项操作以最快者为满格",
                title.zh.as_ref().unwrap_or(&title.en)
            ),
        ),
        legend: Vec::new(),
        ticks: Vec::new(),
        groups: document
            .rows
            .iter()
            .map(|row| group(document, row))
            .collect(),
    };
    vec![heading, Part::Bars(bars)]
}

pub(super) fn title(document: &Document) -> Text {
    looked_up(&document.title)
}

fn group(document: &Document, row: &Row) -> Group {
    let middle = |column| middle(row.rates(column));
    let columns = 0..document.libraries.len();
    let most = columns
        .clone()
        .filter_map(middle)
        .fold(f64::MIN_POSITIVE, f64::max);
    let bars = columns
        .zip(&document.libraries)
        .filter_map(|(column, library)| {
            let rate = middle(column)?;
            let figure = row.speed(column)?;
            let label = looked_up(&library.name);
            let tip = match (column, row.ratio(column)) {
                (1.., Some(ratio)) => both(
                    format!("{}: {figure}; 1st bar ÷ this: {}", label.en, ratio.times()),
                    format!(
                        "{}：{figure}；首条 ÷ 本条：{}",
                        label.zh.as_ref().unwrap_or(&label.en),
                        ratio.times()
                    ),
                ),
                _ => format!("{}: {figure}", label.en).into(),
            };
            Some(Bar {
                label,
                class: if column == 0 { "ours" } else { "peer" },
                from: 0.0,
                width: rate / most * 100.0,
                mark: None,
                figure,
                tip,
            })
        });
    Group {
        title: Some(looked_up(&row.label)),
        bars: bars.collect(),
    }
}

/// The figure in the middle of all rounds.
pub(super) fn middle(figures: &[f64]) -> Option<f64> {
    crate::report::Spread::of(figures).map(|spread| spread.median)
}

/// What the first column of a table of comparisons is called, and the second.
pub(super) struct Names {
    pub(super) ours: Text,
    pub(super) beside: Text,
}

/// A row for each operation and each column that the first one is compared with.
pub(super) fn table(documents: &[&Document], names: Names, others: Vec<Vec<Cell>>) -> Table {
    let mut rows: Vec<Vec<Cell>> = others;
    for document in documents {
        for row in &document.rows {
            for column in 1..document.libraries.len() {
                rows.extend(comparison(document, row, column));
            }
        }
    }
    Table {
        caption: both(
            "×: the first figure divided by the second, formed in each round: median [least – greatest, or quartiles].",
            "×：前者除以后者，在每一轮之内计算：中位数 [最小 – 最大，或四分位数]。",
        ),
        filter: true,
        columns: vec![
            Column::choice(both("Part", "部分")),
            Column::text(both("Operation", "操作")),
            Column::number(names.ours),
            Column::choice(names.beside),
            Column::number(both("Its speed", "其速度")),
            Column::number("×".to_owned().into()),
            Column::number(both("Threads", "线程")),
            Column::text(both("Includes", "包含")),
        ],
        rows,
    }
}

fn comparison(document: &Document, row: &Row, column: usize) -> Option<Vec<Cell>> {
    let (ours, other) = (row.speed(0)?, row.speed(column)?);
    let ratio = row.ratio(column)?;
    let library = document.libraries.get(column)?;
    let condition = row.cells.get(column)?.as_ref()?;
    let threads = if document.core.is_some() { "1" } else { "" };
    Some(vec![
        Cell {
            link: Some(source_id(&document.name)),
            ..Cell::text(title(document))
        },
        Cell::text(looked_up(&row.label)),
        Cell::number(ours, middle(row.rates(0))),
        Cell::text(looked_up(&library.name)),
        Cell::number(other, middle(row.rates(column))),
        Cell::number(ratio.times(), Some(ratio.median)),
        Cell::number(threads, threads.parse().ok()),
        Cell::text(looked_up(&condition.condition)),
    ])
}

/// What the place on the page is called that says how a document's figures came to be.
pub(super) fn source_id(name: &str) -> String {
    format!("measured-{name}")
}

pub(super) fn source(document: &Document) -> Source {
    let environment = &document.environment;
    let mut facts = machine(environment);
    facts.push(fact("Manner", "方式", document.manner()));
    let columns = document.libraries.iter().enumerate();
    let conditions = columns.flat_map(|(column, library)| {
        let conditions = document.conditions_of(column).into_iter();
        conditions.map(|(labels, condition)| Fact {
            name: joined(&library.name, &labels),
            value: looked_up(condition),
        })
    });
    Source {
        id: source_id(&document.name),
        title: title(document),
        command: environment.command.clone(),
        facts,
        conditions: conditions.collect(),
    }
}

/// A library's name and the operations of a condition.
fn joined(library: &str, labels: &[&str]) -> Text {
    let chinese: Vec<String> = labels
        .iter()
        .map(|label| looked_up(label).zh.unwrap_or_else(|| (*label).to_owned()))
        .collect();
    both(
        format!("{library}: {}", labels.join("; ")),
        format!("{library}：{}", chinese.join("；")),
    )
}

fn machine(environment: &Environment) -> Vec<Fact> {
    let mut facts = vec![
        fact("Machine", "机器", environment.machine()),
        fact("Compilers", "编译器", list(&environment.compilers)),
        fact(
            "Kuaimi's implementations",
            "快密所用实现",
            list(&environment.backends),
        ),
        fact("Commit", "提交", environment.commit.clone()),
    ];
    facts.extend(
        environment
            .date
            .clone()
            .map(|date| fact("Date", "日期", date)),
    );
    facts
}
