//! The options that say what a file of rows has.

use std::path::Path;

use clap::{Args, ValueEnum};
use kuaimi_table::{Format, Hints, Names};

/// The options for a file that is read.
#[derive(Args, Debug, Clone, Copy)]
pub struct FormatArgs {
    /// The format of FILE.
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
    /// What separates the columns of CSV: a character, or `tab` [default: a comma; a tab for .tsv].
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
}

impl FormatArgs {
    /// What these and its name say of the file `path`.
    pub fn hints(self, path: &Path, allow_empty: bool) -> Hints {
        let is_tsv = || Format::extension(path).as_deref() == Some("tsv");
        Hints {
            format: self
                .format
                .map(Into::into)
                .or_else(|| Format::of_name(path)),
            delimiter: self.delimiter.or_else(|| is_tsv().then_some(b'\t')),
            allow_empty,
        }
    }
}

/// A format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// JSON Lines: one JSON object on each line.
    Jsonl,
    /// Comma-separated values (RFC 4180), the first line naming the columns.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Jsonl => Self::Jsonl,
            FormatArg::Csv => Self::Csv,
            FormatArg::Parquet => Self::Parquet,
        }
    }
}

/// The format of a file that is written: as asked for, else by its name, else JSON Lines.
pub fn written(asked: Option<FormatArg>, path: Option<&Path>) -> Format {
    asked
        .map(Into::into)
        .or_else(|| Format::of_name(path?))
        .unwrap_or(Format::Jsonl)
}

/// The names of the columns.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArgs {
    /// The column with the public keys [default: key].
    #[arg(long, value_name = "NAME", conflicts_with = "key")]
    key_column: Option<String>,
    /// The column with the identities [default: id, where there is one; a row without one has the
    /// identity 1234567812345678].
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "id_hex"])]
    id_column: Option<String>,
    /// The column with the messages [default: message].
    #[arg(long, value_name = "NAME", conflicts_with = "digest_column")]
    message_column: Option<String>,
    /// The column with the digests e = SM3(Z || M), in place of messages [default: digest].
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "id_hex", "id_column"])]
    digest_column: Option<String>,
    /// The column with the signatures [default: signature].
    #[arg(long, value_name = "NAME")]
    signature_column: Option<String>,
}

impl ColumnArgs {
    pub fn names(&self) -> Names {
        Names {
            key: self.key_column.clone(),
            id: self.id_column.clone(),
            message: self.message_column.clone(),
            digest: self.digest_column.clone(),
            signature: self.signature_column.clone(),
        }
    }
}

/// Reads `--delimiter`.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if matches!(text, "tab" | "\\t") => Ok(b'\t'),
        [letter] if letter.is_ascii() && !b"\"\r\n\0".contains(letter) => Ok(*letter),
        _ => Err("one ASCII character, or `tab`".to_owned()),
    }
}
