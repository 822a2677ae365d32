//! Making certificates and requests.

use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Extensions;
use kuaimi_pki::external::der::Decode;
use kuaimi_pki::external::x509_cert::name::Name;
use kuaimi_pki::request::RequestBuilder;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Certificate, Extension, malformed, oid, time};
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::{PrivateKey, PublicKey};

fn add(all: Vec<Extension>, extensions: &mut Extensions) -> Result<(), Failure> {
    for (id, critical, value) in all {
        extensions.set_der(oid(&id)?, critical, &value)?;
    }
    Ok(())
}

fn name(der: &[u8]) -> Result<Name, Failure> {
    Name::from_der(der).map_err(malformed)
}

/// A certificate in DER, signed by the key of `issuer`; without one, it is its own issuer.
#[pyfunction]
#[pyo3(signature = (subject, key, serial, validity, extensions, issuer, signer))]
#[allow(clippy::too_many_arguments, reason = "called by one Python class")]
fn build_certificate<'py>(
    py: Python<'py>,
    subject: Input,
    key: &PublicKey,
    serial: Input,
    validity: (i64, i64),
    extensions: Vec<Extension>,
    issuer: Option<&Certificate>,
    signer: &PrivateKey,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let validity = Validity {
        not_before: time(validity.0)?,
        not_after: time(validity.1)?,
    };
    let mut builder =
        CertificateBuilder::new(name(&subject)?, key.point(), validity).serial(&serial)?;
    add(extensions, builder.extensions())?;
    let signer = signer.usual_signer();
    let made = py.detach(|| match issuer {
        Some(issuer) => builder.sign(&issuer.0, signer),
        None => builder.self_sign(signer),
    })?;
    Ok(PyBytes::new(py, made.as_der()))
}

/// A request in DER, signed with its own key.
#[pyfunction]
#[pyo3(signature = (subject, extensions, challenge_password, signer))]
fn build_request<'py>(
    py: Python<'py>,
    subject: Input,
    extensions: Vec<Extension>,
    challenge_password: Option<&str>,
    signer: &PrivateKey,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let signer = signer.usual_signer();
    let mut builder = RequestBuilder::new(name(&subject)?, signer.public_key());
    if let Some(password) = challenge_password {
        builder = builder.challenge_password(password)?;
    }
    add(extensions, builder.extensions())?;
    let made = py.detach(|| builder.sign(signer))?;
    Ok(PyBytes::new(py, made.as_der()))
}

/// The identifier of a key: SHA-1 of its point (RFC 5280, clause 4.2.1.2).
#[pyfunction]
fn key_identifier<'py>(py: Python<'py>, key: &PublicKey) -> Bound<'py, PyBytes> {
    let id = kuaimi_pki::extensions::key_identifier(&key.point().to_sec1_bytes());
    PyBytes::new(py, &id)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(build_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(build_request, module)?)?;
    module.add_function(wrap_pyfunction!(key_identifier, module)?)
}
