//! Many messages in SM4-GCM, each under a key of its own.

use kuaimi::Threads;
use kuaimi::sm4::batch::{OpenItem, SealItem, open_batch, seal_batch};
use kuaimi::sm4::{Error, KEY_LEN};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::{Column, Content, Read, Values, rows_of};
use super::output::{Outcome, Output, all, give, together};
use super::pool;
use crate::error::Failure;

/// The columns of a call.
struct Columns {
    keys: Column,
    nonces: Column,
    data: Column,
    associated_data: Option<Column>,
    rows: usize,
    output: Output,
}

impl Columns {
    fn of(
        [keys, nonces, data]: [&Bound<'_, PyAny>; 3],
        associated_data: Option<&Bound<'_, PyAny>>,
        output: Option<&str>,
    ) -> Result<Self, Failure> {
        let column = |name, object| Column::of(name, object, Content::Bytes);
        let keys = column("keys", keys)?;
        let nonces = column("nonces", nonces)?;
        let data = column("data", data)?;
        let associated_data = associated_data
            .map(|object| column("associated_data", object))
            .transpose()?;
        let rows = rows_of(&[
            ("keys", keys.rows()),
            ("nonces", nonces.rows()),
            ("data", data.rows()),
            (
                "associated_data",
                associated_data.as_ref().and_then(Column::rows),
            ),
        ])?;
        let output = Output::of(output, data.is_arrow())?;
        Ok(Self {
            keys,
            nonces,
            data,
            associated_data,
            rows,
            output,
        })
    }

    /// Does a batch, on the threads of the pool that this runs on.
    fn run<T>(&self, batch: impl FnOnce(&[Row<'_>]) -> Vec<Result<T, Error>>) -> Vec<Outcome<T>> {
        let (keys, nonces, data) = (self.keys.read(), self.nonces.read(), self.data.read());
        let associated_data = self.associated_data.as_ref().map(Column::read);
        let (keys, nonces, data) = (keys.values(), nonces.values(), data.values());
        let associated_data: Option<Values<'_>> = associated_data.as_ref().map(Read::values);
        // Null where any of them is.
        let item = |row: usize| -> Outcome<Row<'_>> {
            let (key, nonce, data) = (keys.get(row)?, nonces.get(row)?, data.get(row)?);
            let associated_data = match &associated_data {
                Some(values) => values.get(row)?,
                None => &[],
            };
            let wrong = Error::KeyLength {
                found: key.len(),
                needed: KEY_LEN,
            };
            Some(match key.try_into() {
                Ok(key) => Ok((key, nonce, associated_data, data)),
                Err(_) => Err(wrong.into()),
            })
        };
        let items: Vec<Outcome<Row<'_>>> = (0..self.rows).map(item).collect();
        together(items, || Error::DecryptionFailed, batch)
    }
}

/// Key, nonce, associated data, data.
type Row<'a> = (&'a [u8; KEY_LEN], &'a [u8], &'a [u8], &'a [u8]);

/// Encrypts many messages, each under a key of its own: a list of ciphertexts, each followed by its
/// tag of 16 bytes, as SM4GCM(key).encrypt(nonce, data, associated_data) gives them; an Arrow
/// column where Arrow came in.
///
/// All four are columns, as for verify_batch: lists, NumPy or Arrow arrays, or one value for all
/// rows. A nonce must never be used twice with a key. For messages of up to 1 KiB this is much
/// faster than one by one. Constant time but for lengths.
///
/// Raises InvalidArgument with the first row whose key or nonce has a wrong length; with
/// reasons=True, such rows are None, and the reasons come beside.
///
/// >>> keys, nonces = [bytes(16), bytes([1] * 16)], [bytes(12)] * 2
/// >>> sealed = kuaimi.sm4.gcm_encrypt_batch(keys, nonces, [b"one", b"two"], b"a header")
/// >>> kuaimi.sm4.gcm_decrypt_batch(keys, nonces, sealed, b"a header")
/// [b'one', b'two']
#[pyfunction]
#[pyo3(signature = (keys, nonces, data, associated_data = None, *, threads = None, reasons = false, output = None))]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
pub(super) fn sm4_gcm_encrypt_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    nonces: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let columns = Columns::of([keys, nonces, data], associated_data, output)?;
    let sealed = pool::run(py, threads, || {
        columns.run(|rows| {
            let items: Vec<SealItem<'_>> = rows
                .iter()
                .map(|(key, nonce, associated, data)| SealItem::new(key, nonce, associated, data))
                .collect();
            seal_batch(&items, Threads::Pool)
        })
    })?;
    if reasons {
        return Ok(give(py, columns.output, sealed, None, true)?);
    }
    Ok(columns.output.bytes(py, &all(sealed)?, None)?)
}

/// Decrypts what gcm_encrypt_batch or SM4GCM.encrypt gave: a list of messages, and of None where
/// decryption fails or a value of the row is null; an Arrow column where Arrow came in. Nothing is
/// decrypted where a tag is wrong.
///
/// reasons=True: a pair of the messages and of the reasons; a null has none.
///
/// >>> kuaimi.sm4.gcm_decrypt_batch(bytes(16), bytes(12), [bytes(24), b"too short"])
/// [None, None]
#[pyfunction]
#[pyo3(signature = (keys, nonces, data, associated_data = None, *, threads = None, reasons = false, output = None))]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
pub(super) fn sm4_gcm_decrypt_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    nonces: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let columns = Columns::of([keys, nonces, data], associated_data, output)?;
    let opened = pool::run(py, threads, || {
        columns.run(|rows| {
            let items: Vec<OpenItem<'_>> = rows
                .iter()
                .map(|(key, nonce, associated, data)| OpenItem::new(key, nonce, associated, data))
                .collect();
            let opened = open_batch(&items, Threads::Pool).into_iter();
            opened.map(|message| message.map(Zeroizing::new)).collect()
        })
    })?;
    Ok(give(py, columns.output, opened, None, reasons)?)
}
