//! Why an encoding is refused.

use core::fmt;

use der::asn1::ObjectIdentifier;
use kuaimi_platform::ErrorKind;

use super::names::Named;
use super::{FileKind, TextEncoding};
use crate::sm2;
#[cfg(feature = "sm9")]
use crate::sm9;

/// Why bytes or text cannot be read as a key, a signature or a ciphertext, or cannot be written as
/// one.
///
/// ```
/// use kuaimi::encoding::Error;
/// use kuaimi::sm2::{self, Signature};
///
/// assert_eq!(Signature::from_der(&[0x30, 0x06, 0x02]), Err(Error::Truncated));
/// let zero = Signature::from_der(&[0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x01]);
/// assert_eq!(zero, Err(Error::Sm2(sm2::Error::SignatureR)));
/// assert_eq!(zero.unwrap_err().kind(), kuaimi::ErrorKind::SignatureEncoding);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The encoding ends in the middle of an element.
    Truncated,
    /// Bytes follow the end of the encoding.
    TrailingBytes,
    /// An element has another type than expected; both are ASN.1 tag bytes.
    UnexpectedTag {
        /// The tag that the structure has at this place.
        expected: u8,
        /// The tag found.
        found: u8,
    },
    /// A length is not in its shortest form, which DER requires.
    NonMinimalLength,
    /// An integer has more leading bytes than DER allows.
    NonMinimalInteger,
    /// An integer is negative, or lacks the leading zero byte that makes it positive.
    NegativeInteger,
    /// The DER is malformed in another way, or has another structure.
    Der(der::Error),
    /// The digest in a ciphertext has another length than 32 bytes; the value is the length found.
    DigestLength(u64),
    /// The encoding is well formed, but its content is not valid for SM2: a point off the curve, a
    /// number out of range.
    Sm2(sm2::Error),
    /// As [`Sm2`](Self::Sm2), for SM9.
    #[cfg(feature = "sm9")]
    Sm9(sm9::Error),

    /// The key is not an SM2 key; the value is its algorithm.
    NotSm2Algorithm(ObjectIdentifier),
    /// The key is on another curve than SM2's; the value is the curve.
    NotSm2Curve(ObjectIdentifier),
    /// The key gives its curve by parameters, which are not those of SM2's curve.
    ExplicitParameters,
    /// The key does not name its curve.
    ParametersMissing,
    /// The public key that is stored with a private key does not belong to it.
    PublicKeyMismatch,

    /// The private key is encrypted, and no password was given.
    PasswordNeeded,
    /// The private key cannot be decrypted with this password.
    WrongPassword,
    /// The private key is encrypted with an algorithm that is not supported; the value is the
    /// algorithm.
    UnsupportedEncryption(ObjectIdentifier),
    /// The parameters of a private key's encryption do not fit its algorithm.
    EncryptionParameters,
    /// PBKDF2 with no iterations, or with more than
    /// [`MAX_ITERATIONS`](super::PasswordEncryption::MAX_ITERATIONS); the value is the number
    /// found.
    IterationCount(u64),
    /// scrypt with parameters that take more memory or time than is accepted for a key file.
    ScryptCost,
    /// The private key is encrypted by PEM headers (RFC 1421), as OpenSSL did before it used
    /// PKCS#8.
    LegacyEncryption,

    /// A PEM block has no END line, or one with another label.
    PemEnd,
    /// A PEM block has headers, which keys do not have.
    PemHeaders,
    /// The text is not valid Base64.
    Base64,
    /// The text is not valid hexadecimal.
    Hex,
    /// The number of hexadecimal digits is odd; the value is the number.
    OddHex(usize),

    /// This is a public key or a certificate, where a private key is expected.
    UnexpectedPublicKey,
    /// This is a private key, where a public key is expected.
    UnexpectedPrivateKey,
    /// This is an enveloped key, which has to be decrypted with the recipient's private key first.
    UnexpectedEnvelopedKey,
    /// This is a file of another kind, which was recognised.
    Other(FileKind),
    /// This is not a key in any supported form.
    NotAKey,
    /// This is text in place of the bytes that it stands for; the value is its encoding.
    Text(TextEncoding),
    /// This is not a signature in any supported form.
    NotASignature,
    /// This is not an SM9 key in any supported form.
    NotAnSm9Key,
    /// The SM9 key is of another kind than the one that should be read; the value is its kind.
    #[cfg(feature = "sm9")]
    OtherSm9Key(super::sm9::KeyKind),
    /// The key is not an SM9 key; the value is its algorithm.
    NotSm9Algorithm(ObjectIdentifier),
    /// The SM9 key is in the standard's DER alone, as GmSSL's functions `sm9_…_to_der` write it,
    /// which does not say what it is for.
    BareSm9Key,
    /// An SM9 user key is stored without the master public key that it belongs to.
    MasterPublicKeyMissing,
    /// The `EnType` of an SM9 ciphertext is none of 0, 1, 2, 4 and 8.
    UnknownEnType,

    /// The random generator failed.
    Random,
    /// The library was built without a feature that this input needs; the value is the feature's
    /// name.
    FeatureNeeded(&'static str),
}

impl Error {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Truncated
            | Self::UnexpectedTag { .. }
            | Self::NonMinimalLength
            | Self::NonMinimalInteger
            | Self::NegativeInteger
            | Self::Der(_) => ErrorKind::Malformed,
            Self::TrailingBytes => ErrorKind::TrailingBytes,
            Self::Sm2(error) => error.kind(),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => error.kind(),
            Self::NotSm2Algorithm(_)
            | Self::NotSm2Curve(_)
            | Self::NotSm9Algorithm(_)
            | Self::ExplicitParameters
            | Self::ParametersMissing => ErrorKind::OtherAlgorithm,
            Self::PublicKeyMismatch => ErrorKind::PublicKeyMismatch,
            Self::MasterPublicKeyMissing => ErrorKind::MasterPublicKeyMissing,
            Self::PasswordNeeded => ErrorKind::PasswordNeeded,
            Self::WrongPassword => ErrorKind::WrongPassword,
            Self::UnsupportedEncryption(_)
            | Self::EncryptionParameters
            | Self::LegacyEncryption => ErrorKind::UnsupportedEncryption,
            Self::IterationCount(_) | Self::ScryptCost => ErrorKind::EncryptionCost,
            Self::PemEnd | Self::PemHeaders | Self::Base64 | Self::Hex | Self::OddHex(_) => {
                ErrorKind::Text
            }
            Self::UnexpectedPublicKey
            | Self::UnexpectedPrivateKey
            | Self::UnexpectedEnvelopedKey => ErrorKind::OtherKey,
            #[cfg(feature = "sm9")]
            Self::OtherSm9Key(_) => ErrorKind::OtherKey,
            Self::Other(FileKind::SdfSignature) | Self::NotASignature | Self::Text(_) => {
                ErrorKind::SignatureEncoding
            }
            Self::Other(_) | Self::NotAKey | Self::NotAnSm9Key | Self::BareSm9Key => {
                ErrorKind::NotAKey
            }
            Self::DigestLength(_) | Self::UnknownEnType => ErrorKind::CiphertextEncoding,
            Self::Random => ErrorKind::Random,
            Self::FeatureNeeded(_) => ErrorKind::FeatureNeeded,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str(
                "the encoding ends too early: the input was cut short, or is not what it was read as",
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
            Self::Der(error) => match error.position() {
                Some(position) => write!(
                    f,
                    "the DER is malformed at its byte {}, or this is another kind of file",
                    u32::from(position)
                ),
                None => f.write_str("the DER is malformed, or this is another kind of file"),
            },
            Self::DigestLength(length) => {
                write!(f, "the ciphertext's digest has {length} bytes in place of 32")
            }
            Self::Sm2(error) => error.fmt(f),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => error.fmt(f),
            Self::NotSm2Algorithm(oid) => {
                write!(f, "the key is not an SM2 key: its algorithm is {}", Named(*oid))
            }
            Self::NotSm2Curve(oid) => {
                write!(f, "the key is on another curve than SM2's: its curve is {}", Named(*oid))
            }
            Self::ExplicitParameters => f.write_str(
                "the key gives its curve by parameters, and they are not those of SM2's curve",
            ),
            Self::ParametersMissing => f.write_str("the key does not name its curve"),
            Self::UnsupportedEncryption(oid) => write!(
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
                "the private key's encryption asks for more memory or time than is accepted for a key file",
            ),
            Self::LegacyEncryption => f.write_str(
                "the private key is encrypted in a way older than PKCS#8: convert it with openssl pkcs8 -topk8",
            ),
            Self::PemEnd => f.write_str(
                "the PEM block has no END line that fits its BEGIN line: the file was cut short",
            ),
            Self::PemHeaders => {
                f.write_str("the PEM block has headers, which keys do not have: remove them")
            }
            Self::Base64 => f.write_str("the text is not valid Base64"),
            Self::Hex => f.write_str("the text is not valid hexadecimal"),
            Self::OddHex(digits) => write!(
                f,
                "this is an odd number of hexadecimal digits ({digits}): one is missing, or one is too many"
            ),
            Self::UnexpectedPublicKey => {
                f.write_str("this is a public key or a certificate: give the private key")
            }
            Self::UnexpectedPrivateKey => f.write_str(
                "this is a private key: give the public key, or take it from this one first",
            ),
            Self::UnexpectedEnvelopedKey => f.write_str(
                "this is an enveloped key: open it with the private key it was made for",
            ),
            Self::Other(kind) => write!(f, "this is {kind}"),
            Self::NotAKey => f.write_str(
                "this is no key: PEM or DER, or a private key's 32 bytes, or a public key's 33, 64 or 65, are expected",
            ),
            Self::Text(encoding) => write!(f, "this is text ({encoding}): give the bytes that it stands for"),
            Self::NotASignature => {
                f.write_str("this is no signature: DER, or the 64 bytes of r and s, are expected")
            }
            Self::NotAnSm9Key => f.write_str(
                "this is no SM9 key: PEM or DER of a master key, a master public key or a user's key is expected",
            ),
            #[cfg(feature = "sm9")]
            Self::OtherSm9Key(kind) => write!(f, "this SM9 key is of another kind: {kind}"),
            Self::NotSm9Algorithm(oid) => {
                write!(f, "the key is not an SM9 key: its algorithm is {}", Named(*oid))
            }
            Self::BareSm9Key => f.write_str(
                "this is an SM9 key in GmSSL's DER alone, which does not say what it is for: write it with GmSSL as PKCS#8 (sm9_…_info_encrypt_to_pem)",
            ),
            Self::UnknownEnType => f.write_str(
                "the ciphertext's EnType is not one of 0 (stream), 1 (ECB), 2 (CBC), 4 (OFB) and 8 (CFB)",
            ),
            Self::TrailingBytes
            | Self::PublicKeyMismatch
            | Self::PasswordNeeded
            | Self::WrongPassword
            | Self::MasterPublicKeyMissing
            | Self::Random => self.kind().fmt(f),
            Self::FeatureNeeded(feature) => write!(
                f,
                "this needs the feature {feature:?} of the library, which was built without it"
            ),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Sm2(error) => Some(error),
            #[cfg(feature = "sm9")]
            Self::Sm9(error) => Some(error),
            Self::Der(error) => Some(error),
            _ => None,
        }
    }
}

impl From<sm2::Error> for Error {
    fn from(error: sm2::Error) -> Self {
        Self::Sm2(error)
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

/// For the traits of `spki`, whose errors say less.
impl From<Error> for spki::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::NotSm2Algorithm(oid) | Error::NotSm2Curve(oid) => Self::OidUnknown { oid },
            Error::ParametersMissing => Self::AlgorithmParametersMissing,
            _ => Self::KeyMalformed,
        }
    }
}

/// For the traits of `pkcs8`, whose errors say less.
#[cfg(feature = "pkcs8")]
impl From<Error> for pkcs8::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::Sm2(_) | Error::PublicKeyMismatch => {
                Self::KeyMalformed(pkcs8::KeyError::Invalid)
            }
            #[cfg(feature = "encryption")]
            Error::WrongPassword
            | Error::UnsupportedEncryption(_)
            | Error::EncryptionParameters
            | Error::IterationCount(_)
            | Error::ScryptCost => Self::EncryptedPrivateKey(pkcs5_error(&error)),
            error => Self::PublicKey(error.into()),
        }
    }
}

#[cfg(feature = "encryption")]
fn pkcs5_error(error: &Error) -> pkcs8::pkcs5::Error {
    use super::oid::{PBES2, SCRYPT};
    use pkcs8::pkcs5;

    match *error {
        Error::WrongPassword => pkcs5::Error::DecryptFailed,
        Error::UnsupportedEncryption(oid) => pkcs5::Error::UnsupportedAlgorithm { oid },
        Error::ScryptCost => pkcs5::Error::AlgorithmParametersInvalid { oid: SCRYPT },
        _ => pkcs5::Error::AlgorithmParametersInvalid { oid: PBES2 },
    }
}

/// For the traits of `sec1`, whose errors say less.
#[cfg(feature = "pkcs8")]
impl From<Error> for sec1::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Der(error) => Self::Asn1(error),
            Error::Sm2(
                sm2::Error::PointFormat(_) | sm2::Error::PointLength(_) | sm2::Error::NotOnCurve,
            ) => Self::PointEncoding,
            _ => Self::Crypto,
        }
    }
}

#[cfg(all(test, feature = "std", feature = "encryption", feature = "pem"))]
mod tests {
    use core::error::Error as _;
    use std::string::ToString;

    use kuaimi_testing::Repeatable;

    use super::Error;
    use crate::ErrorKind;
    use crate::encoding::{PasswordEncryption, read_private_key};
    use crate::sm2::{self, PrivateKey, Signature, SigningKey};

    #[test]
    fn causes_have_their_kinds() {
        let kind = |bytes: &[u8], password| read_private_key(bytes, password).unwrap_err().kind();
        let key = PrivateKey::generate().unwrap();
        let how = PasswordEncryption::SHANGMI.with_iterations(1);
        let der = key
            .to_encrypted_pkcs8_der(b"password", how, &mut Repeatable(1))
            .unwrap();
        assert_eq!(kind(&der, None), ErrorKind::PasswordNeeded);
        assert_eq!(kind(&der, Some(b"another")), ErrorKind::WrongPassword);
        assert_eq!(kind(&[0; 32], None), ErrorKind::PrivateKeyRange);
        assert_eq!(kind(b"no key", None), ErrorKind::NotAKey);

        let signer = SigningKey::new(key.clone());
        let signature = signer.sign(b"a message").unwrap();
        let refused = signer
            .verifying_key()
            .verify(b"another", &signature)
            .unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidSignature);
        assert_eq!(refused.to_string(), ErrorKind::InvalidSignature.as_str());
        let refused = key.decrypt_bytes(&[4; 200]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DecryptionFailed);
    }

    #[test]
    fn an_error_within_another_keeps_its_kind_and_is_its_source() {
        let error = Signature::from_der(&[0x30, 6, 2, 1, 0, 2, 1, 1]).unwrap_err();
        assert_eq!(error, Error::Sm2(sm2::Error::SignatureR));
        assert_eq!(error.kind(), ErrorKind::SignatureEncoding);
        let source = error.source().and_then(|source| source.downcast_ref());
        assert_eq!(source, Some(&sm2::Error::SignatureR));
        assert_eq!(
            sm2::stream::Error::Malformed(error).kind(),
            ErrorKind::SignatureEncoding
        );
    }
}
