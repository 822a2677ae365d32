//! What can go wrong while a file is encrypted or decrypted.

use core::fmt;
use std::io;

use crate::pieces::Failure;
use crate::{encoding, sm9};

/// Why a file could not be encrypted, decrypted or rewritten.
///
/// What was written before an error is of no use and should be removed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading the input failed.
    Read(io::Error),
    /// Writing the output failed.
    Write(io::Error),
    /// The length of a long message must be known: to encrypt it in DER, or in the stream mode with `HMAC-SM3`.
    LengthNeeded,
    /// The message has another length than was announced; the value is the length announced.
    LengthMismatch(u64),
    /// The input was changed by someone else while it was read.
    InputChanged,
    /// The input is no ciphertext. That is public, and no key was used.
    Malformed(encoding::Error),
    /// [`sm9::Error::DecryptionFailed`], whatever the reason; an empty message or one too long; a failed random generator.
    Sm9(sm9::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "reading failed: {error}"),
            Self::Write(error) => write!(f, "writing failed: {error}"),
            Self::LengthNeeded => f.write_str(
                "the length of the message must be known in DER, and in the stream mode with HMAC-SM3: encrypt a file, or choose otherwise",
            ),
            Self::LengthMismatch(length) => write!(
                f,
                "the message is not {length} bytes long, as announced: it was changed while it was read"
            ),
            Self::InputChanged => {
                f.write_str("the input was changed while it was read: try again with a copy of it")
            }
            Self::Malformed(error) => error.fmt(f),
            Self::Sm9(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            Self::Malformed(error) => Some(error),
            Self::Sm9(error) => Some(error),
            Self::LengthNeeded | Self::LengthMismatch(_) | Self::InputChanged => None,
        }
    }
}

impl From<sm9::Error> for Error {
    fn from(error: sm9::Error) -> Self {
        Self::Sm9(error)
    }
}

impl From<encoding::Error> for Error {
    fn from(error: encoding::Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Read(error) => Self::Read(error),
            Failure::Changed => Self::InputChanged,
            Failure::Random => Self::Sm9(sm9::Error::Random),
        }
    }
}
