//! Why a Parquet file cannot be read.

use std::io;

#[derive(Debug)]
pub enum Error {
    /// The file itself cannot be read.
    Io(io::Error),
    /// What the file holds is not Parquet, or not all of it.
    Damaged(&'static str),
    /// It may be Parquet, but it is not read here: what it is, and what to do.
    Unsupported(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl From<io::Error> for Error {
    /// Readers of compressed data report damage as an error of input and output, too. Only the
    /// operating system's have a number.
    fn from(error: io::Error) -> Self {
        if error.raw_os_error().is_some() {
            return Self::Io(error);
        }
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Damaged("it ends too early");
        }
        // What zstd says of a window beyond the limit that it was given.
        if error.to_string().contains("too much memory") {
            return Self::Unsupported(
                "is compressed by zstd with a very large window; write it again with a level of at most 19"
                    .to_owned(),
            );
        }
        Self::Damaged("a page cannot be decompressed")
    }
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => Self::Io(error),
            Error::Damaged(what) => Self::Damaged(what),
            Error::Unsupported(what) => Self::Unsupported(what),
        }
    }
}

/// The error for something that would take more memory than is given to it.
pub fn too_large(what: &str, limit: usize, advice: &str) -> Error {
    Error::Unsupported(format!("{what} more than {} MiB; {advice}", limit >> 20))
}
