//! The errors of encrypting and decrypting files.

use core::fmt;
use std::io;

use kuaimi_platform::ErrorKind;

#[cfg(feature = "sm9")]
use crate::sm9;
use crate::{encoding, sm2};

/// Why a file could not be encrypted, decrypted or converted.
///
/// Remove what was written before an error: it is incomplete.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm2::{CiphertextForm, Error, PrivateKey, stream};
///
/// let key = PrivateKey::generate()?;
/// let noise = Cursor::new([7; 200]);
/// let failed = stream::decrypt(&key, Some(CiphertextForm::C1C3C2), noise, Vec::new());
/// assert!(matches!(failed, Err(stream::Error::Sm2(Error::DecryptionFailed))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading the input failed.
    Read(io::Error),
    /// Writing the output failed.
    Write(io::Error),
    /// The length of a long message must be given: DER starts with it, and SM9's stream mode with
    /// HMAC-SM3 needs it to find the key of the code.
    LengthNeeded,
    /// The message does not have the length that the caller gave, which is the value.
    LengthMismatch(u64),
    /// The input changed while it was read.
    InputChanged,
    /// The input is not a ciphertext of the given form. This follows from public data: no key was
    /// used.
    Malformed(encoding::Error),
    /// The random generator failed.
    Random,
    /// SM2 failed: [`sm2::Error::DecryptionFailed`], whatever the reason; an empty message or one
    /// too long.
    Sm2(sm2::Error),
    /// SM9 failed, for the same reasons.
    #[cfg(feature = "sm9")]
    Sm9(sm9::Error),
}

impl Error {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Read(_) | Self::Write(_) => ErrorKind::Io,
            Self::LengthNeeded | Self::LengthMismatch(_) => ErrorKind::InvalidArgument,
            Self::InputChanged => ErrorKind::InputChanged,
            Self::Malformed(error) => error.kind(),
            Self::Random => ErrorKind::Random,
            Self::Sm2(error) => error.kind(),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => error.kind(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "reading failed: {error}"),
            Self::Write(error) => write!(f, "writing failed: {error}"),
            Self::LengthNeeded => f.write_str(
                "the length of the message must be known before it is encrypted in this form: encrypt a file, or choose another form",
            ),
            Self::LengthMismatch(length) => write!(
                f,
                "the message is not {length} bytes long, as announced: it was changed while it was read"
            ),
            Self::Malformed(error) => error.fmt(f),
            Self::InputChanged | Self::Random => self.kind().fmt(f),
            Self::Sm2(error) => error.fmt(f),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            Self::Malformed(error) => Some(error),
            Self::Sm2(error) => Some(error),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => Some(error),
            Self::LengthNeeded | Self::LengthMismatch(_) | Self::InputChanged | Self::Random => {
                None
            }
        }
    }
}

impl From<sm2::Error> for Error {
    fn from(error: sm2::Error) -> Self {
        match error {
            sm2::Error::Random => Self::Random,
            error => Self::Sm2(error),
        }
    }
}

#[cfg(feature = "sm9")]
impl From<sm9::Error> for Error {
    fn from(error: sm9::Error) -> Self {
        match error {
            sm9::Error::Random => Self::Random,
            error => Self::Sm9(error),
        }
    }
}

impl From<encoding::Error> for Error {
    fn from(error: encoding::Error) -> Self {
        Self::Malformed(error)
    }
}
