//! Why an operation fails.

use alloc::string::String;

use kuaimi::ErrorKind;

/// A sentence. Without the feature `words`, only ones that are written here: what drops a `String`
/// in each operation, and what writes numbers, would be a tenth of the module.
#[cfg(feature = "words")]
type Text = String;
#[cfg(not(feature = "words"))]
type Text = &'static str;

/// A kind of error, which becomes the property `code` of JavaScript's error, and the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: &'static str,
    message: Text,
}

impl Failure {
    /// A failure of this kind, and what was found.
    pub fn new(kind: ErrorKind, message: impl Into<Text>) -> Self {
        Self::with_code(kind.name(), message)
    }

    fn with_code(code: &'static str, message: impl Into<Text>) -> Self {
        let message = message.into();
        Self { code, message }
    }

    /// An argument that is not what it should be: why, and what to do.
    pub fn argument(message: impl Into<Text>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// What was used up or disposed of.
    pub fn finished(message: &'static str) -> Self {
        Self::with_code("AlreadyFinalized", message)
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
        AsRef::<str>::as_ref(&self.message)
    }

    /// The code, a newline, and the message: what the engines give to JavaScript.
    pub fn text(&self) -> String {
        [self.code, "\n", self.message()].concat()
    }

    /// A key that cannot be written: none of these functions fails for a valid key.
    #[cfg(any(feature = "formats", feature = "sm9"))]
    pub(crate) fn unwritable<E>(_: E) -> Self {
        Self::argument("this key cannot be written")
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

/// The error says what was found, as it matters of files; where there are none, it is the sentence
/// of the kind.
#[cfg(feature = "words")]
fn of(kind: ErrorKind, error: &dyn core::fmt::Display) -> Failure {
    Failure::new(kind, alloc::string::ToString::to_string(error))
}

#[cfg(not(feature = "words"))]
fn of(kind: ErrorKind, _: &dyn core::fmt::Display) -> Failure {
    Failure::new(kind, kind.as_str())
}
