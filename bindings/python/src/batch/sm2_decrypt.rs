//! Many SM2 ciphertexts to decrypt.

use kuaimi::Threads;
use kuaimi::sm2::batch::{DecryptItem, decrypt_batch};
use kuaimi::sm2::{Ciphertext, CiphertextForm};
use pyo3::prelude::*;
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::column::{Column, Content, Values, rows_of};
use super::keys::PrivateKeys;
use super::output::{Outcome, Output, give};
use super::pool;
use crate::error::Failure;
use crate::sm2::ciphertext::Reading;

/// Decrypts many ciphertexts: a list of messages, and of None where decryption fails or a value of
/// the row is null; an Arrow column where Arrow came in.
///
/// keys: an SM2PrivateKey for all rows, or a list of them. ciphertexts is a column, as for
/// verify_batch. form: one of those of convert_ciphertext; by default each one's is found.
/// reasons=True: a pair of the messages and of the reasons; a null has none.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> kuaimi.sm2.decrypt_batch(key, [key.public_key().encrypt(b"a secret"), b"no ciphertext"])
/// [b'a secret', None]
#[pyfunction]
#[pyo3(signature = (keys, ciphertexts, *, form = None, threads = None, reasons = false, output = None))]
pub(super) fn sm2_decrypt_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    ciphertexts: &Bound<'py, PyAny>,
    form: Option<&str>,
    threads: Option<usize>,
    reasons: bool,
    output: Option<&str>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let reading = Reading::of(form)?;
    let keys = PrivateKeys::of(keys)?;
    let ciphertexts = Column::of("ciphertexts", ciphertexts, Content::Bytes)?;
    let rows = rows_of(&[("keys", keys.rows()), ("ciphertexts", ciphertexts.rows())])?;
    let output = Output::of(output, ciphertexts.is_arrow())?;
    let messages = pool::run(py, threads, || {
        decrypt(&keys, &ciphertexts.read().values(), reading, rows)
    })?;
    Ok(give(py, output, messages, None, reasons)?)
}

fn decrypt(
    keys: &PrivateKeys,
    ciphertexts: &Values<'_>,
    reading: Reading,
    rows: usize,
) -> Vec<Outcome<Zeroizing<Vec<u8>>>> {
    let mut messages: Vec<Outcome<Zeroizing<Vec<u8>>>> = (0..rows)
        .map(|row| {
            keys.get(row)?;
            ciphertexts.get(row)?;
            Some(Err(Failure::Decryption))
        })
        .collect();
    // Two orders of the same parts look alike, and the digest tells them apart: what fails in one
    // form is tried in the next.
    let mut left: Vec<usize> = (0..rows).filter(|&row| messages[row].is_some()).collect();
    for attempt in 0..reading.attempts() {
        let read = |&row: &usize| Some((row, read(reading, ciphertexts.get(row)?, attempt)?));
        let tried: Vec<(usize, Ciphertext)> =
            left.par_iter().with_min_len(64).filter_map(read).collect();
        let items: Vec<DecryptItem<'_>> = tried
            .iter()
            .filter_map(|(row, ciphertext)| {
                Some(DecryptItem::new(keys.get(*row)?.secret(), ciphertext))
            })
            .collect();
        for ((row, _), result) in tried.iter().zip(decrypt_batch(&items, Threads::Pool)) {
            if let Ok(message) = result {
                messages[*row] = Some(Ok(message));
            }
        }
        left.retain(|&row| !matches!(messages[row], Some(Ok(_))));
        if left.is_empty() {
            break;
        }
    }
    messages
}

/// The ciphertext in the form that is tried at this attempt.
fn read(reading: Reading, bytes: &[u8], attempt: usize) -> Option<Ciphertext> {
    match reading {
        Reading::Any => {
            let form = CiphertextForm::detect(bytes).get(attempt).copied()?;
            Ciphertext::from_bytes(form, bytes).ok()
        }
        _ => reading.read(bytes).ok(),
    }
}
