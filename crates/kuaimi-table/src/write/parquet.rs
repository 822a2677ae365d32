//! Apache Parquet: `row` a 64-bit integer, `valid` a Boolean, `reason` a string or null; compressed
//! with zstd.

use std::io::{self, Write};
use std::sync::Arc;

use kuaimi_bulk::Verdict;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::verdicts::Rows;

const SCHEMA: &str = "
message verdicts {
    required int64 row;
    required boolean valid;
    optional binary reason (string);
}";

/// What writes it, in a file's metadata.
pub(super) const CREATED_BY: &str = concat!("kuaimi ", env!("CARGO_PKG_VERSION"));

/// Rows of a row group, which is in memory until it is written.
const GROUP: usize = 1 << 16;
/// And bytes of reasons, about.
const GROUP_BYTES: usize = 8 << 20;

pub struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    rows: Vec<i64>,
    valid: Vec<bool>,
    /// 1 where there is a reason, 0 where there is none.
    levels: Vec<i16>,
    reasons: Vec<ByteArray>,
    bytes: usize,
}

impl<W: Write + Send> File<W> {
    pub fn new(sink: W) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(CREATED_BY.to_owned())
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))
                .map_err(other)?,
            rows: Vec::new(),
            valid: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            bytes: 0,
        })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        let mut place = 0;
        while let Some(mut column) = group.next_column()? {
            match place {
                0 => column
                    .typed::<Int64Type>()
                    .write_batch(&self.rows, None, None)?,
                1 => column
                    .typed::<BoolType>()
                    .write_batch(&self.valid, None, None)?,
                _ => column.typed::<ByteArrayType>().write_batch(
                    &self.reasons,
                    Some(&self.levels),
                    None,
                )?,
            };
            column.close()?;
            place += 1;
        }
        group.close()?;
        self.rows.clear();
        self.valid.clear();
        self.levels.clear();
        self.reasons.clear();
        self.bytes = 0;
        Ok(())
    }
}

impl<W: Write + Send> Rows<W> for File<W> {
    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()> {
        self.rows
            .push(i64::try_from(row).map_err(io::Error::other)?);
        self.valid.push(*verdict == Verdict::Valid);
        self.levels.push(i16::from(reason.is_some()));
        if let Some(reason) = reason {
            // Mostly it is the same one as before, which is shared then.
            let shared = self
                .reasons
                .last()
                .filter(|last| last.as_ref() == reason.as_bytes())
                .cloned();
            self.reasons.push(shared.unwrap_or_else(|| {
                self.bytes += reason.len();
                ByteArray::from(reason)
            }));
        }
        if self.rows.len() >= GROUP || self.bytes >= GROUP_BYTES {
            self.write_group().map_err(other)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<W> {
        self.write_group().map_err(other)?;
        self.writer.into_inner().map_err(other)
    }
}

/// What the writer of Parquet says: the system's error, where it is one.
pub(super) fn other(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
