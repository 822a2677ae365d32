//! What the template is given: everything that is to be seen, worded and scaled.

use serde::Serialize;

/// A text in English, and in Chinese where there is a translation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Text {
    pub(super) en: String,
    pub(super) zh: Option<String>,
}

/// The whole page.
#[derive(Serialize)]
pub(super) struct Page {
    pub(super) sections: Vec<Section>,
    /// How the figures came to be.
    pub(super) sources: Vec<Source>,
}

/// A part of the page with a heading.
#[derive(Serialize)]
pub(super) struct Section {
    pub(super) id: String,
    pub(super) title: Text,
    pub(super) about: Vec<Text>,
    pub(super) parts: Vec<Part>,
}

/// A chart, a table, or a smaller heading.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Heading(Heading),
    Bars(Bars),
    Points(Points),
    Table(Table),
}

#[derive(Serialize)]
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) title: Text,
    pub(super) about: Text,
}

/// A table that is sorted and filtered by the reader.
#[derive(Serialize)]
pub(super) struct Table {
    pub(super) caption: Text,
    /// Whether there are fields to filter by.
    pub(super) filter: bool,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
}

#[derive(Serialize)]
pub(super) struct Column {
    pub(super) title: Text,
    /// Sorted as numbers, the greatest first.
    pub(super) number: bool,
    /// Whether one of its values may be chosen, to see its rows alone.
    pub(super) choice: bool,
}

#[derive(Default, Serialize)]
pub(super) struct Cell {
    pub(super) text: Text,
    /// What a number is sorted by.
    pub(super) value: Option<f64>,
    /// The part of the page that it points to.
    pub(super) link: Option<String>,
}

/// Bars from left to right, one a line. Places are percentages of the chart's width.
#[derive(Serialize)]
pub(super) struct Bars {
    pub(super) title: Text,
    pub(super) legend: Vec<Legend>,
    pub(super) ticks: Vec<Tick>,
    pub(super) groups: Vec<Group>,
}

#[derive(Serialize)]
pub(super) struct Group {
    pub(super) title: Option<Text>,
    pub(super) bars: Vec<Bar>,
}

#[derive(Serialize)]
pub(super) struct Bar {
    pub(super) label: Text,
    pub(super) class: &'static str,
    pub(super) from: f64,
    pub(super) width: f64,
    /// Where a diamond is.
    pub(super) mark: Option<f64>,
    pub(super) figure: String,
    /// What is shown while one points at it.
    pub(super) tip: Text,
}

#[derive(Serialize)]
pub(super) struct Legend {
    pub(super) class: &'static str,
    pub(super) text: Text,
}

#[derive(Serialize)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

/// Points over two axes, joined by lines where they are a series. Places are percentages from the
/// left and from the top.
#[derive(Serialize)]
pub(super) struct Points {
    pub(super) title: Text,
    pub(super) x: Text,
    pub(super) y: Text,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) legend: Vec<Legend>,
    pub(super) series: Vec<Series>,
}

#[derive(Serialize)]
pub(super) struct Series {
    pub(super) joined: bool,
    pub(super) points: Vec<Point>,
}

#[derive(Serialize)]
pub(super) struct Point {
    pub(super) class: &'static str,
    pub(super) x: f64,
    pub(super) y: f64,
    /// What stands beside it where there is room and no line.
    pub(super) label: String,
    pub(super) tip: String,
}

/// A run: machine, compilers, command.
#[derive(Serialize)]
pub(super) struct Source {
    pub(super) id: String,
    pub(super) title: Text,
    pub(super) command: String,
    pub(super) facts: Vec<Fact>,
    /// What an operation includes, by library.
    pub(super) conditions: Vec<Fact>,
}

#[derive(Serialize)]
pub(super) struct Fact {
    pub(super) name: Text,
    pub(super) value: Text,
}

impl Column {
    pub(super) fn text(title: Text) -> Self {
        Self {
            title,
            number: false,
            choice: false,
        }
    }

    pub(super) fn choice(title: Text) -> Self {
        Self {
            title,
            number: false,
            choice: true,
        }
    }

    pub(super) fn number(title: Text) -> Self {
        Self {
            title,
            number: true,
            choice: false,
        }
    }
}

impl Cell {
    pub(super) fn text(text: Text) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    pub(super) fn number(text: impl Into<String>, value: Option<f64>) -> Self {
        Self {
            text: text.into().into(),
            value,
            link: None,
        }
    }
}

/// What is the same in all languages: figures, names.
impl From<String> for Text {
    fn from(en: String) -> Self {
        Self { en, zh: None }
    }
}
