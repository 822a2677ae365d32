//! A column of a row group: its pages one after the other, and of each its values one after the
//! other.
//!
//! Only the values of the current row are in memory. What must be kept beside them (a dictionary,
//! lengths, the value before) comes out of the file's [`Budget`], and a value that does not fit its
//! row is passed over while it is decompressed.
//!
//! Source: apache/parquet-format, README.md ("Data Pages") and Encodings.md.

use std::io::{self, BufRead as _, BufReader, Cursor, Read};

use super::super::LONGEST;
use super::budget::{Budget, Kept};
use super::error::{Error, Result};
use super::footer::{Chunk, Leaf, Physical};
use super::packed::{Hybrid, lengths};
use super::page::{Header, Page};
use super::source::{BUFFER, Codec, Content, Part, Source, content};
use super::thrift::Thrift;

// Encodings, by their numbers in the file.
const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE: i64 = 3;
const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
const DELTA_BYTE_ARRAY: i64 = 7;
const RLE_DICTIONARY: i64 = 8;
const BYTE_STREAM_SPLIT: i64 = 9;

/// What a row has in this column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Nothing: null.
    Absent,
    /// A value, which was appended.
    Kept,
    /// A value that has more bytes than the row may have.
    TooLong,
}

pub struct Column {
    source: Source,
    budget: Budget,
    codec: Codec,
    physical: Physical,
    defined: u32,
    /// Where the next page is.
    next: u64,
    /// Values of the page, nulls among them, that are still to come.
    left: u64,
    /// A column whose values are all there has no levels.
    levels: Option<Hybrid<Cursor<Bytes>>>,
    values: Values,
    dictionary: Option<Dictionary>,
}

/// Bytes out of the budget, to be read.
struct Bytes(Kept<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0.list
    }
}

/// What is left of the values of a page.
enum Values {
    None,
    /// One after the other, each behind its length.
    Plain(Content),
    /// One after the other, all of this length.
    Fixed(Content, usize),
    /// Places in the dictionary.
    Places(Hybrid<Content>),
    /// One after the other; their lengths came before.
    Lengths(Sequence),
    /// As so many bytes of the value before, and an end.
    Prefixes {
        lengths: List,
        ends: Sequence,
        /// The value before, as far as it may be kept, and the length that it has.
        before: Kept<u8>,
        length: u64,
    },
    /// The first bytes of all of them, then all second bytes, and so on.
    Split {
        bytes: Kept<u8>,
        width: usize,
        next: usize,
    },
}

/// Lengths, of which some are used already.
struct List {
    lengths: Kept<u32>,
    next: usize,
}

struct Sequence {
    lengths: List,
    content: Content,
}

/// The values that stand for places.
struct Dictionary {
    bytes: Kept<u8>,
    /// Where each is; `None` for one with more bytes than a row may have.
    places: Kept<Option<(u32, u32)>>,
}

const SHORT: Error = Error::Damaged("a page has fewer values than its header says");

impl Column {
    pub fn new(source: &Source, budget: &Budget, leaf: &Leaf, chunk: Chunk) -> Self {
        Self {
            source: source.clone(),
            budget: budget.clone(),
            codec: chunk.codec,
            physical: leaf.physical,
            defined: leaf.defined,
            next: chunk.start,
            left: 0,
            levels: None,
            values: Values::None,
            dictionary: None,
        }
    }

    /// The next row's value, appended to `out` if it has `room` bytes at most.
    pub fn next(&mut self, room: usize, out: &mut Vec<u8>) -> Result<Item> {
        while self.left == 0 {
            self.next_page()?;
        }
        self.left -= 1;
        if let Some(levels) = &mut self.levels
            && levels.next()? != self.defined
        {
            return Ok(Item::Absent);
        }
        let fits = self.values.next(self.dictionary.as_ref(), room, out)?;
        Ok(if fits { Item::Kept } else { Item::TooLong })
    }

    /// Whether all values of the pages that were begun were read.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    fn next_page(&mut self) -> Result<()> {
        // What the page before kept is given back first.
        (self.levels, self.values) = (None, Values::None);
        if self.next >= self.source.length {
            return Err(Error::Damaged("a page begins behind the file"));
        }
        let part = self.source.part(self.next, u64::MAX);
        let mut thrift = Thrift::new(BufReader::with_capacity(512, part));
        let header = Header::read(&mut thrift)?;
        let start = self.next + thrift.position;
        self.next = start
            .checked_add(header.size)
            .filter(|&end| end <= self.source.length)
            .ok_or(Error::Damaged("a page ends behind the file"))?;
        let part = BufReader::with_capacity(BUFFER, self.source.part(start, header.size));
        match header.page {
            Page::Other => Ok(()),
            Page::Dictionary => self.begin_dictionary(part, &header),
            Page::Data { levels } => {
                let mut content = content(part, self.codec)?;
                if self.defined > 0 {
                    if levels != RLE {
                        return Err(Error::Unsupported(
                            "marks its nulls in a way that is out of use; write it again with a newer program"
                                .to_owned(),
                        ));
                    }
                    let mut length = [0; 4];
                    content.read_exact(&mut length)?;
                    self.begin_levels(&mut content, u32::from_le_bytes(length).into())?;
                }
                self.begin_values(content, &header)
            }
            Page::DataV2 {
                repetition,
                definition,
                compressed,
            } => {
                let mut part = part;
                if repetition.saturating_add(definition) > header.size {
                    return Err(Error::Damaged("a page has more levels than bytes"));
                }
                pass(&mut part, repetition)?;
                self.begin_levels(&mut part, definition)?;
                let codec = if compressed {
                    self.codec
                } else {
                    Codec::Uncompressed
                };
                self.begin_values(content(part, codec)?, &header)
            }
        }
    }

    fn begin_levels(&mut self, reader: &mut impl Read, length: u64) -> Result<()> {
        let mut bytes = self.budget.keep();
        bytes.read(reader, length)?;
        if self.defined > 0 {
            let width = u32::BITS - self.defined.leading_zeros();
            self.levels = Some(Hybrid::new(Cursor::new(Bytes(bytes)), width));
        }
        Ok(())
    }

    fn begin_dictionary(&mut self, part: BufReader<Part>, header: &Header) -> Result<()> {
        // Two numbers are used for the same encoding here.
        if !matches!(header.encoding, PLAIN | PLAIN_DICTIONARY) || self.dictionary.is_some() {
            return Err(Error::Damaged("a column has a dictionary of no known form"));
        }
        let mut content = content(part, self.codec)?;
        let mut dictionary = Dictionary {
            bytes: self.budget.keep(),
            places: self.budget.keep(),
        };
        for _ in 0..header.values {
            dictionary.read(&mut content, self.physical)?;
        }
        self.dictionary = Some(dictionary);
        Ok(())
    }

    fn begin_values(&mut self, mut content: Content, header: &Header) -> Result<()> {
        let budget = &self.budget;
        let lengths = |content: &mut Content| {
            let mut list = budget.keep();
            lengths(content, header.values, &mut list)?;
            Ok::<_, Error>(List {
                lengths: list,
                next: 0,
            })
        };
        // Where all are null there may be nothing to decompress, so nothing is read that is not
        // needed.
        self.values = match (header.encoding, self.physical) {
            (PLAIN, Physical::Bytes) => Values::Plain(content),
            (PLAIN, Physical::Fixed(width)) => Values::Fixed(content, width),
            (PLAIN_DICTIONARY | RLE_DICTIONARY, _) => {
                let mut width = [0];
                match content.read(&mut width)? {
                    0 => Values::None,
                    _ if width[0] > 32 => {
                        return Err(Error::Damaged("a page has integers of an impossible size"));
                    }
                    _ => Values::Places(Hybrid::new(content, width[0].into())),
                }
            }
            (DELTA_LENGTH_BYTE_ARRAY, Physical::Bytes) => Values::Lengths(Sequence {
                lengths: lengths(&mut content)?,
                content,
            }),
            (DELTA_BYTE_ARRAY, _) => Values::Prefixes {
                lengths: lengths(&mut content)?,
                ends: Sequence {
                    lengths: lengths(&mut content)?,
                    content,
                },
                before: budget.keep(),
                length: 0,
            },
            (BYTE_STREAM_SPLIT, Physical::Fixed(width)) => {
                let mut bytes = budget.keep();
                bytes.read(&mut content, header.values.saturating_mul(width as u64))?;
                Values::Split {
                    bytes,
                    width,
                    next: 0,
                }
            }
            _ => {
                return Err(Error::Unsupported(
                    "has a column in an encoding that is not supported; write it again with another"
                        .to_owned(),
                ));
            }
        };
        self.left = header.values;
        Ok(())
    }
}

impl List {
    fn next(&mut self) -> Result<u32> {
        let length = self.lengths.list.get(self.next).ok_or(SHORT)?;
        self.next += 1;
        Ok(*length)
    }
}

impl Values {
    /// Appends the next value if it has `room` bytes at most; false if it has more.
    fn next(
        &mut self,
        dictionary: Option<&Dictionary>,
        room: usize,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        match self {
            Self::None => Err(SHORT),
            Self::Plain(content) => {
                let length = length(content)?;
                append(content, length, room, out)
            }
            Self::Fixed(content, width) => append(content, *width as u64, room, out),
            Self::Lengths(Sequence { lengths, content }) => {
                append(content, lengths.next()?.into(), room, out)
            }
            Self::Places(places) => {
                let place = places.next()? as usize;
                let value = dictionary
                    .and_then(|dictionary| dictionary.get(place))
                    .ok_or(Error::Damaged("a column's dictionary lacks a value"))?;
                Ok(value.is_some_and(|value| extend(value, room, out)))
            }
            Self::Prefixes {
                lengths,
                ends,
                before,
                length,
            } => {
                let prefix = u64::from(lengths.next()?);
                let end = u64::from(ends.lengths.next()?);
                if prefix > *length {
                    return Err(Error::Damaged("a value begins as more than the one before"));
                }
                *length = prefix + end;
                // Of a value that is longer than any row, its beginning serves the next one.
                before
                    .list
                    .truncate(usize::try_from(prefix).unwrap_or(usize::MAX));
                let keep = end.min((LONGEST - before.list.len()) as u64);
                before.read(&mut ends.content, keep)?;
                pass(&mut ends.content, end - keep)?;
                if *length > LONGEST as u64 {
                    return Ok(false);
                }
                if before.list.len() as u64 != *length {
                    return Err(SHORT);
                }
                Ok(extend(&before.list, room, out))
            }
            Self::Split { bytes, width, next } => {
                let count = bytes.list.len().checked_div(*width).unwrap_or(usize::MAX);
                if *next >= count {
                    return Err(SHORT);
                }
                *next += 1;
                if *width > room {
                    return Ok(false);
                }
                out.extend((0..*width).map(|place| bytes.list[place * count + *next - 1]));
                Ok(true)
            }
        }
    }
}

impl Dictionary {
    fn read(&mut self, content: &mut Content, physical: Physical) -> Result<()> {
        let length = match physical {
            Physical::Fixed(width) => width as u64,
            _ => length(content)?,
        };
        let start = self.bytes.list.len();
        if length > LONGEST as u64 {
            pass(content, length)?;
            return self.places.push(None);
        }
        self.bytes.read(content, length)?;
        let end = self.bytes.list.len();
        if end - start != length as usize {
            return Err(SHORT);
        }
        // The budget is far below what 32 bits can count.
        self.places.push(Some((start as u32, end as u32)))
    }

    /// The value at a place, if there is one; `None` inside for one that is too long.
    fn get(&self, place: usize) -> Option<Option<&[u8]>> {
        let place = self.places.list.get(place)?;
        Some(place.and_then(|(start, end)| self.bytes.list.get(start as usize..end as usize)))
    }
}

/// The length in front of a value.
fn length(content: &mut Content) -> Result<u64> {
    let mut length = [0; 4];
    content.read_exact(&mut length)?;
    Ok(u32::from_le_bytes(length).into())
}

/// Appends the next `length` bytes if they fit; else passes over them.
fn append(content: &mut Content, length: u64, room: usize, out: &mut Vec<u8>) -> Result<bool> {
    if length > room as u64 {
        pass(content, length)?;
        return Ok(false);
    }
    make_room(out, length as usize);
    let ready = content.buffer().get(..length as usize);
    if let Some(value) = ready {
        out.extend_from_slice(value);
        content.consume(length as usize);
        return Ok(true);
    }
    let before = out.len();
    out.resize(before + length as usize, 0);
    content.read_exact(&mut out[before..])?;
    Ok(true)
}

fn extend(value: &[u8], room: usize, out: &mut Vec<u8>) -> bool {
    let fits = value.len() <= room;
    if fits {
        make_room(out, value.len());
        out.extend_from_slice(value);
    }
    fits
}

/// Long values get what they need and not twice as much.
fn make_room(out: &mut Vec<u8>, length: usize) {
    if length > 1 << 16 {
        out.reserve_exact(length);
    }
}

fn pass(reader: &mut impl Read, length: u64) -> Result<()> {
    if io::copy(&mut reader.take(length), &mut io::sink())? < length {
        return Err(SHORT);
    }
    Ok(())
}
