//! Python's file objects as streams.

use std::io::{self, Read, Seek, SeekFrom, Write};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A binary file object. Its methods are called with the interpreter lock; an exception comes back
/// as it was raised.
pub(crate) struct PyFile(Py<PyAny>);

impl PyFile {
    pub(crate) fn new(file: Bound<'_, PyAny>) -> Self {
        Self(file.unbind())
    }
}

fn unusable(what: &str) -> io::Error {
    io::Error::other(what.to_string())
}

impl Read for PyFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let piece = self
                .0
                .bind(py)
                .call_method1(intern!(py, "read"), (out.len(),))?;
            let piece = piece
                .cast::<PyBytes>()
                .map_err(|_| unusable("the file gives no bytes: open it in binary mode"))?
                .as_bytes();
            out.get_mut(..piece.len())
                .ok_or_else(|| unusable("the file gives more bytes than it was asked for"))?
                .copy_from_slice(piece);
            Ok(piece.len())
        })
    }
}

impl Write for PyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let bytes = PyBytes::new(py, bytes);
            let length = bytes.as_bytes().len();
            let file = self.0.bind(py);
            let written = file.call_method1(intern!(py, "write"), (bytes,))?;
            if written.is_none() {
                // A raw file that does not wait has taken nothing. Classes of a program's own often
                // return nothing, and have taken all.
                let raw = py
                    .import(intern!(py, "io"))?
                    .getattr(intern!(py, "RawIOBase"))?;
                return match file.is_instance(&raw)? {
                    true => Err(unusable(
                        "the file takes no bytes now: open it so that it waits",
                    )),
                    false => Ok(length),
                };
            }
            let written: usize = written.extract()?;
            Ok(written.min(length))
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| {
            let file = self.0.bind(py);
            if file.hasattr(intern!(py, "flush"))? {
                file.call_method0(intern!(py, "flush"))?;
            }
            Ok(())
        })
    }
}

impl Seek for PyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        Python::attach(|py| {
            let (offset, whence) = match to {
                SeekFrom::Start(offset) => (i64::try_from(offset).unwrap_or(i64::MAX), 0),
                SeekFrom::Current(offset) => (offset, 1),
                SeekFrom::End(offset) => (offset, 2),
            };
            let place = self
                .0
                .bind(py)
                .call_method1(intern!(py, "seek"), (offset, whence))?;
            Ok(place.extract()?)
        })
    }
}
