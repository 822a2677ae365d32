//! The footer of a Parquet file: which columns there are, and where each row group has them.
//!
//! It is read as a stream, and of it only what this program needs is kept: the crate `parquet`
//! builds all of it in memory, with reservations and a recursion that follow what the file says.
//!
//! Source: apache/parquet-format, parquet.thrift, `FileMetaData`.

use std::io::{BufReader, Read as _};

use super::error::{Error, Result, too_large};
use super::source::{Codec, Part, Source};
use super::thrift::{Kind, Thrift};
use kuaimi_bulk::COLUMNS;

/// Larger footers are refused: this is enough for about 100,000 row groups.
const LARGEST: u64 = 16 << 20;
/// Columns, and all their names' bytes: far more than any writer's.
const MOST_COLUMNS: usize = 100_000;
const MOST_NAMES: usize = 4 << 20;
/// Structures within structures.
const DEEPEST: usize = 100;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Physical {
    Bytes,
    /// All of this length.
    Fixed(usize),
    /// Anything else: its name.
    Other(&'static str),
}

/// A column.
#[derive(Debug)]
pub struct Leaf {
    /// With the names of the structures that it is in, and dots between.
    pub name: String,
    pub physical: Physical,
    /// The definition level of a value that is there.
    pub defined: u32,
    /// It has a list in each row.
    pub repeated: bool,
    pub text: bool,
}

/// A column of a row group.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// Where its first page is.
    pub start: u64,
    pub codec: Codec,
}

#[derive(Debug)]
pub struct Group {
    pub rows: u64,
    pub chunks: [Option<Chunk>; COLUMNS],
}

/// A footer that is being read.
pub struct Footer {
    thrift: Thrift<BufReader<Part>>,
    /// The number of the field read last.
    field: i16,
    leaves: usize,
    /// Of the whole file.
    rows: Option<i64>,
}

impl Footer {
    /// Of the file's last bytes: the length of the footer, and the magic number.
    pub fn open(source: &Source) -> Result<Self> {
        const END: u64 = 8;
        let mut end = [0; END as usize];
        let Some(behind) = source.length.checked_sub(END) else {
            return Err(Error::Damaged("it ends too early"));
        };
        source.part(behind, END).read_exact(&mut end)?;
        match &end[4..] {
            b"PAR1" => {}
            b"PARE" => {
                return Err(Error::Unsupported(
                    "is encrypted, which is not supported; write it again without".to_owned(),
                ));
            }
            _ => return Err(Error::Damaged("it does not end as a Parquet file")),
        }
        let length = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
        let Some(start) = behind.checked_sub(length).filter(|&start| start >= 4) else {
            return Err(Error::Damaged("its metadata begins before the file"));
        };
        if length > LARGEST {
            return Err(too_large(
                "has metadata of",
                LARGEST as usize,
                "write it again with larger row groups, or as several files",
            ));
        }
        let reader = BufReader::new(source.part(start, length));
        Ok(Self {
            thrift: Thrift::new(reader),
            field: 0,
            leaves: 0,
            rows: None,
        })
    }

    /// The columns. Call it first.
    pub fn columns(&mut self) -> Result<Vec<Leaf>> {
        let count = self
            .until(2)?
            .ok_or(Error::Damaged("its metadata names no columns"))?;
        let leaves = schema(&mut self.thrift, count)?;
        self.leaves = leaves.len();
        Ok(leaves)
    }

    /// The row groups, with the columns at these places. Call it second.
    pub fn groups(&mut self, places: [Option<usize>; COLUMNS]) -> Result<Vec<Group>> {
        let mut groups = Vec::new();
        if let Some(count) = self.until(4)? {
            for _ in 0..count {
                groups.push(group(&mut self.thrift, self.leaves, places)?);
            }
        }
        // A damaged count that is too small would leave rows out in silence.
        let rows = groups
            .iter()
            .try_fold(0_u64, |sum, group| sum.checked_add(group.rows));
        if rows.is_none() || rows != self.rows.and_then(|rows| u64::try_from(rows).ok()) {
            return Err(Error::Damaged(
                "the row groups have other numbers of rows than the file says",
            ));
        }
        Ok(groups)
    }

    /// Reads on to the list of structures that is the field `wanted`. Returns how many there are.
    fn until(&mut self, wanted: i16) -> Result<Option<u64>> {
        while let Some(kind) = self.thrift.field(&mut self.field)? {
            match (self.field, kind) {
                (id, Kind::List) if id == wanted => {
                    let (kind, count) = self.thrift.list()?;
                    if kind == Kind::Struct || count == 0 {
                        return Ok(Some(count));
                    }
                    return Err(Error::Damaged("its metadata has a list of another type"));
                }
                (3, Kind::Int) => self.rows = Some(self.thrift.int()?),
                (_, kind) => self.thrift.skip(kind)?,
            }
        }
        Ok(None)
    }
}

/// The columns of a schema of `count` elements: a tree, whose root comes first and each element
/// before its children.
fn schema(thrift: &mut Thrift<BufReader<Part>>, count: u64) -> Result<Vec<Leaf>> {
    /// A structure whose elements are being read.
    struct Open {
        left: u64,
        /// The length of its name, with those of the structures that it is in.
        name: usize,
        defined: u32,
        repeated: bool,
    }
    let wrong = Error::Damaged("its metadata names columns that do not fit together");
    let mut leaves = Vec::new();
    let mut names = 0;
    let mut name = String::new();
    let mut open: Vec<Open> = Vec::new();
    for index in 0..count {
        let element = Element::read(thrift)?;
        let (mut defined, mut repeated) = (0, false);
        if index > 0 {
            while open.last().is_some_and(|parent| parent.left == 0) {
                open.pop();
            }
            let Some(parent) = open.last_mut() else {
                return Err(wrong);
            };
            parent.left -= 1;
            name.truncate(parent.name);
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&element.name);
            defined = parent.defined + u32::from(element.repetition != 0);
            repeated = parent.repeated || element.repetition == 2;
        }
        if index == 0 || element.children > 0 {
            if open.len() == DEEPEST {
                return Err(Error::Damaged("its columns are nested too deep"));
            }
            open.push(Open {
                left: element.children,
                name: name.len(),
                defined,
                repeated,
            });
        } else if let Some(physical) = element.physical {
            names += name.len();
            if leaves.len() == MOST_COLUMNS || names > MOST_NAMES {
                return Err(Error::Unsupported(
                    "has too many columns; write it again with those that are needed".to_owned(),
                ));
            }
            leaves.push(Leaf {
                name: name.clone(),
                physical,
                defined,
                repeated,
                text: element.text,
            });
        }
    }
    if open.iter().any(|parent| parent.left > 0) {
        return Err(wrong);
    }
    Ok(leaves)
}

/// An element of a schema.
struct Element {
    name: String,
    physical: Option<Physical>,
    /// 0 for required, 1 for optional, 2 for repeated.
    repetition: i64,
    children: u64,
    text: bool,
}

impl Element {
    fn read(thrift: &mut Thrift<BufReader<Part>>) -> Result<Self> {
        let (mut name, mut code, mut length, mut repetition) = (None, None, None, 0);
        let (mut children, mut text) = (0, false);
        thrift.structure(|thrift, id, kind| {
            match (id, kind) {
                (1, Kind::Int) => code = Some(thrift.int()?),
                (2, Kind::Int) => length = usize::try_from(thrift.int()?).ok(),
                (3, Kind::Int) => repetition = thrift.int()?,
                (4, Kind::Binary) => name = Some(thrift.binary(MOST_NAMES)?),
                (5, Kind::Int) => children = thrift.int()?,
                // Text, an enumeration's name, JSON: in the old types and in the new ones.
                (6, Kind::Int) => text |= matches!(thrift.int()?, 0 | 4 | 19),
                (10, Kind::Struct) => thrift.structure(|thrift, id, kind| {
                    text |= matches!(id, 1 | 4 | 12);
                    thrift.skip(kind)
                })?,
                (_, kind) => thrift.skip(kind)?,
            }
            Ok(())
        })?;
        let incomplete = || Error::Damaged("its metadata names a column without its type");
        let physical = match code {
            None => None,
            Some(0) => Some(Physical::Other("BOOLEAN")),
            Some(1) => Some(Physical::Other("INT32")),
            Some(2) => Some(Physical::Other("INT64")),
            Some(3) => Some(Physical::Other("INT96")),
            Some(4) => Some(Physical::Other("FLOAT")),
            Some(5) => Some(Physical::Other("DOUBLE")),
            Some(6) => Some(Physical::Bytes),
            Some(7) => Some(Physical::Fixed(length.ok_or_else(incomplete)?)),
            Some(_) => return Err(incomplete()),
        };
        let name = name.and_then(|name| String::from_utf8(name).ok());
        Ok(Self {
            name: name.ok_or(Error::Damaged("its metadata has a column without a name"))?,
            physical,
            repetition,
            children: u64::try_from(children).map_err(|_| incomplete())?,
            text,
        })
    }
}

/// A row group of a file with `leaves` columns.
fn group(
    thrift: &mut Thrift<BufReader<Part>>,
    leaves: usize,
    places: [Option<usize>; COLUMNS],
) -> Result<Group> {
    let mut rows = None;
    // With how many values each of them has.
    let mut chunks = [None; COLUMNS];
    thrift.structure(|thrift, id, kind| {
        match (id, kind) {
            (1, Kind::List) => {
                let (kind, count) = thrift.list()?;
                if count != leaves as u64 || (count > 0 && kind != Kind::Struct) {
                    return Err(Error::Damaged("a row group has another number of columns"));
                }
                for index in 0..leaves {
                    match places.iter().position(|&place| place == Some(index)) {
                        Some(column) => chunks[column] = Some(chunk(thrift)?),
                        None => thrift.skip(kind)?,
                    }
                }
            }
            (3, Kind::Int) => rows = Some(thrift.int()?),
            (_, kind) => thrift.skip(kind)?,
        }
        Ok(())
    })?;
    // Columns that repeat have another number of values, and are refused by name before.
    let agree = places.iter().zip(&chunks).all(|(place, chunk)| {
        place.is_none() || chunk.is_some_and(|(_, values)| Some(values) == rows)
    });
    match rows.and_then(|rows| u64::try_from(rows).ok()) {
        Some(rows) if agree => Ok(Group {
            rows,
            chunks: chunks.map(|chunk| chunk.map(|(chunk, _)| chunk)),
        }),
        _ => Err(Error::Damaged(
            "a row group and its columns differ in their numbers of rows",
        )),
    }
}

/// A column of a row group, and how many values it has.
fn chunk(thrift: &mut Thrift<BufReader<Part>>) -> Result<(Chunk, i64)> {
    let (mut codec, mut values, mut data, mut dictionary) = (None, None, None, None);
    thrift.structure(|thrift, id, kind| {
        match (id, kind) {
            (1, Kind::Binary) => {
                return Err(Error::Unsupported(
                    "has columns in other files, which is not supported; write it again as one file"
                        .to_owned(),
                ));
            }
            (3, Kind::Struct) => thrift.structure(|thrift, id, kind| {
                match (id, kind) {
                    (4, Kind::Int) => codec = Some(thrift.int()?),
                    (5, Kind::Int) => values = Some(thrift.int()?),
                    (9, Kind::Int) => data = Some(thrift.int()?),
                    (11, Kind::Int) => dictionary = Some(thrift.int()?),
                    (_, kind) => thrift.skip(kind)?,
                }
                Ok(())
            })?,
            (8, Kind::Struct) => {
                return Err(Error::Unsupported(
                    "has an encrypted column, which is not supported; write it again without"
                        .to_owned(),
                ));
            }
            (_, kind) => thrift.skip(kind)?,
        }
        Ok(())
    })?;
    let (Some(codec), Some(values), Some(data)) = (codec, values, data) else {
        return Err(Error::Damaged("its metadata lacks where a column is"));
    };
    let codec = Codec::new(codec).map_err(|name| {
        Error::Unsupported(format!(
            "is compressed with {name}, which is not supported; write it again with zstd, snappy or uncompressed"
        ))
    })?;
    // The dictionary comes first, where there is one; some writers say that it is at 0 where there
    // is none.
    let start = match dictionary {
        Some(place) if place > 0 => place.min(data),
        _ => data,
    };
    let start = u64::try_from(start)
        .map_err(|_| Error::Damaged("its metadata has a column before the file"))?;
    Ok((Chunk { start, codec }, values))
}
