//! The columns of a table that rows of signatures are in, and a part of its rows at a time.

use kuaimi_bulk::{COLUMNS, Column, Encoding, Fault, LONGEST_ROW, PlainEncoding, Setting, Table};
use kuaimi_bulk::{Values, too_long};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrow::{self, Chunks};
use super::column::{Content, rows_of};
use crate::argument::one_of;
use crate::error::Failure;

/// Rows that are worked on together: enough for a key to come often among them.
const PART: usize = 1 << 15;

/// Columns that Arrow lends, in the order of [`Column::ALL`].
pub(super) struct Columns {
    rows: usize,
    columns: [Option<Chunks>; COLUMNS],
}

impl Columns {
    /// `messages`: what a column of messages holds.
    pub(super) fn of(
        objects: [Option<&Bound<'_, PyAny>>; COLUMNS],
        messages: Content,
    ) -> Result<Self, Failure> {
        let mut columns: [Option<Chunks>; COLUMNS] = Default::default();
        for ((place, object), column) in columns.iter_mut().zip(objects).zip(Column::ALL) {
            let Some(object) = object else { continue };
            let content = match column {
                Column::Message => messages,
                _ => Content::Bytes,
            };
            let chunks = arrow::chunks(object, content)
                .map_err(|failure| match failure {
                    Failure::Type(reason) => Failure::Type(format!("{}: {reason}", column.name())),
                    other => other,
                })?
                .ok_or_else(|| {
                    let found = object.get_type();
                    Failure::Type(format!("{} is an Arrow column, not {found}", column.name()))
                })?;
            *place = Some(chunks);
        }
        let lengths: Vec<(&str, Option<usize>)> = Column::ALL
            .iter()
            .zip(&columns)
            .map(|(column, chunks)| (column.name(), chunks.as_ref().map(Chunks::len)))
            .collect();
        let rows = rows_of(&lengths)?;
        if columns.iter().all(Option::is_none) {
            return Err(Failure::Argument("no column is given".into()));
        }
        Ok(Self { rows, columns })
    }

    /// What `work` makes of all rows, a part at a time, on the threads of the pool that this runs
    /// on.
    pub(super) fn in_parts<T: Send>(&self, work: impl Fn(&Table<'_>) -> Vec<T> + Sync) -> Vec<T> {
        let parts: Vec<Vec<T>> = (0..self.rows.div_ceil(PART))
            .into_par_iter()
            .map(|part| self.part(part * PART, &work))
            .collect();
        parts.into_iter().flatten().collect()
    }

    fn part<T>(&self, from: usize, work: impl Fn(&Table<'_>) -> T) -> T {
        let rows = PART.min(self.rows - from);
        let parts: [Option<Chunks>; COLUMNS] = self
            .columns
            .each_ref()
            .map(|chunks| Some(chunks.as_ref()?.part(from, rows).read()));
        let slices: [Vec<Option<&[u8]>>; COLUMNS] = parts
            .each_ref()
            .map(|chunks| chunks.as_ref().map(Chunks::values).unwrap_or_default());
        let mut table = Table {
            rows,
            ..Table::default()
        };
        for ((values, slices), chunks) in table.columns.iter_mut().zip(&slices).zip(&parts) {
            *values = Values::Slices {
                text: chunks.as_ref().is_some_and(Chunks::are_text),
                slices,
            };
        }
        let faults = too_long_rows(rows, &slices);
        table.faults = &faults;
        work(&table)
    }
}

/// The rows that have more bytes than a row may have.
fn too_long_rows(rows: usize, columns: &[Vec<Option<&[u8]>>; COLUMNS]) -> Vec<(usize, String)> {
    let length = |value: &Option<&[u8]>| value.map_or(0, <[u8]>::len);
    let total: usize = columns.iter().flatten().map(length).sum();
    if total <= LONGEST_ROW {
        return Vec::new();
    }
    let of_row = |row: usize| -> usize {
        columns
            .iter()
            .filter_map(|column| column.get(row))
            .map(length)
            .sum()
    };
    (0..rows)
        .filter(|&row| of_row(row) > LONGEST_ROW)
        .map(|row| (row, too_long()))
        .collect()
}

/// Why a row is malformed, with the argument that settles it where one does.
pub(super) fn reason(fault: &Fault) -> String {
    let settled = match fault.setting {
        Some(Setting::Encoding(column)) => format!("; say which with {}_encoding", column.name()),
        Some(Setting::EncodingAndForm(column)) => {
            format!("; say which with {0}_encoding and {0}_form", column.name())
        }
        _ => String::new(),
    };
    format!("malformed: {fault}{settled}")
}

/// How bytes that have a structure are written, by its name.
pub(super) fn encoding(what: &str, name: &str) -> Result<Encoding, Failure> {
    let known = [
        ("auto", Encoding::Auto),
        ("hex", Encoding::Hex),
        ("base64", Encoding::Base64),
        ("binary", Encoding::Binary),
    ];
    one_of(what, name, &known)
}

/// What a column of messages holds that are written so: what is decoded is not only hashed.
pub(super) fn messages(encoding: PlainEncoding) -> Content {
    match encoding {
        PlainEncoding::Text => Content::Message,
        _ => Content::Bytes,
    }
}

/// How bytes that can be anything are written, by its name.
pub(super) fn plain_encoding(what: &str, name: &str) -> Result<PlainEncoding, Failure> {
    let known = [
        ("text", PlainEncoding::Text),
        ("hex", PlainEncoding::Hex),
        ("base64", PlainEncoding::Base64),
    ];
    one_of(what, name, &known)
}
