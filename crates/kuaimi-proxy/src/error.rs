//! Why a proxy cannot begin, or not go on with a new configuration.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a configuration cannot be used. No error holds a secret.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The configuration is malformed, or has a key that there is not. The values are its file and
    /// what is wrong, with the line.
    Syntax(PathBuf, String),
    /// A part of the configuration does not fit. The values are the part's name and what is wrong.
    Config(String, String),
    /// A file cannot be used: its name, and why.
    File(PathBuf, String),
    /// A password is missing: the file that it opens, and why.
    Password(PathBuf, String),
    /// An address cannot be listened on.
    Listen(String, io::Error),
    /// The operating system refuses something that every proxy needs.
    System(&'static str, io::Error),
}

impl Error {
    pub(crate) fn file(path: &Path, what: impl fmt::Display) -> Self {
        Self::File(path.to_owned(), what.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(file, what) => write!(f, "{}: {what}", show(file)),
            Self::Config(part, what) => write!(f, "{part}: {what}"),
            Self::File(file, what) | Self::Password(file, what) => {
                write!(f, "{}: {what}", show(file))
            }
            Self::Listen(address, error) => write!(f, "{address}: cannot listen: {error}"),
            Self::System(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl core::error::Error for Error {}

/// A file's name on one line, whatever is in it.
fn show(path: &Path) -> String {
    let escape = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    path.display().to_string().chars().map(escape).collect()
}
