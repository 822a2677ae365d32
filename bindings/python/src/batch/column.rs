//! A column: one value for all rows, a list, a NumPy array of values of one width, or anything with
//! Arrow's PyCapsule interface.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use rayon::prelude::*;

use super::arrow::{self, Chunks};
use crate::argument::Identity;
use crate::bytes::{Input, contiguous, slice};
use crate::error::Failure;

/// What lends the values.
pub(super) enum Column {
    One(Option<Identity>),
    List(Vec<Option<Identity>>),
    /// Values of one width, one after another.
    Fixed {
        buffer: PyUntypedBuffer,
        rows: usize,
        width: usize,
        content: Content,
    },
    Arrow(Chunks),
}

/// A column that is being read: what is decided by its values is decided by copies of them, as
/// others may change the memory that is lent.
pub(super) enum Read<'a> {
    /// Objects that have bytes of their own, or messages.
    Lent(&'a Column),
    Fixed {
        bytes: Vec<u8>,
        rows: usize,
        width: usize,
    },
    Arrow(Chunks),
}

/// The values of a column. Nothing here needs the interpreter.
pub(super) enum Values<'a> {
    One(Option<&'a [u8]>),
    Many(Vec<Option<&'a [u8]>>),
}

impl<'a> Values<'a> {
    pub(super) fn get(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::One(value) => *value,
            Self::Many(values) => values.get(row).copied().flatten(),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Messages that are hashed, each once, and nothing else: they are not copied.
    Message,
    Bytes,
    /// Text stands for its UTF-8.
    BytesOrText,
}

impl Column {
    pub(super) fn of(
        name: &str,
        object: &Bound<'_, PyAny>,
        content: Content,
    ) -> Result<Self, Failure> {
        let py = object.py();
        if object.is_none() {
            return Ok(Self::One(None));
        }
        if let Ok(list) = object.cast::<PyList>() {
            return list.iter().enumerate().map(cell(name, content)).collect();
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return tuple.iter().enumerate().map(cell(name, content)).collect();
        }
        if let Some(chunks) = arrow::chunks(object, content)? {
            return Ok(Self::Arrow(chunks));
        }
        if object.hasattr(intern!(py, "dtype"))? && object.hasattr(intern!(py, "shape"))? {
            return Self::of_numpy(name, object, content);
        }
        if let Ok(value) = value(object, content) {
            return Ok(Self::One(Some(value)));
        }
        match object.try_iter() {
            Ok(items) if !object.is_instance_of::<PyString>() => {
                let cell = cell(name, content);
                items
                    .enumerate()
                    .map(|(row, item)| cell((row, item?)))
                    .collect()
            }
            _ => {
                let found = object.get_type();
                Err(Failure::Type(format!(
                    "{name} is a value, a list, a NumPy array or an Arrow array of bytes, not {found}"
                )))
            }
        }
    }

    /// An array of fixed-width bytes (dtype `S` or `V`), or one of `uint8` with a row for each
    /// value. NumPy's `S` does not tell trailing zeros from none: all bytes of the width count.
    fn of_numpy(name: &str, array: &Bound<'_, PyAny>, content: Content) -> Result<Self, Failure> {
        let py = array.py();
        let dtype = array.getattr(intern!(py, "dtype"))?;
        let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
        let shape: Vec<usize> = array.getattr(intern!(py, "shape"))?.extract()?;
        let item_size: usize = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
        let (rows, width) = match (kind.as_str(), shape.as_slice()) {
            ("O", [_]) => {
                let list = array.call_method0(intern!(py, "tolist"))?;
                return Self::of(name, &list, content);
            }
            ("V", [rows]) => (*rows, item_size),
            ("S", [_]) => {
                return Err(Failure::Type(format!(
                    "{name} is a NumPy array of dtype {dtype}, which fills short values with zeros and cannot tell them from a value's own: give {name}.view(\"V{item_size}\") where all bytes count, or {name}.tolist(), which drops zeros at the end"
                )));
            }
            ("u", [rows, width]) if item_size == 1 => (*rows, *width),
            _ => {
                return Err(Failure::Type(format!(
                    "{name} is a NumPy array of bytes (dtype V with one dimension, or uint8 with two), not of {dtype} with the shape {shape:?}"
                )));
            }
        };
        let contiguous_array = py
            .import(intern!(py, "numpy"))?
            .call_method1(intern!(py, "ascontiguousarray"), (array,))?
            .call_method1(intern!(py, "view"), ("u1",))?;
        let buffer = contiguous(&contiguous_array)?;
        listable(rows)?;
        if Some(buffer.len_bytes()) != rows.checked_mul(width) {
            return Err(Failure::Format(format!(
                "{name} has another size than its shape says"
            )));
        }
        Ok(Self::Fixed {
            buffer,
            rows,
            width,
            content,
        })
    }

    /// How many rows it has; none where one value is for all.
    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::List(items) => Some(items.len()),
            Self::Fixed { rows, .. } => Some(*rows),
            Self::Arrow(chunks) => Some(chunks.len()),
        }
    }

    pub(super) fn is_arrow(&self) -> bool {
        matches!(self, Self::Arrow(_))
    }

    /// Copies what is to be copied, on the threads of the pool that this runs on.
    pub(super) fn read(&self) -> Read<'_> {
        match self {
            Self::Fixed {
                buffer,
                rows,
                width,
                content,
            } if *content != Content::Message => Read::Fixed {
                bytes: copied(slice(buffer)),
                rows: *rows,
                width: *width,
            },
            Self::Arrow(chunks) => Read::Arrow(chunks.read()),
            column => Read::Lent(column),
        }
    }
}

impl Read<'_> {
    pub(super) fn values(&self) -> Values<'_> {
        match self {
            Self::Lent(Column::One(value)) => Values::One(value.as_deref()),
            Self::Lent(Column::List(items)) => {
                Values::Many(items.iter().map(Option::as_deref).collect())
            }
            Self::Lent(Column::Fixed {
                buffer,
                rows,
                width,
                ..
            }) => fixed(slice(buffer), *rows, *width),
            Self::Fixed { bytes, rows, width } => fixed(bytes, *rows, *width),
            Self::Lent(Column::Arrow(chunks)) | Self::Arrow(chunks) => {
                Values::Many(chunks.values())
            }
        }
    }
}

fn fixed(bytes: &[u8], rows: usize, width: usize) -> Values<'_> {
    let row = |row: usize| bytes.get(row * width..(row + 1) * width);
    Values::Many((0..rows).map(row).collect())
}

/// A copy, by all threads of the pool where it is large.
pub(super) fn copied(bytes: &[u8]) -> Vec<u8> {
    const SHARE: usize = 1 << 20;
    if bytes.len() <= SHARE {
        return bytes.to_vec();
    }
    let mut copy = vec![0; bytes.len()];
    copy.par_chunks_mut(SHARE)
        .zip(bytes.par_chunks(SHARE))
        .for_each(|(copy, bytes)| copy.copy_from_slice(bytes));
    copy
}

impl FromIterator<Option<Identity>> for Column {
    fn from_iter<I: IntoIterator<Item = Option<Identity>>>(items: I) -> Self {
        Self::List(items.into_iter().collect())
    }
}

fn value(object: &Bound<'_, PyAny>, content: Content) -> PyResult<Identity> {
    match content {
        Content::Message | Content::Bytes => object.extract::<Input>().map(Identity::Bytes),
        Content::BytesOrText => object.extract(),
    }
}

/// Reads an item of a list.
fn cell<'py>(
    name: &str,
    content: Content,
) -> impl Fn((usize, Bound<'py, PyAny>)) -> Result<Option<Identity>, Failure> {
    move |(row, item)| {
        if item.is_none() {
            return Ok(None);
        }
        value(&item, content).map(Some).map_err(|error| {
            let py = item.py();
            Failure::Type(format!("{name}[{row}]: {}", error.value(py)))
        })
    }
}

/// Refuses more rows than can be listed with what becomes of each. A list is in memory already; but
/// a column of nulls, or of values without bytes, takes no memory of its own, so it may have any
/// number of rows.
pub(super) fn listable(rows: usize) -> PyResult<()> {
    Vec::<[u8; 64]>::new()
        .try_reserve_exact(rows)
        .map_err(|_| PyMemoryError::new_err(format!("there is no memory for {rows} rows")))
}

/// How many rows the columns have, which must be as many in each that is not one value for all.
pub(super) fn rows_of(columns: &[(&str, Option<usize>)]) -> Result<usize, Failure> {
    let mut found: Option<(&str, usize)> = None;
    for (name, rows) in columns {
        match (found, rows) {
            (Some((first, expected)), Some(rows)) if expected != *rows => {
                return Err(Failure::Argument(format!(
                    "{first} has {expected} rows and {name} has {rows}: give as many of each, or one value for all"
                )));
            }
            (None, Some(rows)) => found = Some((name, *rows)),
            _ => {}
        }
    }
    Ok(found.map_or(1, |(_, rows)| rows))
}
