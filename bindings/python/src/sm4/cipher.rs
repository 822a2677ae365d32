//! SM4 in the modes without authentication, as cryptography's Cipher with its modes.

use kuaimi::sm4::{BLOCK_LEN, KEY_LEN, Sm4, Sm4Cbc, Sm4Cfb, Sm4Ctr, Sm4Ofb, Sm4Xts, XtsStandard};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use super::context::{Context, Direction, State};
use crate::argument::one_of;
use crate::bytes::{Input, Message, transformed, work};
use crate::error::{Failure, no_pickle};

/// 16 bytes: an initialization vector, a first counter or a tweak.
pub(crate) fn block(what: &str, bytes: &[u8]) -> Result<[u8; BLOCK_LEN], Failure> {
    bytes.try_into().map_err(|_| {
        let found = bytes.len();
        Failure::Argument(format!("the {what} must have 16 bytes, not {found}"))
    })
}

/// ECB: each block by itself. Equal blocks show, so use it for single blocks and to build other
/// modes.
///
/// >>> kuaimi.sm4.ECB()
/// ECB()
#[pyclass(frozen, from_py_object, name = "ECB", module = "kuaimi.sm4")]
#[derive(Clone)]
pub(crate) struct Ecb;

#[pymethods]
impl Ecb {
    #[new]
    fn new() -> Self {
        Self
    }

    fn __repr__(&self) -> &'static str {
        "ECB()"
    }
}

macro_rules! mode {
    ($(#[$doc:meta])* $name:ident, $python:literal, $argument:ident, $what:literal) => {
        $(#[$doc])*
        #[pyclass(frozen, from_py_object, name = $python, module = "kuaimi.sm4")]
        #[derive(Clone)]
        pub(crate) struct $name([u8; BLOCK_LEN]);

        #[pymethods]
        impl $name {
            #[new]
            fn new($argument: Input) -> Result<Self, Failure> {
                Ok(Self(block($what, &$argument)?))
            }

            fn __repr__(&self) -> String {
                format!(
                    "{}(bytes.fromhex('{}'))",
                    $python,
                    crate::sm3::hex(&self.0)
                )
            }
        }
    };
}

mode! {
    /// CBC (NIST SP 800-38A) from an initialization vector of 16 bytes, which must be random for
    /// each message.
    ///
    /// An attacker who can change ciphertexts and see whether they decrypt can read them:
    /// authenticate them, or use SM4GCM.
    ///
    /// >>> import os
    /// >>> mode = kuaimi.sm4.CBC(os.urandom(16))
    Cbc, "CBC", initialization_vector, "initialization vector"
}

mode! {
    /// CTR (NIST SP 800-38A) from a first counter block of 16 bytes, which goes on as one number of
    /// 128 bits.
    ///
    /// No two messages under one key may meet the same counter. Changes are not noticed:
    /// authenticate, or use SM4GCM.
    ///
    /// >>> mode = kuaimi.sm4.CTR(bytes(16))
    Ctr, "CTR", nonce, "nonce"
}

mode! {
    /// CFB with segments of 128 bits (NIST SP 800-38A) from an initialization vector of 16 bytes, a
    /// new one for each message.
    ///
    /// >>> import os
    /// >>> mode = kuaimi.sm4.CFB(os.urandom(16))
    Cfb, "CFB", initialization_vector, "initialization vector"
}

mode! {
    /// OFB (NIST SP 800-38A) from an initialization vector of 16 bytes, a new one for each message.
    ///
    /// >>> import os
    /// >>> mode = kuaimi.sm4.OFB(os.urandom(16))
    Ofb, "OFB", initialization_vector, "initialization vector"
}

/// XTS for sectors of a disk, of at least 16 bytes each (IEEE 1619; GB/T 17964-2021), under a key
/// of 32 bytes.
///
/// standard: "gb", the default, or "ieee": they multiply the tweak differently. A sector is one
/// unit: each context takes one update.
///
/// >>> sector = (7).to_bytes(16, "little")
/// >>> kuaimi.sm4.XTS(sector, standard="ieee")
/// XTS(bytes.fromhex('07000000000000000000000000000000'), standard='ieee')
#[pyclass(frozen, from_py_object, name = "XTS", module = "kuaimi.sm4")]
#[derive(Clone)]
pub(crate) struct Xts {
    tweak: [u8; BLOCK_LEN],
    standard: XtsStandard,
}

#[pymethods]
impl Xts {
    #[new]
    #[pyo3(signature = (tweak, standard = "gb"))]
    fn new(tweak: Input, standard: &str) -> Result<Self, Failure> {
        let known = [("gb", XtsStandard::Gb), ("ieee", XtsStandard::Ieee)];
        Ok(Self {
            tweak: block("tweak", &tweak)?,
            standard: one_of("standard", standard, &known)?,
        })
    }

    fn __repr__(&self) -> String {
        let standard = match self.standard {
            XtsStandard::Ieee => "ieee",
            _ => "gb",
        };
        let tweak = crate::sm3::hex(&self.tweak);
        format!("XTS(bytes.fromhex('{tweak}'), standard='{standard}')")
    }
}

/// One of the modes.
#[derive(FromPyObject)]
pub(crate) enum Mode {
    Ecb(Ecb),
    Cbc(Cbc),
    Ctr(Ctr),
    Cfb(Cfb),
    Ofb(Ofb),
    Xts(Xts),
}

impl Mode {
    fn state(&self, key: &[u8], direction: Direction) -> Result<State, Failure> {
        Ok(match self {
            Self::Ecb(_) => State::Ecb(Sm4::from_slice(key)?, direction),
            Self::Cbc(Cbc(iv)) => {
                State::Cbc(Sm4Cbc::with_cipher(Sm4::from_slice(key)?), *iv, direction)
            }
            Self::Ctr(Ctr(counter)) => {
                State::Ctr(Sm4Ctr::with_cipher(Sm4::from_slice(key)?, counter))
            }
            Self::Cfb(Cfb(iv)) => {
                State::Cfb(Sm4Cfb::with_cipher(Sm4::from_slice(key)?, iv), direction)
            }
            Self::Ofb(Ofb(iv)) => State::Ofb(Sm4Ofb::with_cipher(Sm4::from_slice(key)?, iv)),
            Self::Xts(mode) => State::Xts(
                Some(Sm4Xts::from_slice(key, mode.standard)?),
                mode.tweak,
                direction,
            ),
        })
    }
}

/// SM4 under a key in a mode: makes contexts that encrypt or decrypt data in pieces, as
/// cryptography's Cipher.
///
/// The key has 16 bytes, and 32 for XTS. ECB and CBC take whole blocks of 16 bytes: pad the data,
/// as the functions encrypt and decrypt of this module do. Constant time in the key and the data.
/// The modes of this class do not notice changes.
///
/// >>> cipher = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.CTR(bytes(16)))
/// >>> encryptor = cipher.encryptor()
/// >>> ciphertext = encryptor.update(b"a mess") + encryptor.update(b"age") + encryptor.finalize()
/// >>> decryptor = cipher.decryptor()
/// >>> decryptor.update(ciphertext) + decryptor.finalize()
/// b'a message'
#[pyclass(frozen, module = "kuaimi.sm4")]
pub(crate) struct Cipher {
    key: Zeroizing<Vec<u8>>,
    mode: Mode,
}

#[pymethods]
impl Cipher {
    #[new]
    fn new(key: Input, mode: Mode) -> Result<Self, Failure> {
        // A wrong key is refused here, not at the first use.
        mode.state(&key, Direction::Encrypt)?;
        let key = Zeroizing::new(key.to_vec());
        Ok(Self { key, mode })
    }

    /// A context that encrypts one message.
    ///
    /// >>> encryptor = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.ECB()).encryptor()
    /// >>> encryptor.update(bytes(16)).hex()
    /// '9f1f7bff6f5511384d9430531e538fd3'
    fn encryptor(&self) -> Result<Context, Failure> {
        Ok(Context::new(
            self.mode.state(&self.key, Direction::Encrypt)?,
        ))
    }

    /// A context that decrypts one message.
    ///
    /// >>> decryptor = kuaimi.sm4.Cipher(bytes(16), kuaimi.sm4.ECB()).decryptor()
    /// >>> decryptor.update(bytes.fromhex("9f1f7bff6f5511384d9430531e538fd3")) == bytes(16)
    /// True
    fn decryptor(&self) -> Result<Context, Failure> {
        Ok(Context::new(
            self.mode.state(&self.key, Direction::Decrypt)?,
        ))
    }

    fn __repr__(&self) -> String {
        let bits = 8 * self.key.len().min(KEY_LEN);
        format!("<kuaimi.sm4.Cipher with a key of {bits} bits>")
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(no_pickle("a Cipher holds its key"))
    }
}

/// Encrypts data at once. CBC adds the padding of PKCS#7; ECB takes whole blocks. The interpreter
/// lock is released for 2 KiB or more.
///
/// >>> import os
/// >>> key, iv = kuaimi.sm4.generate_key(), os.urandom(16)
/// >>> len(kuaimi.sm4.encrypt(key, kuaimi.sm4.CBC(iv), b"a message"))
/// 16
#[pyfunction]
pub(crate) fn encrypt(
    py: Python<'_>,
    key: Input,
    mode: Mode,
    data: Message,
) -> PyResult<Bound<'_, PyBytes>> {
    let mut state = mode.state(&key, Direction::Encrypt)?;
    let length = data.len();
    let padding = match mode {
        Mode::Cbc(_) => BLOCK_LEN - length % BLOCK_LEN,
        _ => 0,
    };
    PyBytes::new_with(py, length + padding, |out| {
        work(py, length, || {
            let (message, end) = out.split_at_mut(length);
            data.copy_to(0, message);
            end.fill(padding as u8);
            state.apply(out)
        })
        .map_err(Into::into)
    })
}

/// Decrypts data at once. CBC removes the padding of PKCS#7.
///
/// Raises DecryptionFailed where the padding is wrong. Who sees which ciphertexts of CBC fail can
/// read them: authenticate first.
///
/// >>> key, mode = bytes(16), kuaimi.sm4.CBC(bytes(16))
/// >>> kuaimi.sm4.decrypt(key, mode, kuaimi.sm4.encrypt(key, mode, b"a message"))
/// b'a message'
#[pyfunction]
pub(crate) fn decrypt(
    py: Python<'_>,
    key: Input,
    mode: Mode,
    data: Message,
) -> PyResult<Bound<'_, PyBytes>> {
    if let Mode::Cbc(Cbc(iv)) = &mode {
        let cipher = Sm4Cbc::with_cipher(Sm4::from_slice(&key).map_err(Failure::from)?);
        let data = data.whole();
        let message = work(py, data.len(), || cipher.decrypt_padded(iv, &data));
        let message = Zeroizing::new(message.map_err(Failure::from)?);
        return Ok(PyBytes::new(py, &message));
    }
    let mut state = mode.state(&key, Direction::Decrypt)?;
    transformed(py, &data, |out| state.apply(out))
}
