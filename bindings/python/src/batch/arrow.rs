//! Arrow's C data interface through its PyCapsules: arrays and streams of arrays come in, arrays go out, and no value is copied.

use std::ffi::CStr;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{GenericBinaryType, GenericStringType};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, make_array};
use arrow_schema::DataType;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::column::listable;
use crate::error::Failure;

/// The chunks of a column. They keep the memory that was lent.
pub(super) struct Chunks(Vec<ArrayRef>);

fn malformed(error: impl std::fmt::Display) -> Failure {
    Failure::Format(format!("the Arrow array is malformed: {error}"))
}

/// The column of an object that lends one, or none if it does not.
pub(super) fn chunks(object: &Bound<'_, PyAny>) -> Result<Option<Chunks>, Failure> {
    let py = object.py();
    let chunks = if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        let pair = object.call_method0(intern!(py, "__arrow_c_array__"))?;
        vec![array(&pair)?]
    } else if object.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let capsule = object.call_method0(intern!(py, "__arrow_c_stream__"))?;
        stream(&capsule)?
    } else {
        return Ok(None);
    };
    for chunk in &chunks {
        supported(chunk.data_type())?;
    }
    let chunks = Chunks(chunks);
    listable(chunks.len())?;
    Ok(Some(chunks))
}

/// Takes the structure out of a capsule of this name, and leaves an empty one there.
#[allow(unsafe_code, reason = "a capsule holds a pointer")]
fn take<T>(object: &Bound<'_, PyAny>, name: &CStr, empty: T) -> Result<T, Failure> {
    let capsule = object.cast::<PyCapsule>().map_err(PyErr::from)?;
    let mut pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: Arrow's PyCapsule interface gives each name one structure, aligned and initialized, which lives as long as the capsule.
    // Only the program that asked for the capsule uses it, and a consumer moves the structure out of it.
    Ok(std::mem::replace(unsafe { pointer.as_mut() }, empty))
}

#[allow(unsafe_code, reason = "the C data interface trusts its producer")]
fn array(pair: &Bound<'_, PyAny>) -> Result<ArrayRef, Failure> {
    let pair = pair.cast::<PyTuple>().map_err(PyErr::from)?;
    let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
    let array = take(&array, c"arrow_array", FFI_ArrowArray::empty())?;
    if array.is_released() {
        return Err(malformed("it was given away before"));
    }
    let schema = take(&schema, c"arrow_schema", FFI_ArrowSchema::empty())?;
    // SAFETY: the two capsules are what an object gave for one array, which the interface says fit each other. What is checked
    // below is what can be: offsets and lengths.
    let mut data = unsafe { from_ffi(array, &schema) }.map_err(malformed)?;
    data.align_buffers();
    data.validate_full().map_err(malformed)?;
    Ok(make_array(data))
}

fn stream(capsule: &Bound<'_, PyAny>) -> Result<Vec<ArrayRef>, Failure> {
    let stream = take(
        capsule,
        c"arrow_array_stream",
        FFI_ArrowArrayStream::empty(),
    )?;
    let reader = ArrayStreamReader::try_new(stream).map_err(malformed)?;
    let mut chunks = Vec::new();
    for chunk in reader {
        let chunk = chunk.map_err(malformed)?;
        chunk.to_data().validate_full().map_err(malformed)?;
        chunks.push(chunk);
    }
    Ok(chunks)
}

/// Whether a column of this type has bytes.
fn supported(kind: &DataType) -> Result<(), Failure> {
    match kind {
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Null => Ok(()),
        DataType::Dictionary(_, values) => supported(values),
        other => Err(Failure::Type(format!(
            "an Arrow column of bytes or text is expected, not of {other}: cast it, or choose a column of the table"
        ))),
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

impl Chunks {
    pub(super) fn len(&self) -> usize {
        self.0
            .iter()
            .fold(0, |rows, chunk| rows.saturating_add(chunk.len()))
    }

    /// Whether the values are text.
    pub(super) fn are_text(&self) -> bool {
        self.0.iter().any(|chunk| is_text(chunk.data_type()))
    }

    /// So many rows from a place on, which are not copied.
    pub(super) fn part(&self, mut from: usize, mut rows: usize) -> Self {
        let mut parts = Vec::new();
        for chunk in &self.0 {
            let length = rows.min(chunk.len().saturating_sub(from));
            if length > 0 {
                parts.push(chunk.slice(from, length));
            }
            from = from.saturating_sub(chunk.len());
            rows -= length;
        }
        Self(parts)
    }

    /// All values, in their order.
    pub(super) fn values(&self) -> Vec<Option<&[u8]>> {
        let mut out = Vec::with_capacity(self.len());
        for chunk in &self.0 {
            push(chunk, &mut out);
        }
        out
    }
}

fn push<'a>(chunk: &'a dyn Array, out: &mut Vec<Option<&'a [u8]>>) {
    match chunk.data_type() {
        DataType::Binary => push_binary::<i32>(chunk, out),
        DataType::LargeBinary => push_binary::<i64>(chunk, out),
        DataType::Utf8 => push_text::<i32>(chunk, out),
        DataType::LargeUtf8 => push_text::<i64>(chunk, out),
        DataType::BinaryView => out.extend(chunk.as_binary_view().iter()),
        DataType::Utf8View => out.extend(text(chunk.as_string_view().iter())),
        DataType::FixedSizeBinary(_) => out.extend(chunk.as_fixed_size_binary().iter()),
        DataType::Dictionary(..) => {
            let dictionary = chunk.as_any_dictionary();
            let mut values = Vec::with_capacity(dictionary.values().len());
            push(dictionary.values(), &mut values);
            let keys = dictionary.keys();
            let normalized = if values.is_empty() {
                vec![0; keys.len()]
            } else {
                dictionary.normalized_keys()
            };
            out.extend(normalized.into_iter().enumerate().map(|(row, key)| {
                let key = keys.is_valid(row).then_some(key)?;
                values.get(key).copied().flatten()
            }));
        }
        // `supported` let only the type of nulls through.
        _ => out.extend(std::iter::repeat_n(None, chunk.len())),
    }
}

fn text<'a>(
    values: impl Iterator<Item = Option<&'a str>>,
) -> impl Iterator<Item = Option<&'a [u8]>> {
    values.map(|value| value.map(str::as_bytes))
}

fn push_binary<'a, O: OffsetSizeTrait>(chunk: &'a dyn Array, out: &mut Vec<Option<&'a [u8]>>) {
    out.extend(chunk.as_bytes::<GenericBinaryType<O>>().iter());
}

fn push_text<'a, O: OffsetSizeTrait>(chunk: &'a dyn Array, out: &mut Vec<Option<&'a [u8]>>) {
    out.extend(text(chunk.as_bytes::<GenericStringType<O>>().iter()));
}

/// The capsule of a type.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> Result<Bound<'py, PyCapsule>, Failure> {
    let schema = FFI_ArrowSchema::try_from(array.data_type()).map_err(malformed)?;
    Ok(PyCapsule::new_with_value(
        py,
        Schema(schema),
        c"arrow_schema",
    )?)
}

/// The capsules of an array.
pub(super) fn array_capsules<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>), Failure> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(malformed)?;
    Ok((
        PyCapsule::new_with_value(py, Schema(schema), c"arrow_schema")?,
        PyCapsule::new_with_value(py, array, c"arrow_array")?,
    ))
}

/// A schema in a capsule, which consumers read through its pointer.
#[repr(transparent)]
struct Schema(FFI_ArrowSchema);
