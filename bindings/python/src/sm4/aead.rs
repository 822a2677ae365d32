//! SM4-GCM (NIST SP 800-38D) and SM4-CCM (NIST SP 800-38C), as cryptography's AESGCM and AESCCM.

use kuaimi::sm4::{self, Sm4Ccm, Sm4Gcm};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::batch::sm4_gcm::{decrypt_with, encrypt_with};
use crate::bytes::{Input, Message, work};
use crate::error::{Failure, no_pickle};

/// A ciphertext with its tag behind it, which `seal` makes of a copy of the data.
fn sealed<'py>(
    py: Python<'py>,
    data: &Message,
    tag_length: usize,
    seal: impl FnOnce(&mut [u8], &mut [u8]) -> Result<(), sm4::Error> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, data.len() + tag_length, |out| {
        work(py, data.len(), || {
            let (message, tag) = out.split_at_mut(data.len());
            data.copy_to(0, message);
            seal(message, tag)
        })
        .map_err(|error| Failure::from(error).into())
    })
}

/// The message of a ciphertext with its tag behind it, which `open` makes of a copy. The data is
/// read once: a caller that changes it meanwhile gets a failure, not a message that was not
/// authenticated.
fn opened<'py>(
    py: Python<'py>,
    data: &Message,
    tag_length: usize,
    open: impl FnOnce(&mut [u8], &[u8]) -> Result<(), sm4::Error> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let length = data
        .len()
        .checked_sub(tag_length)
        .ok_or(Failure::from(sm4::Error::DecryptionFailed))?;
    let mut tag = vec![0; tag_length];
    data.copy_to(length, &mut tag);
    PyBytes::new_with(py, length, |out| {
        work(py, length, || {
            data.copy_to(0, out);
            open(out, &tag)
        })
        .map_err(|error| Failure::from(error).into())
    })
}

/// SM4-GCM under one key: encryption that notices every change (NIST SP 800-38D).
///
/// A nonce must never be used twice with a key: who can change messages could then forge them. 12
/// bytes are usual. Constant time in the key and the data; lengths show. Threads may share it. The
/// shape is that of cryptography's AESGCM.
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

    /// Encrypts data: the result is as long, and the tag of 16 bytes follows. The associated data
    /// is authenticated, not encrypted.
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
        data: Message,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        sealed(py, &data, Sm4Gcm::TAG_LEN, |message, tag| {
            tag.copy_from_slice(&self.0.seal_in_place(&nonce, associated, message)?);
            Ok(())
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
        data: Message,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        opened(py, &data, Sm4Gcm::TAG_LEN, |message, tag| {
            self.0.open_in_place(&nonce, associated, message, tag)
        })
    }

    /// Encrypts many messages: a list of what encrypt gives of each, for messages of up to 768
    /// bytes in less time. An Arrow column where Arrow came in.
    ///
    /// All three are columns, as for gcm_encrypt_batch. A nonce must never be used twice with a
    /// key.
    ///
    /// Raises InvalidArgument with the first row whose nonce is empty; with reasons=True, such rows
    /// are None, and the reasons come beside.
    ///
    /// >>> aead = kuaimi.sm4.SM4GCM(bytes(16))
    /// >>> nonces = [bytes(12), bytes([1] * 12)]
    /// >>> sealed = aead.encrypt_batch(nonces, [b"one", b"two"], b"a header")
    /// >>> aead.decrypt_batch(nonces, sealed, b"a header")
    /// [b'one', b'two']
    #[pyo3(signature = (nonces, data, associated_data = None, *, threads = None, reasons = false, output = None))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's")]
    fn encrypt_batch<'py>(
        &self,
        py: Python<'py>,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        reasons: bool,
        output: Option<&str>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let options = (threads, reasons, output);
        encrypt_with(py, &self.0, [nonces, data], associated_data, options)
    }

    /// Decrypts what encrypt_batch or encrypt gave: a list of messages, and of None where
    /// decryption fails or a value of the row is null; an Arrow column where Arrow came in. Nothing
    /// is decrypted where a tag is wrong.
    ///
    /// reasons=True: a pair of the messages and of the reasons; a null has none.
    ///
    /// >>> kuaimi.sm4.SM4GCM(bytes(16)).decrypt_batch(bytes(12), [bytes(24), b"too short"])
    /// [None, None]
    #[pyo3(signature = (nonces, data, associated_data = None, *, threads = None, reasons = false, output = None))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's")]
    fn decrypt_batch<'py>(
        &self,
        py: Python<'py>,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        reasons: bool,
        output: Option<&str>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let options = (threads, reasons, output);
        decrypt_with(py, &self.0, [nonces, data], associated_data, options)
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm4.SM4GCM>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("an SM4GCM holds its key"))
    }
}

/// SM4-CCM under one key: encryption that notices every change, for protocols that ask for it (NIST
/// SP 800-38C; RFC 8998).
///
/// A nonce must never be used twice with a key. It has 7 to 13 bytes, 12 in TLS; the longer it is,
/// the shorter a message must be: below 16 MiB with 12. tag_length is 4, 6, 8, 10, 12, 14 or 16.
/// Several times as slow as SM4GCM. Constant time in the key and the data; lengths show. Threads
/// may share it. The shape is that of cryptography's AESCCM.
///
/// >>> import os
/// >>> aead = kuaimi.sm4.SM4CCM(kuaimi.sm4.SM4CCM.generate_key())
/// >>> nonce = os.urandom(12)
/// >>> aead.decrypt(nonce, aead.encrypt(nonce, b"a secret", b"a header"), b"a header")
/// b'a secret'
#[pyclass(frozen, name = "SM4CCM", module = "kuaimi.sm4")]
pub(crate) struct Ccm {
    cipher: Sm4Ccm,
    tag_length: usize,
}

#[pymethods]
impl Ccm {
    #[new]
    #[pyo3(signature = (key, tag_length = 16))]
    fn new(key: Input, tag_length: usize) -> Result<Self, Failure> {
        if !matches!(tag_length, 4 | 6 | 8 | 10 | 12 | 14 | 16) {
            return Err(Failure::Argument(format!(
                "tag_length is 4, 6, 8, 10, 12, 14 or 16, not {tag_length}"
            )));
        }
        let cipher = Sm4Ccm::from_slice(&key)?;
        Ok(Self { cipher, tag_length })
    }

    /// A random key: 16 bytes of the operating system's generator.
    ///
    /// >>> len(kuaimi.sm4.SM4CCM.generate_key())
    /// 16
    #[staticmethod]
    fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
        super::random_key(py)
    }

    /// Encrypts data: the result is as long, and the tag follows. The associated data is
    /// authenticated, not encrypted.
    ///
    /// Raises InvalidArgument for a nonce of another length, and for a message that is too long for
    /// it.
    ///
    /// >>> len(kuaimi.sm4.SM4CCM(bytes(16), tag_length=8).encrypt(bytes(12), b"a secret", None))
    /// 16
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Message,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        sealed(py, &data, self.tag_length, |message, tag| {
            self.cipher.seal_in_place(&nonce, associated, message, tag)
        })
    }

    /// Decrypts what encrypt gave, and says no more than DecryptionFailed where anything differs.
    ///
    /// >>> kuaimi.sm4.SM4CCM(bytes(16)).decrypt(bytes(12), bytes(24), None)
    /// Traceback (most recent call last):
    /// kuaimi.errors.DecryptionFailed: decryption failed: another key, nonce or associated data, or altered data
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input,
        data: Message,
        associated_data: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let associated = associated_data.as_deref().unwrap_or_default();
        opened(py, &data, self.tag_length, |message, tag| {
            self.cipher.open_in_place(&nonce, associated, message, tag)
        })
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm4.SM4CCM>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("an SM4CCM holds its key"))
    }
}
