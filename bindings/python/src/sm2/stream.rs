//! Encryption of file objects, in little memory. Paths are opened in Python.

use kuaimi::sm2::stream::{Unseekable, decrypt, encrypt};
use kuaimi::sm2::{CiphertextForm, Error};
use pyo3::prelude::*;

use super::{PrivateKey, PublicKey};
use crate::error::Failure;
use crate::file::PyFile;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encrypt_stream, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_stream, module)?)
}

/// Encrypts what a file object gives, up to its end, into another; returns the length of the
/// message. For kuaimi.sm2.encrypt_file.
#[pyfunction]
fn encrypt_stream(
    py: Python<'_>,
    key: &PublicKey,
    source: Bound<'_, PyAny>,
    target: Bound<'_, PyAny>,
    form: &str,
    length: Option<u64>,
    seekable: bool,
) -> Result<u64, Failure> {
    let form = super::ciphertext::form(form)?;
    let (key, rng) = (*key.point(), &mut getrandom::SysRng);
    let (source, target) = (PyFile::new(source), PyFile::new(target));
    Ok(py.detach(|| {
        if seekable {
            encrypt(&key, rng, form, source, target, length)
        } else {
            encrypt(&key, rng, form, source, Unseekable(target), length)
        }
    })?)
}

/// Decrypts a file object that can seek into another; returns the length of the message. For
/// kuaimi.sm2.decrypt_file.
#[pyfunction]
fn decrypt_stream(
    py: Python<'_>,
    key: &PrivateKey,
    source: Bound<'_, PyAny>,
    target: Bound<'_, PyAny>,
    form: Option<&str>,
) -> Result<u64, Failure> {
    let form: Option<CiphertextForm> = form.map(super::ciphertext::form).transpose()?;
    let (source, target) = (PyFile::new(source), PyFile::new(target));
    let result = py.detach(|| decrypt(key.secret(), form, source, target));
    match result {
        // What cannot be read in the form that was given does not decrypt.
        Err(kuaimi::sm2::stream::Error::Malformed(_)) => Err(Error::DecryptionFailed.into()),
        result => Ok(result?.0),
    }
}
