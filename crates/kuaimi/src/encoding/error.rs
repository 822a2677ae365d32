//! What can be wrong with an encoding.

use core::fmt;

use der::asn1::ObjectIdentifier;

use crate::sm2;
#[cfg(feature = "sm9")]
use crate::sm9;

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
    /// The DER is malformed in another way, or of another structure.
    Der(der::Error),
    /// A ciphertext's digest has another length than 32 bytes; the value is the length found.
    DigestLength(u64),
    /// The encoding is well formed, and its content is not: a point off the curve, a number out of range.
    Content(sm2::Error),
    /// As [`Content`](Self::Content), of SM9.
    #[cfg(feature = "sm9")]
    Sm9(sm9::Error),

    /// The key is not for elliptic curves; the value is its algorithm.
    Algorithm(ObjectIdentifier),
    /// The key is on another curve than SM2's; the value is the curve.
    Curve(ObjectIdentifier),
    /// The curve is not named, but given by its parameters.
    ExplicitParameters,
    /// The curve is not named at all.
    ParametersMissing,
    /// A private key comes with a public key that does not belong to it.
    PublicKeyMismatch,

    /// The private key is encrypted, and no password was given.
    PasswordNeeded,
    /// The private key does not decrypt with this password.
    WrongPassword,
    /// The private key is encrypted with an algorithm that is not supported; the value is the algorithm.
    Encryption(ObjectIdentifier),
    /// The parameters of a private key's encryption do not fit its algorithm.
    EncryptionParameters,
    /// A private key's encryption asks for no iterations of its hash, or for more than
    /// [`MAX_ITERATIONS`](super::PasswordEncryption::MAX_ITERATIONS); the value is the number found.
    IterationCount(u64),
    /// A private key's encryption asks for more memory or time than a key file may.
    ScryptCost,
    /// The private key is encrypted in OpenSSL's own way from before PKCS#8.
    LegacyEncryption,

    /// A block of PEM has no end, or its end another label.
    PemEnd,
    /// A block of PEM has headers.
    PemHeaders,
    /// Text that should be Base64 is not.
    Base64,
    /// Text that should be hexadecimal is not.
    Hex,

    /// This is a public key or a certificate, and a private key is needed.
    PublicKeyInstead,
    /// This is a private key, and a public key is needed.
    PrivateKeyInstead,
    /// This is an enveloped key, which the recipient's private key opens.
    EnvelopedKeyInstead,
    /// This is no key in any form that is known here.
    NotAKey,
    /// This is no signature in any form that is known here.
    NotASignature,
    /// This is no SM9 key in any form that is known here.
    NotAnSm9Key,
    /// The SM9 key is of another kind than the one that should be read; the value is its kind.
    #[cfg(feature = "sm9")]
    OtherSm9Key(super::sm9::KeyKind),
    /// The key is not for SM9; the value is its algorithm.
    NotSm9Algorithm(ObjectIdentifier),
    /// An SM9 user's key comes without the master public key, which must be given then.
    MasterKeyMissing,
    /// A ciphertext's `EnType` is none of 0, 1, 2, 4 and 8.
    EncryptionType,
    /// The random generator failed.
    Random,
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
            Self::Der(error) => write!(
                f,
                "the DER is malformed or another kind of file: {error}"
            ),
            Self::DigestLength(length) => {
                write!(f, "the ciphertext's digest has {length} bytes in place of 32")
            }
            Self::Content(error) => error.fmt(f),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => error.fmt(f),
            Self::Algorithm(oid) => write!(
                f,
                "the key is not an SM2 key: its algorithm is {oid}"
            ),
            Self::Curve(oid) => write!(
                f,
                "the key is on another curve than SM2's: its curve is {oid}"
            ),
            Self::ExplicitParameters => f.write_str(
                "the key gives its curve by explicit parameters: convert it with openssl ec -param_enc named_curve",
            ),
            Self::ParametersMissing => f.write_str("the key does not name its curve"),
            Self::PublicKeyMismatch => f.write_str(
                "the public key stored with the private key does not belong to it: the file was altered or put together wrongly",
            ),
            Self::PasswordNeeded => {
                f.write_str("the private key is encrypted: give its password")
            }
            Self::WrongPassword => f.write_str(
                "the private key does not decrypt with this password: give the right one, or the file was altered",
            ),
            Self::Encryption(oid) => write!(
                f,
                "the private key is encrypted with {oid}, which is not supported: encrypt it again with AES-CBC or SM4-CBC and PBKDF2"
            ),
            Self::EncryptionParameters => {
                f.write_str("the parameters of the private key's encryption are malformed")
            }
            Self::IterationCount(count) => write!(
                f,
                "the private key's encryption asks for {count} iterations: 1 to 10 million are accepted"
            ),
            Self::ScryptCost => f.write_str(
                "the private key's encryption asks for more memory or time than is accepted of a key file",
            ),
            Self::LegacyEncryption => f.write_str(
                "the private key is encrypted in a way from before PKCS#8: convert it with openssl pkcs8 -topk8",
            ),
            Self::PemEnd => f.write_str(
                "the PEM block has no END line that fits its BEGIN line: the file was cut short",
            ),
            Self::PemHeaders => {
                f.write_str("the PEM block has headers, which keys do not have: remove them")
            }
            Self::Base64 => f.write_str("the text is not valid Base64"),
            Self::Hex => f.write_str("the text is not valid hexadecimal"),
            Self::PublicKeyInstead => {
                f.write_str("this is a public key or a certificate: give the private key")
            }
            Self::PrivateKeyInstead => {
                f.write_str("this is a private key: give the public key, or take it from this one first")
            }
            Self::EnvelopedKeyInstead => {
                f.write_str("this is an enveloped key: open it with the private key it was made for")
            }
            Self::NotAKey => f.write_str(
                "this is no key: PEM or DER, or a private key's 32 bytes, or a public key's 33, 64 or 65, are expected",
            ),
            Self::NotASignature => {
                f.write_str("this is no signature: DER, or the 64 bytes of r and s, are expected")
            }
            Self::NotAnSm9Key => f.write_str(
                "this is no SM9 key: PEM or DER of a master key, a master public key or a user's key is expected",
            ),
            #[cfg(feature = "sm9")]
            Self::OtherSm9Key(kind) => write!(f, "this SM9 key is of another kind: {kind}"),
            Self::NotSm9Algorithm(oid) => write!(
                f,
                "the key is not an SM9 key: its algorithm is {oid}"
            ),
            Self::MasterKeyMissing => f.write_str(
                "the user's key comes without the master public key: give that too",
            ),
            Self::EncryptionType => f.write_str(
                "the ciphertext's EnType is not one of 0 (stream), 1 (ECB), 2 (CBC), 4 (OFB) and 8 (CFB)",
            ),
            Self::Random => f.write_str("the random generator failed"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Content(error) => Some(error),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => Some(error),
            Self::Der(error) => Some(error),
            _ => None,
        }
    }
}

impl From<sm2::Error> for Error {
    fn from(error: sm2::Error) -> Self {
        Self::Content(error)
    }
}

#[cfg(feature = "sm9")]
impl From<sm9::Error> for Error {
    fn from(error: sm9::Error) -> Self {
        Self::Sm9(error)
    }
}

impl From<der::Error> for Error {
    fn from(error: der::Error) -> Self {
        match error.kind() {
            der::ErrorKind::Incomplete { .. } => Self::Truncated,
            der::ErrorKind::TrailingData { .. } => Self::TrailingBytes,
            _ => Self::Der(error),
        }
    }
}

/// For the traits of `pkcs8`, whose errors say less.
impl From<Error> for pkcs8::Error {
    fn from(error: Error) -> Self {
        use pkcs8::pkcs5;
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::WrongPassword => Self::EncryptedPrivateKey(pkcs5::Error::DecryptFailed),
            Error::Encryption(oid) => {
                Self::EncryptedPrivateKey(pkcs5::Error::UnsupportedAlgorithm { oid })
            }
            Error::EncryptionParameters | Error::IterationCount(_) => {
                Self::EncryptedPrivateKey(pkcs5::Error::AlgorithmParametersInvalid {
                    oid: super::oid::PBES2,
                })
            }
            Error::ScryptCost => {
                Self::EncryptedPrivateKey(pkcs5::Error::AlgorithmParametersInvalid {
                    oid: super::oid::SCRYPT,
                })
            }
            Error::Content(_) | Error::PublicKeyMismatch => {
                Self::KeyMalformed(pkcs8::KeyError::Invalid)
            }
            error => Self::PublicKey(error.into()),
        }
    }
}

/// For the traits of `spki`, whose errors say less.
impl From<Error> for spki::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::Algorithm(oid) | Error::Curve(oid) => Self::OidUnknown { oid },
            Error::ParametersMissing => Self::AlgorithmParametersMissing,
            _ => Self::KeyMalformed,
        }
    }
}

/// For the traits of `sec1`, whose errors say less.
impl From<Error> for sec1::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::Content(
                sm2::Error::PointFormat(_) | sm2::Error::PointLength(_) | sm2::Error::NotOnCurve,
            ) => Self::PointEncoding,
            _ => Self::Crypto,
        }
    }
}
