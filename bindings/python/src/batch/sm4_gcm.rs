//! Many messages in SM4-GCM, each under a key of its own, or all under one.

use kuaimi::Threads;
use kuaimi::sm4::batch::{
    OpenItem, OpenMessage, SealItem, SealMessage, open_batch, open_batch_with, seal_batch,
    seal_batch_with,
};
use kuaimi::sm4::{Error, KEY_LEN, Sm4Gcm};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::{Column, Content, Read, Values, rows_of};
use super::output::{Outcome, Output, all, give, together};
use super::pool;
use crate::error::Failure;

/// The columns of a call.
struct Columns {
    /// None where all rows have one key.
    keys: Option<Column>,
    nonces: Column,
    data: Column,
    associated_data: Option<Column>,
    rows: usize,
    output: Output,
}

impl Columns {
    fn of(
        keys: Option<&Bound<'_, PyAny>>,
        [nonces, data]: [&Bound<'_, PyAny>; 2],
        associated_data: Option<&Bound<'_, PyAny>>,
        output: Option<&str>,
    ) -> Result<Self, Failure> {
        let column = |name, object| Column::of(name, object, Content::Bytes);
        let keys = keys.map(|object| column("keys", object)).transpose()?;
        let nonces = column("nonces", nonces)?;
        let data = column("data", data)?;
        let associated_data = associated_data
            .map(|object| column("associated_data", object))
            .transpose()?;
        let rows = rows_of(&[
            ("keys", keys.as_ref().and_then(Column::rows)),
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

    /// Does a batch with a key each, on the threads of the pool that this runs on.
    fn run<T>(
        &self,
        batch: impl FnOnce(&[Row<'_, &[u8; KEY_LEN]>]) -> Vec<Result<T, Error>>,
    ) -> Vec<Outcome<T>> {
        let keys = self.keys.as_ref().map(Column::read);
        let keys: Option<Values<'_>> = keys.as_ref().map(Read::values);
        let key = |row: usize| -> Outcome<&[u8; KEY_LEN]> {
            let key = keys.as_ref()?.get(row)?;
            let wrong = || Error::KeyLength {
                found: key.len(),
                needed: KEY_LEN,
            };
            Some(key.try_into().map_err(|_| wrong().into()))
        };
        self.run_with(key, batch)
    }

    /// Does a batch with what `key` gives of each row's key.
    fn run_with<K: Copy, T>(
        &self,
        key: impl Fn(usize) -> Outcome<K>,
        batch: impl FnOnce(&[Row<'_, K>]) -> Vec<Result<T, Error>>,
    ) -> Vec<Outcome<T>> {
        let (nonces, data) = (self.nonces.read(), self.data.read());
        let associated_data = self.associated_data.as_ref().map(Column::read);
        let (nonces, data) = (nonces.values(), data.values());
        let associated_data: Option<Values<'_>> = associated_data.as_ref().map(Read::values);
        // Null where any of them is.
        let item = |row: usize| -> Outcome<Row<'_, K>> {
            let (key, nonce, data) = (key(row)?, nonces.get(row)?, data.get(row)?);
            let associated_data = match &associated_data {
                Some(values) => values.get(row)?,
                None => &[],
            };
            Some(key.map(|key| (key, nonce, associated_data, data)))
        };
        let items: Vec<Outcome<Row<'_, K>>> = (0..self.rows).map(item).collect();
        together(items, || Error::DecryptionFailed, batch)
    }
}

/// Key, nonce, associated data, data.
type Row<'a, K> = (K, &'a [u8], &'a [u8], &'a [u8]);

/// `SM4GCM.encrypt_batch`.
pub(crate) fn encrypt_with<'py>(
    py: Python<'py>,
    cipher: &Sm4Gcm,
    [nonces, data]: [&Bound<'py, PyAny>; 2],
    associated_data: Option<&Bound<'py, PyAny>>,
    (threads, reasons, output): (Option<usize>, bool, Option<&str>),
) -> Result<Bound<'py, PyAny>, Failure> {
    let columns = Columns::of(None, [nonces, data], associated_data, output)?;
    let sealed = pool::run(py, threads, || {
        columns.run_with(
            |_| Some(Ok(())),
            |rows| {
                let items: Vec<SealMessage<'_>> = rows
                    .iter()
                    .map(|((), nonce, associated, data)| SealMessage::new(nonce, associated, data))
                    .collect();
                seal_batch_with(cipher, &items, Threads::Pool)
            },
        )
    })?;
    encrypted(py, &columns, sealed, reasons)
}

/// `SM4GCM.decrypt_batch`.
pub(crate) fn decrypt_with<'py>(
    py: Python<'py>,
    cipher: &Sm4Gcm,
    [nonces, data]: [&Bound<'py, PyAny>; 2],
    associated_data: Option<&Bound<'py, PyAny>>,
    (threads, reasons, output): (Option<usize>, bool, Option<&str>),
) -> Result<Bound<'py, PyAny>, Failure> {
    let columns = Columns::of(None, [nonces, data], associated_data, output)?;
    let opened = pool::run(py, threads, || {
        columns.run_with(
            |_| Some(Ok(())),
            |rows| {
                let items: Vec<OpenMessage<'_>> = rows
                    .iter()
                    .map(|((), nonce, associated, data)| OpenMessage::new(nonce, associated, data))
                    .collect();
                wiped(open_batch_with(cipher, &items, Threads::Pool))
            },
        )
    })?;
    Ok(give(py, columns.output, opened, None, reasons)?)
}

fn encrypted<'py>(
    py: Python<'py>,
    columns: &Columns,
    sealed: Vec<Outcome<Vec<u8>>>,
    reasons: bool,
) -> Result<Bound<'py, PyAny>, Failure> {
    if reasons {
        return Ok(give(py, columns.output, sealed, None, true)?);
    }
    Ok(columns.output.bytes(py, &all(sealed)?, None)?)
}

/// Messages that are wiped when dropped.
fn wiped(opened: Vec<Result<Vec<u8>, Error>>) -> Vec<Result<Zeroizing<Vec<u8>>, Error>> {
    let opened = opened.into_iter();
    opened.map(|message| message.map(Zeroizing::new)).collect()
}

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
    let columns = Columns::of(Some(keys), [nonces, data], associated_data, output)?;
    let sealed = pool::run(py, threads, || {
        columns.run(|rows| {
            let items: Vec<SealItem<'_>> = rows
                .iter()
                .map(|(key, nonce, associated, data)| SealItem::new(key, nonce, associated, data))
                .collect();
            seal_batch(&items, Threads::Pool)
        })
    })?;
    encrypted(py, &columns, sealed, reasons)
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
    let columns = Columns::of(Some(keys), [nonces, data], associated_data, output)?;
    let opened = pool::run(py, threads, || {
        columns.run(|rows| {
            let items: Vec<OpenItem<'_>> = rows
                .iter()
                .map(|(key, nonce, associated, data)| OpenItem::new(key, nonce, associated, data))
                .collect();
            wiped(open_batch(&items, Threads::Pool))
        })
    })?;
    Ok(give(py, columns.output, opened, None, reasons)?)
}
