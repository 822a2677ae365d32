//! Ciphertexts in their forms.

use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::bytes::Input;
use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(convert_ciphertext, module)?)?;
    module.add_function(wrap_pyfunction!(detect_ciphertext, module)?)
}

/// How a ciphertext is read.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    Any,
    Form(CiphertextForm),
    DerLenient,
}

const FORMS: &str = "\"c1c3c2\", \"c1c2c3\", \"bare-c1c3c2\", \"bare-c1c2c3\" or \"der\"";

/// A form by its name.
pub(crate) fn form(name: &str) -> Result<CiphertextForm, Failure> {
    name.parse()
        .map_err(|_| Failure::Argument(format!("form is {FORMS}, not {name:?}")))
}

impl Reading {
    pub(crate) fn of(name: Option<&str>) -> Result<Self, Failure> {
        Ok(match name {
            None => Self::Any,
            Some("der-lenient") => Self::DerLenient,
            Some(name) => Self::Form(form(name)?),
        })
    }

    /// The ciphertext in a form that is known.
    pub(crate) fn read(self, bytes: &[u8]) -> Result<Ciphertext, Failure> {
        match self {
            Self::Form(form) => Ok(Ciphertext::from_bytes(form, bytes)?),
            Self::DerLenient => Ok(Ciphertext::from_der_lenient(bytes)?),
            Self::Any => match CiphertextForm::detect(bytes).as_slice() {
                [form] => Ok(Ciphertext::from_bytes(*form, bytes)?),
                [] => Err(Failure::Format(
                    "the bytes are no SM2 ciphertext in any form".into(),
                )),
                forms => {
                    let names: Vec<_> = forms.iter().map(|form| form.name()).collect();
                    Err(Failure::Format(format!(
                        "the ciphertext can be of several forms: name one of {}",
                        names.join(", ")
                    )))
                }
            },
        }
    }

    /// In how many forms a ciphertext is tried.
    pub(crate) fn attempts(self) -> usize {
        match self {
            Self::Any => CiphertextForm::ALL.len(),
            _ => 1,
        }
    }

    /// The plaintext. One failure, whatever is wrong.
    pub(crate) fn decrypt(
        self,
        key: &PrivateKey,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let message = match self {
            Self::Any => key.decrypt_bytes(bytes).map(|(message, _)| message),
            Self::Form(_) | Self::DerLenient => {
                let ciphertext = self.read(bytes).map_err(|_| Failure::Decryption)?;
                key.decrypt(&ciphertext)
            }
        };
        message.map_err(|_| Failure::Decryption)
    }
}

/// The forms that a ciphertext may have, by its looks: two orders of the same parts look alike.
/// Decryption tells them apart.
///
/// >>> public_key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
/// >>> kuaimi.sm2.detect_ciphertext(public_key.encrypt(b"a secret", form="der"))
/// ['der']
#[pyfunction]
fn detect_ciphertext(ciphertext: Input) -> Vec<&'static str> {
    CiphertextForm::detect(&ciphertext)
        .into_iter()
        .map(CiphertextForm::name)
        .collect()
}

/// Writes a ciphertext in another form, without a key: "c1c3c2", "c1c2c3", the same two without the
/// byte 04 as "bare-c1c3c2" and "bare-c1c2c3", or "der" (GM/T 0009).
///
/// from_form is the form that it has, also "der-lenient", for DER as some vendors write it against
/// the rules.
///
/// Raises FormatError for what is no ciphertext in that form.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> ciphertext = key.public_key().encrypt(b"a secret", form="c1c2c3")
/// >>> key.decrypt(kuaimi.sm2.convert_ciphertext(ciphertext, "c1c2c3", "der"))
/// b'a secret'
#[pyfunction]
fn convert_ciphertext<'py>(
    py: Python<'py>,
    ciphertext: Input,
    from_form: &str,
    to_form: &str,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let to = form(to_form)?;
    let ciphertext = Reading::of(Some(from_form))?.read(&ciphertext)?;
    Ok(PyBytes::new(py, &ciphertext.to_bytes(to)))
}
