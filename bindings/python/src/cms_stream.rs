//! Messages of any size: one pass over a file object, in little memory. Which passes there are,
//! and where a content may be written, `kuaimi/_cms_files.py` decides.

use std::io::{Read, Write};

use getrandom::SysRng;
use kuaimi_pki::Signer;
use kuaimi_pki::message::{
    Decryptor, DetachedVerifier, EnvelopeWriter, SignedWriter, Signing, Verifier,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::{Zeroize as _, Zeroizing};

use crate::bytes::Input;
use crate::cms::{Signers, Verified, encrypt_options, known, sign_options, verify_options};
use crate::error::Failure;
use crate::file::PyFile;
use crate::sm2::PrivateKey;
use crate::x509::Certificate;

const PIECE: usize = 256 << 10;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(to_ber, module)?)?;
    module.add_function(wrap_pyfunction!(sign_stream, module)?)?;
    module.add_function(wrap_pyfunction!(verify_stream, module)?)?;
    module.add_function(wrap_pyfunction!(verify_detached_stream, module)?)?;
    module.add_function(wrap_pyfunction!(encrypt_stream, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_stream, module)?)
}

/// Gives all that a file has, piece by piece; the number of its bytes.
fn each_piece(
    source: &mut PyFile,
    mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    // It may hold a content that is to be encrypted.
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    let mut length = 0;
    loop {
        let count = source.read(&mut piece)?;
        if count == 0 {
            return Ok(length);
        }
        length += count as u64;
        take(piece.get(..count).unwrap_or_default())?;
    }
}

/// Where bytes go, if anywhere. What was written is wiped.
struct Target {
    file: Option<PyFile>,
    waiting: Zeroizing<Vec<u8>>,
}

impl Target {
    fn new(file: Option<Bound<'_, PyAny>>) -> Self {
        Self {
            file: file.map(PyFile::new),
            // Room for a piece and what a message adds to it: so it does not grow, mostly.
            waiting: Zeroizing::new(Vec::with_capacity(2 * PIECE)),
        }
    }

    fn write(&mut self) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.write_all(&self.waiting)?;
        }
        // Vec::zeroize also empties it.
        self.waiting.zeroize();
        Ok(())
    }
}

/// A message in PEM, in BER; any other as it is.
#[pyfunction]
fn to_ber<'py>(py: Python<'py>, message: Input) -> Result<Bound<'py, PyBytes>, Failure> {
    Ok(PyBytes::new(py, &kuaimi_pki::message::to_ber(&message)?))
}

/// Signs what a file object gives, and writes the message into another; gives the length of the
/// content.
#[pyfunction]
#[pyo3(signature = (source, target, signers, *, certificates, form, detached, attributes, key_identifier, include, empty_identity, signing_time, length))]
#[allow(clippy::too_many_arguments, reason = "called by one Python function")]
fn sign_stream<'py>(
    py: Python<'py>,
    source: Bound<'py, PyAny>,
    target: Bound<'py, PyAny>,
    signers: Signers<'py>,
    certificates: Vec<PyRef<'py, Certificate>>,
    form: &str,
    detached: bool,
    attributes: bool,
    key_identifier: bool,
    include: bool,
    empty_identity: bool,
    signing_time: Option<i64>,
    length: Option<u64>,
) -> Result<u64, Failure> {
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
    let (own, keys): (Vec<_>, Vec<_>) = signers
        .iter()
        .map(|(certificate, key)| (certificate.0.clone(), key.usual_signer().clone()))
        .unzip();
    let mut source = PyFile::new(source);
    let mut target = Target::new(Some(target));
    py.detach(|| {
        let keys: Vec<&dyn Signer> = keys.iter().map(|key| key as &dyn Signer).collect();
        let count = if detached {
            let mut signing = Signing::new(&own, options)?;
            let count = each_piece(&mut source, |piece| {
                signing.update(piece);
                Ok(())
            })?;
            let signed = signing.prepare()?.sign(&keys)?;
            target.waiting.extend(signed.detached());
            count
        } else {
            let mut writer = SignedWriter::new(&own, options, length, &mut target.waiting)?;
            let count = each_piece(&mut source, |piece| {
                writer.push(piece, &mut target.waiting)?;
                target.write()
            })?;
            writer.finish(&keys, &mut target.waiting)?;
            count
        };
        target.write()?;
        Ok(count)
    })
}

/// The verdicts on a message with its content inside, which goes into `target` unverified.
#[pyfunction]
#[pyo3(signature = (source, target, *, certificates, empty_identity))]
fn verify_stream(
    py: Python<'_>,
    source: Bound<'_, PyAny>,
    target: Option<Bound<'_, PyAny>>,
    certificates: Vec<PyRef<'_, Certificate>>,
    empty_identity: bool,
) -> Result<Verified, Failure> {
    let options = verify_options(&known(&certificates), empty_identity);
    let (mut source, mut target) = (PyFile::new(source), Target::new(target));
    let found = py.detach(|| {
        let mut verifier = Verifier::new(options);
        each_piece(&mut source, |piece| {
            verifier.push(piece, &mut target.waiting)?;
            target.write()
        })?;
        Ok::<_, Failure>(verifier.finish()?)
    })?;
    Ok(Verified::of(py, &[], Some(&found))?)
}

/// The verdicts on a message whose content a file object gives.
#[pyfunction]
#[pyo3(signature = (message, content, *, certificates, empty_identity))]
fn verify_detached_stream(
    py: Python<'_>,
    message: Input,
    content: Bound<'_, PyAny>,
    certificates: Vec<PyRef<'_, Certificate>>,
    empty_identity: bool,
) -> Result<Verified, Failure> {
    let options = verify_options(&known(&certificates), empty_identity);
    let mut content = PyFile::new(content);
    let found = py.detach(|| {
        let message = kuaimi_pki::message::to_ber(&message)?;
        let mut verifier = DetachedVerifier::new(&message, options)?;
        each_piece(&mut content, |piece| {
            verifier.update(piece);
            Ok(())
        })?;
        Ok::<_, Failure>(verifier.finish()?)
    })?;
    Ok(Verified::of(py, &[], Some(&found))?)
}

/// Encrypts what a file object gives into another; gives the length of the content.
#[pyfunction]
#[pyo3(signature = (source, target, recipients, *, form, cipher, key_identifier, length))]
#[allow(clippy::too_many_arguments, reason = "called by one Python function")]
fn encrypt_stream(
    py: Python<'_>,
    source: Bound<'_, PyAny>,
    target: Bound<'_, PyAny>,
    recipients: Vec<PyRef<'_, Certificate>>,
    form: &str,
    cipher: &str,
    key_identifier: bool,
    length: Option<u64>,
) -> Result<u64, Failure> {
    let options = encrypt_options(form, cipher, key_identifier)?;
    let recipients = known(&recipients);
    let (mut source, mut target) = (PyFile::new(source), Target::new(Some(target)));
    py.detach(|| {
        let recipients: Vec<_> = recipients.iter().collect();
        let rng = &mut SysRng;
        let out = &mut target.waiting;
        let mut writer = EnvelopeWriter::new(&recipients, &options, length, rng, out)?;
        let count = each_piece(&mut source, |piece| {
            writer.push(piece, &mut target.waiting)?;
            target.write()
        })?;
        writer.finish(&mut target.waiting)?;
        target.write()?;
        Ok(count)
    })
}

/// Decrypts a message that a file object gives. The content goes into `target` unverified.
#[pyfunction]
#[pyo3(signature = (source, target, certificate, key, *, certificates, empty_identity))]
#[allow(clippy::too_many_arguments, reason = "called by one Python function")]
fn decrypt_stream(
    py: Python<'_>,
    source: Bound<'_, PyAny>,
    target: Option<Bound<'_, PyAny>>,
    certificate: Option<PyRef<'_, Certificate>>,
    key: &PrivateKey,
    certificates: Vec<PyRef<'_, Certificate>>,
    empty_identity: bool,
) -> Result<Verified, Failure> {
    let options = verify_options(&known(&certificates), empty_identity);
    let certificate = certificate.map(|one| one.0.clone());
    let secret = key.secret();
    let (mut source, mut target) = (PyFile::new(source), Target::new(target));
    let opened = py.detach(|| {
        let decryptor = Decryptor::of(certificate.as_ref(), secret);
        let mut decryptor = decryptor.with_verify_options(options);
        each_piece(&mut source, |piece| {
            decryptor.push(piece, &mut target.waiting)?;
            target.write()
        })?;
        let opened = decryptor.finish(&mut target.waiting)?;
        target.write()?;
        Ok::<_, Failure>(opened)
    })?;
    Ok(Verified::of(py, &[], opened.verification.as_ref())?)
}
