//! Rows with signatures: the message or digest as it stands in the file that was read, and its
//! signature. The rows of a chunk are written by the thread that signs them, as a [`Block`] of text
//! or of columns; blocks go to the file in order.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use kuaimi_bulk::text;
use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::parquet::{CREATED_BY, other};
use crate::{Error, Format, Result};

/// The name of the column with the signatures.
pub const SIGNATURE: &str = "signature";

/// How signatures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// As bytes, which Parquet alone has.
    Binary,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
}

impl TextForm {
    fn append(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Binary => out.extend_from_slice(bytes),
            Self::Hex => text::encode_hex(bytes, out),
            Self::Base64 => text::encode_base64(bytes, out),
        }
    }
}

/// How rows with signatures are written.
#[derive(Clone, Debug)]
pub struct SignatureStyle {
    /// The format of the file.
    pub format: Format,
    /// The name of the column that is signed. [`SIGNATURE`] is the other one's.
    pub column: String,
    /// Whether what is signed is text in the file that is read.
    pub text: bool,
    /// How signatures are written.
    pub encoding: TextForm,
}

/// Rows, as they go to the file.
pub struct Block(Content);

enum Content {
    Text(Vec<u8>),
    Columns([Vec<ByteArray>; 2]),
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").finish_non_exhaustive()
    }
}

impl SignatureStyle {
    /// Rows of what was signed, and the signatures.
    ///
    /// # Errors
    /// [`Error::NotText`] where a format of text cannot hold a value.
    pub fn block<'a>(
        &self,
        contents: impl Iterator<Item = &'a [u8]>,
        signatures: impl ExactSizeIterator<Item = Vec<u8>>,
    ) -> Result<Block> {
        // Bytes of Parquet need not be text.
        let text = |row: usize, content: &'a [u8]| {
            std::str::from_utf8(content).map_err(|_| Error::NotText {
                row,
                column: self.column.clone(),
            })
        };
        let count = signatures.len();
        let mut out = Vec::new();
        match self.format {
            Format::Jsonl => {
                let column = serde_json::to_string(&self.column).map_err(io::Error::from)?;
                out.reserve(256 * count);
                for (row, (content, signature)) in contents.zip(signatures).enumerate() {
                    let content = text(row, content)?;
                    out.push(b'{');
                    out.extend_from_slice(column.as_bytes());
                    out.push(b':');
                    serde_json::to_writer(&mut out, content).map_err(io::Error::from)?;
                    write!(out, ",\"{SIGNATURE}\":\"")?;
                    self.encoding.append(&signature, &mut out);
                    out.extend_from_slice(b"\"}\n");
                }
            }
            Format::Csv => {
                out.reserve(256 * count);
                let mut writer = csv::Writer::from_writer(&mut out);
                let mut letters = Vec::new();
                for (row, (content, signature)) in contents.zip(signatures).enumerate() {
                    let content = text(row, content)?;
                    letters.clear();
                    self.encoding.append(&signature, &mut letters);
                    writer
                        .write_record([content.as_bytes(), &letters])
                        .map_err(io::Error::from)?;
                }
                writer.flush()?;
            }
            Format::Parquet => {
                let signatures = signatures.map(|signature| {
                    let mut out = Vec::new();
                    self.encoding.append(&signature, &mut out);
                    out.into()
                });
                let contents = contents.map(|content| content.to_vec().into());
                let columns = [contents.collect(), signatures.collect()];
                return Ok(Block(Content::Columns(columns)));
            }
        }
        Ok(Block(Content::Text(out)))
    }
}

/// A file of rows with signatures.
pub struct Signatures<W: Write + Send>(File<W>);

enum File<W: Write + Send> {
    Text(W),
    Parquet(Box<SerializedFileWriter<W>>),
}

impl<W: Write + Send> Signatures<W> {
    /// Begins the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn create(mut writer: W, style: &SignatureStyle) -> io::Result<Self> {
        Ok(Self(match style.format {
            Format::Jsonl => File::Text(writer),
            Format::Csv => {
                let mut header = csv::Writer::from_writer(Vec::new());
                header.write_record([style.column.as_str(), SIGNATURE])?;
                let header = header
                    .into_inner()
                    .map_err(csv::IntoInnerError::into_error)?;
                writer.write_all(&header)?;
                File::Text(writer)
            }
            Format::Parquet => File::Parquet(Box::new(parquet_file(writer, style).map_err(other)?)),
        }))
    }

    /// Adds rows, which are of the style that the file has.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, rows: Block) -> io::Result<()> {
        match (&mut self.0, rows.0) {
            (File::Text(writer), Content::Text(text)) => writer.write_all(&text),
            (File::Parquet(writer), Content::Columns(columns)) => {
                write_group(writer, &columns).map_err(other)
            }
            _ => Err(io::Error::other("rows of another format")),
        }
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            File::Text(writer) => Ok(writer),
            File::Parquet(writer) => writer.into_inner().map_err(other),
        }
    }
}

impl<W: Write + Send> fmt::Debug for Signatures<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signatures").finish_non_exhaustive()
    }
}

fn parquet_file<W: Write + Send>(
    writer: W,
    style: &SignatureStyle,
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let column = |name: &str, text: bool| {
        let column = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED);
        let column = if text {
            column
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8)
        } else {
            column
        };
        column.build().map(Arc::new)
    };
    let schema = Type::group_type_builder("signatures")
        .with_fields(vec![
            column(&style.column, style.text)?,
            column(SIGNATURE, style.encoding != TextForm::Binary)?,
        ])
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(CREATED_BY.to_owned())
        .set_dictionary_enabled(false)
        .build();
    SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties))
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[Vec<ByteArray>; 2],
) -> Result<(), ParquetError> {
    if columns[0].is_empty() {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    for values in columns {
        let Some(mut column) = group.next_column()? else {
            break;
        };
        column
            .typed::<ByteArrayType>()
            .write_batch(values, None, None)?;
        column.close()?;
    }
    group.close()?;
    Ok(())
}
