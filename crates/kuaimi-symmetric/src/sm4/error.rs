//! The errors of SM4 and its modes.

use core::fmt;

use kuaimi_platform::ErrorKind;

/// Why an SM4 operation was refused or failed.
///
/// ```
/// use kuaimi::sm4::{Error, Sm4Gcm};
///
/// let error = Sm4Gcm::from_slice(b"too short").unwrap_err();
/// assert_eq!(error, Error::KeyLength { found: 9, needed: 16 });
/// assert_eq!(error.to_string(), "the SM4 key must have 16 bytes, not 9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The key has the wrong length.
    KeyLength {
        /// The length found, in bytes.
        found: usize,
        /// The length needed: 16 bytes, or 32 for XTS.
        needed: usize,
    },
    /// The two halves of a key for XTS are equal, which makes XTS insecure.
    EqualHalves,
    /// The nonce is empty.
    EmptyNonce,
    /// The nonce does not have the 7 to 13 bytes that CCM needs; the value is its length.
    NonceLength(usize),
    /// The tag does not have 16 bytes, nor in CCM 4, 6, 8, 10, 12 or 14; the value is its length.
    TagLength(usize),
    /// The data is not whole blocks of 16 bytes; the value is its length.
    PartialBlock(usize),
    /// The data has fewer than the 16 bytes that XTS needs; the value is its length.
    TooShort(usize),
    /// The data is longer than GCM allows ([`Sm4Gcm::MAX_LEN`](super::Sm4Gcm::MAX_LEN)), or than
    /// CCM allows with this nonce (see [`Sm4Ccm`](super::Sm4Ccm)).
    TooLong,
    /// Associated data came after the first byte of the message.
    AssociatedDataLate,
    /// Decryption failed: the key, nonce or associated data is another one, or the ciphertext, tag
    /// or padding was altered. The error does not say which.
    DecryptionFailed,
}

impl Error {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::KeyLength { .. } => ErrorKind::KeyLength,
            Self::EqualHalves => ErrorKind::EqualHalves,
            Self::EmptyNonce => ErrorKind::EmptyNonce,
            Self::NonceLength(_) => ErrorKind::NonceLength,
            Self::TagLength(_) => ErrorKind::TagLength,
            Self::PartialBlock(_) => ErrorKind::PartialBlock,
            Self::TooShort(_) => ErrorKind::DataTooShort,
            Self::TooLong => ErrorKind::MessageTooLong,
            Self::AssociatedDataLate => ErrorKind::AssociatedDataLate,
            Self::DecryptionFailed => ErrorKind::DecryptionFailed,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyLength { found, needed } => {
                write!(f, "the SM4 key must have {needed} bytes, not {found}")
            }
            Self::EqualHalves | Self::EmptyNonce | Self::AssociatedDataLate => self.kind().fmt(f),
            Self::NonceLength(found) => {
                write!(f, "the nonce must have 7 to 13 bytes in CCM, not {found}")
            }
            Self::TagLength(found) => write!(
                f,
                "the authentication tag must have 16 bytes (in CCM also 4, 6, 8, 10, 12 or 14), not {found}"
            ),
            Self::PartialBlock(found) => write!(
                f,
                "the length of the data must be a multiple of 16 bytes, not {found}"
            ),
            Self::TooShort(found) => {
                write!(f, "XTS needs at least 16 bytes of data, not {found}")
            }
            Self::TooLong => f.write_str(
                "the data is too long for one message (GCM: 64 GiB; CCM: the shorter the nonce, the longer): encrypt it as several",
            ),
            Self::DecryptionFailed => f.write_str(
                "decryption failed: another key, nonce or associated data, or altered data",
            ),
        }
    }
}

impl core::error::Error for Error {}
