//! How keys are written, for SM2 and SM9 alike, and how private keys are encrypted under a
//! password.

use kuaimi::encoding::{Cipher, KeyDerivation, PasswordEncryption, Prf};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::argument::one_of;
use crate::bytes::Input;
use crate::error::Failure;

/// A form of a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrivateForm {
    Raw,
    Pkcs8Pem,
    Pkcs8Der,
    Sec1Pem,
    Sec1Der,
    Gbt,
}

/// A form of a public key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PublicForm {
    Raw,
    SpkiPem,
    SpkiDer,
    Uncompressed,
    Compressed,
    Gbt,
    GmsslPem,
}

/// The name of a member of an enumeration: of `kuaimi.serialization` or of cryptography's, which
/// has the same names. The latter's members know their names in their representation alone.
fn name_of(what: &str, member: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(name) = member.getattr("name") {
        return name.extract();
    }
    let shown = member.repr()?.to_string();
    match shown.split_once('.') {
        Some((class, name)) if class == what => Ok(name.to_string()),
        _ => {
            let found = member.get_type();
            Err(PyTypeError::new_err(format!(
                "{what} is a member of kuaimi.serialization.{what}, not of {found}"
            )))
        }
    }
}

fn unknown(encoding: &str, format: &str) -> Failure {
    Failure::Argument(format!(
        "this key has no form {format} in the encoding {encoding}: see the documentation of the method"
    ))
}

impl PrivateForm {
    pub(crate) fn of(
        encoding: &Bound<'_, PyAny>,
        format: &Bound<'_, PyAny>,
    ) -> Result<Self, Failure> {
        let (encoding, format) = (
            name_of("Encoding", encoding)?,
            name_of("PrivateFormat", format)?,
        );
        Ok(match (encoding.as_str(), format.as_str()) {
            ("Raw", "Raw") => Self::Raw,
            ("PEM", "PKCS8") => Self::Pkcs8Pem,
            ("DER", "PKCS8") => Self::Pkcs8Der,
            ("PEM", "TraditionalOpenSSL") => Self::Sec1Pem,
            ("DER", "TraditionalOpenSSL") => Self::Sec1Der,
            ("DER", "GBT41389") => Self::Gbt,
            _ => return Err(unknown(&encoding, &format)),
        })
    }
}

impl PublicForm {
    pub(crate) fn of(
        encoding: &Bound<'_, PyAny>,
        format: &Bound<'_, PyAny>,
    ) -> Result<Self, Failure> {
        let (encoding, format) = (
            name_of("Encoding", encoding)?,
            name_of("PublicFormat", format)?,
        );
        Ok(match (encoding.as_str(), format.as_str()) {
            ("Raw", "Raw") => Self::Raw,
            ("PEM", "SubjectPublicKeyInfo") => Self::SpkiPem,
            ("DER", "SubjectPublicKeyInfo") => Self::SpkiDer,
            ("X962", "UncompressedPoint") => Self::Uncompressed,
            ("X962", "CompressedPoint") => Self::Compressed,
            ("DER", "GBT41389") => Self::Gbt,
            ("PEM", "GmSSL") => Self::GmsslPem,
            _ => return Err(unknown(&encoding, &format)),
        })
    }
}

/// A form that this kind of key does not have.
pub(crate) fn no_such_form() -> Failure {
    Failure::Argument(
        "this kind of key is not written in this form: see the documentation of the method".into(),
    )
}

/// What encrypts a private key.
pub(crate) struct Protection {
    pub(crate) password: Input,
    pub(crate) how: PasswordEncryption,
}

impl Protection {
    /// From an object of `kuaimi.serialization`, or cryptography's `NoEncryption` or
    /// `BestAvailableEncryption`.
    pub(crate) fn of(object: Option<&Bound<'_, PyAny>>) -> Result<Option<Self>, Failure> {
        let Some(object) = object else {
            return Ok(None);
        };
        if object.get_type().name()? == "NoEncryption" {
            return Ok(None);
        }
        let Ok(password) = object.getattr("password") else {
            return Err(Failure::Type(
                "encryption_algorithm is NoEncryption() or BestAvailableEncryption(password) of kuaimi.serialization".into(),
            ));
        };
        let password: Input = password.extract()?;
        if password.is_empty() {
            return Err(Failure::Argument(
                "the password is empty: give one, or NoEncryption()".into(),
            ));
        }
        let mut how = PasswordEncryption::SHANGMI;
        if let Ok(cipher) = object.getattr("cipher") {
            how = how.with_cipher(cipher_of(&cipher.extract::<String>()?)?);
        }
        if let Ok(scrypt) = object.getattr("scrypt")
            && !scrypt.is_none()
        {
            let (log_n, r, p) = scrypt.extract()?;
            how = how.with_key_derivation(KeyDerivation::Scrypt { log_n, r, p });
        } else if let Ok(prf) = object.getattr("prf") {
            how = how.with_key_derivation(KeyDerivation::Pbkdf2 {
                prf: prf_of(&prf.extract::<String>()?)?,
                iterations: object.getattr("iterations")?.extract()?,
            });
        }
        Ok(Some(Self { password, how }))
    }
}

fn cipher_of(name: &str) -> Result<Cipher, Failure> {
    let ciphers = [
        Cipher::Sm4Cbc,
        Cipher::Aes128Cbc,
        Cipher::Aes192Cbc,
        Cipher::Aes256Cbc,
    ];
    one_of(
        "cipher",
        name,
        &ciphers.map(|cipher| (cipher.name(), cipher)),
    )
}

fn prf_of(name: &str) -> Result<Prf, Failure> {
    let functions = [
        Prf::HmacSm3,
        Prf::HmacSha1,
        Prf::HmacSha224,
        Prf::HmacSha256,
        Prf::HmacSha384,
        Prf::HmacSha512,
    ];
    one_of("prf", name, &functions.map(|prf| (prf.name(), prf)))
}

/// Writes a private key, under a password or not: the arms are the forms without one. A macro, as
/// keys of several types have the same functions.
macro_rules! private_bytes {
    ($py:expr, $key:expr, $encoding:expr, $format:expr, $encryption:expr, { $($form:pat => $bytes:expr),* $(,)? }) => {{
        use $crate::serialization::{PrivateForm, Protection, no_such_form};
        let (key, form) = ($key, PrivateForm::of($encoding, $format)?);
        match Protection::of($encryption)? {
            None => match form {
                $($form => ::pyo3::types::PyBytes::new($py, $bytes.as_ref()),)*
                _ => return Err(no_such_form()),
            },
            Some(Protection { password, how }) => {
                let bytes = $py.detach(|| {
                    let rng = &mut ::getrandom::SysRng;
                    Ok(match form {
                        PrivateForm::Pkcs8Pem => {
                            key.to_encrypted_pkcs8_pem(&password, how, rng)?.into_bytes()
                        }
                        PrivateForm::Pkcs8Der => key.to_encrypted_pkcs8_der(&password, how, rng)?,
                        _ => return Err($crate::error::Failure::Argument(
                            "a key is encrypted in PKCS#8 alone: give PrivateFormat.PKCS8, or NoEncryption()".into(),
                        )),
                    })
                })?;
                ::pyo3::types::PyBytes::new($py, &bytes)
            }
        }
    }};
}
pub(crate) use private_bytes;
