//! Signatures in their forms.

use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::Signature;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::{one_of, signature_form};
use crate::bytes::Input;
use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(convert_signature, module)?)
}

/// How a signature is read.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    Any,
    Form(SignatureForm),
    DerLenient,
}

impl Reading {
    pub(crate) fn of(form: Option<&str>) -> Result<Self, Failure> {
        let Some(name) = form else {
            return Ok(Self::Any);
        };
        let known = [
            ("der", Self::Form(SignatureForm::Der)),
            ("raw", Self::Form(SignatureForm::Raw)),
            ("der-lenient", Self::DerLenient),
        ];
        one_of("form", name, &known)
    }

    /// What is to be verified: what is none is an invalid signature, and says why.
    pub(crate) fn to_verify(self, bytes: &[u8]) -> Result<Signature, Failure> {
        self.read(bytes)
            .map_err(|error| Failure::NoSignature(error.to_string()))
    }

    pub(crate) fn read(self, bytes: &[u8]) -> Result<Signature, kuaimi::encoding::Error> {
        match self {
            Self::Any => Signature::from_any_form(bytes).map(|(signature, _)| signature),
            Self::Form(form) => Signature::from_form(form, bytes),
            Self::DerLenient => Signature::from_der_lenient(bytes),
        }
    }
}

pub(crate) fn written<'py>(
    py: Python<'py>,
    signature: &Signature,
    form: SignatureForm,
) -> Bound<'py, PyBytes> {
    match form {
        SignatureForm::Der => PyBytes::new(py, signature.to_der().as_bytes()),
        _ => PyBytes::new(py, &signature.to_bytes()),
    }
}

/// Writes a signature in another form: "der" (GM/T 0009) or "raw", r and s of 32 bytes each, most
/// significant byte first.
///
/// from_form is the form that it has, also "der-lenient", for DER as some vendors write it against
/// the rules; by default it is found.
///
/// Raises FormatError for what is no signature in that form.
///
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> raw = key.sign(b"a message", form="raw")
/// >>> kuaimi.sm2.convert_signature(kuaimi.sm2.convert_signature(raw, "der"), "raw") == raw
/// True
#[pyfunction]
#[pyo3(signature = (signature, to_form, from_form = None))]
fn convert_signature<'py>(
    py: Python<'py>,
    signature: Input,
    to_form: &str,
    from_form: Option<&str>,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let form = signature_form(to_form)?;
    let signature = Reading::of(from_form)?.read(&signature)?;
    Ok(written(py, &signature, form))
}
