//! Keys from files' forms.

use kuaimi::encoding::{
    PrivateKeyStructure, PublicKeyStructure, TextEncoding, read_private_key, read_public_key,
};
use pyo3::prelude::*;

use super::private_key::identity_digest;
use super::{PrivateKey, PublicKey};
use crate::bytes::Input;
use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(load_private_key, module)?)?;
    module.add_function(wrap_pyfunction!(load_pem_private_key, module)?)?;
    module.add_function(wrap_pyfunction!(load_der_private_key, module)?)?;
    module.add_function(wrap_pyfunction!(load_public_key, module)?)?;
    module.add_function(wrap_pyfunction!(load_pem_public_key, module)?)?;
    module.add_function(wrap_pyfunction!(load_der_public_key, module)?)?;
    module.add_function(wrap_pyfunction!(identity_digest, module)?)
}

/// What the caller says of the text encoding.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Any,
    Pem,
    Der,
}

impl Wanted {
    pub(crate) fn check(self, found: TextEncoding, is_der: bool) -> Result<(), Failure> {
        match self {
            Self::Pem if found != TextEncoding::Pem => Err(Failure::Format(
                "the key is not in PEM: use the function load_… without pem, which finds the form"
                    .into(),
            )),
            Self::Der if found != TextEncoding::Binary || !is_der => Err(Failure::Format(
                "the key is not in DER: use the function load_… without der, which finds the form"
                    .into(),
            )),
            _ => Ok(()),
        }
    }
}

fn private_key(
    py: Python<'_>,
    data: &[u8],
    password: Option<&[u8]>,
    wanted: Wanted,
) -> Result<PrivateKey, Failure> {
    let (key, form) = py.detach(|| read_private_key(data, password))?;
    wanted.check(form.encoding, form.structure != PrivateKeyStructure::Raw)?;
    Ok(PrivateKey::of(key))
}

fn public_key(data: &[u8], wanted: Wanted) -> Result<PublicKey, Failure> {
    let (key, form) = read_public_key(data)?;
    let is_der = matches!(
        form.structure,
        PublicKeyStructure::Spki | PublicKeyStructure::Certificate
    );
    wanted.check(form.encoding, is_der)?;
    Ok(PublicKey::of(key))
}

/// A private key in any form: PKCS#8, encrypted or not, or SEC 1 (RFC 5915), in PEM, DER,
/// hexadecimal or Base64; or the number alone.
///
/// Raises PasswordNeeded, WrongPassword, and FormatError with the reason.
///
/// >>> kuaimi.sm2.load_private_key(b"no key")
/// Traceback (most recent call last):
/// kuaimi.errors.FormatError: ...
/// >>> kuaimi.sm2.load_private_key(b"03" * 32)
/// <SM2PrivateKey>
#[pyfunction]
#[pyo3(signature = (data, password = None))]
fn load_private_key(
    py: Python<'_>,
    data: Input,
    password: Option<Input>,
) -> Result<PrivateKey, Failure> {
    private_key(py, &data, password.as_deref(), Wanted::Any)
}

/// A private key in PEM: PKCS#8, encrypted or not, or SEC 1 (RFC 5915).
///
/// Raises PasswordNeeded, WrongPassword, and FormatError with the reason.
///
/// >>> kuaimi.sm2.load_pem_private_key(b"no key", None)
/// Traceback (most recent call last):
/// kuaimi.errors.FormatError: ...
#[pyfunction]
#[pyo3(signature = (data, password = None))]
fn load_pem_private_key(
    py: Python<'_>,
    data: Input,
    password: Option<Input>,
) -> Result<PrivateKey, Failure> {
    private_key(py, &data, password.as_deref(), Wanted::Pem)
}

/// A private key in DER: PKCS#8, encrypted or not, or SEC 1 (RFC 5915).
///
/// Raises PasswordNeeded, WrongPassword, and FormatError with the reason.
///
/// >>> from kuaimi.serialization import Encoding, PrivateFormat
/// >>> key = kuaimi.sm2.SM2PrivateKey.generate()
/// >>> kuaimi.sm2.load_der_private_key(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8)) == key
/// True
#[pyfunction]
#[pyo3(signature = (data, password = None))]
fn load_der_private_key(
    py: Python<'_>,
    data: Input,
    password: Option<Input>,
) -> Result<PrivateKey, Failure> {
    private_key(py, &data, password.as_deref(), Wanted::Der)
}

/// A public key in any form: SubjectPublicKeyInfo or a certificate, in PEM, DER, hexadecimal or
/// Base64; or a point of 33, 64 or 65 bytes.
///
/// Of a certificate, only the key is read: nothing of it is checked. Raises FormatError with the
/// reason.
///
/// >>> public_key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
/// >>> kuaimi.sm2.load_public_key(public_key.to_bytes().hex().encode()) == public_key
/// True
#[pyfunction]
fn load_public_key(data: Input) -> Result<PublicKey, Failure> {
    public_key(&data, Wanted::Any)
}

/// A public key in PEM: SubjectPublicKeyInfo, or a certificate, of which only the key is read.
/// Raises FormatError with the reason.
///
/// >>> kuaimi.sm2.load_pem_public_key(b"no key")
/// Traceback (most recent call last):
/// kuaimi.errors.FormatError: ...
#[pyfunction]
fn load_pem_public_key(data: Input) -> Result<PublicKey, Failure> {
    public_key(&data, Wanted::Pem)
}

/// A public key in DER: SubjectPublicKeyInfo, or a certificate, of which only the key is read.
/// Raises FormatError with the reason.
///
/// >>> from kuaimi.serialization import Encoding, PublicFormat
/// >>> public_key = kuaimi.sm2.SM2PrivateKey.generate().public_key()
/// >>> der = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
/// >>> kuaimi.sm2.load_der_public_key(der) == public_key
/// True
#[pyfunction]
fn load_der_public_key(data: Input) -> Result<PublicKey, Failure> {
    public_key(&data, Wanted::Der)
}
