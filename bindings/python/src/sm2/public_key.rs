//! Public keys (GB/T 32918.1–4-2016).

use std::hash::{DefaultHasher, Hash as _, Hasher};

use kuaimi::encoding::{EncodePublicKey, LineEnding};
use kuaimi::sm2::explain::{Explanation, explain, explain_digest};
use kuaimi::sm2::{self, EncryptionKey, RecoveryId, VerifyingKey};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use super::private_key::{cryptography, prehash, unwritable};
use super::signature::Reading;
use crate::argument::{Identity, id_or_default};
use crate::bytes::{Input, Message};
use crate::error::Failure;
use crate::serialization::{PublicForm, no_such_form};
use crate::sm3::Hash;

/// An SM2 public key: verifies and encrypts (GB/T 32918-2016). Always a point of the curve.
///
/// Verification runs in variable time, as all of it is public; encryption is constant time in the
/// message. It does not change, so threads may share it, and can be pickled: a table is not.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> public_key = key.public_key()
/// >>> public_key.verify(key.sign(b"a message"), b"another")
/// Traceback (most recent call last):
/// kuaimi.errors.InvalidSignature: the signature does not fit this message, key and identity
#[pyclass(frozen, name = "SM2PublicKey", module = "kuaimi.sm2")]
pub(crate) struct PublicKey {
    /// Under the usual identity.
    verifier: VerifyingKey,
    /// It shares the table.
    recipient: EncryptionKey,
}

impl PublicKey {
    pub(crate) fn of(key: sm2::PublicKey) -> Self {
        Self::of_verifier(VerifyingKey::new(key))
    }

    /// With the table of a key under the usual identity.
    pub(super) fn of_verifier(verifier: VerifyingKey) -> Self {
        let recipient = verifier.encryption_key();
        Self {
            verifier,
            recipient,
        }
    }

    pub(crate) fn point(&self) -> &sm2::PublicKey {
        self.verifier.public_key()
    }

    pub(crate) fn usual_verifier(&self) -> &VerifyingKey {
        &self.verifier
    }

    pub(crate) fn recipient(&self) -> &EncryptionKey {
        &self.recipient
    }

    fn check(
        &self,
        id: Option<&[u8]>,
        message: &Message,
        signature: &sm2::Signature,
    ) -> Result<(), sm2::Error> {
        let mut hash = match id {
            None => self.verifier.message_hash(),
            Some(id) => self.verifier.under_id(id)?.message_hash(),
        };
        message.pieces(|piece| hash.update(piece));
        self.verifier.verify_digest(&hash.finalize(), signature)
    }
}

/// A verdict that says what the signature fits, where it does not fit what it was given for and a
/// reason is found.
fn explained(
    verdict: Result<(), sm2::Error>,
    explain: impl FnOnce() -> Option<Explanation>,
) -> Result<(), Failure> {
    match verdict {
        Err(error @ sm2::Error::InvalidSignature) => Err(match explain() {
            Some(found) => Failure::NoSignature(format!("{error}; {found}")),
            None => error.into(),
        }),
        verdict => Ok(verdict?),
    }
}

/// A public key from a point: 33, 64 or 65 bytes.
pub(crate) fn point_of(bytes: &[u8]) -> Result<sm2::PublicKey, sm2::Error> {
    match <&[u8; 64]>::try_from(bytes) {
        Ok(xy) => sm2::PublicKey::from_xy_bytes(xy),
        Err(_) => sm2::PublicKey::from_sec1_bytes(bytes),
    }
}

#[pymethods]
impl PublicKey {
    /// The key of a point: x and y after the byte 04 (65 bytes) or without it (64), or x after 02
    /// or 03 (33 bytes).
    ///
    /// Raises FormatError where it is none, or not on the curve.
    ///
    /// >>> public_key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
    /// >>> kuaimi.sm2.SM2PublicKey.from_bytes(public_key.to_bytes(compressed=True)) == public_key
    /// True
    #[staticmethod]
    fn from_bytes(data: Input) -> Result<Self, Failure> {
        Ok(Self::of(point_of(&data)?))
    }

    /// The point: x and y after the byte 04, 65 bytes; or compressed, 33 bytes.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().public_key().to_bytes()[0]
    /// 4
    #[pyo3(signature = (*, compressed = false))]
    fn to_bytes<'py>(&self, py: Python<'py>, compressed: bool) -> Bound<'py, PyBytes> {
        if compressed {
            PyBytes::new(py, &self.point().to_compressed_bytes())
        } else {
            PyBytes::new(py, &self.point().to_sec1_bytes())
        }
    }

    /// The size of the curve: 256.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().public_key().key_size
    /// 256
    #[getter]
    fn key_size(&self) -> usize {
        256
    }

    /// Makes the key's table now, and returns the key.
    ///
    /// With the table, of 52 KiB, verification takes about a third of the time, and encryption of
    /// short messages half. Making it takes as long as three verifications. Keys make their tables
    /// at their second use: see kuaimi.set_table_limit.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
    /// >>> key.prepare() is key
    /// True
    fn prepare(slf: Py<Self>, py: Python<'_>) -> Py<Self> {
        let key = slf.get();
        py.detach(|| key.verifier.prepare());
        slf
    }

    /// Whether it has its table.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().public_key().is_prepared
    /// False
    #[getter]
    fn is_prepared(&self) -> bool {
        self.verifier.is_prepared()
    }

    /// Returns if the signature is this key's over the data under the identity (GB/T 32918.2-2016,
    /// clause 7).
    ///
    /// form: "der", "raw" or "der-lenient"; by default, it is found. Raises InvalidSignature, also
    /// for what is no signature. explain=True: the exception says what the signature fits, if it is
    /// one of the things that people get wrong; it takes up to a second more.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> key.public_key().verify(key.sign(b"a message", id="alice"), b"a message", id="alice")
    #[pyo3(signature = (signature, data, id = None, *, form = None, explain = false))]
    fn verify(
        &self,
        py: Python<'_>,
        signature: Input,
        data: Message,
        id: Option<Identity>,
        form: Option<&str>,
        explain: bool,
    ) -> Result<(), Failure> {
        let reading = Reading::of(form)?;
        // What is explained is what was verified.
        let data = match explain {
            true => Message::Whole(data.whole()),
            false => data,
        };
        // Nothing of Python's is dropped without the interpreter lock: PyO3 would wait for a lock
        // of its own, which a fork may leave locked.
        py.detach(|| {
            let signature = reading.to_verify(&signature)?;
            let result = self.check(id.as_deref(), &data, &signature);
            match &data {
                Message::Whole(content) if explain => explained(result, || {
                    self::explain(&[*self.point()], id_or_default(&id), content, &signature)
                }),
                _ => Ok(result?),
            }
        })
    }

    /// Returns if the signature is this key's over a digest of 32 bytes, e = SM3(Z ‖ M). explain:
    /// as for verify.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> key.public_key().verify_digest(key.sign_digest(bytes(32)), bytes(32))
    #[pyo3(signature = (signature, digest, *, form = None, explain = false))]
    fn verify_digest(
        &self,
        py: Python<'_>,
        signature: Input,
        digest: Input,
        form: Option<&str>,
        explain: bool,
    ) -> Result<(), Failure> {
        let reading = Reading::of(form)?;
        let digest = prehash(&digest)?;
        py.detach(|| {
            let signature = reading.to_verify(&signature)?;
            let result = self.verifier.verify_digest(digest, &signature);
            if !explain {
                return Ok(result?);
            }
            explained(result, || {
                explain_digest(&[*self.point()], digest, &signature)
            })
        })
    }

    /// A hash that has taken in Z, the digest of the identity and this key. Add the message, and
    /// verify its digest.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().public_key().message_hash().name
    /// 'sm3'
    #[pyo3(signature = (id = None))]
    fn message_hash(&self, id: Option<Identity>) -> Result<Hash, Failure> {
        let verifier = self.verifier.under_id(id_or_default(&id))?;
        Ok(Hash::started(verifier.message_hash()))
    }

    /// Encrypts data of at least one byte (GB/T 32918.4-2016, clause 6). form: one of those of
    /// convert_ciphertext.
    ///
    /// Raises InvalidArgument where there is nothing to encrypt.
    ///
    /// >>> len(kuaimi.sm2.SM2PrivateKey.generate().public_key().encrypt(b"a secret"))
    /// 105
    #[pyo3(signature = (data, form = "c1c3c2"))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        form: &str,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let form = super::ciphertext::form(form)?;
        let ciphertext =
            py.detach(|| Ok::<_, Failure>(self.recipient.encrypt(&data)?.to_bytes(form)))?;
        Ok(PyBytes::new(py, &ciphertext))
    }

    /// The public key that made a signature over a digest of 32 bytes, from the number that
    /// sign_digest_recoverable gave.
    ///
    /// Raises InvalidSignature where there is none, and FormatError for what is no signature.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> kuaimi.sm2.SM2PublicKey.recover(bytes(32), *key.sign_digest_recoverable(bytes(32))) == key.public_key()
    /// True
    #[staticmethod]
    #[pyo3(signature = (digest, signature, recovery_id, *, form = None))]
    fn recover(
        py: Python<'_>,
        digest: Input,
        signature: Input,
        recovery_id: u8,
        form: Option<&str>,
    ) -> Result<Self, Failure> {
        let digest = prehash(&digest)?;
        let signature = Reading::of(form)?.read(&signature)?;
        let id = RecoveryId::try_from(recovery_id)?;
        let key = py.detach(|| sm2::PublicKey::recover(digest, &signature, id))?;
        Ok(Self::of(key))
    }

    /// The key in a file's form: PublicFormat.SubjectPublicKeyInfo in Encoding.PEM or DER;
    /// UncompressedPoint or CompressedPoint in Encoding.X962; or Raw, x and y of 32 bytes each, in
    /// Encoding.Raw.
    ///
    /// >>> from kuaimi.serialization import Encoding, PublicFormat
    /// >>> public_key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
    /// >>> pem = public_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    /// >>> kuaimi.sm2.load_pem_public_key(pem) == public_key
    /// True
    fn public_bytes<'py>(
        &self,
        py: Python<'py>,
        encoding: &Bound<'py, PyAny>,
        format: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let key = self.point();
        Ok(match PublicForm::of(encoding, format)? {
            PublicForm::Raw => PyBytes::new(py, &key.to_xy_bytes()),
            PublicForm::Uncompressed => PyBytes::new(py, &key.to_sec1_bytes()),
            PublicForm::Compressed => PyBytes::new(py, &key.to_compressed_bytes()),
            PublicForm::SpkiPem => PyBytes::new(
                py,
                key.to_public_key_pem(LineEnding::LF)
                    .map_err(unwritable)?
                    .as_bytes(),
            ),
            PublicForm::SpkiDer => {
                PyBytes::new(py, key.to_public_key_der().map_err(unwritable)?.as_bytes())
            }
            PublicForm::Gbt | PublicForm::GmsslPem => return Err(no_such_form()),
        })
    }

    /// The key of one of cryptography's EC public keys, or of its certificates, of which nothing is
    /// checked.
    ///
    /// Raises FormatError where it is on another curve. Versions of cryptography without SM2's
    /// curve still read its certificates.
    ///
    /// >>> kuaimi.sm2.SM2PublicKey.from_cryptography("no key")
    /// Traceback (most recent call last):
    /// TypeError: one of cryptography's public keys or a certificate is expected, not <class 'str'>
    #[staticmethod]
    fn from_cryptography(key: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        let der = cryptography(key.py(), "public_der", key)?;
        let (key, _) = kuaimi::encoding::read_public_key(&der.extract::<Input>()?)?;
        Ok(Self::of(key))
    }

    /// The key as one of cryptography's. Raises FormatError where its version has no SM2 curve.
    ///
    /// >>> try:
    /// ...     theirs = kuaimi.sm2.SM2PrivateKey.generate().public_key().to_cryptography()
    /// ... except kuaimi.FormatError:
    /// ...     pass
    fn to_cryptography<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        let der = self.point().to_public_key_der().map_err(unwritable)?;
        Ok(cryptography(
            py,
            "to_public",
            PyBytes::new(py, der.as_bytes()),
        )?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| self.point() == other.get().point())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.point().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let point = crate::sm3::hex(&self.point().to_compressed_bytes());
        format!("<SM2PublicKey {point}>")
    }

    /// A table is not pickled.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let class: Bound<'py, PyType> = py.get_type::<Self>();
        Ok((class.getattr("from_bytes")?, (self.to_bytes(py, false),)))
    }
}
