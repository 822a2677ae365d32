//! Why a certificate, a request or a message is refused.

use core::fmt;

use der::asn1::ObjectIdentifier;
use kuaimi::encoding;
use kuaimi_platform::ErrorKind;

/// Why bytes cannot be read as a certificate, a list or a message, or one cannot be made.
///
/// What a chain of certificates is refused for is another type, `chain::Refusal`, as it names the
/// certificate and the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The DER (or BER) of a structure is malformed; the first value is the structure's name.
    Der(&'static str, der::Error),
    /// The DER is well formed, but the structure has something that its standard forbids. The first
    /// value is the structure's name, the second what is wrong.
    Structure(&'static str, &'static str),
    /// A key, a signature or a ciphertext inside the structure, or its password.
    Encoding(encoding::Error),
    /// An algorithm that is not supported; the first value is what it is used for.
    Algorithm(&'static str, ObjectIdentifier),
    /// A signature does not fit what it signs.
    Signature,
    /// Decryption failed: another key, or altered data. Which of these is not said.
    Decryption,
    /// No recipient of the message is the holder of this certificate or key.
    NotARecipient,
    /// A part of a name in text cannot be used; the first value is the part, the second why.
    Name(alloc::string::String, &'static str),
    /// A number of items or of bytes is above what is accepted; the value says which.
    Limit(&'static str),
    /// An argument that the caller gave cannot be used; the value says which and why.
    Argument(&'static str),
    /// The random generator failed.
    Random,
}

impl Error {
    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Der(..) | Self::Structure(..) => ErrorKind::Malformed,
            Self::Encoding(error) => error.kind(),
            Self::Algorithm(..) => ErrorKind::OtherAlgorithm,
            Self::Signature => ErrorKind::InvalidSignature,
            Self::Decryption => ErrorKind::DecryptionFailed,
            Self::NotARecipient => ErrorKind::OtherKey,
            Self::Name(..) | Self::Limit(_) | Self::Argument(_) => ErrorKind::InvalidArgument,
            Self::Random => ErrorKind::Random,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Der(what, error) => write!(f, "this is no {what}: {error}"),
            Self::Structure(what, why) => write!(f, "the {what} {why}"),
            Self::Encoding(error) => error.fmt(f),
            Self::Algorithm(purpose, oid) => {
                write!(f, "the algorithm {oid} for {purpose} is not supported")
            }
            Self::Signature => f.write_str(ErrorKind::InvalidSignature.as_str()),
            Self::Decryption => f.write_str(ErrorKind::DecryptionFailed.as_str()),
            Self::NotARecipient => {
                f.write_str("the message was not encrypted for this certificate or key")
            }
            Self::Name(part, why) => write!(f, "the part {part:?} of the name {why}"),
            Self::Limit(what) => write!(f, "too large: {what}"),
            Self::Argument(what) => f.write_str(what),
            Self::Random => f.write_str(ErrorKind::Random.as_str()),
        }
    }
}

impl core::error::Error for Error {}

impl From<encoding::Error> for Error {
    fn from(error: encoding::Error) -> Self {
        match error {
            encoding::Error::Random => Self::Random,
            error => Self::Encoding(error),
        }
    }
}

impl From<kuaimi::sm2::Error> for Error {
    fn from(error: kuaimi::sm2::Error) -> Self {
        match error {
            kuaimi::sm2::Error::InvalidSignature => Self::Signature,
            kuaimi::sm2::Error::DecryptionFailed => Self::Decryption,
            kuaimi::sm2::Error::Random => Self::Random,
            error => Self::Encoding(error.into()),
        }
    }
}

/// Names the structure that `result` was read from.
pub(crate) trait Reading<T> {
    fn of(self, what: &'static str) -> Result<T, Error>;
}

impl<T> Reading<T> for Result<T, der::Error> {
    fn of(self, what: &'static str) -> Result<T, Error> {
        self.map_err(|error| Error::Der(what, error))
    }
}
