//! Private keys (GB/T 32918.1–4-2016).

use kuaimi::encoding::{EncodeEcPrivateKey, EncodePrivateKey, LineEnding};
use kuaimi::sm2::{self, SigningKey};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::PublicKey;
use super::ciphertext::Reading;
use super::signature::written;
use crate::argument::{Identity, id_or_default, signature_form};
use crate::bytes::{Input, Message};
use crate::error::{Failure, no_pickle};
use crate::serialization::private_bytes;
use crate::sm3::Hash;

/// An SM2 private key: signs and decrypts (GB/T 32918-2016).
///
/// All that it does is constant time in the key, except for reading text encodings' lengths. It
/// does not change, so threads may share it; calls release the interpreter lock. It is wiped when
/// the object is freed. repr does not show it, and pickle refuses it.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> signature = key.sign(b"a message")
/// >>> key.public_key().verify(signature, b"a message")
#[pyclass(frozen, name = "SM2PrivateKey", module = "kuaimi.sm2")]
pub(crate) struct PrivateKey {
    /// Under the usual identity.
    signer: SigningKey,
}

impl PrivateKey {
    pub(crate) fn of(secret: sm2::PrivateKey) -> Self {
        Self {
            signer: SigningKey::new(secret),
        }
    }

    pub(crate) fn secret(&self) -> &sm2::PrivateKey {
        self.signer.private_key()
    }

    pub(crate) fn usual_signer(&self) -> &SigningKey {
        &self.signer
    }

    /// What signs under an identity.
    pub(crate) fn with_signer<T>(
        &self,
        id: Option<&[u8]>,
        work: impl FnOnce(&SigningKey) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match id {
            None => work(&self.signer),
            Some(id) => work(&SigningKey::with_id(self.secret().clone(), id)?),
        }
    }
}

/// The digest that a signature is over.
pub(super) fn prehash(digest: &[u8]) -> Result<&[u8; 32], Failure> {
    digest.try_into().map_err(|_| {
        let found = digest.len();
        Failure::Argument(format!("a digest has 32 bytes, not {found}"))
    })
}

/// A key that cannot be written: none of these functions fails for a valid key.
pub(crate) fn unwritable(error: impl std::fmt::Display) -> Failure {
    Failure::Format(error.to_string())
}

/// What a function of `kuaimi._cryptography` gives.
pub(super) fn cryptography<'py>(
    py: Python<'py>,
    function: &str,
    argument: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("kuaimi._cryptography")?
        .call_method1(function, (argument,))
}

#[pymethods]
impl PrivateKey {
    /// A new key from the operating system's random generator.
    ///
    /// Raises RandomFailed where that fails.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate()
    /// <SM2PrivateKey>
    #[staticmethod]
    fn generate(py: Python<'_>) -> Result<Self, Failure> {
        Ok(Self::of(py.detach(sm2::PrivateKey::generate)?))
    }

    /// The key with this number: 32 bytes, most significant first, between 1 and n - 2.
    ///
    /// Raises FormatError for anything else.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.from_bytes(bytes(31) + b"\x07")
    /// <SM2PrivateKey>
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: Input) -> Result<Self, Failure> {
        Ok(Self::of(py.detach(|| sm2::PrivateKey::from_slice(&data))?))
    }

    /// The number of the key: 32 bytes, most significant first. Python does not wipe it.
    ///
    /// >>> len(kuaimi.sm2.SM2PrivateKey.generate().to_bytes())
    /// 32
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.secret().to_bytes().as_ref())
    }

    /// The size of the curve: 256.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().key_size
    /// 256
    #[getter]
    fn key_size(&self) -> usize {
        256
    }

    /// The public key.
    ///
    /// >>> len(kuaimi.sm2.SM2PrivateKey.generate().public_key().to_bytes())
    /// 65
    fn public_key(&self) -> PublicKey {
        PublicKey::of_verifier(self.signer.verifying_key().clone())
    }

    /// Signs data under an identity, at most 8191 bytes, by default b"1234567812345678" (GB/T
    /// 32918.2-2016, clause 6).
    ///
    /// form: "der" (about 70 bytes) or "raw" (r and s, 64 bytes). The nonce comes from the key, the
    /// message and fresh randomness, so that a broken random generator gives nothing away; with
    /// deterministic=True from the first two alone.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> signature = key.sign(b"a message", "alice@example.com", form="raw")
    /// >>> len(signature)
    /// 64
    #[pyo3(signature = (data, id = None, *, form = "der", deterministic = false))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        data: Message,
        id: Option<Identity>,
        form: &str,
        deterministic: bool,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let form = signature_form(form)?;
        let signature = py.detach(|| {
            self.with_signer(id.as_deref(), |signer| {
                let mut hash = signer.message_hash();
                data.pieces(|piece| hash.update(piece));
                let digest = hash.finalize();
                if deterministic {
                    Ok(signer.sign_digest_deterministic(&digest))
                } else {
                    Ok(signer.sign_digest(&digest)?)
                }
            })
        })?;
        Ok(written(py, &signature, form))
    }

    /// Signs a digest of 32 bytes, e = SM3(Z ‖ M): what message_hash gives.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> hash = key.message_hash()
    /// >>> hash.update(b"a message")
    /// >>> key.public_key().verify(key.sign_digest(hash.digest()), b"a message")
    #[pyo3(signature = (digest, *, form = "der", deterministic = false))]
    fn sign_digest<'py>(
        &self,
        py: Python<'py>,
        digest: Input,
        form: &str,
        deterministic: bool,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let (form, digest) = (signature_form(form)?, prehash(&digest)?);
        let signature = py.detach(|| {
            if deterministic {
                Ok(self.signer.sign_digest_deterministic(digest))
            } else {
                self.signer.sign_digest(digest)
            }
        })?;
        Ok(written(py, &signature, form))
    }

    /// Signs a digest of 32 bytes, and says which of the public keys that fit is this one: a number
    /// from 0 to 3 for SM2PublicKey.recover.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> signature, recovery_id = key.sign_digest_recoverable(bytes(32))
    /// >>> kuaimi.sm2.SM2PublicKey.recover(bytes(32), signature, recovery_id) == key.public_key()
    /// True
    #[pyo3(signature = (digest, *, form = "der"))]
    fn sign_digest_recoverable<'py>(
        &self,
        py: Python<'py>,
        digest: Input,
        form: &str,
    ) -> Result<(Bound<'py, PyBytes>, u8), Failure> {
        let (form, digest) = (signature_form(form)?, prehash(&digest)?);
        let (signature, id) = py.detach(|| self.signer.sign_digest_recoverable(digest))?;
        Ok((written(py, &signature, form), id.to_byte()))
    }

    /// A hash that has taken in Z, the digest of the identity and the public key. Add the message,
    /// and sign its digest.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.generate().message_hash("alice@example.com").name
    /// 'sm3'
    #[pyo3(signature = (id = None))]
    fn message_hash(&self, id: Option<Identity>) -> Result<Hash, Failure> {
        self.with_signer(id.as_deref(), |signer| {
            Ok(Hash::started(signer.message_hash()))
        })
    }

    /// Decrypts a ciphertext (GB/T 32918.4-2016, clause 7). form: one of those of
    /// convert_ciphertext; by default it is found.
    ///
    /// Raises DecryptionFailed, whatever is wrong.
    ///
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> key.decrypt(key.public_key().encrypt(b"a secret"))
    /// b'a secret'
    #[pyo3(signature = (ciphertext, form = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        ciphertext: Input,
        form: Option<&str>,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let reading = Reading::of(form)?;
        let message = py.detach(|| reading.decrypt(self.secret(), &ciphertext))?;
        Ok(PyBytes::new(py, &message))
    }

    /// This key for the holder of another: an enveloped key (GB/T 35276-2017, 7.4), in DER.
    ///
    /// >>> key, recipient = kuaimi.sm2.SM2PrivateKey.generate(), kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> recipient.open_enveloped_key(key.to_enveloped_key(recipient.public_key())) == key
    /// True
    fn to_enveloped_key<'py>(
        &self,
        py: Python<'py>,
        recipient: &PublicKey,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let rng = &mut getrandom::SysRng;
        let envelope = py.detach(|| self.secret().to_enveloped_key(recipient.point(), rng))?;
        Ok(PyBytes::new(py, &envelope))
    }

    /// The key in an enveloped key that was made for this one.
    ///
    /// Raises DecryptionFailed or FormatError where it was not, or was altered.
    ///
    /// >>> recipient = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> recipient.open_enveloped_key(b"no envelope")
    /// Traceback (most recent call last):
    /// kuaimi.errors.FormatError: ...
    fn open_enveloped_key(&self, py: Python<'_>, data: Input) -> Result<Self, Failure> {
        Ok(Self::of(
            py.detach(|| self.secret().open_enveloped_key(&data))?,
        ))
    }

    /// The key in a file's form: PrivateFormat.PKCS8 or TraditionalOpenSSL (RFC 5915) in
    /// Encoding.PEM or DER, or Raw in Encoding.Raw.
    ///
    /// encryption_algorithm: of kuaimi.serialization or cryptography's; by default none. Encrypting
    /// takes tenths of a second.
    ///
    /// >>> from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat
    /// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    /// >>> pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
    /// >>> kuaimi.sm2.load_pem_private_key(pem, b"a password") == key
    /// True
    #[pyo3(signature = (encoding, format, encryption_algorithm = None))]
    fn private_bytes<'py>(
        &self,
        py: Python<'py>,
        encoding: &Bound<'py, PyAny>,
        format: &Bound<'py, PyAny>,
        encryption_algorithm: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyBytes>, Failure> {
        let key = self.secret();
        Ok(
            private_bytes!(py, key, encoding, format, encryption_algorithm, {
                PrivateForm::Raw => key.to_bytes().as_slice(),
                PrivateForm::Pkcs8Pem => key.to_pkcs8_pem(LineEnding::LF).map_err(unwritable)?.as_bytes(),
                PrivateForm::Pkcs8Der => key.to_pkcs8_der().map_err(unwritable)?.as_bytes(),
                PrivateForm::Sec1Pem => key.to_sec1_pem(LineEnding::LF).map_err(unwritable)?.as_bytes(),
                PrivateForm::Sec1Der => key.to_sec1_der().map_err(unwritable)?.as_bytes(),
            }),
        )
    }

    /// The same key as one of cryptography's EC private keys. Raises FormatError where it is on
    /// another curve.
    ///
    /// Versions of cryptography without SM2's curve have no such keys.
    ///
    /// >>> kuaimi.sm2.SM2PrivateKey.from_cryptography("no key")
    /// Traceback (most recent call last):
    /// TypeError: one of cryptography's private keys is expected, not <class 'str'>
    #[staticmethod]
    fn from_cryptography(key: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        let der = cryptography(key.py(), "private_der", key)?;
        let (key, _) = kuaimi::encoding::read_private_key(&der.extract::<Input>()?, None)?;
        Ok(Self::of(key))
    }

    /// The key as one of cryptography's. Raises FormatError where its version has no SM2 curve.
    ///
    /// >>> try:
    /// ...     theirs = kuaimi.sm2.SM2PrivateKey.generate().to_cryptography()
    /// ... except kuaimi.FormatError:
    /// ...     pass
    fn to_cryptography<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        let der = self.secret().to_pkcs8_der().map_err(unwritable)?;
        Ok(cryptography(
            py,
            "to_private",
            PyBytes::new(py, der.as_bytes()),
        )?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // Constant time.
        other
            .cast::<Self>()
            .is_ok_and(|other| self.secret() == other.get().secret())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> &'static str {
        "<SM2PrivateKey>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("this is a private key"))
    }
}

/// The identity digest Z (GB/T 32918.2-2016, 5.5), 32 bytes: of an identity, the curve and a public
/// key.
///
/// >>> len(kuaimi.sm2.identity_digest(kuaimi.sm2.SM2PrivateKey.generate().public_key()))
/// 32
#[pyfunction]
#[pyo3(signature = (key, id = None))]
pub(super) fn identity_digest<'py>(
    py: Python<'py>,
    key: &PublicKey,
    id: Option<Identity>,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let z = kuaimi::sm2::identity_digest(id_or_default(&id), key.point())?;
    Ok(PyBytes::new(py, &z))
}
