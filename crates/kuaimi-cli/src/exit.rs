//! Exit statuses, and the errors that lead to them.
//!
//! | status | meaning |
//! | --- | --- |
//! | 0 | done |
//! | 1 | an invalid signature, a failed decryption, a failed key exchange, a checksum that does not match |
//! | 2 | wrong use, unreadable input, unwritable output |
//! | 130 | interrupted |
//! | 141 | the reader of standard output went away: what a shell reports of a program that SIGPIPE ended |

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// How a command that ran to its end answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Status 0.
    Yes,
    /// Status 1: the command did its work, and the answer is no.
    No,
    /// Status 2, after errors that were already printed.
    Incomplete,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        Self::from(match answer {
            Answer::Yes => 0,
            Answer::No => 1,
            Answer::Incomplete => 2,
        })
    }
}

/// A command that cannot go on: one line for standard error, and a status.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    line: String,
}

pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Status 2: wrong use or unreadable input.
    pub fn usage(line: impl Into<String>) -> Self {
        Self {
            status: 2,
            line: line.into(),
        }
    }

    /// Status 2, about one file.
    pub fn file(name: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::usage(format!("{name}: {what}"))
    }

    /// Status 1, about one file.
    pub fn refused(name: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self {
            status: 1,
            line: format!("{name}: {what}"),
        }
    }

    /// Nobody reads standard output any more: nothing to say, and nothing left to do.
    pub fn closed_pipe() -> Self {
        Self {
            status: 141,
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

    pub fn is_closed_pipe(&self) -> bool {
        self.status == 141
    }

    pub fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
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

/// Says something on standard error; a closed standard error is no reason to fail.
pub fn say(line: impl fmt::Display) {
    use io::Write as _;
    let _ = writeln!(io::stderr(), "kuaimi: {line}");
}

/// Writes lines for people on standard error, where standard output is taken.
pub fn eprint(lines: &str) {
    use io::Write as _;
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// A path for an error line: on one line whatever is in it.
pub fn show(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    let mut out = String::new();
    for letter in path.display().to_string().chars() {
        if letter.is_control() {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}
