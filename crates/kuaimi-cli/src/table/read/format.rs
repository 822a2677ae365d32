//! Which format a file has: as told, else by its name, else by its first bytes. And what else it may be, so that whoever
//! gives the wrong file hears so at once, and not of a malformed first row.

use std::path::Path;

use clap::ValueEnum;

use crate::failure::{Failure, Result};

/// A format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON Lines: one JSON object a line.
    Jsonl,
    /// Comma-separated values (RFC 4180), the first line naming the columns.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// By the end of a file's name.
    pub fn of_name(path: &Path) -> Option<Self> {
        match extension(path)?.as_str() {
            "jsonl" | "ndjson" | "jsonlines" | "json" => Some(Self::Jsonl),
            "csv" | "tsv" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// What separates the columns of a file of this name.
pub fn delimiter(path: &Path) -> u8 {
    match extension(path).as_deref() {
        Some("tsv") => b'\t',
        _ => b',',
    }
}

const PARQUET: &[u8] = b"PAR1";

/// First bytes of files that hold rows only once they are unpacked, what they are, and what unpacks them.
const PACKED: [(&[u8], &str, &str); 5] = [
    (b"\x1f\x8b", "compressed with gzip", "gzip -dc"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstd -dc"),
    (b"BZh", "compressed with bzip2", "bzip2 -dc"),
    (b"\xfd7zXZ\0", "compressed with xz", "xz -dc"),
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet", ""),
];

/// The format of the file `path` that begins with `head`.
pub fn find(
    name: &str,
    path: &Path,
    told: Option<Format>,
    delimiter: Option<u8>,
    head: &[u8],
) -> Result<Format> {
    let no = |what: String| Err(Failure::file(name, what));
    for (magic, what, how) in PACKED {
        if head.starts_with(magic) {
            return no(if how.is_empty() {
                format!("is {what}; save its table as CSV first")
            } else {
                format!("is {what}; unpack it: {how} FILE | kuaimi verify-batch --format FORMAT")
            });
        }
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return no("is text in UTF-16; save it as UTF-8".to_owned());
    }
    let mut letters = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .iter()
        .filter(|letter| !letter.is_ascii_whitespace());
    let first = letters.next();
    let is_array = (first, letters.next()) == (Some(&b'['), Some(&b'{'));
    let is_parquet = head.starts_with(PARQUET);
    match told.or_else(|| Format::of_name(path)) {
        Some(Format::Parquet) if head.is_empty() => {
            no("is empty: a Parquet file without rows has its columns' names still".to_owned())
        }
        Some(Format::Parquet) if !is_parquet => no(
            "is not a Parquet file, for it does not begin as one; check the name, or say what it is with --format jsonl or --format csv"
                .to_owned(),
        ),
        Some(Format::Jsonl | Format::Csv) if is_parquet => {
            no("is a Parquet file; say --format parquet".to_owned())
        }
        Some(Format::Jsonl) if is_array => no(array()),
        Some(format) => Ok(format),
        None if is_parquet => Ok(Format::Parquet),
        None => match first {
            Some(b'{') => Ok(Format::Jsonl),
            _ if is_array => no(array()),
            None if head.len() < 4096 => no("is empty: there is nothing to verify".to_owned()),
            _ => {
                let line = head.split(|&letter| letter == b'\n').next().unwrap_or(head);
                let separator = delimiter.unwrap_or(b',');
                if line.contains(&separator) && !line.contains(&0) {
                    Ok(Format::Csv)
                } else {
                    no("neither its name nor its first bytes tell what it is; say --format jsonl, csv or parquet".to_owned())
                }
            }
        },
    }
}

fn array() -> String {
    "is one JSON array; JSON Lines has an object a line: jq -c '.[]' FILE | kuaimi verify-batch --format jsonl"
        .to_owned()
}
