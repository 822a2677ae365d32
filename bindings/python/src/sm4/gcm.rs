//! SM4-GCM (NIST SP 800-38D), as cryptography's AESGCM.

use kuaimi::sm4::Sm4Gcm;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::{Input, work};
use crate::error::Failure;

/// SM4-GCM under one key: encryption that notices every change (NIST SP 800-38D).
///
/// A nonce must never be used twice with a key: who can change messages could then forge them. 12 bytes are usual. Constant time in the key and the
/// data; lengths show. Threads may share it. The shape is that of cryptography's AESGCM.
///
/// >>> import os
/// >>> aead = kuaimi.sm4.SM4GCM(kuaimi.sm4.SM4GCM.generate_key())
/// >>> nonce = os.urandom(12)
/// >>> sealed = aead.encrypt(nonce, b"a secret", b"a header")
/// >>> aead.decrypt(nonce, sealed, b"a header")
/// b'a secret'
#[pyclass(frozen, name = "SM4GCM", module = "kuaimi.sm4")]
pub(crate) struct Gcm(Sm4Gcm);

#[pymethods]
impl Gcm {
    #[new]
    fn new(key: Input) -> Result<Self, Failure> {
        Ok(Self(Sm4Gcm::from_slice(&key)?))
    }

    /// A random key: 16 bytes of the operating system's generator.
    ///
    /// >>> len(kuaimi.sm4.SM4GCM.generate_key())
    /// 16
    #[staticmethod]
    fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
        super::random_key(py)
    }

    /// Encrypts data: the result is as long, and the tag of 16 bytes follows. The associated data is authenticated, not encrypted.
    ///
    /// Raises InvalidArgument for an empty nonce, and for 64 GiB or more.
    ///
    /// >>> len(kuaimi.sm4.SM4GCM(bytes(16)).encrypt(bytes(12), b"a secret", None))
    /// 24
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        let length = data.len();
        PyBytes::new_with(py, length + Sm4Gcm::TAG_LEN, |out| {
            work(py, length, || {
                let (message, tag) = out.split_at_mut(length);
                message.copy_from_slice(&data);
                let made = self.0.seal_in_place(&nonce, associated, message)?;
                tag.copy_from_slice(&made);
                Ok::<(), Failure>(())
            })
            .map_err(Into::into)
        })
    }

    /// Decrypts what encrypt gave, and says no more than DecryptionFailed where anything differs.
    ///
    /// >>> kuaimi.sm4.SM4GCM(bytes(16)).decrypt(bytes(12), bytes(24), None)
    /// Traceback (most recent call last):
    /// kuaimi.errors.DecryptionFailed: decryption failed: another key, nonce or associated data, or altered data
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Input,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        // Read once: a caller that changes it while it is read gets a failure, not a plaintext that was not authenticated.
        let (sealed, tag) = data
            .split_last_chunk::<{ Sm4Gcm::TAG_LEN }>()
            .ok_or(Failure::from(kuaimi::sm4::Error::DecryptionFailed))?;
        PyBytes::new_with(py, sealed.len(), |out| {
            work(py, sealed.len(), || {
                out.copy_from_slice(sealed);
                self.0.open_in_place(&nonce, associated, out, tag)
            })
            .map_err(|error| Failure::from(error).into())
        })
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm4.SM4GCM>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(crate::error::no_pickle("an SM4GCM holds its key"))
    }
}
