//! A part of a table: some of its rows, column by column, before anybody asks what the values stand for.

use std::ops::Range;

use crate::verdict::Fault;

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The signer's public key.
    Key,
    /// The signer's identity.
    Id,
    /// The message that is signed.
    Message,
    /// In place of a message, its digest `e = SM3(Z ‖ M)`.
    Digest,
    /// The signature.
    Signature,
}

/// How many columns there are.
pub const COLUMNS: usize = 5;

impl Column {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; COLUMNS] = [
        Self::Key,
        Self::Id,
        Self::Message,
        Self::Digest,
        Self::Signature,
    ];

    /// Its usual name, which reasons begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Id => "id",
            Self::Message => "message",
            Self::Digest => "digest",
            Self::Signature => "signature",
        }
    }
}

/// A value. Its range is of the bytes of its [`Values`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing: no such field, or null.
    #[default]
    Absent,
    /// Text, without the escapes and quotes of the format that it was read from.
    Text(Range<u32>),
    /// Bytes of a column that is not for text.
    Binary(Range<u32>),
    /// A value of another type.
    Other(Other),
}

/// Types that no column of signatures has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Other {
    /// True or false.
    Boolean,
    /// A number.
    Number,
    /// A list.
    List,
    /// An object.
    Object,
}

impl Other {
    /// With its article, for a reason.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Number => "a number",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// The values of one column.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'a> {
    /// The bytes that the ranges are of. Columns may share them.
    pub bytes: &'a [u8],
    /// A value for each row. A row that has none here has [`Cell::Absent`].
    pub cells: &'a [Cell],
}

impl<'a> Values<'a> {
    /// The cell of a row, and the bytes in it.
    ///
    /// ```
    /// use kuaimi_bulk::{Cell, Values};
    ///
    /// let values = Values { bytes: b"onetwo", cells: &[Cell::Absent, Cell::Text(3..6)] };
    /// assert_eq!(values.get(0), (&Cell::Absent, b"".as_slice()));
    /// assert_eq!(values.get(1).1, b"two");
    /// ```
    pub fn get(&self, row: usize) -> (&'a Cell, &'a [u8]) {
        static ABSENT: Cell = Cell::Absent;
        let cell = self.cells.get(row).unwrap_or(&ABSENT);
        let bytes = match cell {
            Cell::Text(range) | Cell::Binary(range) => self
                .bytes
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default(),
            _ => &[],
        };
        (cell, bytes)
    }
}

/// Some rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Table<'a> {
    /// How many rows there are.
    pub rows: usize,
    /// The columns, in the order of [`Column::ALL`]. An empty one is absent from every row.
    pub columns: [Values<'a>; COLUMNS],
    /// Rows that could not be read as such, in ascending order, and why. Their cells are not looked at.
    pub faults: &'a [(usize, String)],
}

impl<'a> Table<'a> {
    /// What `read` gives of each row, or why the row could not be read as such.
    pub(crate) fn read_rows<T>(
        &self,
        mut read: impl FnMut(usize) -> Result<T, Fault>,
    ) -> impl Iterator<Item = Result<T, Fault>> {
        let mut faults = self.faults.iter().peekable();
        (0..self.rows).map(
            move |row| match faults.next_if(|(place, _)| *place == row) {
                Some((_, reason)) => Err(Fault::new(reason)),
                None => read(row),
            },
        )
    }

    pub(crate) fn get(&self, column: Column, row: usize) -> (&'a Cell, &'a [u8]) {
        self.columns[column as usize].get(row)
    }
}
