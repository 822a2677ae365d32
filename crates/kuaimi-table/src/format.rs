//! Which format a file has: as told, else by its first bytes. And what else it may be, so that the
//! error for a wrong file names that, and not a malformed first row.

use std::path::Path;

use crate::{Error, Result};

/// A format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON Lines: one JSON object on each line.
    Jsonl,
    /// Comma-separated values (RFC 4180), the first line naming the columns.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// Its name: `jsonl`, `csv` or `parquet`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// By the end of a file's name.
    pub fn of_name(path: &Path) -> Option<Self> {
        match Self::extension(path)?.as_str() {
            "jsonl" | "ndjson" | "jsonlines" | "json" => Some(Self::Jsonl),
            "csv" | "tsv" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The end of a file's name, in lower case.
    pub fn extension(path: &Path) -> Option<String> {
        Some(path.extension()?.to_str()?.to_ascii_lowercase())
    }
}

const PARQUET: &[u8] = b"PAR1";

/// First bytes of files that hold rows only once they are unpacked, what they are, and what unpacks
/// them.
const PACKED: [(&[u8], &str, Option<&str>); 5] = [
    (b"\x1f\x8b", "compressed with gzip", Some("gzip -dc")),
    (
        b"\x28\xb5\x2f\xfd",
        "compressed with zstd",
        Some("zstd -dc"),
    ),
    (b"BZh", "compressed with bzip2", Some("bzip2 -dc")),
    (b"\xfd7zXZ\0", "compressed with xz", Some("xz -dc")),
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet", None),
];

/// The format of a file that begins with `head`, which is at least its first 4096 bytes.
pub(crate) fn find(told: Option<Format>, delimiter: Option<u8>, head: &[u8]) -> Result<Format> {
    for (magic, what, command) in PACKED {
        if head.starts_with(magic) {
            return Err(Error::Packed { what, command });
        }
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Err(Error::Utf16);
    }
    let mut letters = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .iter()
        .filter(|letter| !letter.is_ascii_whitespace());
    let first = letters.next();
    let is_array = (first, letters.next()) == (Some(&b'['), Some(&b'{'));
    let is_parquet = head.starts_with(PARQUET);
    match told {
        Some(Format::Parquet) if head.is_empty() => Err(Error::Empty(told)),
        Some(Format::Parquet) if !is_parquet => Err(Error::NotParquet),
        Some(Format::Jsonl | Format::Csv) if is_parquet => Err(Error::Parquet),
        Some(Format::Jsonl) if is_array => Err(Error::JsonArray),
        Some(format) => Ok(format),
        None if is_parquet => Ok(Format::Parquet),
        None => match first {
            Some(b'{') => Ok(Format::Jsonl),
            _ if is_array => Err(Error::JsonArray),
            None if head.len() < 4096 => Err(Error::Empty(None)),
            _ => {
                let line = head.split(|&letter| letter == b'\n').next().unwrap_or(head);
                let separator = delimiter.unwrap_or(b',');
                if line.contains(&separator) && !line.contains(&0) {
                    Ok(Format::Csv)
                } else {
                    Err(Error::UnknownFormat)
                }
            }
        },
    }
}
