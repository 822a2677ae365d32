//! Encryption of file objects, in little memory. Paths are opened in Python.

use kuaimi::sm2::stream::Unseekable;
use kuaimi::sm9::stream::{Error, decrypt, decrypt_raw, encrypt, encrypt_raw};
use pyo3::prelude::*;

use super::form::{Options, is_der};
use super::{DecryptionKey, EncryptionKey};
use crate::error::Failure;
use crate::file::PyFile;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encrypt_stream, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_stream, module)?)
}

/// Encrypts what a file object gives, up to its end, into another; returns the length of the
/// message. For kuaimi.sm9.encrypt_file.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the Python function has them by name"
)]
fn encrypt_stream(
    py: Python<'_>,
    key: &EncryptionKey,
    source: Bound<'_, PyAny>,
    target: Bound<'_, PyAny>,
    mode: &str,
    mac: &str,
    form: &str,
    length: Option<u64>,
    seekable: bool,
) -> Result<u64, Failure> {
    let (options, der) = (Options::of(mode, mac)?.to_encrypt(), is_der(form)?);
    let (source, target) = (PyFile::new(source), PyFile::new(target));
    let rng = &mut getrandom::SysRng;
    Ok(py.detach(|| {
        let recipient = &key.0;
        match (der, seekable) {
            (true, true) => encrypt(recipient, rng, options, source, target, length),
            (true, false) => encrypt(recipient, rng, options, source, Unseekable(target), length),
            (false, true) => encrypt_raw(recipient, rng, options, source, target, length),
            (false, false) => {
                encrypt_raw(recipient, rng, options, source, Unseekable(target), length)
            }
        }
    })?)
}

/// Decrypts a file object that can seek into another; returns the length of the message. For
/// kuaimi.sm9.decrypt_file.
#[pyfunction]
fn decrypt_stream(
    py: Python<'_>,
    key: &DecryptionKey,
    source: Bound<'_, PyAny>,
    target: Bound<'_, PyAny>,
    mode: &str,
    mac: &str,
    form: &str,
) -> Result<u64, Failure> {
    let (options, der) = (Options::of(mode, mac)?, is_der(form)?);
    let (source, target) = (PyFile::new(source), PyFile::new(target));
    let result = py.detach(|| {
        let key = &key.0;
        if der {
            decrypt(key, options.to_decrypt(), source, target).map(|(length, _)| length)
        } else {
            decrypt_raw(key, options.mode, options.to_decrypt(), source, target)
        }
    });
    match result {
        // What cannot be read in the form that was given does not decrypt.
        Err(Error::Malformed(_)) => Err(Failure::Decryption),
        result => Ok(result?),
    }
}
