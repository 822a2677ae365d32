//! The one enumeration of errors.
//!
//! Several causes of the Rust library become one here where a C program can do the same about each of them.

use std::ffi::{CStr, c_char};

use kuaimi::{encoding, sm2, sm3, sm4, sm9};

/// The name within this crate.
pub(crate) use self::kuaimi_error as Error;

/// What a function returns. Numbers are never given a new meaning; later versions may add some.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum kuaimi_error {
    /// Success.
    KUAIMI_OK = 0,
    /// The signature is not this key's over this message under this identity, or it is not a signature at all.
    KUAIMI_ERROR_INVALID_SIGNATURE = 1,
    /// Decryption failed: another key, another form of ciphertext, or altered data. Which of these is not said.
    KUAIMI_ERROR_DECRYPTION_FAILED = 2,
    /// The other side of a key exchange does not hold the same key.
    KUAIMI_ERROR_CONFIRMATION_FAILED = 3,
    /// No public key leads to this signature over this digest with this recovery identifier.
    KUAIMI_ERROR_NOT_RECOVERABLE = 4,
    /// A pointer is null that must not be.
    KUAIMI_ERROR_NULL_POINTER = 10,
    /// The handle is of another type, or was freed. Or what it stands for was being changed by another thread when this process was forked.
    KUAIMI_ERROR_INVALID_HANDLE = 11,
    /// The buffer for the result is too small. The length that it needs was written to `*out_len`.
    KUAIMI_ERROR_BUFFER_TOO_SMALL = 12,
    /// A constant is none of those documented for the argument, or a length is larger than any object.
    KUAIMI_ERROR_INVALID_ARGUMENT = 13,
    /// This step of a key exchange was taken already, or the message in pieces has ended. Each step can be taken once.
    KUAIMI_ERROR_ALREADY_USED = 14,
    /// No implementation has this name on this machine.
    KUAIMI_ERROR_UNKNOWN_BACKEND = 15,
    /// The operating system's random generator failed.
    KUAIMI_ERROR_RANDOM = 16,
    /// A bug of this library. Please report it.
    KUAIMI_ERROR_INTERNAL = 17,
    /// A key has the wrong length.
    KUAIMI_ERROR_KEY_LENGTH = 20,
    /// A private key or a master key is out of range.
    KUAIMI_ERROR_PRIVATE_KEY_RANGE = 21,
    /// A point has the wrong length or first byte, or a coordinate that is too large.
    KUAIMI_ERROR_POINT_ENCODING = 22,
    /// A point is not on the curve or not in the group, or it is the point at infinity.
    KUAIMI_ERROR_POINT_NOT_ON_CURVE = 23,
    /// An SM2 identity has more than 8191 bytes.
    KUAIMI_ERROR_IDENTITY_TOO_LONG = 24,
    /// An SM9 identity is empty.
    KUAIMI_ERROR_EMPTY_IDENTITY = 25,
    /// The bytes are no signature in this form.
    KUAIMI_ERROR_SIGNATURE_ENCODING = 26,
    /// The bytes are no ciphertext in this form.
    KUAIMI_ERROR_CIPHERTEXT_ENCODING = 27,
    /// There is nothing to encrypt.
    KUAIMI_ERROR_EMPTY_MESSAGE = 28,
    /// The message is longer than the algorithm can process.
    KUAIMI_ERROR_MESSAGE_TOO_LONG = 29,
    /// A key of this length cannot be derived.
    KUAIMI_ERROR_DERIVED_KEY_LENGTH = 30,
    /// A recovery identifier is above 3.
    KUAIMI_ERROR_RECOVERY_ID = 31,
    /// The bytes are no state of this side of a key exchange, or were altered.
    KUAIMI_ERROR_EXCHANGE_STATE = 32,
    /// The key exchange was started with another private key.
    KUAIMI_ERROR_EXCHANGE_KEY = 33,
    /// The master key cannot serve this identity. This does not happen by chance.
    KUAIMI_ERROR_UNUSABLE_MASTER_KEY = 40,
    /// An SM9 user's key was not made for this identity under this master key.
    KUAIMI_ERROR_USER_KEY_MISMATCH = 41,
    /// A stored table is of another version, was altered, or belongs to another key.
    KUAIMI_ERROR_TABLE = 42,
    /// The DER is malformed, or has another structure.
    KUAIMI_ERROR_DER = 50,
    /// Bytes follow the end of the DER.
    KUAIMI_ERROR_TRAILING_BYTES = 51,
    /// The PEM, Base64 or hexadecimal text is malformed.
    KUAIMI_ERROR_TEXT = 52,
    /// The bytes are no key in any supported form.
    KUAIMI_ERROR_NOT_A_KEY = 53,
    /// The key is of another kind than the function reads: private, public, enveloped, or another of SM9's.
    KUAIMI_ERROR_OTHER_KEY = 54,
    /// The key is of another algorithm, on another curve, or does not name its curve.
    KUAIMI_ERROR_OTHER_ALGORITHM = 55,
    /// The public key that is stored with a private key does not belong to it.
    KUAIMI_ERROR_PUBLIC_KEY_MISMATCH = 56,
    /// An SM9 user's key is stored without the master public key.
    KUAIMI_ERROR_MASTER_PUBLIC_KEY_MISSING = 57,
    /// The private key is encrypted, and no password was given.
    KUAIMI_ERROR_PASSWORD_NEEDED = 58,
    /// The private key cannot be decrypted with this password.
    KUAIMI_ERROR_WRONG_PASSWORD = 59,
    /// The private key is encrypted in a way that is not supported.
    KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION = 60,
    /// The private key's encryption asks for no iterations, or for more time or memory than is accepted.
    KUAIMI_ERROR_ENCRYPTION_COST = 61,
    /// The two halves of a key for XTS are equal.
    KUAIMI_ERROR_EQUAL_HALVES = 70,
    /// The nonce is empty.
    KUAIMI_ERROR_EMPTY_NONCE = 71,
    /// The data is not whole blocks of 16 bytes.
    KUAIMI_ERROR_PARTIAL_BLOCK = 72,
    /// The data has fewer than the 16 bytes that XTS needs.
    KUAIMI_ERROR_DATA_TOO_SHORT = 73,
    /// A nonce for CCM has fewer than 7 or more than 13 bytes.
    KUAIMI_ERROR_NONCE_LENGTH = 74,
    /// A tag has a length that the mode does not have.
    KUAIMI_ERROR_TAG_LENGTH = 75,
    /// Associated data came after the first byte of the message.
    KUAIMI_ERROR_ASSOCIATED_DATA_LATE = 76,
}

impl kuaimi_error {
    const ALL: &'static [(Self, &'static CStr)] = &[
        (Self::KUAIMI_OK, c"success"),
        (Self::KUAIMI_ERROR_INVALID_SIGNATURE, c"the signature does not fit this message, key and identity"),
        (Self::KUAIMI_ERROR_DECRYPTION_FAILED, c"decryption failed: another key, another form of ciphertext, or altered data"),
        (Self::KUAIMI_ERROR_CONFIRMATION_FAILED, c"the other side of the key exchange does not hold the same key"),
        (Self::KUAIMI_ERROR_NOT_RECOVERABLE, c"no public key can be recovered from this signature"),
        (Self::KUAIMI_ERROR_NULL_POINTER, c"a pointer is null: only inputs of length zero and arguments documented as optional may be"),
        (Self::KUAIMI_ERROR_INVALID_HANDLE, c"the handle is of another type, or was freed; or this process was forked while another thread was changing it"),
        (Self::KUAIMI_ERROR_BUFFER_TOO_SMALL, c"the buffer is too small: the length that it needs was written to *out_len"),
        (Self::KUAIMI_ERROR_INVALID_ARGUMENT, c"an argument is none of the values documented for it"),
        (Self::KUAIMI_ERROR_ALREADY_USED, c"this step was taken already, and can be taken once: start a new exchange or message"),
        (Self::KUAIMI_ERROR_UNKNOWN_BACKEND, c"no implementation has this name on this machine: see kuaimi_backend_at"),
        (Self::KUAIMI_ERROR_RANDOM, c"the operating system's random generator failed"),
        (Self::KUAIMI_ERROR_INTERNAL, c"an error inside libkuaimi: please report it"),
        (Self::KUAIMI_ERROR_KEY_LENGTH, c"the key has the wrong length: see the function's documentation"),
        (Self::KUAIMI_ERROR_PRIVATE_KEY_RANGE, c"the private key is out of range: it must be at least 1 and at most n - 2 (SM2) or N - 1 (SM9)"),
        (Self::KUAIMI_ERROR_POINT_ENCODING, c"the bytes are no point: 33 (compressed), 64 or 65 bytes are expected for SM2"),
        (Self::KUAIMI_ERROR_POINT_NOT_ON_CURVE, c"the point is not on the curve, or not in its group"),
        (Self::KUAIMI_ERROR_IDENTITY_TOO_LONG, c"an SM2 identity has at most 8191 bytes"),
        (Self::KUAIMI_ERROR_EMPTY_IDENTITY, c"the identity is empty: give the user's name, mail address or number"),
        (Self::KUAIMI_ERROR_SIGNATURE_ENCODING, c"the bytes are no signature in this form"),
        (Self::KUAIMI_ERROR_CIPHERTEXT_ENCODING, c"the bytes are no ciphertext in this form"),
        (Self::KUAIMI_ERROR_EMPTY_MESSAGE, c"an empty message cannot be encrypted with SM2 or SM9"),
        (Self::KUAIMI_ERROR_MESSAGE_TOO_LONG, c"the message is too long: encrypt it in pieces"),
        (Self::KUAIMI_ERROR_DERIVED_KEY_LENGTH, c"the length of the derived key must be at least one byte and below 128 GiB, and must fit in memory"),
        (Self::KUAIMI_ERROR_RECOVERY_ID, c"a recovery identifier is 0, 1, 2 or 3"),
        (Self::KUAIMI_ERROR_EXCHANGE_STATE, c"this is not the state of this side of a key exchange, or it was altered"),
        (Self::KUAIMI_ERROR_EXCHANGE_KEY, c"the key exchange was started with another private key"),
        (Self::KUAIMI_ERROR_UNUSABLE_MASTER_KEY, c"the master key cannot serve this identity: make a new master key, and all users' keys anew"),
        (Self::KUAIMI_ERROR_USER_KEY_MISMATCH, c"the user's key was not made for this identity under this master key"),
        (Self::KUAIMI_ERROR_TABLE, c"the table is of another version, was altered, or belongs to another key: prepare the key again"),
        (Self::KUAIMI_ERROR_DER, c"the DER is malformed, or another kind of file"),
        (Self::KUAIMI_ERROR_TRAILING_BYTES, c"bytes follow the end of the DER encoding: remove them"),
        (Self::KUAIMI_ERROR_TEXT, c"the PEM, Base64 or hexadecimal text is malformed"),
        (Self::KUAIMI_ERROR_NOT_A_KEY, c"this is no key in any supported form: kuaimi_sm2_explain_private_key and kuaimi_sm2_explain_public_key say what it is"),
        (Self::KUAIMI_ERROR_OTHER_KEY, c"this key is of another kind than the function reads"),
        (Self::KUAIMI_ERROR_OTHER_ALGORITHM, c"the key is of another algorithm or on another curve, or does not name its curve"),
        (Self::KUAIMI_ERROR_PUBLIC_KEY_MISMATCH, c"the public key stored with the private key does not belong to it: the file was altered"),
        (Self::KUAIMI_ERROR_MASTER_PUBLIC_KEY_MISSING, c"the user's key is stored without the master public key: give both"),
        (Self::KUAIMI_ERROR_PASSWORD_NEEDED, c"the private key is encrypted: give its password"),
        (Self::KUAIMI_ERROR_WRONG_PASSWORD, c"the private key does not decrypt with this password, or the file was altered"),
        (Self::KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION, c"the private key's encryption is not supported: encrypt it with PBES2, AES-CBC or SM4-CBC"),
        (Self::KUAIMI_ERROR_ENCRYPTION_COST, c"the private key's encryption asks for no iterations, or for more time or memory than is accepted"),
        (Self::KUAIMI_ERROR_EQUAL_HALVES, c"the two halves of the XTS key are equal: they must be independent keys"),
        (Self::KUAIMI_ERROR_EMPTY_NONCE, c"the nonce is empty: use 12 bytes, never the same twice with a key"),
        (Self::KUAIMI_ERROR_PARTIAL_BLOCK, c"the length of the data must be a multiple of 16 bytes"),
        (Self::KUAIMI_ERROR_DATA_TOO_SHORT, c"XTS needs at least 16 bytes of data"),
        (Self::KUAIMI_ERROR_NONCE_LENGTH, c"a nonce for CCM has 7 to 13 bytes: use 12, never the same twice with a key"),
        (Self::KUAIMI_ERROR_TAG_LENGTH, c"a tag has 16 bytes; in CCM also 4, 6, 8, 10, 12 or 14"),
        (Self::KUAIMI_ERROR_ASSOCIATED_DATA_LATE, c"all associated data must come before the message"),
    ];
}

/// What an error means and what to do about it, in English: a string that ends with a zero byte and lives as long as the
/// process. A number that is no error has a text, too. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_error_message(error: u32) -> *const c_char {
    kuaimi_error::ALL
        .iter()
        .find(|(known, _)| *known as u32 == error)
        .map_or(c"this number is no error of libkuaimi", |(_, text)| text)
        .as_ptr()
}

impl From<sm2::Error> for Error {
    fn from(error: sm2::Error) -> Self {
        use sm2::Error as E;
        match error {
            E::SecretKeyLength(_) => Self::KUAIMI_ERROR_KEY_LENGTH,
            E::SecretKeyRange => Self::KUAIMI_ERROR_PRIVATE_KEY_RANGE,
            E::PointFormat(_) | E::PointLength(_) | E::CoordinateRange => {
                Self::KUAIMI_ERROR_POINT_ENCODING
            }
            E::NotOnCurve | E::PointAtInfinity => Self::KUAIMI_ERROR_POINT_NOT_ON_CURVE,
            E::IdTooLong(_) => Self::KUAIMI_ERROR_IDENTITY_TOO_LONG,
            E::SignatureLength(_)
            | E::SignatureEncoding
            | E::SignatureR
            | E::SignatureS
            | E::SignatureT => Self::KUAIMI_ERROR_SIGNATURE_ENCODING,
            E::InvalidSignature => Self::KUAIMI_ERROR_INVALID_SIGNATURE,
            E::NotRecoverable => Self::KUAIMI_ERROR_NOT_RECOVERABLE,
            E::RecoveryId(_) => Self::KUAIMI_ERROR_RECOVERY_ID,
            E::EmptyMessage => Self::KUAIMI_ERROR_EMPTY_MESSAGE,
            E::MessageTooLong => Self::KUAIMI_ERROR_MESSAGE_TOO_LONG,
            E::CiphertextLength(_) => Self::KUAIMI_ERROR_CIPHERTEXT_ENCODING,
            E::DecryptionFailed => Self::KUAIMI_ERROR_DECRYPTION_FAILED,
            E::SharedKeyLength => Self::KUAIMI_ERROR_DERIVED_KEY_LENGTH,
            E::ConfirmationFailed => Self::KUAIMI_ERROR_CONFIRMATION_FAILED,
            E::ExchangeState => Self::KUAIMI_ERROR_EXCHANGE_STATE,
            E::ExchangeKey => Self::KUAIMI_ERROR_EXCHANGE_KEY,
            E::Random => Self::KUAIMI_ERROR_RANDOM,
            // `Nonce` is for callers who choose nonces, which no function here lets them do.
            _ => Self::KUAIMI_ERROR_INTERNAL,
        }
    }
}

impl From<sm9::Error> for Error {
    fn from(error: sm9::Error) -> Self {
        use sm9::Error as E;
        match error {
            E::MasterKeyLength(_) => Self::KUAIMI_ERROR_KEY_LENGTH,
            E::MasterKeyRange => Self::KUAIMI_ERROR_PRIVATE_KEY_RANGE,
            E::PointFormat(_) | E::PointLength(_) | E::CoordinateRange => {
                Self::KUAIMI_ERROR_POINT_ENCODING
            }
            E::NotOnCurve | E::NotInSubgroup | E::PointAtInfinity => {
                Self::KUAIMI_ERROR_POINT_NOT_ON_CURVE
            }
            E::EmptyIdentity => Self::KUAIMI_ERROR_EMPTY_IDENTITY,
            E::UnusableMasterKey => Self::KUAIMI_ERROR_UNUSABLE_MASTER_KEY,
            E::UserKeyMismatch => Self::KUAIMI_ERROR_USER_KEY_MISMATCH,
            E::SignatureLength(_) | E::SignatureEncoding | E::SignatureH => {
                Self::KUAIMI_ERROR_SIGNATURE_ENCODING
            }
            E::InvalidSignature => Self::KUAIMI_ERROR_INVALID_SIGNATURE,
            E::EmptyMessage => Self::KUAIMI_ERROR_EMPTY_MESSAGE,
            E::MessageTooLong => Self::KUAIMI_ERROR_MESSAGE_TOO_LONG,
            E::CiphertextLength(_) => Self::KUAIMI_ERROR_CIPHERTEXT_ENCODING,
            E::DecryptionFailed => Self::KUAIMI_ERROR_DECRYPTION_FAILED,
            E::KeyLength => Self::KUAIMI_ERROR_DERIVED_KEY_LENGTH,
            E::ConfirmationFailed => Self::KUAIMI_ERROR_CONFIRMATION_FAILED,
            E::ExchangeState => Self::KUAIMI_ERROR_EXCHANGE_STATE,
            E::ExchangeKey => Self::KUAIMI_ERROR_EXCHANGE_KEY,
            E::TableFormat | E::TableAltered => Self::KUAIMI_ERROR_TABLE,
            E::Random => Self::KUAIMI_ERROR_RANDOM,
            _ => Self::KUAIMI_ERROR_INTERNAL,
        }
    }
}

impl From<sm4::Error> for Error {
    fn from(error: sm4::Error) -> Self {
        use sm4::Error as E;
        match error {
            E::KeyLength { .. } => Self::KUAIMI_ERROR_KEY_LENGTH,
            E::EqualHalves => Self::KUAIMI_ERROR_EQUAL_HALVES,
            E::EmptyNonce => Self::KUAIMI_ERROR_EMPTY_NONCE,
            E::PartialBlock(_) => Self::KUAIMI_ERROR_PARTIAL_BLOCK,
            E::TooShort(_) => Self::KUAIMI_ERROR_DATA_TOO_SHORT,
            E::TooLong => Self::KUAIMI_ERROR_MESSAGE_TOO_LONG,
            E::DecryptionFailed => Self::KUAIMI_ERROR_DECRYPTION_FAILED,
            E::NonceLength(_) => Self::KUAIMI_ERROR_NONCE_LENGTH,
            E::TagLength(_) => Self::KUAIMI_ERROR_TAG_LENGTH,
            E::AssociatedDataLate => Self::KUAIMI_ERROR_ASSOCIATED_DATA_LATE,
            _ => Self::KUAIMI_ERROR_INTERNAL,
        }
    }
}

impl From<sm3::KdfError> for Error {
    fn from(_: sm3::KdfError) -> Self {
        Self::KUAIMI_ERROR_DERIVED_KEY_LENGTH
    }
}

impl From<encoding::Error> for Error {
    fn from(error: encoding::Error) -> Self {
        use encoding::{Error as E, FileKind};
        match error {
            E::Sm2(error) => error.into(),
            E::Sm9(error) => error.into(),
            E::TrailingBytes => Self::KUAIMI_ERROR_TRAILING_BYTES,
            E::PemEnd | E::PemHeaders | E::Base64 | E::Hex | E::OddHex(_) => {
                Self::KUAIMI_ERROR_TEXT
            }
            E::NotAKey | E::NotAnSm9Key | E::BareSm9Key => Self::KUAIMI_ERROR_NOT_A_KEY,
            E::UnexpectedPublicKey
            | E::UnexpectedPrivateKey
            | E::UnexpectedEnvelopedKey
            | E::OtherSm9Key(_) => Self::KUAIMI_ERROR_OTHER_KEY,
            E::NotSm2Algorithm(_)
            | E::NotSm2Curve(_)
            | E::NotSm9Algorithm(_)
            | E::ExplicitParameters
            | E::ParametersMissing => Self::KUAIMI_ERROR_OTHER_ALGORITHM,
            E::PublicKeyMismatch => Self::KUAIMI_ERROR_PUBLIC_KEY_MISMATCH,
            E::MasterPublicKeyMissing => Self::KUAIMI_ERROR_MASTER_PUBLIC_KEY_MISSING,
            E::PasswordNeeded => Self::KUAIMI_ERROR_PASSWORD_NEEDED,
            E::WrongPassword => Self::KUAIMI_ERROR_WRONG_PASSWORD,
            E::UnsupportedEncryption(_) | E::EncryptionParameters | E::LegacyEncryption => {
                Self::KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION
            }
            E::IterationCount(_) | E::ScryptCost => Self::KUAIMI_ERROR_ENCRYPTION_COST,
            E::Other(FileKind::SdfSignature) | E::NotASignature | E::Text(_) => {
                Self::KUAIMI_ERROR_SIGNATURE_ENCODING
            }
            E::Other(_) => Self::KUAIMI_ERROR_NOT_A_KEY,
            E::DigestLength(_) | E::UnknownEnType => Self::KUAIMI_ERROR_CIPHERTEXT_ENCODING,
            E::Random => Self::KUAIMI_ERROR_RANDOM,
            // All features are on, so `FeatureNeeded` does not occur.
            E::FeatureNeeded(_) => Self::KUAIMI_ERROR_INTERNAL,
            _ => Self::KUAIMI_ERROR_DER,
        }
    }
}

/// The traits of `pkcs8`, `sec1` and `spki` fail where a key cannot be written, which does not happen with a valid one.
macro_rules! internal {
    ($($error:ty),*) => {$(
        impl From<$error> for Error {
            fn from(_: $error) -> Self {
                Self::KUAIMI_ERROR_INTERNAL
            }
        }
    )*};
}
internal!(
    kuaimi::external::pkcs8::Error,
    kuaimi::external::sec1::Error,
    kuaimi::external::spki::Error
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_error_has_its_own_message() {
        let mut seen = HashSet::new();
        let mut count = 0;
        for number in 0..1000 {
            // SAFETY: the function gives strings that end with a zero byte and live as long as the process.
            let text = unsafe { CStr::from_ptr(kuaimi_error_message(number)) };
            if text != c"this number is no error of libkuaimi" {
                count += 1;
                assert!(seen.insert(text), "{text:?} is there twice");
            }
        }
        // The variants, counted in this file's text: a list of them in code could be as incomplete as `ALL`.
        let is_variant = |line: &&str| line.starts_with("    KUAIMI_") && line.contains(" = ");
        let variants = include_str!("error.rs").lines().filter(is_variant);
        assert_eq!(count, variants.count(), "a variant has no row in ALL");
    }
}
