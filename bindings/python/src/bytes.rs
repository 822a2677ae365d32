//! Bytes that an argument lends, and when the interpreter lock is released.
//!
//! Only a `bytes` object cannot change. Other memory (a `bytearray`, an array of NumPy or Arrow, a
//! mapped file) may be changed by another thread, or by another process, while a call reads it. So
//! it is read once:
//!
//! - [`Input`] is for what a call decides by: keys, identities, signatures, digests, ciphertexts,
//!   passwords. It is a copy, whatever its length.
//! - [`Message`] is for what is only hashed, or copied into a result that is then encrypted in
//!   place. A large one is not copied as a whole: each byte is copied once, into a piece on the
//!   stack or into the result. No slice over memory that may change exists meanwhile.
//! - A column of messages in a batch is hashed where it stands ([`slice`]), as a copy would cost a
//!   good part of the time of hashing it in vectors. Rust calls it undefined behaviour if memory
//!   behind a slice changes, and this code cannot rule that out. What it does: such a slice is
//!   given to SM3 alone, which reads every byte once, and takes no length, no place and no branch
//!   from it. Columns of all other values are copied first.
//!
//! Who changes a message while a call reads it gets a result over bytes that partly are the old
//! ones and partly the new ones.

use std::ops::Deref;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use zeroize::Zeroizing;

/// A message of so many bytes in memory that can change is copied in pieces.
const LARGE: usize = 4096;

/// The bytes of a piece: few enough for the nearest cache.
const PIECE: usize = 4 << 10;

/// Symmetric operations on fewer bytes are faster than releasing the interpreter lock is.
pub(crate) const DETACH_FROM: usize = 2048;

/// The bytes of any object with the buffer protocol, which nobody can change any more.
pub(crate) enum Input {
    Bytes(PyBackedBytes),
    Copied(Zeroizing<Vec<u8>>),
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Input {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// A message, of which every byte is read once.
pub(crate) enum Message {
    Whole(Input),
    Lent(PyUntypedBuffer),
}

impl Message {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Lent(buffer) => buffer.len_bytes(),
        }
    }

    /// All of it, piece by piece.
    pub(crate) fn pieces(&self, mut take: impl FnMut(&[u8])) {
        match self {
            Self::Whole(bytes) => take(bytes),
            Self::Lent(buffer) => {
                let mut piece = [0; PIECE];
                let length = buffer.len_bytes();
                for from in (0..length).step_by(PIECE) {
                    let piece = &mut piece[..PIECE.min(length - from)];
                    copy(buffer, from, piece);
                    take(piece);
                }
            }
        }
    }

    /// Copies the bytes from a place on. They must be as many as `out` takes.
    pub(crate) fn copy_to(&self, from: usize, out: &mut [u8]) {
        match self {
            Self::Whole(bytes) => out.copy_from_slice(&bytes[from..from + out.len()]),
            Self::Lent(buffer) => copy(buffer, from, out),
        }
    }

    /// All of it, which nobody can change any more.
    pub(crate) fn whole(self) -> Input {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Lent(buffer) => copied(&buffer),
        }
    }
}

fn copied(buffer: &PyUntypedBuffer) -> Input {
    let mut bytes = Zeroizing::new(vec![0; buffer.len_bytes()]);
    copy(buffer, 0, &mut bytes);
    Input::Copied(bytes)
}

/// Copies bytes of a contiguous buffer from a place on, each once. `out` stays as it is where they
/// are not all within the buffer.
#[allow(
    unsafe_code,
    reason = "the buffer protocol gives a pointer and a length"
)]
fn copy(buffer: &PyUntypedBuffer, from: usize, out: &mut [u8]) {
    let pointer = buffer.buf_ptr().cast::<u8>();
    let there = buffer.len_bytes().checked_sub(from);
    if out.is_empty() || pointer.is_null() || there.is_none_or(|there| out.len() > there) {
        return;
    }
    // SAFETY: the exporter keeps `len_bytes` initialized bytes at `buf_ptr` until the buffer is
    // released, which is after this call, and they are contiguous: `contiguous` made the buffer.
    // `out` is memory of ours. If somebody writes there meanwhile, the copy is of old and new
    // bytes; no reference says that they stay the same.
    unsafe { std::ptr::copy_nonoverlapping(pointer.add(from), out.as_mut_ptr(), out.len()) }
}

/// All bytes of a buffer that is contiguous. For messages that are only hashed, and to copy.
#[allow(
    unsafe_code,
    reason = "the buffer protocol gives a pointer and a length"
)]
pub(crate) fn slice(buffer: &PyUntypedBuffer) -> &[u8] {
    let pointer = buffer.buf_ptr().cast::<u8>();
    if buffer.len_bytes() == 0 || pointer.is_null() {
        return &[];
    }
    // SAFETY: the exporter keeps `len_bytes` initialized bytes at `buf_ptr` until the buffer is
    // released, which happens when it is dropped, after the slice. They are contiguous:
    // `contiguous` made the buffer. That nobody writes there meanwhile is the caller's to see to;
    // what follows if somebody does is said at the top.
    unsafe { std::slice::from_raw_parts(pointer, buffer.len_bytes()) }
}

/// A buffer whose bytes follow each other.
pub(crate) fn contiguous(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let py = object.py();
    let buffer = match PyUntypedBuffer::get(object) {
        // Arrays of ctypes do not give their strides, nor single values a shape, which PyO3 wants:
        // a view of their bytes has both.
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
        object.extract().map(Message::whole)
    }
}

impl<'py> FromPyObject<'_, 'py> for Message {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Whole(Input::Bytes(bytes.to_owned().into())));
        }
        let buffer = contiguous(&object)?;
        Ok(if buffer.len_bytes() < LARGE {
            Self::Whole(copied(&buffer))
        } else {
            Self::Lent(buffer)
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

/// A new `bytes` object that is a copy of this message, changed in place without the interpreter
/// lock.
pub(crate) fn transformed<'py, E: Into<PyErr> + Send>(
    py: Python<'py>,
    message: &Message,
    change: impl FnOnce(&mut [u8]) -> Result<(), E> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, message.len(), |out| {
        work(py, out.len(), || {
            message.copy_to(0, out);
            change(out)
        })
        .map_err(Into::into)
    })
}
