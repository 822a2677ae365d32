//! Rows with signatures to a file: JSON Lines, CSV, or Parquet.

use std::io::{self, Write as _};
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::rows::{Style, Written};
use crate::failure::Result;
use crate::output::{Sink, Target, parquet_error as other};
use crate::table::read::Format;
use crate::text::Encoding;

/// The name of the column with the signatures.
pub const SIGNATURE: &str = "signature";

/// A file of signatures.
pub struct Signatures {
    target: Target,
    /// Whether they appear all at once.
    pub whole: bool,
    file: File,
}

enum File {
    Text(Sink),
    Parquet(Box<SerializedFileWriter<Sink>>),
}

impl Signatures {
    pub fn create(target: &Target, style: &Style) -> Result<Self> {
        let failed = |error: io::Error| target.cannot_write(&error);
        let mut sink = target.create()?;
        let whole = sink.appears_whole();
        let file = match style.format {
            Format::Jsonl => File::Text(sink),
            Format::Csv => {
                let mut header = csv::Writer::from_writer(Vec::new());
                header
                    .write_record([style.column.as_str(), SIGNATURE])
                    .map_err(|error| failed(error.into()))?;
                let header = header
                    .into_inner()
                    .map_err(|error| failed(error.into_error()))?;
                sink.write_all(&header).map_err(failed)?;
                File::Text(sink)
            }
            Format::Parquet => File::Parquet(Box::new(
                parquet_file(sink, style).map_err(|error| failed(other(error)))?,
            )),
        };
        Ok(Self {
            target: target.clone(),
            whole,
            file,
        })
    }

    pub fn write(&mut self, rows: Written) -> Result<()> {
        let written = match (&mut self.file, rows) {
            (File::Text(sink), Written::Text(text)) => sink.write_all(&text),
            (
                File::Parquet(writer),
                Written::Columns {
                    contents,
                    signatures,
                },
            ) => write_group(writer, &[contents, signatures]).map_err(other),
            _ => Err(io::Error::other("rows of another format")),
        };
        written.map_err(|error| self.target.cannot_write(&error))
    }

    /// Makes the file appear.
    pub fn commit(self) -> Result<()> {
        let sink = match self.file {
            File::Text(sink) => Ok(sink),
            File::Parquet(writer) => writer.into_inner().map_err(other),
        };
        sink.map_err(|error| self.target.cannot_write(&error))?
            .commit()
    }
}

fn parquet_file(
    sink: Sink,
    style: &Style,
) -> std::result::Result<SerializedFileWriter<Sink>, ParquetError> {
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
            column(SIGNATURE, style.encoding != Encoding::Binary)?,
        ])
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("kuaimi ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_dictionary_enabled(false)
        .build();
    SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))
}

fn write_group(
    writer: &mut SerializedFileWriter<Sink>,
    columns: &[Vec<ByteArray>; 2],
) -> std::result::Result<(), ParquetError> {
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
