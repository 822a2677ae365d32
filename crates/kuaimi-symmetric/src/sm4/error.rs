//! What can go wrong in SM4.

use core::fmt;

/// Why an SM4 operation was refused or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key has another length than it must have.
    KeyLength {
        /// The length found, in bytes.
        found: usize,
        /// The length that is needed: 16, or 32 for XTS.
        needed: usize,
    },
    /// The two halves of a key for XTS are equal, which gives away what it hides.
    EqualHalves,
    /// A nonce has no bytes.
    EmptyNonce,
    /// A tag has another length than 16 bytes; the value is the length found.
    TagLength(usize),
    /// The data must be whole blocks of 16 bytes here; the value is the length found.
    PartialBlock(usize),
    /// The data has fewer than the 16 bytes that XTS needs; the value is the length found.
    TooShort(usize),
    /// The data is longer than GCM can protect ([`Sm4Gcm::MAX_LEN`](super::Sm4Gcm::MAX_LEN)).
    TooLong,
    /// Decryption failed: another key, nonce or associated data, or an altered ciphertext, tag or padding. Which of these is
    /// not said.
    DecryptionFailed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyLength { found, needed } => {
                write!(f, "the SM4 key must have {needed} bytes here, not {found}")
            }
            Self::EqualHalves => f.write_str(
                "the two halves of the XTS key are equal: they must be independent keys",
            ),
            Self::EmptyNonce => {
                f.write_str("the nonce is empty: use 12 bytes, never the same twice with a key")
            }
            Self::TagLength(found) => {
                write!(f, "the authentication tag must have 16 bytes, not {found}")
            }
            Self::PartialBlock(found) => write!(
                f,
                "the data must be a multiple of 16 bytes long here, not {found} bytes"
            ),
            Self::TooShort(found) => {
                write!(f, "XTS needs at least 16 bytes of data, not {found}")
            }
            Self::TooLong => f.write_str(
                "the data is too long for one GCM message (64 GiB): encrypt it in pieces",
            ),
            Self::DecryptionFailed => f.write_str(
                "decryption failed: another key, nonce or associated data, or altered data",
            ),
        }
    }
}

impl core::error::Error for Error {}
