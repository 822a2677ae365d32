//! What can be wrong with an encoding.

use core::fmt;

use crate::sm2;

/// Why bytes or text could not be read as a key, a signature or a ciphertext, or not be written as such.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The encoding ends in the middle of an element.
    Truncated,
    /// Bytes follow where the encoding should end.
    TrailingBytes,
    /// An element of another type stands where `expected` should; both are ASN.1 tag bytes.
    UnexpectedTag {
        /// The tag that the structure has at this place.
        expected: u8,
        /// The tag found.
        found: u8,
    },
    /// A length is not in DER's one shortest form.
    NonMinimalLength,
    /// An integer has more leading bytes than DER allows.
    NonMinimalInteger,
    /// An integer is negative, or lacks the leading zero byte that would say it is not.
    NegativeInteger,
    /// A ciphertext's digest has another length than 32 bytes; the value is the length found.
    DigestLength(u64),
    /// The encoding is well formed, and its content is not: a point off the curve, a number out of range.
    Content(sm2::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str(
                "the encoding ends too early: the input was cut short, or it is not what it was taken for",
            ),
            Self::TrailingBytes => f.write_str(
                "bytes follow the end of the DER encoding: remove them, or read it leniently if its maker is known to add them",
            ),
            Self::UnexpectedTag { expected, found } => write!(
                f,
                "the DER has an element of type {found:02x} where {expected:02x} is expected: this is another kind of file"
            ),
            Self::NonMinimalLength => f.write_str(
                "a length in the DER is not in its shortest form: read it leniently if its maker is known to write so",
            ),
            Self::NonMinimalInteger => f.write_str(
                "an integer in the DER has superfluous leading bytes: read it leniently if its maker is known to write so",
            ),
            Self::NegativeInteger => f.write_str(
                "an integer in the DER is negative: read it leniently if its maker is known to omit leading zero bytes",
            ),
            Self::DigestLength(length) => {
                write!(f, "the ciphertext's digest has {length} bytes in place of 32")
            }
            Self::Content(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Content(error) => Some(error),
            _ => None,
        }
    }
}

impl From<sm2::Error> for Error {
    fn from(error: sm2::Error) -> Self {
        Self::Content(error)
    }
}
