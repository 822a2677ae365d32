//! OCSP: requests and responses.

use kuaimi_pki::ocsp::{
    CertId, Check, HashAlgorithm, Request, RequestBuilder, Response, ResponseBuilder,
    ResponseStatus, Single, Status,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::crl::{reason, seconds};
use super::{Certificate, identities};
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::PrivateKey;

/// Which certificate is meant: the hash algorithm, if it is known, the hashes of the issuer's name
/// and key, and the serial number.
type Id = (Option<&'static str>, Vec<u8>, Vec<u8>, Vec<u8>);

const ALGORITHMS: [(&str, HashAlgorithm); 3] = [
    ("sm3", HashAlgorithm::Sm3),
    ("sha1", HashAlgorithm::Sha1),
    ("sha256", HashAlgorithm::Sha256),
];

fn id(found: &CertId) -> Id {
    let known = found.hash_algorithm().ok();
    let name = ALGORITHMS.iter().find(|(_, it)| Some(*it) == known);
    (
        name.map(|(name, _)| *name),
        found.issuer_name_hash().to_vec(),
        found.issuer_key_hash().to_vec(),
        found.serial().to_vec(),
    )
}

fn named(
    algorithm: &str,
    certificate: &Certificate,
    issuer: &Certificate,
) -> Result<CertId, Failure> {
    let found = ALGORITHMS.iter().find(|(name, _)| *name == algorithm);
    let (_, hash) =
        found.ok_or_else(|| Failure::Argument("the hash is sm3, sha1 or sha256".into()))?;
    Ok(CertId::new(*hash, &issuer.0, certificate.0.serial()))
}

/// A request, as it was read.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct OcspRequest(Request);

#[pymethods]
impl OcspRequest {
    /// From DER. Raises FormatError with the reason.
    #[new]
    fn new(der: Input) -> Result<Self, Failure> {
        Ok(Self(Request::from_der(&der)?))
    }

    #[getter]
    fn der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_der())
    }

    #[getter]
    fn ids(&self) -> Vec<Id> {
        self.0.ids().iter().map(id).collect()
    }

    #[getter]
    fn nonce<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.nonce().map(|nonce| PyBytes::new(py, nonce))
    }
}

/// A request in DER about certificates, each with its issuer and the name of a hash.
#[pyfunction]
fn build_ocsp_request<'py>(
    py: Python<'py>,
    about: Vec<(PyRef<'py, Certificate>, PyRef<'py, Certificate>, String)>,
    nonce: Option<Input>,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let mut builder = RequestBuilder::new();
    for (certificate, issuer, algorithm) in &about {
        builder = builder.about(named(algorithm, certificate, issuer)?);
    }
    if let Some(nonce) = &nonce {
        builder = builder.nonce(nonce);
    }
    Ok(PyBytes::new(py, builder.build()?.as_der()))
}

/// An answer: the certificate, 0 (good), 1 (revoked) or 2 (unknown), when it was revoked and why,
/// since when this is known, and when there will be newer knowledge.
type Answer = (Id, u8, Option<u64>, Option<u8>, u64, Option<u64>);

fn answer(found: &Single) -> Answer {
    let (status, when, why) = match found.status() {
        Status::Good => (0, None, None),
        Status::Revoked(when, why) => (1, Some(when), why.map(|why| why as u8)),
        _ => (2, None, None),
    };
    let (this, next) = (found.this_update(), found.next_update());
    (id(found.id()), status, when, why, this, next)
}

const STATUSES: [(ResponseStatus, u8); 6] = [
    (ResponseStatus::Successful, 0),
    (ResponseStatus::MalformedRequest, 1),
    (ResponseStatus::InternalError, 2),
    (ResponseStatus::TryLater, 3),
    (ResponseStatus::SignatureRequired, 5),
    (ResponseStatus::Unauthorized, 6),
];

/// A response, as it was read.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct OcspResponse(Response);

#[pymethods]
impl OcspResponse {
    /// From DER. Raises FormatError with the reason.
    #[new]
    fn new(der: Input) -> Result<Self, Failure> {
        Ok(Self(Response::from_der(&der)?))
    }

    #[getter]
    fn der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_der())
    }

    /// The number of OCSPResponseStatus (RFC 6960, clause 4.2.1).
    #[getter]
    fn status(&self) -> Option<u8> {
        let found = STATUSES.iter().find(|(it, _)| *it == self.0.status());
        found.map(|(_, number)| *number)
    }

    #[getter]
    fn answers(&self) -> Vec<Answer> {
        self.0.singles().iter().map(answer).collect()
    }

    #[getter]
    fn nonce<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.nonce().map(|nonce| PyBytes::new(py, nonce))
    }

    #[getter]
    fn produced_at(&self) -> Option<u64> {
        self.0.produced_at()
    }

    /// Those that came with it, in DER.
    #[getter]
    fn certificates_der(&self) -> Vec<Vec<u8>> {
        let all = self.0.certificates().iter();
        all.map(|one| one.as_der().to_vec()).collect()
    }

    #[getter]
    fn responder_name_der<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.responder_name().map(|name| PyBytes::new(py, name))
    }

    #[getter]
    fn responder_key_hash<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0
            .responder_key_hash()
            .map(|hash| PyBytes::new(py, hash))
    }

    #[getter]
    fn tbs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.tbs())
    }

    #[getter]
    fn signature_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.signature())
    }

    #[getter]
    fn signature_oid(&self) -> Option<String> {
        self.0.signature_oid().map(|oid| oid.to_string())
    }

    /// The answer about a certificate, if the issuer or its delegate signed it, and it is in force.
    #[pyo3(signature = (certificate, issuer, *, time, skew, nonce, delegates, empty_identity))]
    #[allow(clippy::too_many_arguments, reason = "called by one Python method")]
    fn verify(
        &self,
        py: Python<'_>,
        certificate: &Certificate,
        issuer: &Certificate,
        time: i64,
        skew: u64,
        nonce: Option<Input>,
        delegates: Vec<PyRef<'_, Certificate>>,
        empty_identity: bool,
    ) -> Result<Answer, Failure> {
        let delegates: Vec<_> = delegates.iter().map(|one| one.0.clone()).collect();
        let check = Check::new(&issuer.0, seconds(time)?)
            .skew(skew)
            .nonce(nonce.as_deref())
            .delegates(&delegates)
            .identities(identities(empty_identity));
        let verified = py.detach(|| self.0.verify(&check))?;
        Ok(answer(verified.single(certificate.0.serial())?))
    }
}

/// What is said of a certificate of an issuer: the hash's name, and then as in [`Answer`].
type Said<'py> = (
    PyRef<'py, Certificate>,
    PyRef<'py, Certificate>,
    String,
    u8,
    Option<i64>,
    Option<u8>,
    i64,
    Option<i64>,
);

/// A response in DER.
#[pyfunction]
#[pyo3(signature = (responder, produced_at, answers, nonce, certificates, signer))]
#[allow(clippy::too_many_arguments, reason = "called by one Python class")]
fn build_ocsp_response<'py>(
    py: Python<'py>,
    responder: &Certificate,
    produced_at: i64,
    answers: Vec<Said<'py>>,
    nonce: Option<Input>,
    certificates: Vec<PyRef<'py, Certificate>>,
    signer: &PrivateKey,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let mut builder = ResponseBuilder::new(&responder.0, seconds(produced_at)?)?;
    if let Some(nonce) = nonce {
        builder = builder.nonce(&nonce);
    }
    for (certificate, issuer, algorithm, status, when, why, this, next) in &answers {
        let status = match (status, when) {
            (0, None) => Status::Good,
            (1, Some(when)) => Status::Revoked(seconds(*when)?, reason(*why)?),
            (2, None) => Status::Unknown,
            _ => {
                let reason = "a certificate that was revoked has a time, and no other has";
                return Err(Failure::Argument(reason.into()));
            }
        };
        let id = named(algorithm, certificate, issuer)?;
        let next = next.map(seconds).transpose()?;
        builder = builder.say(id, status, seconds(*this)?, next)?;
    }
    for certificate in &certificates {
        builder = builder.with_certificate(&certificate.0);
    }
    let signer = signer.usual_signer();
    let made = py.detach(|| builder.sign(signer))?;
    Ok(PyBytes::new(py, made.as_der()))
}

/// A response without an answer, in DER.
#[pyfunction]
fn build_ocsp_refusal(py: Python<'_>, status: u8) -> Result<Bound<'_, PyBytes>, Failure> {
    let found = STATUSES.iter().find(|(_, number)| *number == status);
    let (status, _) = found.ok_or_else(|| Failure::Argument("there is no such status".into()))?;
    Ok(PyBytes::new(py, Response::refusing(*status)?.as_der()))
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<OcspRequest>()?;
    module.add_class::<OcspResponse>()?;
    module.add_function(wrap_pyfunction!(build_ocsp_request, module)?)?;
    module.add_function(wrap_pyfunction!(build_ocsp_response, module)?)?;
    module.add_function(wrap_pyfunction!(build_ocsp_refusal, module)?)
}
