//! Apache Parquet: flat columns of text or bytes, read value by value, so that pages and row groups
//! may be larger than memory.
//!
//! The crate `parquet` reads whole pages, and reserves what a file says of itself: a few kilobytes
//! can make it take gigabytes. So files are read here, and the crate is the oracle of the tests.
//!
//! | room | what it does |
//! | --- | --- |
//! | `thrift`, `footer`, `page` | metadata: which columns there are, where, and the headers of pages |
//! | `source`, `snappy` | parts of the file, decompressed while they are read |
//! | `packed` | integers in few bits: levels, places in dictionaries, lengths |
//! | `column` | the values of a column of a row group |
//! | `budget` | how much of it all may be in memory |

mod budget;
mod column;
mod error;
mod footer;
mod packed;
mod page;
mod snappy;
mod source;
mod thrift;

#[cfg(test)]
mod tests;

use std::fs;

use kuaimi_bulk::{COLUMNS, Cell, Column};

use super::{LONGEST, Rows, too_long};
use crate::rows::{Cells, range};
use crate::{Chunk, Limits, Result, Wanted};
use budget::Budget;
use column::Item;
use error::Error;
use footer::{Footer, Group, Leaf, Physical};
use source::Source;

pub struct File {
    source: Source,
    budget: Budget,
    /// The columns that are read.
    leaves: [Option<Leaf>; COLUMNS],
    /// The row groups that are still to come.
    groups: std::vec::IntoIter<Group>,
    /// The row group that is being read, and how many rows of it are left.
    columns: [Option<column::Column>; COLUMNS],
    left: u64,
    position: u64,
    length: u64,
}

impl File {
    pub fn new(file: fs::File, wanted: &Wanted) -> Result<Self> {
        let source = Source::new(file)?;
        let mut footer = Footer::open(&source)?;
        let mut found = footer.columns()?;
        let names: Vec<String> = found
            .iter_mut()
            .map(|leaf| std::mem::take(&mut leaf.name))
            .collect();
        let places = wanted.places(&names)?;
        for (column, place) in Column::ALL.into_iter().zip(places) {
            let Some(place) = place else { continue };
            suits(&found[place]).map_err(|what| crate::Error::Unsuitable {
                column,
                name: names[place].clone(),
                what,
            })?;
        }
        let groups = footer.groups(places)?;
        let length = groups.iter().map(|group| group.rows).sum();
        // No two columns have the same place.
        let mut found: Vec<Option<Leaf>> = found.into_iter().map(Some).collect();
        let leaves = places.map(|place| found.get_mut(place?)?.take());
        Ok(Self {
            source,
            budget: Budget::new(),
            leaves,
            groups: groups.into_iter(),
            columns: Default::default(),
            left: 0,
            position: 0,
            length,
        })
    }

    /// All rows.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Starts the next row group; false where there is none.
    fn next_group(&mut self) -> Result<bool, Error> {
        if !self.columns.iter().flatten().all(column::Column::is_done) {
            return Err(Error::Damaged(
                "a column has more values than there are rows",
            ));
        }
        // What they kept is given back before the next ones take it.
        self.columns = Default::default();
        let Some(group) = self.groups.next() else {
            return Ok(false);
        };
        for ((values, leaf), chunk) in self.columns.iter_mut().zip(&self.leaves).zip(group.chunks) {
            *values = match (leaf, chunk) {
                (Some(leaf), Some(chunk)) => {
                    Some(column::Column::new(&self.source, &self.budget, leaf, chunk))
                }
                _ => None,
            };
        }
        self.left = group.rows;
        Ok(true)
    }

    fn read(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool, Error> {
        while !chunk.is_full(limits) {
            if self.left == 0 {
                if !self.next_group()? {
                    return Ok(false);
                }
                continue;
            }
            let cells = self.row(chunk)?;
            chunk.push(None, cells);
            self.left -= 1;
            self.position += 1;
        }
        Ok(true)
    }

    /// The next row of the row group. A row that is too long is malformed, and the others are read.
    fn row(&mut self, chunk: &mut Chunk) -> Result<Result<Cells, String>, Error> {
        let before = chunk.bytes.len();
        let mut cells = Cells::default();
        let mut fits = true;
        for ((cell, values), leaf) in cells.iter_mut().zip(&mut self.columns).zip(&self.leaves) {
            let (Some(values), Some(leaf)) = (values, leaf) else {
                continue;
            };
            let start = chunk.bytes.len();
            // Behind a value that is too long, the others need not fit either.
            let room = if fits { LONGEST - (start - before) } else { 0 };
            match values.next(room, &mut chunk.bytes)? {
                Item::Absent => {}
                Item::Kept if leaf.text => *cell = Cell::Text(range(start..chunk.bytes.len())),
                Item::Kept => *cell = Cell::Binary(range(start..chunk.bytes.len())),
                Item::TooLong => fits = false,
            }
        }
        if !fits {
            chunk.bytes.truncate(before);
            return Ok(Err(too_long()));
        }
        Ok(Ok(cells))
    }
}

impl Rows for File {
    fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool> {
        let more = self.read(chunk, limits)?;
        chunk.position = self.position;
        Ok(more)
    }
}

/// Whether a column can be read here; else what it is.
fn suits(leaf: &Leaf) -> Result<(), String> {
    if leaf.repeated {
        return Err("has a list in each row".to_owned());
    }
    match leaf.physical {
        Physical::Bytes | Physical::Fixed(0..=LONGEST) => Ok(()),
        Physical::Fixed(width) => Err(format!("has values of {width} bytes, which is too much")),
        Physical::Other(name) => Err(format!("is of type {name}, not text or bytes")),
    }
}
