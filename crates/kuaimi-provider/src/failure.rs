//! Why a call failed, as OpenSSL's error queue shows it.

use std::borrow::Cow;
use std::ffi::CStr;

use kuaimi::ErrorKind;

/// The reasons, each with its text in OpenSSL's error queue.
macro_rules! reasons {
    ($($name:ident = $number:literal, $text:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Reason { $($name = $number),* }

        impl Reason {
            /// All of them, with their texts.
            pub(crate) const TEXTS: &[(u32, &CStr)] = &[$(($number, $text)),*];
        }
    };
}

reasons! {
    Internal = 1, c"internal error of the Kuaimi provider: please report it";
    InvalidParameter = 2, c"a parameter has a wrong type, size or value";
    UnknownGroup = 3, c"the only group of an SM2 key is SM2";
    NoKey = 4, c"no key was set";
    NoPublicKey = 5, c"the key has no public key";
    NoPrivateKey = 6, c"the key has no private key";
    InvalidPublicKey = 7, c"not a public key: not a point of the curve of SM2";
    InvalidPrivateKey = 8, c"not a private key: not in the range from 1 to n-2";
    UnsupportedDigest = 9, c"SM2 is defined with SM3: no other digest is supported here";
    WrongDigestLength = 10, c"SM2 signs a digest of 32 bytes";
    IdentityTooLong = 11, ErrorKind::IdentityTooLong.as_c_str();
    IdentityTooLate = 12, c"the identity must be set before the message";
    OutputTooSmall = 13, c"the output buffer is too small";
    MalformedSignature = 14, c"the signature is not the DER of two integers between 1 and n-1";
    DecryptionFailed = 15, c"decryption failed";
    EmptyMessage = 16, ErrorKind::EmptyMessage.as_c_str();
    MessageTooLong = 17, ErrorKind::MessageTooLong.as_c_str();
    RandomFailed = 18, ErrorKind::Random.as_c_str();
    NotInitialised = 19, c"the operation was not initialised";
    WrongKeyLength = 20, c"the key has a wrong length";
    WrongIvLength = 21, c"the IV has a wrong length";
    WrongTagLength = 22, c"the tag has a wrong length";
    NoTag = 23, c"there is no tag, or not yet";
    WrongFinalBlockLength = 24, ErrorKind::PartialBlock.as_c_str();
    BadPadding = 25, c"decryption failed: wrong padding";
    UnsupportedKdf = 26, c"a key derivation within the key exchange is not supported";
    NoPeer = 27, c"no peer key was set";
    DataTooShort = 28, ErrorKind::DataTooShort.as_c_str();
    KeysEqual = 29, ErrorKind::EqualHalves.as_c_str();
    WrongVersion = 30, c"this provider is for OpenSSL 3 and 4";
    WrongSetting = 31, c"a setting in the configuration is wrong";
    SelfTestFailed = 32, c"self-test failed: the module or the machine is faulty";
    UnsupportedTlsVersion = 33, c"no version of TLS with records that this cipher protects";
    NoKeyExport = 34, c"the program hides EVP_PKEY_export, by which keys of the library are read";
    ExchangeFailed = 35, c"the key exchange failed";
    BadTlsRecord = 36, c"the record of TLS is too short, or its padding is wrong";
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure(Option<(Reason, Cow<'static, str>)>);

impl Failure {
    /// Something that must not happen.
    pub(crate) fn internal() -> Self {
        Reason::Internal.into()
    }

    /// A failure that is a result, such as a signature that is not valid, or one that libcrypto
    /// knows of already: it adds nothing to the error queue.
    pub(crate) fn told() -> Self {
        Self(None)
    }

    /// A question of the program's about something that has another type than it expects, or does
    /// not fit its place. It adds nothing to the error queue, as OpenSSL's own keys do: programs
    /// ask on suspicion, and go on.
    pub(crate) fn unanswered() -> Self {
        Self(None)
    }

    /// With what the reason is about.
    pub(crate) fn with(reason: Reason, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Some((reason, detail.into())))
    }

    /// For the error queue: the reason, and what it is about, or nothing.
    pub(crate) fn report(&self) -> Option<(Reason, &str)> {
        self.0
            .as_ref()
            .map(|(reason, detail)| (*reason, detail.as_ref()))
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Self(Some((reason, Cow::Borrowed(""))))
    }
}

/// `docs/errors.md` has the same table, and a test compares them.
impl From<ErrorKind> for Reason {
    fn from(kind: ErrorKind) -> Self {
        use ErrorKind as K;
        match kind {
            K::DecryptionFailed | K::CiphertextEncoding => Self::DecryptionFailed,
            K::Malformed | K::TrailingBytes | K::SignatureEncoding => Self::MalformedSignature,
            K::PointEncoding | K::NotOnCurve => Self::InvalidPublicKey,
            K::KeyLength => Self::WrongKeyLength,
            K::PrivateKeyRange => Self::InvalidPrivateKey,
            K::EqualHalves => Self::KeysEqual,
            K::IdentityTooLong => Self::IdentityTooLong,
            K::EmptyMessage => Self::EmptyMessage,
            K::MessageTooLong => Self::MessageTooLong,
            K::DerivedKeyLength => Self::ExchangeFailed,
            K::EmptyNonce | K::NonceLength => Self::WrongIvLength,
            K::TagLength => Self::WrongTagLength,
            K::PartialBlock => Self::WrongFinalBlockLength,
            K::DataTooShort => Self::DataTooShort,
            K::AssociatedDataLate | K::InvalidArgument => Self::InvalidParameter,
            K::Random => Self::RandomFailed,
            K::SelfCheck => Self::SelfTestFailed,
            // What the provider does not do: SM9, files of keys, streams, recovery of keys,
            // confirmed exchanges. An invalid signature is a result, and no error.
            _ => Self::Internal,
        }
    }
}

/// The library's errors, by their kinds.
macro_rules! by_kind {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error.kind().into() {
                    // These say nothing of the cause.
                    reason @ (Reason::Internal | Reason::InvalidParameter) => {
                        Self::with(reason, error.to_string())
                    }
                    reason => reason.into(),
                }
            }
        }
    )*};
}
by_kind!(kuaimi::sm2::Error, kuaimi::sm4::Error);

#[cfg(test)]
mod tests {
    use kuaimi::ErrorKind;

    use super::Reason;

    #[test]
    fn reasons_are_numbered_without_gaps() {
        for (index, (number, text)) in Reason::TEXTS.iter().enumerate() {
            assert_eq!(*number as usize, index + 1, "{text:?}");
        }
    }

    #[test]
    fn reasons_are_those_of_the_page() {
        kuaimi_testing::error_table::check("OpenSSL", ErrorKind::ALL, |kind| {
            format!("{:?}", Reason::from(kind))
        });
    }
}
