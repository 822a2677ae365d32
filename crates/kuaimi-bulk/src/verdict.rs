//! What is found of a row.

use std::fmt;

use crate::table::Column;

/// What is found of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The signature is the signer's over the message.
    Valid,
    /// All of the row can be read, but the signature does not fit its message, key and identity.
    Invalid,
    /// Something in the row is not what it should be.
    Malformed(Fault),
}

/// The reason of [`Verdict::Invalid`].
pub const INVALID: &str =
    "invalid: the signature does not fit this row's message, key and identity";

/// What is wrong with a row that cannot be read. `Display` gives the reason, without an end:
/// `key: is missing`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The reason.
    pub reason: String,
    /// What would settle how the value is read, where that is the problem.
    pub setting: Option<Setting>,
}

/// A setting that says how a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// The encoding of a column.
    Encoding(Column),
    /// The encoding of a column, and the form of the signatures.
    EncodingAndForm(Column),
}

impl Fault {
    /// A fault of the row as a whole.
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self {
            reason: reason.to_string(),
            setting: None,
        }
    }

    /// A fault of a value.
    pub(crate) fn of(column: Column, reason: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {reason}", column.name()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Fault {}
