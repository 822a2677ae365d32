//! Many libraries beside each other, as `make bench-peers` writes them to `peers.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use super::PEERS;
use super::documents::source_id;
use super::model::{Bar, Bars, Cell, Column, Fact, Group, Heading, Part, Source, Table, Text};
use super::words::{both, fact, looked_up};
use crate::report::thousands;

#[derive(Deserialize)]
pub(super) struct Peers {
    #[serde(default)]
    machine: Value,
    #[serde(default)]
    sections: Vec<Section>,
    /// All that were asked for, also those that could not be built.
    #[serde(default)]
    peers: Vec<Library>,
    /// How it was measured, and whatever else the file tells of that.
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Section {
    name: String,
    #[serde(default)]
    operations: Vec<Operation>,
}

#[derive(Deserialize)]
struct Operation {
    name: String,
    unit: String,
    #[serde(default)]
    conditions: String,
    #[serde(default)]
    threads: Option<u64>,
    #[serde(default)]
    keys: Option<u64>,
    kuaimi: Figure,
    #[serde(default)]
    peers: Vec<Peer>,
    /// Those that have the operation, but not so that it could be measured.
    #[serde(default)]
    failed: Vec<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    name: String,
    error: String,
}

#[derive(Deserialize)]
struct Figure {
    value: f64,
}

#[derive(Deserialize)]
struct Peer {
    name: String,
    #[serde(default)]
    version: String,
    value: f64,
    ratio: Quartiles,
}

/// How many times as fast Kuaimi is.
#[derive(Deserialize)]
struct Quartiles {
    q1: f64,
    median: f64,
    q3: f64,
}

#[derive(Deserialize)]
struct Library {
    name: String,
    /// What it is called elsewhere.
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    language: String,
    status: String,
    #[serde(default)]
    error: Option<String>,
}

/// The figures that a folder has.
pub(super) fn read(folder: &Path) -> Result<Option<Peers>> {
    let path = folder.join(PEERS);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let read = serde_json::from_str(&text);
    Ok(Some(read.with_context(|| {
        format!(
            "{} has no peers of this program: measure again, or move it away",
            path.display()
        )
    })?))
}

impl Peers {
    /// Rows of the table of comparisons.
    pub(super) fn rows(&self) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        for section in &self.sections {
            for operation in &section.operations {
                let row = |beside: String, speed: Cell, ratio: Cell, includes: Text| {
                    let ours = operation.kuaimi.value;
                    let threads = operation.threads.map(|threads| threads.to_string());
                    vec![
                        Cell {
                            link: Some(source_id(PEERS)),
                            ..Cell::text(looked_up(&section.name.to_uppercase()))
                        },
                        Cell::text(looked_up(&operation.name)),
                        Cell::number(self::speed(operation, ours), Some(ours)),
                        Cell::text(beside.into()),
                        speed,
                        ratio,
                        Cell::number(
                            threads.unwrap_or_default(),
                            operation.threads.map(|threads| threads as f64),
                        ),
                        Cell::text(includes),
                    ]
                };
                rows.extend(operation.peers.iter().map(|peer| {
                    row(
                        self.name(&peer.name, &peer.version),
                        Cell::number(speed(operation, peer.value), Some(peer.value)),
                        Cell::number(peer.ratio.times(), Some(peer.ratio.median)),
                        conditions(operation),
                    )
                }));
                rows.extend(operation.failed.iter().map(|failure| {
                    row(
                        self.name(&failure.name, ""),
                        Cell::number("", None),
                        Cell::number("", None),
                        failed(&failure.error),
                    )
                }));
            }
        }
        rows
    }

    /// A library as it is called elsewhere, and its version.
    fn name(&self, name: &str, version: &str) -> String {
        let known = self.peers.iter().find(|library| library.name == name);
        let title = known.and_then(|library| library.title.as_deref());
        format!("{} {version}", title.unwrap_or(name))
            .trim_end()
            .to_owned()
    }

    pub(super) fn charts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for section in &self.sections {
            let title = section.name.to_uppercase();
            parts.push(Part::Heading(Heading {
                id: format!("peers-{}", section.name),
                title: both(
                    format!("{title}, all libraries"),
                    format!("{title}，全部库"),
                ),
                about: Text::default(),
            }));
            parts.push(Part::Bars(Bars {
                title: both(
                    format!("{title}: speed; the fastest of an operation fills the line"),
                    format!("{title}：速度，每项操作以最快者为满格"),
                ),
                legend: Vec::new(),
                ticks: Vec::new(),
                groups: section
                    .operations
                    .iter()
                    .map(|operation| self.group(operation))
                    .collect(),
            }));
        }
        parts
    }

    /// Which libraries there are, and what became of each.
    pub(super) fn libraries(&self) -> Option<Table> {
        let row = |library: &Library| {
            let status = match (library.status.as_str(), &library.error) {
                ("ok", _) => both("measured", "已测"),
                (_, Some(error)) => failed(error),
                (status, None) => status.to_owned().into(),
            };
            vec![
                Cell::text(self.name(&library.name, "").into()),
                Cell::text(library.version.clone().unwrap_or_default().into()),
                Cell::text(library.language.clone().into()),
                Cell::text(status),
            ]
        };
        (!self.peers.is_empty()).then(|| Table {
            caption: both(
                "The libraries, and those that could not be built",
                "各库，包括未能构建者",
            ),
            filter: false,
            columns: vec![
                Column::text(both("Library", "库")),
                Column::text(both("Version", "版本")),
                Column::text(both("Language", "语言")),
                Column::text(both("Status", "状态")),
            ],
            rows: self.peers.iter().map(row).collect(),
        })
    }

    fn group(&self, operation: &Operation) -> Group {
        let most = operation
            .peers
            .iter()
            .map(|peer| peer.value)
            .fold(operation.kuaimi.value, f64::max);
        let bar = |label: Text, class, value: f64, tip: Text| Bar {
            label,
            class,
            from: 0.0,
            width: (value / most * 100.0).clamp(0.0, 100.0),
            mark: None,
            figure: speed(operation, value),
            tip,
        };
        let figure = speed(operation, operation.kuaimi.value);
        let mut bars = vec![bar(
            both("Kuaimi", "快密"),
            "ours",
            operation.kuaimi.value,
            figure.into(),
        )];
        let mut peers: Vec<&Peer> = operation.peers.iter().collect();
        peers.sort_by(|a, b| b.value.total_cmp(&a.value));
        for peer in peers {
            let name = self.name(&peer.name, &peer.version);
            let times = peer.ratio.times();
            let tip = both(
                format!(
                    "{name}: {}; Kuaimi is {times} × as fast",
                    speed(operation, peer.value)
                ),
                format!(
                    "{name}：{}；快密为其 {times} 倍",
                    speed(operation, peer.value)
                ),
            );
            bars.push(bar(name.into(), "peer", peer.value, tip));
        }
        let name = looked_up(&operation.name);
        let about = conditions(operation);
        let with = |name: &str, about: &str| {
            if about.is_empty() {
                name.to_owned()
            } else {
                format!("{name} ({about})")
            }
        };
        Group {
            title: Some(both(
                with(&name.en, &about.en),
                with(
                    name.zh.as_ref().unwrap_or(&name.en),
                    about.zh.as_ref().unwrap_or(&about.en),
                ),
            )),
            bars,
        }
    }

    pub(super) fn source(&self) -> Source {
        let mut facts: Vec<Fact> = match &self.machine {
            Value::Null => Vec::new(),
            machine => vec![fact("Machine", "机器", words(machine))],
        };
        let mut command = None;
        for (name, value) in &self.rest {
            // Fields of what says how it was measured stand for themselves.
            let fields = match value {
                Value::Object(fields) => fields.iter().collect(),
                value => vec![(name, value)],
            };
            for (name, value) in fields {
                if name == "command" {
                    command = value.as_str();
                } else if !value.is_null() {
                    facts.push(Fact {
                        name: looked_up(name),
                        value: words(value).into(),
                    });
                }
            }
        }
        let command = command.unwrap_or("make bench-peers");
        Source {
            id: source_id(PEERS),
            title: both("All libraries", "全部库"),
            command: command.to_owned(),
            facts,
            conditions: Vec::new(),
        }
    }
}

impl Quartiles {
    fn times(&self) -> String {
        format!("{:.2} [{:.2} – {:.2}]", self.median, self.q1, self.q3)
    }
}

fn failed(error: &str) -> Text {
    both(format!("failed: {error}"), format!("失败：{error}"))
}

fn conditions(operation: &Operation) -> Text {
    let (mut en, mut zh) = (Vec::new(), Vec::new());
    if !operation.conditions.is_empty() {
        let text = looked_up(&operation.conditions);
        zh.push(text.zh.unwrap_or_else(|| text.en.clone()));
        en.push(text.en);
    }
    if let Some(threads) = operation.threads {
        en.push(format!(
            "{threads} thread{}",
            if threads == 1 { "" } else { "s" }
        ));
        zh.push(format!("{threads} 线程"));
    }
    if let Some(keys) = operation.keys {
        en.push(format!("{keys} key{}", if keys == 1 { "" } else { "s" }));
        zh.push(format!("{keys} 个密钥"));
    }
    both(en.join(", "), zh.join("，"))
}

fn speed(operation: &Operation, value: f64) -> String {
    let unit = if operation.unit == "operations/s" {
        "/s"
    } else {
        &operation.unit
    };
    let figure = if value < 100.0 {
        format!("{value:.1}")
    } else {
        thousands(value)
    };
    format!("{figure} {unit}")
}

/// What a value of JSON says, as a line.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", words(value)));
            fields.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}
