//! A part of a table: some of its rows, column by column, before anybody asks what the values stand
//! for.

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

/// The bytes that the values of a row may have together. A reader takes a longer row for a fault:
/// see [`too_long`].
pub const LONGEST_ROW: usize = 16 << 20;

/// The fault of a row of more than [`LONGEST_ROW`] bytes.
pub fn too_long() -> String {
    format!("the row has more than {} MiB", LONGEST_ROW >> 20)
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

/// What a column has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// Nothing: no such field, or null.
    Absent,
    /// Text, without the escapes and quotes of the format that it was read from.
    Text(&'a [u8]),
    /// Bytes of a column that is not for text.
    Binary(&'a [u8]),
    /// A value of another type.
    Other(Other),
}

impl<'a> Item<'a> {
    /// The bytes of text or of binary, and none of anything else.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(bytes) | Self::Binary(bytes) => bytes,
            Self::Absent | Self::Other(_) => &[],
        }
    }
}

/// The values of one column. A row for which there is none has [`Item::Absent`].
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// A cell for each row, as a reader of files finds them.
    Cells {
        /// The bytes that the ranges are of. Columns may share them.
        bytes: &'a [u8],
        /// One for each row.
        cells: &'a [Cell],
    },
    /// Slices of memory that somebody else keeps, all of them text or none. Nobody may change it
    /// meanwhile, as with every slice: keys are remembered under their texts, from table to table.
    /// Memory that others can change is to be copied first.
    Slices {
        /// Whether they are text.
        text: bool,
        /// One for each row, or nothing where the value is null.
        slices: &'a [Option<&'a [u8]>],
    },
}

impl Default for Values<'_> {
    fn default() -> Self {
        Self::Cells {
            bytes: &[],
            cells: &[],
        }
    }
}

impl<'a> Values<'a> {
    /// What the column has in a row.
    ///
    /// ```
    /// use kuaimi_bulk::{Cell, Item, Values};
    ///
    /// let cells = [Cell::Absent, Cell::Text(3..6)];
    /// let values = Values::Cells { bytes: b"onetwo", cells: &cells };
    /// assert_eq!(values.get(0), Item::Absent);
    /// assert_eq!(values.get(1), Item::Text(b"two"));
    ///
    /// let values = Values::Slices { text: false, slices: &[Some(b"one"), None] };
    /// assert_eq!(values.get(0), Item::Binary(b"one"));
    /// ```
    #[inline]
    pub fn get(&self, row: usize) -> Item<'a> {
        match *self {
            Self::Cells { bytes, cells } => {
                let within = |range: &Range<u32>| {
                    bytes
                        .get(range.start as usize..range.end as usize)
                        .unwrap_or_default()
                };
                match cells.get(row) {
                    None | Some(Cell::Absent) => Item::Absent,
                    Some(Cell::Text(range)) => Item::Text(within(range)),
                    Some(Cell::Binary(range)) => Item::Binary(within(range)),
                    Some(Cell::Other(what)) => Item::Other(*what),
                }
            }
            Self::Slices { text, slices } => match (slices.get(row).copied().flatten(), text) {
                (None, _) => Item::Absent,
                (Some(slice), true) => Item::Text(slice),
                (Some(slice), false) => Item::Binary(slice),
            },
        }
    }
}

/// Some rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Table<'a> {
    /// How many rows there are.
    pub rows: usize,
    /// The columns, in the order of [`Column::ALL`]. An empty one is absent from every row.
    pub columns: [Values<'a>; COLUMNS],
    /// Rows that could not be read as such, in ascending order, and why. Their cells are not looked
    /// at.
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

    pub(crate) fn get(&self, column: Column, row: usize) -> Item<'a> {
        self.columns[column as usize].get(row)
    }
}
