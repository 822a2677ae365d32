//! The errors of SM2.

use core::fmt;

use kuaimi_platform::ErrorKind;

use crate::nonce::NonceError;

/// Why an SM2 operation was refused or failed.
///
/// ```
/// use kuaimi::sm2::{Error, PrivateKey};
///
/// let error = PrivateKey::from_slice(b"too short").unwrap_err();
/// assert_eq!(error, Error::PrivateKeyLength(9));
/// assert_eq!(error.kind(), kuaimi::ErrorKind::KeyLength);
/// assert_eq!(error.to_string(), "an SM2 private key has 32 bytes, not 9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A private key does not have 32 bytes; the value is its length.
    PrivateKeyLength(usize),
    /// A private key is zero or not below `n − 1`.
    PrivateKeyRange,
    /// The first byte of a public key or point is not 02, 03, 04, 06 or 07; the value is that byte.
    PointFormat(u8),
    /// A public key or point has a length that does not fit its form; the value is the length
    /// found.
    PointLength(usize),
    /// A coordinate is not below the field's prime.
    CoordinateRange,
    /// The coordinates do not satisfy the curve's equation (or, compressed, no `y` belongs to `x`).
    NotOnCurve,
    /// The point is the point at infinity, which is no public key and no ephemeral point.
    PointAtInfinity,
    /// An identity is longer than 8191 bytes; the value is the length found.
    IdTooLong(usize),
    /// A raw signature does not have 64 bytes; the value is its length.
    SignatureLength(usize),
    /// A signature is not in strict DER. [`Signature::from_der`](super::Signature::from_der) says
    /// what is wrong.
    SignatureEncoding,
    /// A signature's `r` is zero or not below the order `n`.
    SignatureR,
    /// A signature's `s` is zero or not below the order `n`.
    SignatureS,
    /// A signature's `r + s` is a multiple of the order `n`.
    SignatureT,
    /// The signature is well formed, but this key did not make it over this message under this
    /// identity.
    InvalidSignature,
    /// No public key belongs to this signature, digest and recovery identifier.
    NotRecoverable,
    /// A recovery identifier is above 3; the value is the one found.
    RecoveryId(u8),
    /// The message is empty: SM2 encrypts at least one byte.
    EmptyMessage,
    /// The message is longer than one key stream can cover
    /// ([`MAX_MESSAGE_LEN`](super::MAX_MESSAGE_LEN)).
    MessageTooLong,
    /// A ciphertext is shorter than its form needs; the value is the length found.
    CiphertextLength(usize),
    /// Decryption failed: the key or the form is another one, or the ciphertext was altered. The
    /// error does not say which.
    DecryptionFailed,
    /// The length of the shared key is zero, or more than one key stream can give.
    SharedKeyLength,
    /// The two sides of a key exchange did not compute the same key: a key, an identity or a
    /// message differs.
    ConfirmationFailed,
    /// The bytes are not a stored state of this side of a key exchange, or they were altered.
    ExchangeState,
    /// The key exchange was started with another private key.
    ExchangeKey,
    /// A nonce that the caller gave cannot be used: it is zero or not below `n`, or its result
    /// cannot be used.
    Nonce,
    /// The random generator failed.
    Random,
    /// A signature does not verify although it was just made, so it is not given out: the machine
    /// erred.
    SelfCheck,
}

impl Error {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::PrivateKeyLength(_) => ErrorKind::KeyLength,
            Self::PrivateKeyRange => ErrorKind::PrivateKeyRange,
            Self::PointFormat(_) | Self::PointLength(_) | Self::CoordinateRange => {
                ErrorKind::PointEncoding
            }
            Self::NotOnCurve | Self::PointAtInfinity => ErrorKind::NotOnCurve,
            Self::IdTooLong(_) => ErrorKind::IdentityTooLong,
            Self::SignatureLength(_)
            | Self::SignatureEncoding
            | Self::SignatureR
            | Self::SignatureS
            | Self::SignatureT => ErrorKind::SignatureEncoding,
            Self::InvalidSignature => ErrorKind::InvalidSignature,
            Self::NotRecoverable => ErrorKind::NotRecoverable,
            Self::RecoveryId(_) => ErrorKind::RecoveryId,
            Self::EmptyMessage => ErrorKind::EmptyMessage,
            Self::MessageTooLong => ErrorKind::MessageTooLong,
            Self::CiphertextLength(_) => ErrorKind::CiphertextEncoding,
            Self::DecryptionFailed => ErrorKind::DecryptionFailed,
            Self::SharedKeyLength => ErrorKind::DerivedKeyLength,
            Self::ConfirmationFailed => ErrorKind::ConfirmationFailed,
            Self::ExchangeState => ErrorKind::ExchangeState,
            Self::ExchangeKey => ErrorKind::ExchangeKey,
            Self::Nonce => ErrorKind::InvalidArgument,
            Self::Random => ErrorKind::Random,
            Self::SelfCheck => ErrorKind::SelfCheck,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PrivateKeyLength(length) => {
                write!(f, "an SM2 private key has 32 bytes, not {length}")
            }
            Self::PrivateKeyRange => {
                f.write_str("the private key is out of range: it must be at least 1 and at most n - 2")
            }
            Self::PointFormat(byte) => write!(
                f,
                "a point starts with 02 or 03 (compressed), 04 (uncompressed), 06 or 07 (hybrid), not {byte:02x}"
            ),
            Self::PointLength(length) => write!(
                f,
                "a point has 33 bytes compressed and 65 bytes uncompressed, not {length}"
            ),
            Self::CoordinateRange => {
                f.write_str("a coordinate of the point is not below the prime of the field")
            }
            Self::NotOnCurve => f.write_str("the point is not on the SM2 curve"),
            Self::PointAtInfinity => f.write_str("the point is the point at infinity"),
            Self::IdTooLong(length) => {
                write!(f, "an identity has at most 8191 bytes, not {length}")
            }
            Self::SignatureLength(length) => {
                write!(f, "a raw signature has 64 bytes (r and s), not {length}")
            }
            Self::SignatureEncoding => f.write_str("the signature is not in strict DER"),
            Self::SignatureR => {
                f.write_str("the signature's r is out of range: it must be at least 1 and below n")
            }
            Self::SignatureS => {
                f.write_str("the signature's s is out of range: it must be at least 1 and below n")
            }
            Self::SignatureT => f.write_str("the signature's r + s is a multiple of n"),
            Self::RecoveryId(id) => write!(f, "a recovery identifier is 0, 1, 2 or 3, not {id}"),
            Self::EmptyMessage => f.write_str("an empty message cannot be encrypted with SM2"),
            Self::MessageTooLong => {
                f.write_str("the message is longer than SM2 can encrypt (about 128 GiB)")
            }
            Self::CiphertextLength(length) => write!(
                f,
                "{length} bytes are too few for an SM2 ciphertext of this form"
            ),
            Self::DecryptionFailed => f.write_str(
                "decryption failed: another key, another form of ciphertext, or an altered ciphertext",
            ),
            Self::SharedKeyLength => {
                f.write_str("the length of the shared key must be at least one byte and below 128 GiB")
            }
            Self::Nonce => f.write_str("the nonce cannot be used"),
            Self::InvalidSignature
            | Self::NotRecoverable
            | Self::ConfirmationFailed
            | Self::ExchangeState
            | Self::ExchangeKey
            | Self::Random
            | Self::SelfCheck => self.kind().fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl From<NonceError> for Error {
    fn from(error: NonceError) -> Self {
        match error {
            NonceError::Random => Self::Random,
            #[cfg(feature = "hazmat")]
            NonceError::Given => Self::Nonce,
        }
    }
}
