//! Arrow's C data interface through its PyCapsules: arrays and streams of arrays come in, arrays go
//! out.
//!
//! The memory that is lent may be changed by others at any moment. What says where values are
//! (offsets, views, indices, which are null) is copied when it comes, and checked afterwards.
//! Values are copied before they are read, but for messages.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::GenericBinaryType;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeBinaryArray, GenericBinaryArray, OffsetSizeTrait,
    make_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{ArrowError, DataType};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::column::{Content, copied, listable};
use crate::error::Failure;

/// The chunks of a column. They keep the memory that was lent. Text is kept as bytes.
pub(super) struct Chunks {
    arrays: Vec<ArrayRef>,
    are_text: bool,
    content: Content,
}

fn malformed(error: impl std::fmt::Display) -> Failure {
    Failure::Format(format!("the Arrow array is malformed: {error}"))
}

/// The column of an object that lends one, or none if it does not.
pub(super) fn chunks(
    object: &Bound<'_, PyAny>,
    content: Content,
) -> Result<Option<Chunks>, Failure> {
    let py = object.py();
    let lent = if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        let pair = object.call_method0(intern!(py, "__arrow_c_array__"))?;
        vec![array(&pair)?]
    } else if object.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let capsule = object.call_method0(intern!(py, "__arrow_c_stream__"))?;
        stream(&capsule)?
    } else {
        return Ok(None);
    };
    let mut arrays = Vec::with_capacity(lent.len());
    for data in &lent {
        supported(data.data_type())?;
        let array = as_bytes(make_array(placed(data).map_err(malformed)?));
        arrays.push(match content {
            Content::Message => array,
            _ => with_own_dictionary(array),
        });
    }
    let chunks = Chunks {
        are_text: lent.iter().any(|data| is_text(data.data_type())),
        arrays,
        content,
    };
    listable(chunks.len())?;
    Ok(Some(chunks))
}

/// Takes the structure out of a capsule of this name, and leaves an empty one there.
#[allow(unsafe_code, reason = "a capsule holds a pointer")]
fn take<T>(object: &Bound<'_, PyAny>, name: &CStr, empty: T) -> Result<T, Failure> {
    let capsule = object.cast::<PyCapsule>().map_err(PyErr::from)?;
    let mut pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: Arrow's PyCapsule interface gives each name one structure, aligned and initialized,
    // which lives as long as the capsule. Only the program that asked for the capsule uses it, and
    // a consumer moves the structure out of it.
    Ok(std::mem::replace(unsafe { pointer.as_mut() }, empty))
}

#[allow(unsafe_code, reason = "the C data interface trusts its producer")]
fn array(pair: &Bound<'_, PyAny>) -> Result<ArrayData, Failure> {
    let pair = pair.cast::<PyTuple>().map_err(PyErr::from)?;
    let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
    let array = take(&array, c"arrow_array", FFI_ArrowArray::empty())?;
    if array.is_released() {
        return Err(malformed("it was given away before"));
    }
    let schema = take(&schema, c"arrow_schema", FFI_ArrowSchema::empty())?;
    // SAFETY: the two capsules are what an object gave for one array, which the interface says fit
    // each other. `placed` checks what can be checked: offsets and lengths. How large the buffers
    // are is for the producer to know.
    let mut data = unsafe { from_ffi(array, &schema) }.map_err(malformed)?;
    data.align_buffers();
    Ok(data)
}

fn stream(capsule: &Bound<'_, PyAny>) -> Result<Vec<ArrayData>, Failure> {
    let stream = take(
        capsule,
        c"arrow_array_stream",
        FFI_ArrowArrayStream::empty(),
    )?;
    let reader = ArrayStreamReader::try_new(stream).map_err(malformed)?;
    reader
        .map(|chunk| Ok(chunk.map_err(malformed)?.to_data()))
        .collect()
}

/// The array with a copy of all that says where its values are, which is then checked.
fn placed(data: &ArrayData) -> Result<ArrayData, ArrowError> {
    let (kind, length) = (data.data_type(), data.len());
    let mut buffers = data.buffers().to_vec();
    // The buffer with the values' places: so many entries of so many bytes.
    let places = match kind {
        DataType::Binary | DataType::Utf8 => Some((4, length + 1)),
        DataType::LargeBinary | DataType::LargeUtf8 => Some((8, length + 1)),
        DataType::BinaryView | DataType::Utf8View => Some((16, length)),
        DataType::Dictionary(index, _) => index.primitive_width().map(|width| (width, length)),
        _ => None,
    };
    let offset = match (places, buffers.first_mut()) {
        (Some((width, entries)), Some(buffer)) if length > 0 => {
            let from = data.offset() * width;
            let window = buffer.as_slice().get(from..from + entries * width);
            *buffer = Buffer::from(window.ok_or_else(|| {
                ArrowError::InvalidArgumentError("a buffer is too short for its rows".into())
            })?);
            0
        }
        _ => data.offset(),
    };
    let children = data.child_data().iter().map(placed);
    let nulls = data.nulls().map(|nulls| {
        let bits = nulls.inner();
        let (from, to) = (bits.offset(), bits.offset() + bits.len());
        let bytes = Buffer::from(&bits.values()[from / 8..to.div_ceil(8)]);
        NullBuffer::new(BooleanBuffer::new(bytes, from % 8, bits.len()))
    });
    ArrayDataBuilder::new(kind.clone())
        .len(length)
        .offset(offset)
        .nulls(nulls)
        .buffers(buffers)
        .child_data(children.collect::<Result<_, _>>()?)
        .build()
}

/// Text as bytes: its memory may stop being UTF-8.
fn as_bytes(array: ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Utf8 => Arc::new(GenericBinaryArray::<i32>::from(
            array.as_string::<i32>().clone(),
        )),
        DataType::LargeUtf8 => Arc::new(GenericBinaryArray::<i64>::from(
            array.as_string::<i64>().clone(),
        )),
        DataType::Utf8View => Arc::new(array.as_string_view().clone().to_binary_view()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            dictionary.with_values(as_bytes(dictionary.values().clone()))
        }
        _ => array,
    }
}

/// A dictionary's values are copied when it comes, once for all of its rows.
fn with_own_dictionary(array: ArrayRef) -> ArrayRef {
    match array.as_any_dictionary_opt() {
        Some(dictionary) => {
            let values = with_own_dictionary(dictionary.values().clone());
            dictionary.with_values(with_own_values(&values))
        }
        None => array,
    }
}

/// With a copy of the bytes of these rows. It is never larger than the memory that was lent.
fn with_own_values(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Binary => own_binary::<i32>(array),
        DataType::LargeBinary => own_binary::<i64>(array),
        DataType::BinaryView => {
            let views = array.as_binary_view();
            let lent: usize = views.data_buffers().iter().map(|buffer| buffer.len()).sum();
            if views.total_buffer_bytes_used() <= lent {
                return Arc::new(views.gc());
            }
            // Views that share bytes.
            let buffers = views.data_buffers().iter();
            let buffers: Vec<Buffer> = buffers.map(|buffer| copied(buffer).into()).collect();
            let (views, _, nulls) = views.clone().into_parts();
            Arc::new(BinaryViewArray::new(views, buffers, nulls))
        }
        DataType::FixedSizeBinary(width) if *width > 0 => {
            let values = array.as_fixed_size_binary();
            let copy = copied(values.value_data()).into();
            Arc::new(FixedSizeBinaryArray::new(
                *width,
                copy,
                values.nulls().cloned(),
            ))
        }
        // Nulls have none, and a dictionary has its own already.
        _ => array.clone(),
    }
}

fn own_binary<O: OffsetSizeTrait>(array: &ArrayRef) -> ArrayRef {
    let array = array.as_binary::<O>();
    let (first, last) = (array.value_offsets()[0], array.value_offsets()[array.len()]);
    let values = copied(&array.value_data()[first.as_usize()..last.as_usize()]);
    let offsets = array.value_offsets().iter().map(|&offset| offset - first);
    let offsets = OffsetBuffer::new(offsets.collect::<Vec<O>>().into());
    Arc::new(GenericBinaryArray::new(
        offsets,
        values.into(),
        array.nulls().cloned(),
    ))
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
        self.arrays
            .iter()
            .fold(0, |rows, chunk| rows.saturating_add(chunk.len()))
    }

    /// Whether the values are text.
    pub(super) fn are_text(&self) -> bool {
        self.are_text
    }

    /// So many rows from a place on, which are not copied.
    pub(super) fn part(&self, mut from: usize, mut rows: usize) -> Self {
        let mut parts = Vec::new();
        for chunk in &self.arrays {
            let length = rows.min(chunk.len().saturating_sub(from));
            if length > 0 {
                parts.push(chunk.slice(from, length));
            }
            from = from.saturating_sub(chunk.len());
            rows -= length;
        }
        Self {
            arrays: parts,
            ..*self
        }
    }

    /// With bytes of their own, but for messages.
    pub(super) fn read(&self) -> Self {
        let arrays = self.arrays.iter();
        Self {
            arrays: match self.content {
                Content::Message => arrays.cloned().collect(),
                _ => arrays.map(with_own_values).collect(),
            },
            ..*self
        }
    }

    /// All values, in their order.
    pub(super) fn values(&self) -> Vec<Option<&[u8]>> {
        let mut out = Vec::with_capacity(self.len());
        for chunk in &self.arrays {
            push(chunk, &mut out);
        }
        out
    }
}

fn push<'a>(chunk: &'a dyn Array, out: &mut Vec<Option<&'a [u8]>>) {
    match chunk.data_type() {
        DataType::Binary => push_binary::<i32>(chunk, out),
        DataType::LargeBinary => push_binary::<i64>(chunk, out),
        DataType::BinaryView => out.extend(chunk.as_binary_view().iter()),
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

fn push_binary<'a, O: OffsetSizeTrait>(chunk: &'a dyn Array, out: &mut Vec<Option<&'a [u8]>>) {
    out.extend(chunk.as_bytes::<GenericBinaryType<O>>().iter());
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
