//! Why a call failed, as OpenSSL's error queue shows it.

use std::borrow::Cow;
use std::ffi::CStr;

/// The reasons, each with its text in OpenSSL's error queue.
macro_rules! reasons {
    ($($name:ident = $number:literal, $text:literal;)*) => {
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
    IdentityTooLong = 11, c"an identity has at most 8191 bytes";
    IdentityTooLate = 12, c"the identity must be set before the message";
    OutputTooSmall = 13, c"the output buffer is too small";
    MalformedSignature = 14, c"the signature is not the DER of two integers between 1 and n-1";
    DecryptionFailed = 15, c"decryption failed";
    EmptyMessage = 16, c"SM2 encrypts at least one byte";
    MessageTooLong = 17, c"the message is too long";
    RandomFailed = 18, c"the random generator of the operating system failed";
    NotInitialised = 19, c"the operation was not initialised";
    WrongKeyLength = 20, c"the key has a wrong length";
    WrongIvLength = 21, c"the IV has a wrong length";
    WrongTagLength = 22, c"the tag has a wrong length";
    NoTag = 23, c"there is no tag, or not yet";
    WrongFinalBlockLength = 24, c"the data is not a multiple of the block length";
    BadPadding = 25, c"decryption failed: wrong padding";
    UnsupportedKdf = 26, c"a key derivation within the key exchange is not supported";
    NoPeer = 27, c"no peer key was set";
    DataTooShort = 28, c"the data is shorter than a block";
    KeysEqual = 29, c"the two halves of the key are equal";
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

    /// A failure that is a result, such as a signature that is not valid, or one that libcrypto knows of already: it adds
    /// nothing to the error queue.
    pub(crate) fn told() -> Self {
        Self(None)
    }

    /// A question of the program's about something that has another type than it expects, or does not fit its place. It adds nothing to
    /// the error queue, as OpenSSL's own keys do: programs ask on suspicion, and go on.
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

impl From<kuaimi::sm2::Error> for Failure {
    fn from(error: kuaimi::sm2::Error) -> Self {
        use kuaimi::sm2::Error;
        match error {
            Error::Random => Reason::RandomFailed,
            Error::IdTooLong(_) => Reason::IdentityTooLong,
            Error::EmptyMessage => Reason::EmptyMessage,
            Error::MessageTooLong => Reason::MessageTooLong,
            Error::DecryptionFailed => Reason::DecryptionFailed,
            _ => return Self::with(Reason::Internal, error.to_string()),
        }
        .into()
    }
}

impl From<kuaimi::sm4::Error> for Failure {
    fn from(error: kuaimi::sm4::Error) -> Self {
        Self::with(Reason::InvalidParameter, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn reasons_are_numbered_without_gaps() {
        for (index, (number, text)) in Reason::TEXTS.iter().enumerate() {
            assert_eq!(*number as usize, index + 1, "{text:?}");
        }
    }
}
