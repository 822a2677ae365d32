//! What can be wrong with a file of rows.

use std::{error, fmt, io};

use kuaimi_bulk::Column;

use crate::Format;

/// Why a file of rows cannot be read or written. Its text says what is wrong with the file, without
/// the file's name.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system cannot read it.
    Io(io::Error),
    /// There is nothing in it, though the format, where one was given, begins with something.
    Empty(Option<Format>),
    /// It has to be unpacked first.
    Packed {
        /// What it is.
        what: &'static str,
        /// The command that unpacks it, where one does.
        command: Option<&'static str>,
    },
    /// It is text in UTF-16.
    Utf16,
    /// It is one JSON array.
    JsonArray,
    /// It is Parquet, and was given as text.
    Parquet,
    /// It is not Parquet, and was given as such.
    NotParquet,
    /// It is not JSON Lines: none of so many first lines is an object.
    NotJsonLines(usize),
    /// It is not CSV: what is wrong with its first record.
    NotCsv(String),
    /// Nothing tells its format.
    UnknownFormat,
    /// Parquet is read from its end, which a stream does not have yet.
    NotAFile,
    /// Two columns were given the same name.
    OneName(String),
    /// Two columns of the file have the same name.
    TwoColumns(String),
    /// A column is not there.
    Missing(Missing),
    /// There are messages and digests, and one of them must be chosen.
    MessagesAndDigests {
        /// The name of the column of messages.
        message: String,
        /// The name of the column of digests.
        digest: String,
    },
    /// A column has values of another type.
    Unsuitable {
        /// What it was to be.
        column: Column,
        /// Its name.
        name: String,
        /// What it has in place of text or bytes.
        what: String,
    },
    /// It is damaged, or a part of a file.
    Damaged(&'static str),
    /// It may be right, but is not read here: what it has, and what to do.
    Unsupported(String),
    /// A thread that read it has panicked.
    Panicked(String),
    /// No thread can be started.
    Threads(io::Error),
    /// A value is not text, and so cannot be written in a format of text.
    NotText {
        /// The place of its row among those that are written together.
        row: usize,
        /// The name of its column.
        column: String,
    },
}

/// A column that is not there.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What it is for.
    pub column: Column,
    /// The name that was looked for.
    pub name: String,
    /// The name of the column of digests that would do in its place.
    pub digest: Option<String>,
    /// The names of the columns that are there, or the first of them.
    pub found: Vec<String>,
}

/// What reading gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::Empty(None | Some(Format::Jsonl)) => f.write_str("is empty: there are no rows in it"),
            Self::Empty(Some(Format::Csv)) => {
                f.write_str("is empty: a CSV file begins with the names of its columns")
            }
            Self::Empty(Some(Format::Parquet)) => {
                f.write_str("is empty: a Parquet file names its columns even where it has no rows")
            }
            Self::Packed { what, .. } => write!(f, "is {what}"),
            Self::Utf16 => f.write_str("is text in UTF-16; save it as UTF-8"),
            Self::JsonArray => {
                f.write_str("is one JSON array; JSON Lines has an object on each line")
            }
            Self::Parquet => f.write_str("is a Parquet file"),
            Self::NotParquet => {
                f.write_str("is not a Parquet file: its first bytes are not those of one")
            }
            Self::NotJsonLines(lines) => write!(
                f,
                "is not JSON Lines: none of its first {lines} lines is a JSON object"
            ),
            Self::NotCsv(fault) => write!(
                f,
                "its first line should name the columns, but {fault}; check that it is CSV"
            ),
            Self::UnknownFormat => {
                f.write_str("neither its name nor its first bytes tell what format it has")
            }
            Self::NotAFile => f.write_str(
                "Parquet is read from its end, which a pipe does not have yet; save it and give the file",
            ),
            Self::OneName(name) => {
                write!(f, "the column {name:?} is given for two things; give each its own column")
            }
            Self::TwoColumns(name) => write!(
                f,
                "has two columns {name:?}, and which of them is meant is not known; rename one"
            ),
            Self::Missing(missing) => missing.fmt(f),
            Self::MessagesAndDigests { message, digest } => {
                write!(f, "has the columns {message:?} and {digest:?}")
            }
            Self::Unsuitable { name, what, .. } => write!(f, "its column {name:?} {what}"),
            Self::Damaged(what) => write!(
                f,
                "cannot be read as Parquet: {what}; the file is damaged or was cut short, so fetch it again"
            ),
            Self::Unsupported(what) => f.write_str(what),
            Self::Panicked(what) => write!(
                f,
                "cannot be read: {what}; the file is damaged, so fetch it again"
            ),
            Self::Threads(error) => write!(f, "no thread can be started: {error}"),
            Self::NotText { column, .. } => write!(
                f,
                "its {column:?} has bytes that are not text, which this format cannot hold"
            ),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) | Self::Threads(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "has no column {:?}", self.name)?;
        if let Some(digest) = &self.digest {
            write!(f, " and no column {digest:?}")?;
        }
        if self.found.is_empty() {
            f.write_str("; it has no columns")
        } else {
            write!(f, "; its columns are: {}", list(&self.found))
        }
    }
}

impl Missing {
    /// The column that is there and probably meant: it has another usual name of what is missing.
    /// It is a proposal, and never taken unasked.
    pub fn likely(&self) -> Option<&str> {
        let usual: &[&str] = match self.column {
            Column::Key => &[
                "key",
                "public_key",
                "publickey",
                "pubkey",
                "pub",
                "pk",
                "certificate",
                "cert",
            ],
            Column::Id => &[
                "id",
                "user_id",
                "userid",
                "uid",
                "identity",
                "signer_id",
                "signer",
            ],
            Column::Message => &[
                "message",
                "msg",
                "data",
                "payload",
                "content",
                "text",
                "body",
                "plaintext",
            ],
            Column::Digest => &["digest", "hash", "e"],
            Column::Signature => &["signature", "sig", "sign", "signature_value", "signed"],
        };
        let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
        usual
            .iter()
            .find_map(|usual| self.found.iter().find(|name| plain(name) == *usual))
            .map(String::as_str)
    }
}

/// Names for an error line, quoted, not too many and not too long.
fn list(names: &[String]) -> String {
    const NAMES: usize = 20;
    let mut out: Vec<_> = names
        .iter()
        .take(NAMES)
        .map(|name| format!("{:?}", shorten(name)))
        .collect();
    if names.len() > NAMES {
        out.push(format!("and {} more", names.len() - NAMES));
    }
    out.join(", ")
}

fn shorten(name: &str) -> String {
    const LETTERS: usize = 40;
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_headers_stay_short() {
        let names: Vec<_> = (0..1000)
            .map(|i| format!("{i}{}", "x".repeat(1000)))
            .collect();
        assert!(list(&names).len() < 2000);
    }
}
