//! Many messages to encrypt with SM2.

use kuaimi::Threads;
use kuaimi::sm2;
use kuaimi::sm2::batch::{EncryptItem, Recipient, encrypt_batch};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::column::{Column, Content, rows_of};
use super::keys::{KeyOf, PublicKeys};
use super::output::{Outcome, Output, all, give, together};
use super::pool;
use crate::error::Failure;

/// Encrypts many messages: a list of ciphertexts, and of None where a value of the row is null; an
/// Arrow column where Arrow came in.
///
/// keys: an SM2PublicKey for all rows, a list of them, or a column of keys as bytes. messages is a
/// column, as for verify_batch, of at least one byte each. form: one of those of
/// convert_ciphertext. Constant time in the messages.
///
/// Raises InvalidArgument with the first row that cannot be encrypted; with reasons=True, such rows
/// are None, and the reasons come beside.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> kuaimi.sm2.decrypt_batch(key, kuaimi.sm2.encrypt_batch(key.public_key(), [b"one", b"two"]))
/// [b'one', b'two']
#[pyfunction]
#[pyo3(signature = (keys, messages, *, form = "c1c3c2", threads = None, reasons = false, output = None))]
pub(super) fn sm2_encrypt_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    form: &str,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let form = crate::sm2::ciphertext::form(form)?;
    let keys = PublicKeys::of(keys)?;
    let messages = Column::of("messages", messages, Content::Bytes)?;
    let rows = rows_of(&[("keys", keys.rows()), ("messages", messages.rows())])?;
    let output = Output::of(output, keys.is_arrow() || messages.is_arrow())?;
    let ciphertexts: Vec<Outcome<Vec<u8>>> = pool::run(py, threads, || {
        let (keys, messages) = (keys.read(), messages.read());
        let (decoded, messages) = (keys.decode(rows, None), messages.values());
        let item = |row: usize| -> Outcome<EncryptItem<'_>> {
            let (key, message) = (keys.get(&decoded, row)?, messages.get(row)?);
            let recipient = match key {
                KeyOf::Object(key) => Recipient::from(key.recipient()),
                KeyOf::Decoded(key) => Recipient::from(key),
                KeyOf::Signer(key) => Recipient::from(key.public_key()),
                KeyOf::Malformed(error) => return Some(Err(error.clone().into())),
            };
            Some(Ok(EncryptItem::new(recipient, message)))
        };
        let items: Vec<Outcome<EncryptItem<'_>>> = (0..rows).map(item).collect();
        together(
            items,
            || Failure::Sm2(sm2::Error::Random),
            |items| {
                encrypt_batch(items, Threads::Pool)
                    .into_par_iter()
                    .with_min_len(64)
                    .map(|ciphertext| Ok(ciphertext?.to_bytes(form)))
                    .collect()
            },
        )
    })?;
    if reasons {
        return Ok(give(py, output, ciphertexts, None, true)?);
    }
    Ok(output.bytes(py, &all(ciphertexts)?, None)?)
}
