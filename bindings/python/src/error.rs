//! The library's errors as the exceptions of `kuaimi.errors`.

use pyo3::PyErr;
use pyo3::exceptions::PyTypeError;

use kuaimi::{encoding, sm2, sm3, sm4, sm9};

/// The exceptions, which are defined in Python.
pub(crate) mod exceptions {
    pyo3::import_exception!(kuaimi.errors, AlreadyFinalized);
    pyo3::import_exception!(kuaimi.errors, DecryptionFailed);
    pyo3::import_exception!(kuaimi.errors, ExchangeFailed);
    pyo3::import_exception!(kuaimi.errors, FormatError);
    pyo3::import_exception!(kuaimi.errors, InvalidArgument);
    pyo3::import_exception!(kuaimi.errors, InvalidSignature);
    pyo3::import_exception!(kuaimi.errors, PasswordNeeded);
    pyo3::import_exception!(kuaimi.errors, RandomFailed);
    pyo3::import_exception!(kuaimi.errors, WrongPassword);
}
use exceptions::{
    AlreadyFinalized, DecryptionFailed, ExchangeFailed, FormatError, InvalidArgument,
    InvalidSignature, PasswordNeeded, RandomFailed, WrongPassword,
};

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    Sm2(sm2::Error),
    Sm9(sm9::Error),
    Sm4(sm4::Error),
    Encoding(encoding::Error),
    Stream(sm2::stream::Error),
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
    Encoding(encoding::Error),
    Stream(sm2::stream::Error),
    Python(PyErr)
);

impl From<sm3::KdfError> for Failure {
    fn from(error: sm3::KdfError) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Sm2(error) => of_sm2(error),
            Failure::Sm9(error) => of_sm9(error),
            Failure::Sm4(error) => of_sm4(error),
            Failure::Encoding(error) => of_encoding(error),
            Failure::Stream(error) => of_stream(error),
            Failure::NoSignature(reason) => InvalidSignature::new_err(reason),
            Failure::Decryption => DecryptionFailed::new_err(
                "decryption failed: another key, another form of ciphertext, or altered data",
            ),
            Failure::Argument(reason) => InvalidArgument::new_err(reason),
            Failure::Format(reason) => FormatError::new_err(reason),
            Failure::Finished(reason) => AlreadyFinalized::new_err(reason),
            Failure::Type(reason) => PyTypeError::new_err(reason),
            Failure::Python(error) => error,
        }
    }
}

fn of_sm2(error: sm2::Error) -> PyErr {
    use sm2::Error as E;
    let reason = error.to_string();
    match error {
        E::InvalidSignature | E::NotRecoverable => InvalidSignature::new_err(reason),
        E::DecryptionFailed => DecryptionFailed::new_err(reason),
        E::ConfirmationFailed => ExchangeFailed::new_err(reason),
        E::Random => RandomFailed::new_err(reason),
        E::IdTooLong(_)
        | E::EmptyMessage
        | E::MessageTooLong
        | E::SharedKeyLength
        | E::RecoveryId(_) => InvalidArgument::new_err(reason),
        _ => FormatError::new_err(reason),
    }
}

fn of_sm9(error: sm9::Error) -> PyErr {
    use sm9::Error as E;
    let reason = error.to_string();
    match error {
        E::InvalidSignature => InvalidSignature::new_err(reason),
        E::DecryptionFailed => DecryptionFailed::new_err(reason),
        E::ConfirmationFailed => ExchangeFailed::new_err(reason),
        E::Random => RandomFailed::new_err(reason),
        E::EmptyIdentity
        | E::UnusableMasterKey
        | E::EmptyMessage
        | E::MessageTooLong
        | E::KeyLength => InvalidArgument::new_err(reason),
        _ => FormatError::new_err(reason),
    }
}

fn of_sm4(error: sm4::Error) -> PyErr {
    let reason = error.to_string();
    match error {
        sm4::Error::DecryptionFailed => DecryptionFailed::new_err(reason),
        _ => InvalidArgument::new_err(reason),
    }
}

fn of_encoding(error: encoding::Error) -> PyErr {
    use encoding::Error as E;
    let reason = error.to_string();
    match error {
        E::Sm2(error) => of_sm2(error),
        E::Sm9(error) => of_sm9(error),
        E::PasswordNeeded => PasswordNeeded::new_err(reason),
        E::WrongPassword => WrongPassword::new_err(reason),
        E::Random => RandomFailed::new_err(reason),
        _ => FormatError::new_err(reason),
    }
}

fn of_stream(error: sm2::stream::Error) -> PyErr {
    use sm2::stream::Error as E;
    let reason = error.to_string();
    match error {
        // An exception of a file object comes back as it was raised.
        E::Read(error) | E::Write(error) => error.into(),
        E::LengthNeeded | E::LengthMismatch(_) => InvalidArgument::new_err(reason),
        E::InputChanged | E::Malformed(_) => DecryptionFailed::new_err(reason),
        E::Random => RandomFailed::new_err(reason),
        E::Sm2(error) => of_sm2(error),
        E::Sm9(error) => of_sm9(error),
        _ => FormatError::new_err(reason),
    }
}

/// Why an object with a secret cannot be pickled, or copied to another process.
pub(crate) fn no_pickle(what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{what}, which pickle would write unprotected: pass the key itself, encrypted under a password where it is stored"
    ))
}
