//! Requests for certificates.

use kuaimi_pki::PublicKey as Key;
use kuaimi_pki::external::der::Encode;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Extension, extension, identities, malformed};
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::PublicKey;

/// A request, as it was read.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct Request(kuaimi_pki::Request);

#[pymethods]
impl Request {
    /// From DER. Raises FormatError with the reason.
    #[new]
    fn new(der: Input) -> Result<Self, Failure> {
        Ok(Self(kuaimi_pki::Request::from_der(&der)?))
    }

    #[getter]
    fn der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_der())
    }

    #[getter]
    fn pem(&self) -> String {
        self.0.to_pem()
    }

    #[getter]
    fn subject_der<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        Ok(PyBytes::new(
            py,
            &self.0.subject().to_der().map_err(malformed)?,
        ))
    }

    /// The key, if it is one of SM2.
    fn sm2_key(&self) -> Option<PublicKey> {
        match self.0.public_key() {
            Key::Sm2(key) => Some(PublicKey::of(*key.public_key())),
            _ => None,
        }
    }

    #[getter]
    fn extensions_der(&self) -> Result<Vec<Extension>, Failure> {
        let all = self.0.extensions()?;
        Ok(all.iter().map(extension).collect())
    }

    #[getter]
    fn challenge_password(&self) -> Option<String> {
        self.0.challenge_password()
    }

    /// Whether the holder of the key signed it.
    fn verify(&self, py: Python<'_>, empty_identity: bool) -> Result<(), Failure> {
        Ok(py.detach(|| self.0.verify(identities(empty_identity)))?)
    }
}

/// The request in text or DER, in DER.
#[pyfunction]
fn read_request<'py>(py: Python<'py>, data: Input) -> Result<Bound<'py, PyBytes>, Failure> {
    let request = kuaimi_pki::Request::read(&data)?;
    Ok(PyBytes::new(py, request.as_der()))
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_request, module)?)
}
