//! Results, as lists or as Arrow arrays.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyIterator, PyList};

use super::arrow;
use crate::argument::one_of;
use crate::error::Failure;

/// A column of results that Arrow's consumers take without a copy: pyarrow.array(column),
/// polars.Series(column), and the like.
///
/// It is a sequence, too. Nulls are None.
///
/// >>> column = kuaimi.sm3.digest_batch([b"abc", None], output="arrow")
/// >>> len(column), column[0][:4].hex(), column[1]
/// (2, '66c7f0f4', None)
#[pyclass(frozen, sequence, module = "kuaimi")]
pub(crate) struct ArrowColumn(ArrayRef);

#[pymethods]
impl ArrowColumn {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>, Failure> {
        arrow::schema_capsule(py, &self.0)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>), Failure> {
        // A producer may give its own type where it cannot convert.
        let _ = requested_schema;
        arrow::array_capsules(py, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.len();
        let row = if index < 0 {
            length.checked_sub(index.unsigned_abs())
        } else {
            Some(index.unsigned_abs())
        };
        match row {
            Some(row) if row < length => item(py, &self.0, row),
            _ => Err(PyIndexError::new_err(format!("there are {length} rows"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    /// All values as a list.
    ///
    /// >>> kuaimi.sm3.digest_batch([None], output="arrow").to_pylist()
    /// [None]
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let items: Vec<_> = (0..self.0.len())
            .map(|row| item(py, &self.0, row))
            .collect::<PyResult<_>>()?;
        PyList::new(py, items)
    }

    /// How many values are null.
    ///
    /// >>> kuaimi.sm3.digest_batch([b"abc", None], output="arrow").null_count
    /// 1
    #[getter]
    fn null_count(&self) -> usize {
        self.0.null_count()
    }

    fn __repr__(&self) -> String {
        format!("<ArrowColumn of {} {}>", self.0.len(), self.0.data_type())
    }
}

fn item<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Boolean => array
            .as_boolean()
            .value(row)
            .into_pyobject(py)?
            .to_owned()
            .into_any(),
        DataType::Utf8 => array
            .as_string::<i32>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any()
        }
        _ => PyBytes::new(py, array.as_binary::<i32>().value(row)).into_any(),
    })
}

/// What the caller gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    List,
    Arrow,
}

impl Output {
    /// As asked for; by default, Arrow gives Arrow.
    pub(super) fn of(name: Option<&str>, arrow_came_in: bool) -> Result<Self, Failure> {
        match name {
            None if arrow_came_in => Ok(Self::Arrow),
            None => Ok(Self::List),
            Some(name) => one_of(
                "output",
                name,
                &[("list", Self::List), ("arrow", Self::Arrow)],
            ),
        }
    }

    pub(super) fn booleans<'py>(
        self,
        py: Python<'py>,
        values: &[Option<bool>],
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::List => Ok(PyList::new(py, values)?.into_any()),
            Self::Arrow => {
                let mut builder = BooleanBuilder::with_capacity(values.len());
                values
                    .iter()
                    .for_each(|value| builder.append_option(*value));
                column(py, Arc::new(builder.finish()))
            }
        }
    }

    pub(super) fn texts<'py>(
        self,
        py: Python<'py>,
        values: &[Option<String>],
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::List => Ok(PyList::new(py, values)?.into_any()),
            Self::Arrow => {
                let mut builder = StringBuilder::new();
                values
                    .iter()
                    .for_each(|value| builder.append_option(value.as_ref()));
                column(py, Arc::new(builder.finish()))
            }
        }
    }

    /// Bytes of any length, or of one.
    pub(super) fn bytes<'py, B: AsRef<[u8]>>(
        self,
        py: Python<'py>,
        values: &[Option<B>],
        width: Option<i32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values = || values.iter().map(|value| value.as_ref().map(AsRef::as_ref));
        match (self, width) {
            (Self::List, _) => {
                let values = values().map(|value| value.map(|bytes| PyBytes::new(py, bytes)));
                Ok(PyList::new(py, values)?.into_any())
            }
            (Self::Arrow, Some(width)) => {
                let mut builder = FixedSizeBinaryBuilder::with_capacity(values().len(), width);
                for value in values() {
                    match value {
                        Some(bytes) => builder.append_value(bytes).map_err(too_large)?,
                        None => builder.append_null(),
                    }
                }
                column(py, Arc::new(builder.finish()))
            }
            (Self::Arrow, None) => {
                let total: usize = values().flatten().map(<[u8]>::len).sum();
                // Arrow's Binary counts in 31 bits.
                if i32::try_from(total).is_err() {
                    return Err(too_large(
                        "more than 2 GiB in one column: give fewer rows at a time",
                    )
                    .into());
                }
                let mut builder = BinaryBuilder::with_capacity(values().len(), total);
                values().for_each(|value| builder.append_option(value));
                column(py, Arc::new(builder.finish()))
            }
        }
    }
}

fn too_large(reason: impl std::fmt::Display) -> Failure {
    Failure::Argument(reason.to_string())
}

fn column(py: Python<'_>, array: ArrayRef) -> PyResult<Bound<'_, PyAny>> {
    Ok(Bound::new(py, ArrowColumn(array))?.into_any())
}

/// What came of a row: nothing where a value is null.
pub(super) type Outcome<T> = Option<Result<T, Failure>>;

/// Does a batch of those items that can be done, and puts its results into their places. Each item
/// has a result; `missing` stands for one that had none.
pub(super) fn together<I: Copy, T, E: Into<Failure>>(
    items: Vec<Outcome<I>>,
    missing: impl Fn() -> E,
    batch: impl FnOnce(&[I]) -> Vec<Result<T, E>>,
) -> Vec<Outcome<T>> {
    let ready: Vec<I> = items
        .iter()
        .filter_map(|item| item.as_ref()?.as_ref().ok().copied())
        .collect();
    let mut results = batch(&ready).into_iter();
    let mut result = |_| {
        results
            .next()
            .unwrap_or_else(|| Err(missing()))
            .map_err(Into::into)
    };
    items
        .into_iter()
        .map(|item| Some(item?.and_then(&mut result)))
        .collect()
}

/// Whether each row is right, and the reasons why not.
pub(super) fn verdicts<'py>(
    py: Python<'py>,
    output: Output,
    outcomes: &[Outcome<()>],
    with_reasons: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let verdicts: Vec<Option<bool>> = outcomes
        .iter()
        .map(|outcome| outcome.as_ref().map(Result::is_ok))
        .collect();
    let verdicts = output.booleans(py, &verdicts)?;
    if !with_reasons {
        return Ok(verdicts);
    }
    let reasons = output.texts(py, &reasons(outcomes))?;
    Ok((verdicts, reasons).into_pyobject(py)?.into_any())
}

/// Why each row failed that did.
fn reasons<T>(outcomes: &[Outcome<T>]) -> Vec<Option<String>> {
    outcomes
        .iter()
        .map(|outcome| match outcome {
            Some(Err(failure)) => Some(failure.to_string()),
            _ => None,
        })
        .collect()
}

/// The values, or the first failure, with its row.
pub(super) fn all<T>(outcomes: Vec<Outcome<T>>) -> Result<Vec<Option<T>>, Failure> {
    outcomes
        .into_iter()
        .enumerate()
        .map(|(row, outcome)| {
            outcome.transpose().map_err(|failure| match failure {
                Failure::Sm2(kuaimi::sm2::Error::Random) => failure,
                failure => Failure::Argument(format!("row {row}: {failure}")),
            })
        })
        .collect()
}

/// Values and reasons, as the caller wants them. `width`: of values that all have it.
pub(super) fn give<'py, B: AsRef<[u8]>>(
    py: Python<'py>,
    output: Output,
    outcomes: Vec<Outcome<B>>,
    width: Option<i32>,
    with_reasons: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let reasons = with_reasons.then(|| self::reasons(&outcomes));
    let values: Vec<Option<B>> = outcomes
        .into_iter()
        .map(|outcome| outcome.and_then(Result::ok))
        .collect();
    let values = output.bytes(py, &values, width)?;
    match reasons {
        None => Ok(values),
        Some(reasons) => Ok((values, output.texts(py, &reasons)?)
            .into_pyobject(py)?
            .into_any()),
    }
}
