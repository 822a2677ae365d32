//! Messages (GM/T 0010, CMS).

use getrandom::SysRng;
use kuaimi_pki::message::{
    self, CertificateId, ContentCipher, Decryptor, Dialect, EncryptOptions, Refusal, SignOptions,
    SignerResult, Verification, VerifyOptions,
};
use kuaimi_pki::{Certificate as Pki, Signer};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::PrivateKey;
use crate::x509::{Certificate, identities, time};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SignerInfo>()?;
    module.add_class::<Verified>()?;
    module.add_function(wrap_pyfunction!(sign, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt, module)?)?;
    crate::cms_stream::add_to(module)
}

fn dialect(form: &str) -> Result<Dialect, Failure> {
    match form {
        "cms" => Ok(Dialect::Cms),
        "gm" => Ok(Dialect::Gm),
        _ => Err(Failure::Argument(
            "form is \"cms\" (RFC 5652) or \"gm\" (GM/T 0010)".into(),
        )),
    }
}

pub(crate) fn known(all: &[PyRef<'_, Certificate>]) -> Vec<Pki> {
    all.iter().map(|one| one.0.clone()).collect()
}

/// One signer of a message, and the verdict.
#[pyclass(frozen, get_all, module = "kuaimi._native.cms")]
pub(crate) struct SignerInfo {
    /// The signer's certificate in DER.
    certificate: Option<Vec<u8>>,
    /// The serial number or the key identifier that the message names the signer with.
    name: Vec<u8>,
    /// Why the signature is not accepted.
    refusal: Option<String>,
    /// Whether it is only not accepted because the certificate came after the content, and has to
    /// be given before another pass.
    needs_certificate: bool,
    /// When the signer says that it signed, in seconds since 1970.
    signing_time: Option<u64>,
}

impl SignerInfo {
    fn of(found: &SignerResult) -> Self {
        let certificate = found.certificate.as_ref();
        Self {
            certificate: certificate.map(|one| one.as_der().to_vec()),
            name: match &found.id {
                CertificateId::Key(id) => id.clone(),
                CertificateId::Issuer { serial, .. } => serial.clone(),
                _ => Vec::new(),
            },
            refusal: found.verdict.err().map(|refusal| refusal.to_string()),
            needs_certificate: found.verdict == Err(Refusal::CertificateNeededBefore),
            signing_time: found
                .signing_time
                .map(|time| time.unix_duration().as_secs()),
        }
    }
}

/// A message whose signatures were looked at.
#[pyclass(frozen, get_all, module = "kuaimi._native.cms")]
pub(crate) struct Verified {
    content: Py<PyBytes>,
    signers: Vec<Py<SignerInfo>>,
    /// The certificates in the message, in DER.
    certificates: Vec<Vec<u8>>,
}

impl Verified {
    /// Without a verification, the message is not signed.
    pub(crate) fn of(
        py: Python<'_>,
        content: &[u8],
        found: Option<&Verification>,
    ) -> PyResult<Self> {
        let signers = found.map_or(&[][..], |found| &found.signers).iter();
        let certificates = found.map_or(&[][..], |found| &found.certificates).iter();
        Ok(Self {
            content: PyBytes::new(py, content).unbind(),
            signers: signers
                .map(|one| Py::new(py, SignerInfo::of(one)))
                .collect::<PyResult<_>>()?,
            certificates: certificates.map(|one| one.as_der().to_vec()).collect(),
        })
    }
}

/// Certificates with their keys.
pub(crate) type Signers<'py> = Vec<(PyRef<'py, Certificate>, PyRef<'py, PrivateKey>)>;

#[allow(clippy::too_many_arguments, reason = "called by two functions")]
pub(crate) fn sign_options(
    certificates: &[PyRef<'_, Certificate>],
    form: &str,
    detached: bool,
    attributes: bool,
    key_identifier: bool,
    include: bool,
    empty_identity: bool,
    signing_time: Option<i64>,
) -> Result<SignOptions, Failure> {
    let mut options = SignOptions::new().with_dialect(dialect(form)?);
    if detached {
        options = options.detached();
    }
    match (attributes, signing_time) {
        (false, _) => options = options.without_attributes(),
        (true, Some(seconds)) => options = options.with_signing_time(time(seconds)?),
        (true, None) => {}
    }
    if key_identifier {
        options = options.by_key_identifier();
    }
    options = match include {
        true => options.with_certificates(&known(certificates)),
        false => options.without_certificates(),
    };
    if empty_identity {
        options = options.under_empty_identity();
    }
    Ok(options)
}

pub(crate) fn verify_options(known: &[Pki], empty_identity: bool) -> VerifyOptions {
    VerifyOptions::new()
        .with_certificates(known)
        .with_identities(identities(empty_identity))
}

pub(crate) fn encrypt_options(
    form: &str,
    cipher: &str,
    key_identifier: bool,
) -> Result<EncryptOptions, Failure> {
    let options = EncryptOptions::new()
        .with_dialect(dialect(form)?)
        .with_cipher(match cipher {
            "sm4-cbc" => ContentCipher::Sm4Cbc,
            "sm4-gcm" => ContentCipher::Sm4Gcm,
            _ => {
                return Err(Failure::Argument(
                    "cipher is \"sm4-cbc\" or \"sm4-gcm\"".into(),
                ));
            }
        });
    Ok(match key_identifier {
        true => options.by_key_identifier(),
        false => options,
    })
}

#[pyfunction]
#[pyo3(signature = (content, signers, *, certificates, form, detached, attributes, key_identifier, include, empty_identity, signing_time))]
#[allow(clippy::too_many_arguments, reason = "called by one Python function")]
fn sign<'py>(
    py: Python<'py>,
    content: Input,
    signers: Signers<'py>,
    certificates: Vec<PyRef<'py, Certificate>>,
    form: &str,
    detached: bool,
    attributes: bool,
    key_identifier: bool,
    include: bool,
    empty_identity: bool,
    signing_time: Option<i64>,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let options = sign_options(
        &certificates,
        form,
        detached,
        attributes,
        key_identifier,
        include,
        empty_identity,
        signing_time,
    )?;
    let signers: Vec<(Pki, _)> = signers
        .iter()
        .map(|(certificate, key)| (certificate.0.clone(), key.usual_signer().clone()))
        .collect();
    let made = py.detach(|| {
        let signers: Vec<(&Pki, &dyn Signer)> = signers
            .iter()
            .map(|(certificate, key)| (certificate, key as &dyn Signer))
            .collect();
        message::sign(&content, &signers, &options)
    })?;
    Ok(PyBytes::new(py, &made))
}

/// The verdicts. No error does not mean that a signature is right.
#[pyfunction]
#[pyo3(signature = (message, content, *, certificates, empty_identity))]
fn verify(
    py: Python<'_>,
    message: Input,
    content: Option<Input>,
    certificates: Vec<PyRef<'_, Certificate>>,
    empty_identity: bool,
) -> Result<Verified, Failure> {
    let options = verify_options(&known(&certificates), empty_identity);
    let found = py.detach(|| message::examine(&message, content.as_deref(), &options))?;
    Ok(Verified::of(py, &found.content, Some(&found.verification))?)
}

#[pyfunction]
#[pyo3(signature = (content, recipients, *, form, cipher, key_identifier))]
fn encrypt<'py>(
    py: Python<'py>,
    content: Input,
    recipients: Vec<PyRef<'py, Certificate>>,
    form: &str,
    cipher: &str,
    key_identifier: bool,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let options = encrypt_options(form, cipher, key_identifier)?;
    let recipients = known(&recipients);
    let made = py.detach(|| {
        let recipients: Vec<&Pki> = recipients.iter().collect();
        message::encrypt(&content, &recipients, &options, &mut SysRng)
    })?;
    Ok(PyBytes::new(py, &made))
}

/// The content, and the signers of a message that is signed, too, all of which are right.
#[pyfunction]
#[pyo3(signature = (message, certificate, key, *, certificates, empty_identity))]
fn decrypt(
    py: Python<'_>,
    message: Input,
    certificate: Option<PyRef<'_, Certificate>>,
    key: &PrivateKey,
    certificates: Vec<PyRef<'_, Certificate>>,
    empty_identity: bool,
) -> Result<Verified, Failure> {
    let options = verify_options(&known(&certificates), empty_identity);
    let certificate = certificate.map(|one| one.0.clone());
    let secret = key.secret();
    let (content, opened) = py.detach(|| {
        let decryptor = Decryptor::of(certificate.as_ref(), secret);
        message::open(&message, decryptor.with_verify_options(options))
    })?;
    Ok(Verified::of(py, &content, opened.verification.as_ref())?)
}
