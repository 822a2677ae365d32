//! Many messages to hash with SM3.

use kuaimi::Threads;
use kuaimi::sm3::digest_many;
use pyo3::prelude::*;

use super::column::{Column, Content};
use super::output::Output;
use super::pool;
use crate::error::Failure;

/// The digests of many messages, in vector lanes: a list of 32 bytes each, and of None for nulls;
/// an Arrow column where Arrow came in.
///
/// messages: a list, a NumPy array of dtype V or two-dimensional uint8, or anything with Arrow's
/// PyCapsule interface. threads: by default as many as there are CPUs. output: "list" or "arrow".
/// Constant time in the messages but for their lengths.
///
/// >>> [digest[:4].hex() for digest in kuaimi.sm3.digest_batch([b"abc", b""])]
/// ['66c7f0f4', '1ab21d83']
#[pyfunction]
#[pyo3(signature = (messages, *, threads = None, output = None))]
pub(super) fn sm3_digest_batch<'py>(
    py: Python<'py>,
    messages: &Bound<'py, PyAny>,
    threads: Option<usize>,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let messages = Column::of("messages", messages, Content::Message)?;
    let rows = messages.rows().unwrap_or(1);
    let output = Output::of(output, messages.is_arrow())?;
    let digests = pool::run(py, threads, || {
        let messages = messages.read();
        let values = messages.values();
        let present: Vec<&[u8]> = (0..rows).filter_map(|row| values.get(row)).collect();
        let mut digests = digest_many(&present, Threads::Pool).into_iter();
        let digest = |row| values.get(row).and_then(|_| digests.next());
        (0..rows).map(digest).collect::<Vec<Option<[u8; 32]>>>()
    })?;
    Ok(output.bytes(py, &digests, Some(32))?)
}
