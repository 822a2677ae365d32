//! A chunk of rows to rows with signatures, as they are written: text by the threads that sign, columns for Parquet.

use std::io::Write as _;

use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::Signature;
use kuaimi_bulk::{Column, Signer};
use parquet::data_type::ByteArray;

use super::write::SIGNATURE;
use crate::failure::Failure;
use crate::table::encodings::cause;
use crate::table::read::Format;
use crate::table::rows::Chunk;
use crate::text::Encoding;

/// How rows are written.
#[derive(Clone, Debug)]
pub struct Style {
    /// The name of the column that is signed.
    pub column: String,
    pub of_digests: bool,
    pub form: SignatureForm,
    pub encoding: Encoding,
    pub format: Format,
    /// Whether what is signed is text in the file that is read.
    pub text: bool,
}

/// What came of a chunk.
pub struct Signed {
    pub position: u64,
    pub count: u64,
    pub written: Result<Written, RowFault>,
}

/// Rows with signatures.
pub enum Written {
    /// As lines.
    Text(Vec<u8>),
    /// As columns.
    Columns {
        contents: Vec<ByteArray>,
        signatures: Vec<ByteArray>,
    },
}

/// A row that cannot be signed.
pub struct RowFault {
    /// Its place in the chunk.
    row: u64,
    line: Option<u64>,
    reason: String,
}

impl RowFault {
    /// As an error about the file `name`. `before` rows came before the chunk; they are written, unless the output appears `whole` or not at all.
    pub fn of_file(&self, name: &str, before: u64, whole: bool) -> Failure {
        let row = before + self.row + 1;
        let line = self
            .line
            .map_or(String::new(), |line| format!(" (line {line})"));
        let written = if whole {
            "nothing is written"
        } else {
            "what was written is not complete"
        };
        Failure::file(
            name,
            format_args!(
                "row {row}{line}: {}; {written}: mend this row, or take it out",
                self.reason
            ),
        )
    }
}

pub fn sign(signer: &Signer, style: &Style, chunk: &mut Chunk) -> Signed {
    let table = chunk.table();
    let mut signatures = Vec::with_capacity(table.rows);
    let mut fault = None;
    for (row, result) in signer.sign(&table).into_iter().enumerate() {
        match result {
            Ok(signature) => signatures.push(signature),
            Err(found) => {
                fault = Some(RowFault {
                    row: row as u64,
                    line: chunk.lines.get(row).copied(),
                    reason: cause(&found).into_owned(),
                });
                break;
            }
        }
    }
    let column = if style.of_digests {
        Column::Digest
    } else {
        Column::Message
    };
    let values = table.columns[column as usize];
    let contents = (0..table.rows).map(|row| values.get(row).bytes());
    let written = match fault {
        Some(fault) => Err(fault),
        None => style
            .write(contents, &signatures)
            .map_err(|error| RowFault {
                row: 0,
                line: None,
                reason: error.to_string(),
            }),
    };
    Signed {
        position: chunk.position,
        count: signatures.len() as u64,
        written,
    }
}

impl Style {
    fn write<'a>(
        &self,
        contents: impl Iterator<Item = &'a [u8]>,
        signatures: &[Signature],
    ) -> std::io::Result<Written> {
        let bytes = signatures
            .iter()
            .map(|signature| signature.to_form(self.form));
        match self.format {
            Format::Jsonl => {
                let column = serde_json::to_string(&self.column)?;
                let mut out = Vec::with_capacity(256 * signatures.len());
                for (content, bytes) in contents.zip(bytes) {
                    out.push(b'{');
                    out.extend_from_slice(column.as_bytes());
                    out.push(b':');
                    // Bytes of Parquet need not be text.
                    match std::str::from_utf8(content) {
                        Ok(text) => serde_json::to_writer(&mut out, text)?,
                        Err(_) => return Err(not_text(&self.column)),
                    }
                    write!(out, ",\"{SIGNATURE}\":\"")?;
                    self.encoding.append(&bytes, &mut out);
                    out.extend_from_slice(b"\"}\n");
                }
                Ok(Written::Text(out))
            }
            Format::Csv => {
                let mut writer =
                    csv::Writer::from_writer(Vec::with_capacity(256 * signatures.len()));
                let mut text = Vec::new();
                for (content, bytes) in contents.zip(bytes) {
                    if std::str::from_utf8(content).is_err() {
                        return Err(not_text(&self.column));
                    }
                    text.clear();
                    self.encoding.append(&bytes, &mut text);
                    writer.write_record([content, &text])?;
                }
                let out = writer
                    .into_inner()
                    .map_err(csv::IntoInnerError::into_error)?;
                Ok(Written::Text(out))
            }
            Format::Parquet => Ok(Written::Columns {
                contents: contents.map(|content| content.to_vec().into()).collect(),
                signatures: bytes
                    .map(|bytes| {
                        let mut out = Vec::new();
                        self.encoding.append(&bytes, &mut out);
                        out.into()
                    })
                    .collect(),
            }),
        }
    }
}

fn not_text(column: &str) -> std::io::Error {
    std::io::Error::other(format!(
        "one of the next rows has bytes in {column:?} that are no text, which this format cannot hold; write Parquet: --out-format parquet"
    ))
}
