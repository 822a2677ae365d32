//! Columns of bytes that are written as text.

use kuaimi_bulk::text::{decode_base64, decode_hex};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::column::{Column, Content};
use super::output::{Outcome, Output, give};
use super::pool;
use crate::argument::one_of;
use crate::error::Failure;

/// The bytes that hexadecimal or Base64 stands for, with null where it stands for none, and the
/// reasons.
#[pyfunction]
#[pyo3(signature = (values, encoding, *, threads = None, output = None))]
pub(super) fn decode_text_batch<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyAny>,
    encoding: &str,
    threads: Option<usize>,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    type Decode = fn(&[u8], &mut Vec<u8>) -> bool;
    let known: [(&str, (Decode, &str)); 2] = [
        ("hex", (decode_hex, "is not hexadecimal")),
        ("base64", (decode_base64, "is not Base64")),
    ];
    let (decode, fault) = one_of("encoding", encoding, &known)?;
    let column = Column::of("values", values, Content::BytesOrText)?;
    let rows = column.rows().unwrap_or(1);
    let output = Output::of(output, column.is_arrow())?;
    let decoded: Vec<Outcome<Vec<u8>>> = pool::run(py, threads, || {
        let column = column.read();
        let values = column.values();
        let row = |row: usize| {
            let text = values.get(row)?;
            let mut out = Vec::new();
            // As with messages in files: nothing stands for nothing.
            if text.is_empty() || decode(text, &mut out) {
                return Some(Ok(out));
            }
            Some(Err(Failure::Format(fault.to_owned())))
        };
        (0..rows)
            .into_par_iter()
            .with_min_len(1024)
            .map(row)
            .collect()
    })?;
    Ok(give(py, output, decoded, None, true)?)
}
