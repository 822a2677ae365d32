//! The one enumeration of errors.
//!
//! The codes are the kinds of the Rust library's errors, and some for the misuse of C's functions.

use std::ffi::{CStr, c_char};

use kuaimi::{ErrorKind, UnknownBackend, encoding, sm2, sm3, sm4, sm9};

/// The name within this crate.
pub(crate) use self::kuaimi_error as Error;

/// What a function returns. Numbers are never given a new meaning; later versions may add some.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum kuaimi_error {
    /// Success.
    KUAIMI_OK = 0,
    /// The signature is not this key's over this message under this identity, or it is not a
    /// signature at all.
    KUAIMI_ERROR_INVALID_SIGNATURE = 1,
    /// Decryption failed: another key, another form of ciphertext, or altered data. Which of these
    /// is not said.
    KUAIMI_ERROR_DECRYPTION_FAILED = 2,
    /// The other side of a key exchange does not hold the same key.
    KUAIMI_ERROR_CONFIRMATION_FAILED = 3,
    /// No public key leads to this signature over this digest with this recovery identifier.
    KUAIMI_ERROR_NOT_RECOVERABLE = 4,
    /// A certificate breaks a rule: it expired, it is another host's, its issuer is not trusted.
    KUAIMI_ERROR_CERTIFICATE_REFUSED = 5,
    /// A connection of TLCP failed. `kuaimi_tlcp_explain` says why.
    KUAIMI_ERROR_TLCP = 6,
    /// A pointer is null that must not be.
    KUAIMI_ERROR_NULL_POINTER = 10,
    /// The handle is of another type, or was freed. Or what it stands for was being changed by
    /// another thread when this process was forked.
    KUAIMI_ERROR_INVALID_HANDLE = 11,
    /// The buffer for the result is too small. The length that it needs was written to `*out_len`.
    KUAIMI_ERROR_BUFFER_TOO_SMALL = 12,
    /// An option is none of those documented for the argument, or a length is larger than any
    /// object.
    KUAIMI_ERROR_INVALID_ARGUMENT = 13,
    /// This step of a key exchange was taken already, or the message in pieces has ended. Each step
    /// can be taken once.
    KUAIMI_ERROR_ALREADY_USED = 14,
    /// No implementation has this name on this machine.
    KUAIMI_ERROR_UNKNOWN_BACKEND = 15,
    /// The operating system's random generator failed.
    KUAIMI_ERROR_RANDOM = 16,
    /// A bug of this library. Please report it.
    KUAIMI_ERROR_INTERNAL = 17,
    /// A signature does not verify although it was just made, so it is not given out. Check this
    /// machine.
    KUAIMI_ERROR_SELF_CHECK = 18,
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
    /// The bytes are no key in any supported form. `kuaimi_sm2_explain_private_key` and
    /// `kuaimi_sm2_explain_public_key` say what they are.
    KUAIMI_ERROR_NOT_A_KEY = 53,
    /// The key is of another kind than the function reads: private, public, enveloped, or another
    /// of SM9's.
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
    /// The private key's encryption asks for no iterations, or for more time or memory than is
    /// accepted.
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
    /// The texts of what the library does not know: success, TLCP, and the misuse of C's functions.
    /// All other texts are the library's.
    const OWN: &'static [(Self, &'static CStr)] = &[
        (Self::KUAIMI_OK, c"success"),
        (Self::KUAIMI_ERROR_TLCP, c"the connection failed: kuaimi_tlcp_explain says why"),
        (Self::KUAIMI_ERROR_NULL_POINTER, c"a pointer is null: only inputs of length zero and arguments documented as optional may be"),
        (Self::KUAIMI_ERROR_INVALID_HANDLE, c"the handle is of another type, or was freed; or this process was forked while another thread was changing it"),
        (Self::KUAIMI_ERROR_BUFFER_TOO_SMALL, c"the buffer is too small: the length that it needs was written to *out_len"),
        (Self::KUAIMI_ERROR_ALREADY_USED, c"this step was taken already, and can be taken once: start a new exchange or message"),
        (Self::KUAIMI_ERROR_INTERNAL, c"an error inside libkuaimi: please report it"),
    ];
}

/// What an error means and what to do about it, in English: a string that ends with a zero byte and
/// is valid as long as the process runs. The result is never null: an unknown number has a
/// message as well.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_error_message(error: u32) -> *const c_char {
    let mut own = kuaimi_error::OWN.iter();
    let mut kinds = ErrorKind::ALL.iter();
    own.find(|(code, _)| *code as u32 == error)
        .map(|(_, text)| *text)
        .or_else(|| {
            Some(
                kinds
                    .find(|kind| Error::from(**kind) as u32 == error)?
                    .as_c_str(),
            )
        })
        .unwrap_or(c"this number is no error of libkuaimi")
        .as_ptr()
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        use ErrorKind as K;
        match kind {
            K::InvalidSignature => Self::KUAIMI_ERROR_INVALID_SIGNATURE,
            K::NotRecoverable => Self::KUAIMI_ERROR_NOT_RECOVERABLE,
            K::CertificateRefused => Self::KUAIMI_ERROR_CERTIFICATE_REFUSED,
            K::DecryptionFailed => Self::KUAIMI_ERROR_DECRYPTION_FAILED,
            K::ConfirmationFailed => Self::KUAIMI_ERROR_CONFIRMATION_FAILED,
            K::Malformed => Self::KUAIMI_ERROR_DER,
            K::TrailingBytes => Self::KUAIMI_ERROR_TRAILING_BYTES,
            K::Text => Self::KUAIMI_ERROR_TEXT,
            K::PointEncoding => Self::KUAIMI_ERROR_POINT_ENCODING,
            K::NotOnCurve => Self::KUAIMI_ERROR_POINT_NOT_ON_CURVE,
            K::SignatureEncoding => Self::KUAIMI_ERROR_SIGNATURE_ENCODING,
            K::CiphertextEncoding => Self::KUAIMI_ERROR_CIPHERTEXT_ENCODING,
            K::ExchangeState => Self::KUAIMI_ERROR_EXCHANGE_STATE,
            K::Table => Self::KUAIMI_ERROR_TABLE,
            K::PublicKeyMismatch => Self::KUAIMI_ERROR_PUBLIC_KEY_MISMATCH,
            K::KeyLength => Self::KUAIMI_ERROR_KEY_LENGTH,
            K::PrivateKeyRange => Self::KUAIMI_ERROR_PRIVATE_KEY_RANGE,
            K::NotAKey => Self::KUAIMI_ERROR_NOT_A_KEY,
            K::OtherKey => Self::KUAIMI_ERROR_OTHER_KEY,
            K::OtherAlgorithm => Self::KUAIMI_ERROR_OTHER_ALGORITHM,
            K::UserKeyMismatch => Self::KUAIMI_ERROR_USER_KEY_MISMATCH,
            K::UnusableMasterKey => Self::KUAIMI_ERROR_UNUSABLE_MASTER_KEY,
            K::ExchangeKey => Self::KUAIMI_ERROR_EXCHANGE_KEY,
            K::EqualHalves => Self::KUAIMI_ERROR_EQUAL_HALVES,
            K::MasterPublicKeyMissing => Self::KUAIMI_ERROR_MASTER_PUBLIC_KEY_MISSING,
            K::PasswordNeeded => Self::KUAIMI_ERROR_PASSWORD_NEEDED,
            K::WrongPassword => Self::KUAIMI_ERROR_WRONG_PASSWORD,
            K::UnsupportedEncryption => Self::KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION,
            K::EncryptionCost => Self::KUAIMI_ERROR_ENCRYPTION_COST,
            K::IdentityTooLong => Self::KUAIMI_ERROR_IDENTITY_TOO_LONG,
            K::EmptyIdentity => Self::KUAIMI_ERROR_EMPTY_IDENTITY,
            K::EmptyMessage => Self::KUAIMI_ERROR_EMPTY_MESSAGE,
            K::MessageTooLong => Self::KUAIMI_ERROR_MESSAGE_TOO_LONG,
            K::DerivedKeyLength => Self::KUAIMI_ERROR_DERIVED_KEY_LENGTH,
            K::RecoveryId => Self::KUAIMI_ERROR_RECOVERY_ID,
            K::EmptyNonce => Self::KUAIMI_ERROR_EMPTY_NONCE,
            K::NonceLength => Self::KUAIMI_ERROR_NONCE_LENGTH,
            K::TagLength => Self::KUAIMI_ERROR_TAG_LENGTH,
            K::PartialBlock => Self::KUAIMI_ERROR_PARTIAL_BLOCK,
            K::DataTooShort => Self::KUAIMI_ERROR_DATA_TOO_SHORT,
            K::AssociatedDataLate => Self::KUAIMI_ERROR_ASSOCIATED_DATA_LATE,
            K::InvalidArgument => Self::KUAIMI_ERROR_INVALID_ARGUMENT,
            K::UnknownBackend => Self::KUAIMI_ERROR_UNKNOWN_BACKEND,
            K::Random => Self::KUAIMI_ERROR_RANDOM,
            K::SelfCheck => Self::KUAIMI_ERROR_SELF_CHECK,
            // What no function here leads to: all features are on, and there are no streams.
            K::FeatureNeeded | K::Io | K::InputChanged => Self::KUAIMI_ERROR_INTERNAL,
            // A test finds a kind that this table lacks.
            _ => Self::KUAIMI_ERROR_INTERNAL,
        }
    }
}

/// The library's errors, by their kinds.
macro_rules! by_kind {
    ($($error:ty),*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                error.kind().into()
            }
        }
    )*};
}
by_kind!(
    sm2::Error,
    sm9::Error,
    sm4::Error,
    sm3::KdfError,
    encoding::Error,
    kuaimi_pki::Error,
    UnknownBackend
);

/// The traits of `pkcs8`, `sec1` and `spki` fail where a key cannot be written, which does not
/// happen with a valid one.
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
            // SAFETY: the function gives strings that end with a zero byte and live as long as the
            // process.
            let text = unsafe { CStr::from_ptr(kuaimi_error_message(number)) };
            if text != c"this number is no error of libkuaimi" {
                count += 1;
                assert!(seen.insert(text), "{text:?} is there twice");
            }
        }
        // The variants, counted in this file's text: a list of them in code could be as incomplete
        // as the two tables.
        let is_variant = |line: &&str| line.starts_with("    KUAIMI_") && line.contains(" = ");
        let variants = include_str!("error.rs").lines().filter(is_variant);
        assert_eq!(
            count,
            variants.count(),
            "a variant is neither a kind's nor has a text of its own"
        );
    }

    #[test]
    fn codes_are_those_of_the_page() {
        kuaimi_testing::error_table::check("C", ErrorKind::ALL, |kind| {
            let code = Error::from(kind);
            format!("{} {code:?}", code as u32)
        });
    }
}
