//! Apache Parquet: flat columns of text or bytes, read page by page, so that a row group may be larger than memory.

use std::fs;

use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArrayType, DataType, FixedLenByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::FileReader as _;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;

use super::Rows;
use crate::exit::{Failure, Result};
use crate::verify_batch::columns::Wanted;
use crate::verify_batch::rows::{COLUMNS, Cell, Cells, Chunk, Column, Row};

pub struct File {
    name: String,
    reader: SerializedFileReader<fs::File>,
    places: [Option<usize>; COLUMNS],
    /// The row group that comes next, and what is left of the one before it.
    next_group: usize,
    columns: [Option<Values>; COLUMNS],
    left: usize,
    position: u64,
    /// Rows read at a time, such that they fit a chunk.
    step: usize,
}

impl File {
    pub fn new(name: String, file: fs::File, wanted: &Wanted) -> Result<Self> {
        let reader = SerializedFileReader::new(file).map_err(|error| damaged(&name, &error))?;
        let metadata = reader.metadata();
        let schema = metadata.file_metadata().schema_descr();
        let names: Vec<String> = schema
            .columns()
            .iter()
            .map(|column| column.path().parts().join("."))
            .collect();
        let places = wanted.places(&name, &names)?;
        counted(metadata, places).map_err(|error| damaged(&name, &error))?;
        for (column, place) in Column::ALL.into_iter().zip(places) {
            let Some(place) = place else { continue };
            suits(&schema.column(place)).map_err(|what| {
                Failure::file(
                    &name,
                    format_args!(
                        "its column {:?} {what}; another one is chosen with --{}-column NAME",
                        names[place],
                        column.name()
                    ),
                )
            })?;
            for group in metadata.row_groups() {
                let compression = group.columns().get(place).map(|chunk| chunk.compression());
                if !matches!(
                    compression,
                    Some(Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_))
                ) {
                    let compression = compression.map_or("an unknown way".to_owned(), |used| {
                        // Without the level that it was made with.
                        let name = used.to_string().to_lowercase();
                        name.split('(').next().unwrap_or_default().to_owned()
                    });
                    return Err(Failure::file(
                        &name,
                        format_args!(
                            "is compressed with {compression}, which is not supported; write it again with zstd, snappy or uncompressed"
                        ),
                    ));
                }
            }
        }
        Ok(Self {
            name,
            reader,
            places,
            next_group: 0,
            columns: Default::default(),
            left: 0,
            position: 0,
            step: 16,
        })
    }

    /// All rows.
    pub fn len(&self) -> u64 {
        let rows = self.reader.metadata().file_metadata().num_rows();
        u64::try_from(rows).unwrap_or_default()
    }

    /// Starts the next row group; false where there is none.
    fn next_group(&mut self) -> Result<bool, ParquetError> {
        if self.next_group >= self.reader.num_row_groups() {
            return Ok(false);
        }
        let group = self.reader.get_row_group(self.next_group)?;
        let schema = self.reader.metadata().file_metadata().schema_descr();
        for (values, place) in self.columns.iter_mut().zip(self.places) {
            *values = match place {
                None => None,
                Some(place) => Some(Values::new(
                    group.get_column_reader(place)?,
                    &schema.column(place),
                )?),
            };
        }
        self.next_group += 1;
        self.left = usize::try_from(group.metadata().num_rows()).map_err(|_| {
            ParquetError::General("a row group has a negative number of rows".into())
        })?;
        Ok(true)
    }

    fn read(&mut self, chunk: &mut Chunk) -> Result<bool, ParquetError> {
        while !chunk.is_full() {
            if self.left == 0 {
                if !self.next_group()? {
                    return Ok(false);
                }
                continue;
            }
            let count = self.step.min(self.left).min(Chunk::ROWS - chunk.rows.len());
            let (first, before) = (chunk.rows.len(), chunk.bytes.len());
            chunk.rows.extend((0..count).map(|_| Row {
                line: None,
                cells: Ok(Cells::default()),
            }));
            for (i, values) in self.columns.iter_mut().enumerate() {
                let Some(values) = values else { continue };
                let cells = values.read(count, chunk)?;
                for (row, cell) in chunk.rows[first..].iter_mut().zip(cells) {
                    if let Ok(cells) = &mut row.cells {
                        cells[i] = cell;
                    }
                }
            }
            self.left -= count;
            self.position += count as u64;
            // Large values are read a few rows at a time, small ones many.
            let size = (chunk.bytes.len() - before) / count + 1;
            self.step = (Chunk::BYTES / 4 / size).clamp(1, 1024);
        }
        Ok(true)
    }
}

impl Rows for File {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        let more = self
            .read(chunk)
            .map_err(|error| damaged(&self.name, &error))?;
        chunk.position = self.position;
        Ok(more)
    }
}

fn damaged(name: &str, error: &ParquetError) -> Failure {
    let text = error.to_string();
    let text = text.lines().next().unwrap_or_default();
    let text: String = text
        .trim_start_matches("Parquet error: ")
        .chars()
        .filter(|letter| !letter.is_control())
        .take(200)
        .collect();
    Failure::file(
        name,
        format_args!(
            "cannot be read as Parquet: {text}; the file is damaged or was cut short, so fetch it again"
        ),
    )
}

/// Whether all that counts the rows gives the same number: the file, its row groups, and their columns. A damaged count that is
/// too small would leave rows out in silence.
fn counted(
    metadata: &ParquetMetaData,
    places: [Option<usize>; COLUMNS],
) -> Result<(), ParquetError> {
    let mut rows = 0_i64;
    for group in metadata.row_groups() {
        let count = group.num_rows();
        // Columns that repeat have another number of values, and are refused by name.
        let agree = places.into_iter().flatten().all(|place| {
            group.columns().get(place).is_some_and(|column| {
                column.num_values() == count || column.column_descr().max_rep_level() > 0
            })
        });
        if !agree || count < 0 {
            return Err(ParquetError::General(
                "a row group and its columns differ in their numbers of rows".into(),
            ));
        }
        rows = rows.saturating_add(count);
    }
    if rows != metadata.file_metadata().num_rows() {
        return Err(ParquetError::General(
            "the row groups have other numbers of rows than the file says".into(),
        ));
    }
    Ok(())
}

/// Whether a column can be read here; else what it is.
fn suits(column: &ColumnDescriptor) -> Result<(), String> {
    if column.max_rep_level() > 0 {
        return Err("has a list in each row".to_owned());
    }
    match column.physical_type() {
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => Ok(()),
        other => Err(format!("is of type {other}, not text or bytes")),
    }
}

fn is_text(column: &ColumnDescriptor) -> bool {
    matches!(
        column.logical_type_ref(),
        Some(LogicalType::String | LogicalType::Enum | LogicalType::Json)
    ) || matches!(
        column.converted_type(),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON
    )
}

/// A column of one row group.
struct Values {
    reader: Kind,
    /// The definition level of a value that is there.
    defined: i16,
    text: bool,
}

enum Kind {
    Bytes(ColumnReaderImpl<ByteArrayType>),
    Fixed(ColumnReaderImpl<FixedLenByteArrayType>),
}

impl Values {
    fn new(reader: ColumnReader, column: &ColumnDescriptor) -> Result<Self, ParquetError> {
        let reader = match reader {
            ColumnReader::ByteArrayColumnReader(reader) => Kind::Bytes(reader),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => Kind::Fixed(reader),
            _ => return Err(ParquetError::General("a column changes its type".into())),
        };
        Ok(Self {
            reader,
            defined: column.max_def_level(),
            text: is_text(column),
        })
    }

    /// The cells of the next `count` rows.
    fn read(&mut self, count: usize, chunk: &mut Chunk) -> Result<Vec<Cell>, ParquetError> {
        match &mut self.reader {
            Kind::Bytes(reader) => cells(reader, count, self.defined, self.text, chunk),
            Kind::Fixed(reader) => cells(reader, count, self.defined, self.text, chunk),
        }
    }
}

fn cells<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    defined: i16,
    text: bool,
    chunk: &mut Chunk,
) -> Result<Vec<Cell>, ParquetError>
where
    T::T: AsRef<[u8]>,
{
    let short = || ParquetError::General("a column has fewer values than there are rows".into());
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < count {
        let (rows, ..) = reader.read_records(count - read, Some(&mut levels), None, &mut values)?;
        if rows == 0 {
            return Err(short());
        }
        read += rows;
    }
    let mut values = values.iter();
    (0..count)
        .map(|row| {
            // A column that is always there has no levels.
            if defined > 0 && levels.get(row).copied() != Some(defined) {
                return Ok(Cell::Absent);
            }
            let range = chunk.keep(values.next().ok_or_else(short)?.as_ref());
            Ok(if text {
                Cell::Text(range)
            } else {
                Cell::Binary(range)
            })
        })
        .collect()
}
