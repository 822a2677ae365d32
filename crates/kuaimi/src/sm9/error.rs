//! The errors of SM9.

use core::fmt;

use kuaimi_math::sm9::group::{InvalidPoint, InvalidTable};
use kuaimi_platform::ErrorKind;

use crate::nonce::NonceError;
use crate::stored::Unreadable;

/// Why an SM9 operation was refused or failed.
///
/// ```
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let error = MasterSigningKey::from_bytes(&[0; 32]).unwrap_err();
/// assert_eq!(error, Error::MasterKeyRange);
/// assert_eq!(error.kind(), kuaimi::ErrorKind::PrivateKeyRange);
/// println!("{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A master key does not have 32 bytes; the value is its length.
    MasterKeyLength(usize),
    /// A master key is zero or not below the order `N`.
    MasterKeyRange,
    /// The first byte of a point is not 02 or 03 (compressed) or 04; the value is that byte.
    PointFormat(u8),
    /// A point has a length that does not fit its form; the value is the length found.
    PointLength(usize),
    /// A coordinate is not below the field's prime.
    CoordinateRange,
    /// The coordinates do not satisfy the curve's or the twist's equation (or, compressed, no `y`
    /// belongs to `x`).
    NotOnCurve,
    /// The point is on the twist, but outside of the group of order `N`.
    NotInSubgroup,
    /// The point at infinity, which is no key, no part of a signature and no part of a ciphertext.
    PointAtInfinity,
    /// An identity has no bytes.
    EmptyIdentity,
    /// This master key cannot serve this identity: `H1(ID ‖ hid) + k` is a multiple of `N`. The
    /// master key must be replaced, and every user's key with it. This does not occur by chance.
    UnusableMasterKey,
    /// The user's key was not made for this identity and `hid` under this master key.
    UserKeyMismatch,
    /// A signature does not have 96 bytes; the value is its length.
    SignatureLength(usize),
    /// A signature is not in strict DER. [`Signature::from_der`](super::Signature::from_der) says
    /// what is wrong.
    SignatureEncoding,
    /// A signature's `h` is zero or not below the order `N`.
    SignatureH,
    /// The signature is well formed, but this identity's key did not make it over this message
    /// under this master key.
    InvalidSignature,
    /// The message is empty: SM9 encrypts at least one byte.
    EmptyMessage,
    /// The message is longer than one key stream can cover.
    MessageTooLong,
    /// A ciphertext is shorter than its form needs; the value is the length found.
    CiphertextLength(usize),
    /// Decryption or decapsulation failed: another key or identity, another mode or MAC, or an
    /// altered ciphertext. The error does not tell which.
    DecryptionFailed,
    /// The length of a derived key is zero, or more than one key stream can give.
    KeyLength,
    /// The two sides of a key exchange did not compute the same key: a key, an identity or a
    /// message differs.
    ConfirmationFailed,
    /// These bytes are not the stored state of this side of a key exchange, or they were altered.
    ExchangeState,
    /// The key exchange was started with another private key.
    ExchangeKey,
    /// The bytes are not a table of this kind and version.
    TableFormat,
    /// The table was altered, or belongs to another key: its tag is wrong under this key.
    TableAltered,
    /// A nonce given by the caller cannot be used: it is zero, not below `N`, or leads to an
    /// unusable result.
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
            Self::MasterKeyLength(_) => ErrorKind::KeyLength,
            Self::MasterKeyRange => ErrorKind::PrivateKeyRange,
            Self::PointFormat(_) | Self::PointLength(_) | Self::CoordinateRange => {
                ErrorKind::PointEncoding
            }
            Self::NotOnCurve | Self::NotInSubgroup | Self::PointAtInfinity => ErrorKind::NotOnCurve,
            Self::EmptyIdentity => ErrorKind::EmptyIdentity,
            Self::UnusableMasterKey => ErrorKind::UnusableMasterKey,
            Self::UserKeyMismatch => ErrorKind::UserKeyMismatch,
            Self::SignatureLength(_) | Self::SignatureEncoding | Self::SignatureH => {
                ErrorKind::SignatureEncoding
            }
            Self::InvalidSignature => ErrorKind::InvalidSignature,
            Self::EmptyMessage => ErrorKind::EmptyMessage,
            Self::MessageTooLong => ErrorKind::MessageTooLong,
            Self::CiphertextLength(_) => ErrorKind::CiphertextEncoding,
            Self::DecryptionFailed => ErrorKind::DecryptionFailed,
            Self::KeyLength => ErrorKind::DerivedKeyLength,
            Self::ConfirmationFailed => ErrorKind::ConfirmationFailed,
            Self::ExchangeState => ErrorKind::ExchangeState,
            Self::ExchangeKey => ErrorKind::ExchangeKey,
            Self::TableFormat | Self::TableAltered => ErrorKind::Table,
            Self::Nonce => ErrorKind::InvalidArgument,
            Self::Random => ErrorKind::Random,
            Self::SelfCheck => ErrorKind::SelfCheck,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MasterKeyLength(length) => {
                write!(f, "an SM9 master key has 32 bytes, not {length}")
            }
            Self::MasterKeyRange => {
                f.write_str("the master key is out of range: it must be at least 1 and below N")
            }
            Self::PointFormat(byte) => write!(
                f,
                "an SM9 point starts with 02 or 03 (compressed) or 04 (uncompressed), not {byte:02x}"
            ),
            Self::PointLength(length) => write!(
                f,
                "{length} bytes are no SM9 point: one of G1 has 64 or 65 bytes (33 compressed), one of G2 128 or 129 (65 compressed)"
            ),
            Self::CoordinateRange => {
                f.write_str("a coordinate of the point is not below the prime of the field")
            }
            Self::NotOnCurve => f.write_str("the point is not on the SM9 curve"),
            Self::NotInSubgroup => {
                f.write_str("the point is on the twist, but not in the group of order N")
            }
            Self::PointAtInfinity => f.write_str("the point is the point at infinity"),
            Self::SignatureLength(length) => {
                write!(f, "a raw SM9 signature has 96 bytes (h and S), not {length}")
            }
            Self::SignatureEncoding => f.write_str("the signature is not in strict DER"),
            Self::SignatureH => {
                f.write_str("the signature's h is out of range: it must be at least 1 and below N")
            }
            Self::InvalidSignature => {
                f.write_str("the signature does not fit this message, identity and master key")
            }
            Self::EmptyMessage => f.write_str("an empty message cannot be encrypted with SM9"),
            Self::MessageTooLong => {
                f.write_str("the message is longer than SM9 can encrypt (about 128 GiB)")
            }
            Self::CiphertextLength(length) => {
                write!(f, "{length} bytes are too few for an SM9 ciphertext")
            }
            Self::DecryptionFailed => f.write_str(
                "decryption failed: another key or identity, another kind of ciphertext, or an altered one",
            ),
            Self::KeyLength => {
                f.write_str("the length of the derived key must be at least one byte and below 128 GiB")
            }
            Self::TableFormat => {
                f.write_str("this is no table of this kind and version: prepare the key again")
            }
            Self::TableAltered => {
                f.write_str("the table was altered or belongs to another key: prepare the key again")
            }
            Self::Nonce => f.write_str("the nonce cannot be used"),
            Self::EmptyIdentity
            | Self::UnusableMasterKey
            | Self::UserKeyMismatch
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

impl From<Unreadable> for Error {
    /// Of tables.
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Form => Self::TableFormat,
            Unreadable::Tag => Self::TableAltered,
        }
    }
}

impl From<InvalidPoint> for Error {
    fn from(error: InvalidPoint) -> Self {
        match error {
            InvalidPoint::Coordinate => Self::CoordinateRange,
            InvalidPoint::NotOnCurve => Self::NotOnCurve,
            InvalidPoint::NotInSubgroup => Self::NotInSubgroup,
        }
    }
}

impl From<InvalidTable> for Error {
    /// Of bytes whose tag is right: only a table that the key's own holder altered gets here.
    fn from(_: InvalidTable) -> Self {
        Self::TableFormat
    }
}
