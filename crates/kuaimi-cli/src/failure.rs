//! Errors: one line for standard error, made where the error happens, and of what kind it is. Which
//! status of the program a kind leads to is said in `exit` alone.

use std::fmt;
use std::io;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The options or the arguments are wrong.
    Usage,
    /// A file or a stream cannot be read or written, or is not what it was given for.
    File,
    /// Nothing is wrong with the call: a ciphertext or a message was altered, or the key is another
    /// one.
    Refused,
    /// Nobody reads standard output any more.
    ClosedPipe,
}

/// A command that cannot go on.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    line: String,
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Wrong use.
    pub fn usage(line: impl Into<String>) -> Self {
        Self {
            kind: Kind::Usage,
            line: line.into(),
        }
    }

    /// About one file.
    pub fn file(name: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self {
            kind: Kind::File,
            line: format!("{name}: {what}"),
        }
    }

    /// About one file, which was altered or is for another key.
    pub fn refused(name: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self {
            kind: Kind::Refused,
            line: format!("{name}: {what}"),
        }
    }

    /// Nobody reads standard output any more: nothing to say, and nothing left to do.
    pub fn closed_pipe() -> Self {
        Self {
            kind: Kind::ClosedPipe,
            line: String::new(),
        }
    }

    /// Standard output could not be written.
    pub fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::closed_pipe(),
            _ => Self::file(
                "standard output",
                format_args!("cannot write: {}", reason(error)),
            ),
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn is_closed_pipe(&self) -> bool {
        self.kind == Kind::ClosedPipe
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

/// An error of the operating system, in its words, with what helps.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    let text: String = letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default();
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "check the name",
        io::ErrorKind::PermissionDenied => "check whose it is and its mode",
        io::ErrorKind::IsADirectory => "give a file",
        io::ErrorKind::ResourceBusy => "something is mounted there or uses it; give another name",
        io::ErrorKind::StorageFull => "make room, or write to another disk",
        _ => return text,
    };
    format!("{text}; {advice}")
}
