//! Comparisons: libraries beside each other, threads beside processes, files beside what is in
//! memory.

use super::model::{Bar, Bars, Cell, Column, Fact, Group, Heading, Part, Source, Table, Text};
use super::words::{both, fact, looked_up};
use crate::harness::environment::list;
use crate::harness::record::{Contender, Operation, Record, Run};

/// The chart of a record: for each operation a bar for each contender, as long as it is fast.
pub(super) fn chart(record: &Record) -> Vec<Part> {
    let title = title(record);
    let heading = Part::Heading(Heading {
        id: record.name.clone(),
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
        groups: record
            .operations
            .iter()
            .map(|operation| group(record, operation))
            .collect(),
    };
    vec![heading, Part::Bars(bars)]
}

pub(super) fn title(record: &Record) -> Text {
    looked_up(&record.title)
}

/// The first contender, then the others, the fastest first.
fn group(record: &Record, operation: &Operation) -> Group {
    let mut places: Vec<(usize, f64)> = (0..record.contenders.len())
        .filter_map(|place| Some((place, operation.rate(place)?)))
        .collect();
    let most = places.iter().map(|(_, rate)| *rate);
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    places.sort_by(|a, b| (a.0 > 0).cmp(&(b.0 > 0)).then(b.1.total_cmp(&a.1)));
    let bars = places.into_iter().filter_map(|(place, rate)| {
        let figure = operation.speed(place)?;
        let label = looked_up(&record.contenders.get(place)?.name);
        let tip = match (place, operation.ratio(place)) {
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
            class: if place == 0 { "ours" } else { "peer" },
            from: 0.0,
            width: rate / most * 100.0,
            mark: None,
            figure,
            tip,
        })
    });
    Group {
        title: Some(looked_up(&operation.label)),
        bars: bars.collect(),
    }
}

/// What the first contenders of a table of comparisons are called, and the others.
pub(super) struct Names {
    pub(super) ours: Text,
    pub(super) beside: Text,
}

/// A row for each operation and each contender that the first one is compared with.
pub(super) fn table(records: &[&Record], names: Names) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for record in records {
        for operation in &record.operations {
            for place in 1..record.contenders.len() {
                rows.extend(comparison(record, operation, place));
            }
        }
    }
    Table {
        caption: both(
            "×: the first figure divided by the second, formed in each round: median [least – greatest].",
            "×：前者除以后者，在每一轮之内计算：中位数 [最小 – 最大]。",
        ),
        filter: true,
        columns: vec![
            Column::choice(both("Part", "部分")),
            Column::text(both("Operation", "操作")),
            Column::number(names.ours),
            Column::choice(names.beside),
            Column::number(both("Its speed", "其速度")),
            Column::number("×".to_owned().into()),
            Column::text(both("Includes", "包含")),
        ],
        rows,
    }
}

fn comparison(record: &Record, operation: &Operation, place: usize) -> Option<Vec<Cell>> {
    let ours = operation.speed(0)?;
    let figures = operation.figures.get(place)?.as_ref()?;
    let contender = record.contenders.get(place)?;
    let ratio = operation.ratio(place);
    let includes = match &figures.failed {
        Some(error) => failed(error),
        None => looked_up(&figures.condition),
    };
    Some(vec![
        Cell {
            link: Some(source_id(&record.name)),
            ..Cell::text(title(record))
        },
        Cell::text(looked_up(&operation.label)),
        Cell::number(ours, operation.rate(0)),
        Cell::text(looked_up(&contender.name)),
        Cell::number(
            operation.speed(place).unwrap_or_default(),
            operation.rate(place),
        ),
        Cell::number(
            ratio.map_or_else(String::new, |ratio| ratio.times()),
            ratio.map(|ratio| ratio.median),
        ),
        Cell::text(includes),
    ])
}

/// Which libraries there are, and what became of each; only where one of them says so much.
pub(super) fn libraries(records: &[&Record]) -> Option<Table> {
    let most = records
        .iter()
        .max_by_key(|record| record.contenders.len())?;
    let others: Vec<&Contender> = most
        .contenders
        .iter()
        .filter(|one| one.language.is_some())
        .collect();
    let row = |library: &&Contender| {
        let status = match &library.failed {
            Some(error) => failed(error),
            None => both("measured", "已测"),
        };
        vec![
            Cell::text(library.name.clone().into()),
            Cell::text(library.language.clone().unwrap_or_default().into()),
            Cell::text(status),
        ]
    };
    (!others.is_empty()).then(|| Table {
        caption: both(
            "The libraries, and those that could not be built",
            "各库，包括未能构建者",
        ),
        filter: false,
        columns: vec![
            Column::text(both("Library", "库")),
            Column::text(both("Language", "语言")),
            Column::text(both("Status", "状态")),
        ],
        rows: others.iter().map(row).collect(),
    })
}

fn failed(error: &str) -> Text {
    both(format!("failed: {error}"), format!("失败：{error}"))
}

/// What the place on the page is called that says how a record's figures came to be.
pub(super) fn source_id(name: &str) -> String {
    format!("measured-{name}")
}

pub(super) fn source(record: &Record) -> Source {
    let contenders = record.contenders.iter().enumerate();
    let conditions = contenders.flat_map(|(place, contender)| {
        let conditions = record.conditions(place).into_iter();
        conditions.map(|(labels, condition)| Fact {
            name: joined(&contender.name, &labels),
            value: looked_up(condition),
        })
    });
    source_of(
        &record.name,
        &record.title,
        &record.run,
        conditions.collect(),
    )
}

/// How the figures of a run came to be.
pub(super) fn source_of(name: &str, title: &str, run: &Run, conditions: Vec<Fact>) -> Source {
    let environment = &run.environment;
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
    let date = environment.date.clone();
    facts.extend(date.map(|date| fact("Date", "日期", date)));
    facts.push(fact("Manner", "方式", run.manner()));
    Source {
        id: source_id(name),
        title: looked_up(title),
        command: environment.command.clone(),
        facts,
        conditions,
    }
}

/// A contender's name and the operations of a condition.
fn joined(contender: &str, labels: &[&str]) -> Text {
    let chinese: Vec<String> = labels
        .iter()
        .map(|label| looked_up(label).zh.unwrap_or_else(|| (*label).to_owned()))
        .collect();
    both(
        format!("{contender}: {}", labels.join("; ")),
        format!("{contender}：{}", chinese.join("；")),
    )
}
