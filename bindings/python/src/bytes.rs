//! Bytes that an argument lends, and when the interpreter lock is released.
//!
//! The bytes of a `bytes` object are borrowed: nothing can change them. So are large buffers of other objects; small ones are copied.
//! A program that changes a large buffer while a call reads it gets a result over neither the old nor the new bytes, as with
//! `hashlib`. What decides about authenticity is never read twice from such a buffer.

use std::ops::Deref;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use zeroize::Zeroizing;

/// Buffers that can change are borrowed from this length on.
const BORROW_FROM: usize = 4096;

/// Symmetric operations on fewer bytes are faster than releasing the interpreter lock is.
pub(crate) const DETACH_FROM: usize = 2048;

/// The bytes of any object with the buffer protocol.
pub(crate) enum Input {
    Bytes(PyBackedBytes),
    Copied(Zeroizing<Vec<u8>>),
    Borrowed(PyUntypedBuffer),
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Copied(bytes) => bytes,
            Self::Borrowed(buffer) => slice(buffer),
        }
    }
}

impl AsRef<[u8]> for Input {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// All bytes of a buffer that is contiguous.
#[allow(
    unsafe_code,
    reason = "the buffer protocol gives a pointer and a length"
)]
pub(crate) fn slice(buffer: &PyUntypedBuffer) -> &[u8] {
    let pointer = buffer.buf_ptr().cast::<u8>();
    if buffer.len_bytes() == 0 || pointer.is_null() {
        return &[];
    }
    // SAFETY: the exporter keeps `len_bytes` initialized bytes at `buf_ptr` until the buffer is released, which happens when it is
    // dropped, after the slice. They are contiguous: `contiguous` made the buffer. Nothing is decided by reading them twice.
    unsafe { std::slice::from_raw_parts(pointer, buffer.len_bytes()) }
}

/// A buffer whose bytes follow each other.
pub(crate) fn contiguous(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let py = object.py();
    let buffer = match PyUntypedBuffer::get(object) {
        // Arrays of ctypes do not give their strides, nor single values a shape, which PyO3 wants: a view of their bytes has both.
        Err(error) if error.is_instance_of::<PyBufferError>(py) => PyMemoryView::from(object)
            .and_then(|view| view.call_method1(intern!(py, "cast"), ("B",)))
            .map_err(|_| error)
            .and_then(|bytes| PyUntypedBuffer::get(&bytes)),
        buffer => buffer,
    };
    let buffer = buffer.map_err(|error| {
        if error.is_instance_of::<PyBufferError>(py) {
            return error;
        }
        let hint = if object.is_instance_of::<PyString>() {
            ": encode the text first, as with text.encode()"
        } else {
            ""
        };
        let found = object.get_type();
        PyTypeError::new_err(format!("bytes are expected, not {found}{hint}"))
    })?;
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err(
            "the buffer is not contiguous: make a copy of it, as with bytes(buffer)",
        ));
    }
    Ok(buffer)
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.to_owned().into()));
        }
        let buffer = contiguous(&object)?;
        Ok(if buffer.len_bytes() < BORROW_FROM {
            Self::Copied(Zeroizing::new(slice(&buffer).to_vec()))
        } else {
            Self::Borrowed(buffer)
        })
    }
}

/// Works on so many bytes, without the interpreter lock if they are many.
pub(crate) fn work<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if bytes < DETACH_FROM {
        work()
    } else {
        py.detach(work)
    }
}

/// A new `bytes` object that is a copy of these bytes, changed in place without the interpreter lock.
pub(crate) fn transformed<'py, E: Into<PyErr> + Send>(
    py: Python<'py>,
    bytes: &[u8],
    change: impl FnOnce(&mut [u8]) -> Result<(), E> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |out| {
        work(py, out.len(), || {
            out.copy_from_slice(bytes);
            change(out)
        })
        .map_err(Into::into)
    })
}
