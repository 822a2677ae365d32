//! Certificates.

use kuaimi_pki::PublicKey as Key;
use kuaimi_pki::external::der::Encode;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Extension, extension, identities, malformed};
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::PublicKey;

/// A certificate, as it was read. kuaimi.x509.Certificate gives it the shape of cryptography's.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct Certificate(pub(crate) kuaimi_pki::Certificate);

#[pymethods]
impl Certificate {
    /// From DER. Raises FormatError with the reason.
    #[new]
    fn new(der: Input) -> Result<Self, Failure> {
        Ok(Self(kuaimi_pki::Certificate::from_der(&der)?))
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
    fn tbs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.tbs())
    }

    /// 0 to 2.
    #[getter]
    fn version_number(&self) -> u8 {
        self.0.fields().version() as u8
    }

    #[getter]
    fn serial<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.serial())
    }

    #[getter]
    fn subject_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.subject_der())
    }

    #[getter]
    fn issuer_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.issuer_der())
    }

    /// Seconds since 1970: the first and the last of its validity.
    #[getter]
    fn validity(&self) -> (u64, u64) {
        let validity = self.0.fields().validity();
        let seconds =
            |time: kuaimi_pki::external::x509_cert::time::Time| time.to_unix_duration().as_secs();
        (seconds(validity.not_before), seconds(validity.not_after))
    }

    #[getter]
    fn signature_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.signature())
    }

    #[getter]
    fn signature_oid(&self) -> String {
        self.0.fields().signature().oid.to_string()
    }

    /// SubjectPublicKeyInfo.
    #[getter]
    fn public_key_der<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let info = self.0.fields().subject_public_key_info();
        Ok(PyBytes::new(py, &info.to_der().map_err(malformed)?))
    }

    /// The key, if it is one of SM2.
    fn sm2_key(&self) -> Option<PublicKey> {
        match self.0.public_key() {
            Key::Sm2(key) => Some(PublicKey::of(*key.public_key())),
            _ => None,
        }
    }

    #[getter]
    fn extensions_der(&self) -> Vec<Extension> {
        let all = self.0.fields().extensions().into_iter().flatten();
        all.map(extension).collect()
    }

    /// Whether the issuer's key signed it.
    #[pyo3(signature = (issuer, empty_identity = false))]
    fn verify_by(
        &self,
        py: Python<'_>,
        issuer: &Self,
        empty_identity: bool,
    ) -> Result<(), Failure> {
        let key = issuer.0.public_key();
        Ok(py.detach(|| self.0.verify_signature(key, identities(empty_identity)))?)
    }
}

/// The certificates in text or DER, each in DER.
#[pyfunction]
fn split_certificates<'py>(
    py: Python<'py>,
    data: Input,
) -> Result<Vec<Bound<'py, PyBytes>>, Failure> {
    let all = kuaimi_pki::Certificate::read_all(&data)?;
    Ok(all
        .iter()
        .map(|one| PyBytes::new(py, one.as_der()))
        .collect())
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(split_certificates, module)?)
}
