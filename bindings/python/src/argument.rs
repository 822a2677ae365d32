//! Arguments that several classes take: identities, and constants given by their name.

use std::ops::Deref;

use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::DEFAULT_ID;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::bytes::Input;
use crate::error::Failure;

/// A user's identity: bytes, or text, which stands for its UTF-8.
pub(crate) enum Identity {
    Bytes(Input),
    Text(PyBackedStr),
}

impl Deref for Identity {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Identity {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.to_owned().try_into()?));
        }
        object.extract().map(Self::Bytes)
    }
}

/// The identity that was given, or SM2's usual one.
pub(crate) fn id_or_default(id: &Option<Identity>) -> &[u8] {
    id.as_deref().unwrap_or(DEFAULT_ID)
}

/// One of several values, by its name.
pub(crate) fn one_of<T: Copy>(what: &str, name: &str, values: &[(&str, T)]) -> Result<T, Failure> {
    values
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, value)| value)
        .ok_or_else(|| {
            let names: Vec<String> = values
                .iter()
                .map(|(known, _)| format!("{known:?}"))
                .collect();
            Failure::Argument(format!(
                "{what} is one of {}, not {name:?}",
                names.join(", ")
            ))
        })
}

/// The form of a signature.
pub(crate) fn signature_form(name: &str) -> Result<SignatureForm, Failure> {
    one_of(
        "form",
        name,
        &[("der", SignatureForm::Der), ("raw", SignatureForm::Raw)],
    )
}
