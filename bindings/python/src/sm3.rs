//! SM3 (GB/T 32905-2016): hash objects as those of `hashlib`, HMAC, key derivation.

use kuaimi::external::digest::{KeyInit, Mac};
use kuaimi::sm3::{HmacSm3, Kdf, KdfError, Sm3, kdf as derive};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use zeroize::Zeroizing;

use crate::bytes::{Input, Message, work};
use crate::error::Failure;
use crate::lock::Lock;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Hash>()?;
    module.add_class::<Hmac>()?;
    module.add_function(wrap_pyfunction!(new, module)?)?;
    module.add_function(wrap_pyfunction!(digest, module)?)?;
    module.add_function(wrap_pyfunction!(hexdigest, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_digest, module)?)?;
    module.add_function(wrap_pyfunction!(kdf, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2_hmac, module)?)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SM3 over bytes that come in pieces (GB/T 32905-2016), with the attributes and methods of
/// hashlib's objects.
///
/// Constant time in what is hashed; its length shows. Threads may share it.
///
/// >>> import kuaimi.sm3
/// >>> hash = kuaimi.sm3.Hash(b"ab")
/// >>> hash.update(b"c")
/// >>> hash.hexdigest()
/// '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0'
#[pyclass(frozen, module = "kuaimi.sm3")]
pub(crate) struct Hash(Lock<Sm3>);

impl Hash {
    pub(crate) fn started(state: Sm3) -> Self {
        Self(Lock::new(state))
    }
}

#[pymethods]
impl Hash {
    #[classattr]
    #[pyo3(name = "digest_size")]
    const DIGEST_SIZE: usize = 32;
    #[classattr]
    #[pyo3(name = "block_size")]
    const BLOCK_SIZE: usize = 64;

    #[new]
    #[pyo3(signature = (data = None, *, usedforsecurity = true))]
    fn py_new(
        py: Python<'_>,
        data: Option<Message>,
        usedforsecurity: bool,
    ) -> Result<Self, Failure> {
        let _ = usedforsecurity;
        let hash = Self(Lock::new(Sm3::new()));
        if let Some(data) = data {
            hash.update(py, data)?;
        }
        Ok(hash)
    }

    /// Always "sm3".
    ///
    /// >>> kuaimi.sm3.Hash().name
    /// 'sm3'
    #[getter]
    fn name(&self) -> &'static str {
        "sm3"
    }

    /// Adds bytes. The interpreter lock is released for 2 KiB or more.
    ///
    /// >>> hash = kuaimi.sm3.Hash()
    /// >>> hash.update(b"abc")
    fn update(&self, py: Python<'_>, data: Message) -> Result<(), Failure> {
        work(py, data.len(), || {
            let mut hash = self.0.get()?;
            data.pieces(|piece| hash.update(piece));
            Ok(())
        })
    }

    /// The digest of the bytes so far: 32 bytes. More may follow.
    ///
    /// >>> kuaimi.sm3.Hash(b"abc").digest()[:4].hex()
    /// '66c7f0f4'
    fn digest<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        Ok(PyBytes::new(py, &self.0.get()?.clone().finalize()))
    }

    /// The same in hexadecimal: 64 letters.
    ///
    /// >>> kuaimi.sm3.Hash(b"abc").hexdigest()[:8]
    /// '66c7f0f4'
    fn hexdigest(&self) -> Result<String, Failure> {
        Ok(hex(&self.0.get()?.clone().finalize()))
    }

    /// Another object with the same bytes so far.
    ///
    /// >>> start = kuaimi.sm3.Hash(b"ab")
    /// >>> both = start.copy()
    /// >>> both.update(b"c")
    /// >>> start.digest() == both.digest()
    /// False
    fn copy(&self) -> Result<Self, Failure> {
        Ok(Self(Lock::new(self.0.get()?.clone())))
    }

    fn __copy__(&self) -> Result<Self, Failure> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Result<Self, Failure> {
        self.copy()
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm3.Hash>"
    }
}

/// HMAC-SM3 over bytes that come in pieces (RFC 2104). hmac.new(key, data, kuaimi.sm3) gives the
/// same, slower.
///
/// Constant time in the key and the data; their lengths show.
///
/// >>> mac = kuaimi.sm3.HMAC(b"key")
/// >>> mac.update(b"a message")
/// >>> mac.verify(mac.digest())
#[pyclass(frozen, name = "HMAC", module = "kuaimi.sm3")]
pub(crate) struct Hmac(Lock<HmacSm3>);

fn keyed(key: &[u8]) -> Result<HmacSm3, Failure> {
    HmacSm3::new_from_slice(key).map_err(|error| Failure::Argument(error.to_string()))
}

#[pymethods]
impl Hmac {
    #[classattr]
    #[pyo3(name = "digest_size")]
    const DIGEST_SIZE: usize = 32;
    #[classattr]
    #[pyo3(name = "block_size")]
    const BLOCK_SIZE: usize = 64;

    #[new]
    #[pyo3(signature = (key, data = None))]
    fn py_new(py: Python<'_>, key: Input, data: Option<Message>) -> Result<Self, Failure> {
        let mac = Self(Lock::new(keyed(&key)?));
        if let Some(data) = data {
            mac.update(py, data)?;
        }
        Ok(mac)
    }

    /// Always "hmac-sm3".
    ///
    /// >>> kuaimi.sm3.HMAC(b"key").name
    /// 'hmac-sm3'
    #[getter]
    fn name(&self) -> &'static str {
        "hmac-sm3"
    }

    /// Adds bytes. The interpreter lock is released for 2 KiB or more.
    ///
    /// >>> kuaimi.sm3.HMAC(b"key").update(b"a message")
    fn update(&self, py: Python<'_>, data: Message) -> Result<(), Failure> {
        work(py, data.len(), || {
            let mut hash = self.0.get()?;
            data.pieces(|piece| hash.update(piece));
            Ok(())
        })
    }

    /// The code of the bytes so far: 32 bytes. Compare it with verify, not with ==.
    ///
    /// >>> len(kuaimi.sm3.HMAC(b"key", b"a message").digest())
    /// 32
    fn digest<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let code = self.0.get()?.clone().finalize().into_bytes();
        Ok(PyBytes::new(py, &code))
    }

    /// The same in hexadecimal.
    ///
    /// >>> len(kuaimi.sm3.HMAC(b"key").hexdigest())
    /// 64
    fn hexdigest(&self) -> Result<String, Failure> {
        Ok(hex(&self.0.get()?.clone().finalize().into_bytes()))
    }

    /// Raises InvalidSignature unless this is the code of the bytes so far. Constant time in both.
    ///
    /// >>> mac = kuaimi.sm3.HMAC(b"key", b"a message")
    /// >>> mac.verify(bytes(32))
    /// Traceback (most recent call last):
    /// kuaimi.errors.InvalidSignature: the code does not fit this message and key
    fn verify(&self, code: Input) -> PyResult<()> {
        let mac = self.0.get()?.clone();
        mac.verify_slice(&code).map_err(|_| {
            crate::error::exceptions::InvalidSignature::new_err(
                "the code does not fit this message and key",
            )
        })
    }

    /// Another object with the same key and bytes so far.
    ///
    /// >>> kuaimi.sm3.HMAC(b"key", b"a").copy().name
    /// 'hmac-sm3'
    fn copy(&self) -> Result<Self, Failure> {
        Ok(Self(Lock::new(self.0.get()?.clone())))
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm3.HMAC>"
    }
}

/// A hash object; what hashlib.new("sm3", data) is where OpenSSL has SM3. With it, hmac.new(key,
/// data, kuaimi.sm3) works.
///
/// >>> import hmac
/// >>> hmac.new(b"key", b"a message", kuaimi.sm3).digest() == kuaimi.sm3.hmac_digest(b"key", b"a message")
/// True
#[pyfunction]
#[pyo3(signature = (data = None, *, usedforsecurity = true))]
fn new(py: Python<'_>, data: Option<Message>, usedforsecurity: bool) -> Result<Hash, Failure> {
    Hash::py_new(py, data, usedforsecurity)
}

fn digest_of(py: Python<'_>, data: &Message) -> [u8; 32] {
    work(py, data.len(), || {
        let mut hash = Sm3::new();
        data.pieces(|piece| hash.update(piece));
        hash.finalize()
    })
}

/// The digest of bytes: 32 bytes. The interpreter lock is released for 2 KiB or more. Constant time
/// in the data.
///
/// >>> kuaimi.sm3.digest(b"abc")[:4].hex()
/// '66c7f0f4'
#[pyfunction]
fn digest(py: Python<'_>, data: Message) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &digest_of(py, &data))
}

/// The digest of bytes in hexadecimal: 64 letters.
///
/// >>> kuaimi.sm3.hexdigest(b"abc")[:8]
/// '66c7f0f4'
#[pyfunction]
fn hexdigest(py: Python<'_>, data: Message) -> Bound<'_, PyString> {
    PyString::new(py, &hex(&digest_of(py, &data)))
}

/// HMAC-SM3 of bytes under a key of any length: 32 bytes. Compare codes with hmac.compare_digest,
/// or use HMAC.verify.
///
/// Constant time in the key and the data; their lengths show.
///
/// >>> len(kuaimi.sm3.hmac_digest(b"key", b"a message"))
/// 32
#[pyfunction]
fn hmac_digest(py: Python<'_>, key: Input, data: Message) -> Result<Bound<'_, PyBytes>, Failure> {
    let mut mac = keyed(&key)?;
    work(py, data.len(), || data.pieces(|piece| mac.update(piece)));
    Ok(PyBytes::new(py, &mac.finalize().into_bytes()))
}

/// The key derivation function of SM2 and SM9 (GB/T 32918.3-2016, 5.4.3): length bytes from z.
/// Constant time in z.
///
/// Raises InvalidArgument for 128 GiB or more.
///
/// >>> len(kuaimi.sm3.kdf(b"a shared secret", 48))
/// 48
#[pyfunction]
fn kdf(py: Python<'_>, z: Input, length: usize) -> PyResult<Bound<'_, PyBytes>> {
    if length as u64 > Kdf::MAX_LEN {
        return Err(Failure::from(KdfError::LimitReached).into());
    }
    PyBytes::new_with(py, length, |out| {
        work(py, length.saturating_add(z.len()), || derive(&z, out))
            .map_err(|error| Failure::from(error).into())
    })
}

/// PBKDF2 with HMAC-SM3 (RFC 8018): a key from a password, as hashlib.pbkdf2_hmac("sm3", …).
/// 600,000 iterations take tenths of a second.
///
/// Raises InvalidArgument for no iterations or more than ten million, and for more bytes than
/// PBKDF2 makes or there is memory for.
///
/// >>> len(kuaimi.sm3.pbkdf2_hmac(b"a password", b"a salt", 1000, 16))
/// 16
#[pyfunction]
#[pyo3(signature = (password, salt, iterations, dklen = 32))]
fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    password: Input,
    salt: Input,
    iterations: u32,
    dklen: usize,
) -> Result<Bound<'py, PyBytes>, Failure> {
    use kuaimi::encoding::{Error, KeyDerivation, Prf};
    let pbkdf2 = KeyDerivation::Pbkdf2 {
        prf: Prf::HmacSm3,
        iterations,
    };
    let key: Zeroizing<Vec<u8>> = py
        .detach(|| pbkdf2.derive(&password, &salt, dklen))
        .map_err(|error| {
            Failure::Argument(match error {
                Error::IterationCount(count) => {
                    format!("iterations is a number from 1 to 10000000, not {count}")
                }
                _ => format!("there is no key of {dklen} bytes by PBKDF2, or no memory for it"),
            })
        })?;
    Ok(PyBytes::new(py, &key))
}
