//! The library's errors as the exceptions of `kuaimi.errors`.

use std::fmt;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;

use kuaimi::{ErrorKind, UnknownBackend, encoding, sm2, sm3, sm4, sm9};

/// The exceptions, which are defined in Python.
pub(crate) mod exceptions {
    pyo3::import_exception!(kuaimi.errors, AlreadyFinalized);
    pyo3::import_exception!(kuaimi.errors, DecryptionFailed);
    pyo3::import_exception!(kuaimi.errors, Error);
    pyo3::import_exception!(kuaimi.errors, ExchangeFailed);
    pyo3::import_exception!(kuaimi.errors, FormatError);
    pyo3::import_exception!(kuaimi.errors, InvalidArgument);
    pyo3::import_exception!(kuaimi.errors, InvalidSignature);
    pyo3::import_exception!(kuaimi.errors, PasswordNeeded);
    pyo3::import_exception!(kuaimi.errors, RandomFailed);
    pyo3::import_exception!(kuaimi.errors, TLCPError);
    pyo3::import_exception!(kuaimi.errors, VerificationError);
    pyo3::import_exception!(kuaimi.errors, WrongPassword);
}
use exceptions::{
    AlreadyFinalized, DecryptionFailed, Error, ExchangeFailed, FormatError, InvalidArgument,
    InvalidSignature, PasswordNeeded, RandomFailed, TLCPError, VerificationError, WrongPassword,
};

/// The exception of each kind. `docs/errors.md` has the same table, and a test compares them.
fn exception(kind: ErrorKind, reason: String) -> PyErr {
    use ErrorKind as K;
    let arguments = (reason, kind.name());
    match kind {
        K::InvalidSignature | K::NotRecoverable => InvalidSignature::new_err(arguments),
        K::CertificateRefused => VerificationError::new_err(arguments),
        K::DecryptionFailed | K::InputChanged => DecryptionFailed::new_err(arguments),
        K::ConfirmationFailed => ExchangeFailed::new_err(arguments),
        K::Malformed
        | K::TrailingBytes
        | K::Text
        | K::PointEncoding
        | K::NotOnCurve
        | K::SignatureEncoding
        | K::CiphertextEncoding
        | K::ExchangeState
        | K::Table
        | K::PublicKeyMismatch
        | K::PrivateKeyRange
        | K::NotAKey
        | K::OtherKey
        | K::OtherAlgorithm
        | K::UserKeyMismatch
        | K::ExchangeKey
        | K::MasterPublicKeyMissing
        | K::UnsupportedEncryption
        | K::EncryptionCost => FormatError::new_err(arguments),
        K::PasswordNeeded => PasswordNeeded::new_err(arguments),
        K::WrongPassword => WrongPassword::new_err(arguments),
        K::KeyLength
        | K::UnusableMasterKey
        | K::EqualHalves
        | K::IdentityTooLong
        | K::EmptyIdentity
        | K::EmptyMessage
        | K::MessageTooLong
        | K::DerivedKeyLength
        | K::RecoveryId
        | K::EmptyNonce
        | K::NonceLength
        | K::TagLength
        | K::PartialBlock
        | K::DataTooShort
        | K::AssociatedDataLate
        | K::InvalidArgument
        | K::UnknownBackend => InvalidArgument::new_err(arguments),
        K::Random => RandomFailed::new_err(arguments),
        K::Io => PyOSError::new_err(arguments.0),
        _ => Error::new_err(arguments),
    }
}

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    Sm2(sm2::Error),
    Sm9(sm9::Error),
    Sm4(sm4::Error),
    Kdf(sm3::KdfError),
    Encoding(encoding::Error),
    Stream(sm2::stream::Error),
    /// A file object cannot be read or written: what it raised, or why.
    Io(std::io::Error),
    Backend(UnknownBackend),
    Pki(kuaimi_pki::Error),
    Chain(kuaimi_pki::chain::Refusal),
    Tlcp(kuaimi_tlcp::Error),
    /// A connection ended: how.
    Connection(String),
    /// What is given as a signature is none: why.
    NoSignature(String),
    /// A decryption failed, for whatever reason.
    Decryption,
    /// An argument is not what it should be: why, and what to do.
    Argument(String),
    /// Bytes are not what they should be: why.
    Format(String),
    /// What was finished cannot go on.
    Finished(&'static str),
    /// An argument has another type.
    Type(String),
    /// Python raised it.
    Python(PyErr),
}

macro_rules! from {
    ($($variant:ident($error:ty)),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}
from!(
    Sm2(sm2::Error),
    Sm9(sm9::Error),
    Sm4(sm4::Error),
    Kdf(sm3::KdfError),
    Encoding(encoding::Error),
    Stream(sm2::stream::Error),
    Io(std::io::Error),
    Backend(UnknownBackend),
    Pki(kuaimi_pki::Error),
    Chain(kuaimi_pki::chain::Refusal),
    Tlcp(kuaimi_tlcp::Error),
    Python(PyErr)
);

impl Failure {
    /// The kind, of what is not only Python's.
    fn kind(&self) -> Option<ErrorKind> {
        Some(match self {
            Self::Sm2(error) => error.kind(),
            Self::Sm9(error) => error.kind(),
            Self::Sm4(error) => error.kind(),
            Self::Kdf(error) => error.kind(),
            Self::Encoding(error) => error.kind(),
            Self::Stream(error) => error.kind(),
            Self::Backend(error) => error.kind(),
            Self::Pki(error) => error.kind(),
            Self::Chain(refusal) => refusal.kind(),
            Self::Tlcp(error) if error.is_of_connection() => return None,
            Self::Tlcp(error) => error.kind(),
            Self::NoSignature(_) => ErrorKind::InvalidSignature,
            Self::Decryption => ErrorKind::DecryptionFailed,
            Self::Argument(_) => ErrorKind::InvalidArgument,
            Self::Format(_) => ErrorKind::Malformed,
            Self::Io(_) => ErrorKind::Io,
            Self::Connection(_) | Self::Finished(_) | Self::Type(_) | Self::Python(_) => {
                return None;
            }
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm2(error) => error.fmt(f),
            Self::Sm9(error) => error.fmt(f),
            Self::Sm4(error) => error.fmt(f),
            Self::Kdf(error) => error.fmt(f),
            Self::Encoding(error) => error.fmt(f),
            Self::Stream(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Backend(error) => error.fmt(f),
            Self::Pki(error) => error.fmt(f),
            Self::Chain(refusal) => refusal.fmt(f),
            Self::Tlcp(error) => error.fmt(f),
            Self::Decryption => ErrorKind::DecryptionFailed.fmt(f),
            Self::NoSignature(reason)
            | Self::Connection(reason)
            | Self::Argument(reason)
            | Self::Format(reason)
            | Self::Type(reason) => f.write_str(reason),
            Self::Finished(reason) => f.write_str(reason),
            Self::Python(error) => error.fmt(f),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Python(error) => error,
            // An exception of a file object comes back as it was raised.
            Failure::Io(error) => error.into(),
            Failure::Stream(sm2::stream::Error::Read(error) | sm2::stream::Error::Write(error)) => {
                error.into()
            }
            failure => match failure.kind() {
                Some(kind) => exception(kind, failure.to_string()),
                None if matches!(failure, Failure::Finished(_)) => {
                    AlreadyFinalized::new_err(failure.to_string())
                }
                None if matches!(failure, Failure::Tlcp(_) | Failure::Connection(_)) => {
                    TLCPError::new_err(failure.to_string())
                }
                None => PyTypeError::new_err(failure.to_string()),
            },
        }
    }
}

/// For the tests: an exception of each kind, with the kind's name.
#[pyfunction]
pub(crate) fn exceptions_by_kind(py: Python<'_>) -> Vec<(&'static str, Bound<'_, PyAny>)> {
    let exception = |kind: &ErrorKind| {
        let value = exception(*kind, kind.to_string()).into_value(py);
        (kind.name(), value.into_bound(py).into_any())
    };
    ErrorKind::ALL.iter().map(exception).collect()
}

/// Why an object with a secret cannot be pickled, or copied to another process.
pub(crate) fn no_pickle(what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{what}, which pickle would write unprotected: pass the key itself, encrypted under a password where it is stored"
    ))
}
