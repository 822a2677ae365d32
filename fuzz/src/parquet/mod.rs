//! Files in the form of Parquet, built part by part of arbitrary bytes. What is written right must
//! be read as it is; where numbers of the metadata are others, or bytes were changed, the file is
//! read, or there is an error.
//!
//! Source: apache/parquet-format, README.md, Encodings.md and parquet.thrift.

mod file;
mod write;

use arbitrary::{Arbitrary, Result, Unstructured};
use kuaimi_bulk::{Column, Item};
use kuaimi_table::{Chunk, Error, Format, Names};

use crate::rows::{LIMITS, open};
use write::{Lie, Lies};

/// The columns that are read.
const READ: [Column; 4] = [Column::Key, Column::Id, Column::Message, Column::Signature];

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Physical {
    Bytes,
    Fixed(u8),
}

/// A column of the file.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Leaf {
    physical: Physical,
    optional: bool,
    text: bool,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Codec {
    Uncompressed,
    Snappy,
    Zstd,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Encoding {
    Plain,
    Dictionary,
    DeltaLength,
    Delta,
    Split,
}

/// How a column of a row group is written.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Layout {
    codec: Codec,
    encoding: Encoding,
    /// Rows of a page.
    page: u8,
    second_version: bool,
    uncompressed_anyway: bool,
    packed: bool,
    /// A page of an index comes first.
    index: bool,
}

type Row = [Option<Vec<u8>>; READ.len()];

#[derive(Debug)]
struct File {
    leaves: [Leaf; READ.len()],
    /// Where the columns are in a structure: whether that may be null.
    structure: Option<bool>,
    /// A column of integers, which nobody reads, before the others.
    numbers: bool,
    groups: Vec<(Vec<Row>, [Layout; READ.len()])>,
    lies: Lies,
    edits: Vec<(u16, u8)>,
}

impl<'a> Arbitrary<'a> for File {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let leaves: [Leaf; READ.len()] = u.arbitrary()?;
        let (structure, numbers) = (u.arbitrary()?, u.arbitrary()?);
        let mut lies = Lies::default();
        for _ in 0..u.int_in_range(0..=3)? {
            let lie = match u.int_in_range(0..=3)? {
                0 => Lie::Other(u.arbitrary()?),
                1 => Lie::Other(*u.choose(&[0, 1, -1, 1 << 31, i64::MAX, i64::MIN])?),
                2 => Lie::Plus(u.arbitrary()?),
                _ => Lie::Shifted(u.int_in_range(1..=40)?),
            };
            lies.list.push((u.int_in_range(0..=600)?, lie));
        }
        let edits = match u.ratio(1, 4)? {
            true => vec![u.arbitrary()?; 1],
            false => Vec::new(),
        };
        let mut groups = Vec::new();
        for _ in 0..u.int_in_range(0..=3)? {
            let layouts: [Layout; READ.len()] = u.arbitrary()?;
            let mut rows = Vec::new();
            for _ in 0..u.int_in_range(0..=40)? {
                let mut row = Row::default();
                for (cell, leaf) in row.iter_mut().zip(leaves) {
                    *cell = leaf.cell(u, structure == Some(true))?;
                }
                rows.push(row);
            }
            groups.push((rows, layouts));
        }
        Ok(Self {
            leaves,
            structure,
            numbers,
            groups,
            lies,
            edits,
        })
    }
}

impl Leaf {
    /// A value of this column; few different ones, so that dictionaries and common beginnings have
    /// a use.
    fn cell(self, u: &mut Unstructured, in_optional: bool) -> Result<Option<Vec<u8>>> {
        let kind: u8 = u.arbitrary().unwrap_or(0);
        if kind & 7 == 7 && (self.optional || in_optional) {
            return Ok(None);
        }
        let length = match self.physical {
            Physical::Bytes => usize::from(kind >> 5) * 3,
            Physical::Fixed(_) => self.width(),
        };
        let mut value: Vec<u8> = (0..length).map(|place| place as u8 | kind & 0x18).collect();
        if kind & 4 == 4
            && let Some(last) = value.last_mut()
        {
            *last = u.arbitrary().unwrap_or(0);
        }
        Ok(Some(value))
    }

    fn width(self) -> usize {
        match self.physical {
            Physical::Bytes => 0,
            Physical::Fixed(width) => usize::from(width % 40) + 1,
        }
    }
}

pub fn check(data: &[u8]) {
    let Ok(mut file) = File::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let mut content = file.content();
    let mut right = file.lies.list.is_empty();
    for (place, change) in &file.edits {
        let place = usize::from(*place) % content.len();
        content[place] ^= change;
        right = false;
    }
    let rows: Vec<&Row> = file.groups.iter().flat_map(|(rows, _)| rows).collect();
    let mut reader = match open(&content, Format::Parquet, &file.names(), true) {
        Ok(reader) => reader,
        Err(error) => return refused(&error, right, &file),
    };
    let mut read = 0;
    // A few kilobytes can say that they are many rows.
    while read < 4 * LIMITS.rows {
        let mut chunk = Chunk::default();
        let more = match reader.fill(&mut chunk, LIMITS) {
            Ok(more) => more,
            Err(error) => return refused(&error, right, &file),
        };
        chunk.complete();
        let table = chunk.table();
        for row in 0..table.rows {
            for (i, column) in READ.into_iter().enumerate().filter(|_| right) {
                let place = Column::ALL.iter().position(|it| *it == column);
                let value = table.columns[place.expect("one of them")].get(row);
                let expected = &rows[read + row][i];
                let same = match (value, as_read(&file.leaves[i], expected)) {
                    (Item::Absent, None) => true,
                    (Item::Text(a), Some((true, b))) | (Item::Binary(a), Some((false, b))) => {
                        a == b
                    }
                    _ => false,
                };
                assert!(same, "row {} of {} {file:#?}", read + row, column.name());
            }
        }
        read += table.rows;
        if !more {
            return assert!(!right || read == rows.len(), "{read} rows {file:#?}");
        }
    }
}

/// An error says what is wrong with the file, not that the system could not read it.
fn refused(error: &Error, right: bool, file: &File) {
    let io = matches!(error, Error::Io(_));
    assert!(!right && !io, "{error} {file:#?}");
}

/// Whether a value is text, and its bytes.
fn as_read<'a>(leaf: &Leaf, value: &'a Option<Vec<u8>>) -> Option<(bool, &'a [u8])> {
    value.as_ref().map(|value| (leaf.text, value.as_slice()))
}

impl File {
    fn name(&self, column: Column) -> String {
        match self.structure {
            Some(_) => format!("s.{}", column.name()),
            None => column.name().to_owned(),
        }
    }

    fn names(&self) -> Names {
        let name = |column| Some(self.name(column));
        Names {
            key: name(Column::Key),
            id: name(Column::Id),
            message: name(Column::Message),
            digest: None,
            signature: name(Column::Signature),
        }
    }
}
