//! Why an operation fails.

#[cfg(feature = "words")]
use alloc::boxed::Box;
use alloc::string::String;

use kuaimi::ErrorKind;

/// A kind of error, which becomes the property `code` of JavaScript's error, and the sentence.
type Said<Sentence> = (&'static str, Sentence);

/// Why an operation fails: one pointer, as each operation hands it on in several places. Without
/// the feature `words` there are only sentences that are written here: what drops a `String` in
/// each operation, and what writes numbers, would be a tenth of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(
    #[cfg(feature = "words")] Box<Said<String>>,
    #[cfg(not(feature = "words"))] &'static Said<&'static str>,
);

/// An argument that is not what it should be: why, and what to do.
#[macro_export]
macro_rules! argument {
    ($message:literal $(,)?) => {
        $crate::Failure::written(const { &("InvalidArgument", $message) })
    };
}

/// What was used up or disposed of.
#[macro_export]
macro_rules! finished {
    ($message:literal $(,)?) => {
        $crate::Failure::written(const { &("AlreadyFinalized", $message) })
    };
}

impl Failure {
    /// A failure of this kind, and what was found.
    #[cfg(feature = "words")]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new((kind.name(), message.into())))
    }

    /// A code and a sentence.
    pub fn written(said: &'static Said<&'static str>) -> Self {
        #[cfg(feature = "words")]
        return Self(Box::new((said.0, said.1.into())));
        #[cfg(not(feature = "words"))]
        Self(said)
    }

    /// The kind's own sentence.
    fn of_kind(kind: ErrorKind) -> Self {
        static KINDS: [Said<&str>; ErrorKind::ALL.len()] = {
            let mut kinds = [("", ""); ErrorKind::ALL.len()];
            let mut i = 0;
            while i < kinds.len() {
                let kind = ErrorKind::ALL[i];
                kinds[i] = (kind.name(), sentence(kind));
                i += 1;
            }
            kinds
        };
        // `ALL` has the kinds in their order.
        Self::written(&KINDS[kind as usize])
    }

    /// One failure of decryption, whatever is wrong.
    pub fn decryption() -> Self {
        Self::of_kind(ErrorKind::DecryptionFailed)
    }

    /// The kind's name.
    pub fn code(&self) -> &'static str {
        self.0.0
    }

    /// What to show.
    pub fn message(&self) -> &str {
        AsRef::<str>::as_ref(&self.0.1)
    }

    /// The code, a newline, and the message: what the engines give to JavaScript.
    pub fn text(&self) -> String {
        [self.code(), "\n", self.message()].concat()
    }

    /// A key that cannot be written: none of these functions fails for a valid key.
    #[cfg(feature = "formats")]
    pub(crate) fn unwritable<E>(_: E) -> Self {
        argument!("this key cannot be written")
    }
}

/// The sentence of a kind. What only files and machines fail with does not happen in a module
/// without them, whose sentences would be text that everybody loads.
const fn sentence(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Text
        | ErrorKind::ExchangeState
        | ErrorKind::Table
        | ErrorKind::OtherAlgorithm
        | ErrorKind::PasswordNeeded
        | ErrorKind::WrongPassword
        | ErrorKind::UnsupportedEncryption
        | ErrorKind::EncryptionCost
        | ErrorKind::UnknownBackend
        | ErrorKind::FeatureNeeded
        | ErrorKind::SelfCheck
        | ErrorKind::Io
        | ErrorKind::InputChanged
            if cfg!(not(feature = "words")) =>
        {
            kind.name()
        }
        _ => kind.as_str(),
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
    #[cfg(any(feature = "formats", feature = "sm9"))]
    kuaimi::sm9::Error,
    #[cfg(feature = "pki")]
    kuaimi_pki::Error,
);

/// The error says what was found, as it matters of files; where there are none, it is the sentence
/// of the kind.
#[cfg(feature = "words")]
fn of(kind: ErrorKind, error: &dyn core::fmt::Display) -> Failure {
    Failure::new(kind, alloc::string::ToString::to_string(error))
}

#[cfg(not(feature = "words"))]
fn of(kind: ErrorKind, _: &dyn core::fmt::Display) -> Failure {
    Failure::of_kind(kind)
}
