//! Why an operation fails.

use alloc::string::String;

use kuaimi::ErrorKind;

/// A kind of error, which becomes the property `code` of JavaScript's error, and the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    /// A failure of this kind, and what was found.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            code: kind.name(),
            message: message.into(),
        }
    }

    /// An argument that is not what it should be: why, and what to do.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// What was used up or disposed of.
    pub fn finished(message: &str) -> Self {
        Self {
            code: "AlreadyFinalized",
            message: message.into(),
        }
    }

    /// One failure of decryption, whatever is wrong.
    pub fn decryption() -> Self {
        let kind = ErrorKind::DecryptionFailed;
        Self::new(kind, kind.as_str())
    }

    /// The kind's name.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What to show.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// The kind and the words of an error of the library.
macro_rules! from {
    ($($(#[$attribute:meta])* $error:ty),* $(,)?) => {$(
        $(#[$attribute])*
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                of(error.kind(), &error)
            }
        }
    )*};
}
from!(
    kuaimi::sm2::Error,
    kuaimi::sm4::Error,
    kuaimi::sm3::KdfError,
    kuaimi::encoding::Error,
    #[cfg(feature = "sm9")]
    kuaimi::sm9::Error,
);

/// The error says what was found. In WebAssembly, the words of all errors would be a tenth of the
/// module: there it is the sentence of the kind, except of files, where what was found matters.
#[cfg(any(feature = "formats", feature = "native"))]
fn of(kind: ErrorKind, error: &dyn core::fmt::Display) -> Failure {
    Failure::new(kind, alloc::string::ToString::to_string(error))
}

#[cfg(not(any(feature = "formats", feature = "native")))]
fn of(kind: ErrorKind, _: &dyn core::fmt::Display) -> Failure {
    Failure::new(kind, kind.as_str())
}
