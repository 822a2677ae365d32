//! Rows as they are read, before anybody asks what their cells mean: a chunk of them at a time, their bytes side by side.

use std::ops::Range;

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Key,
    Id,
    Message,
    Digest,
    Signature,
}

/// How many there are.
pub const COLUMNS: usize = 5;

impl Column {
    pub const ALL: [Self; COLUMNS] = [
        Self::Key,
        Self::Id,
        Self::Message,
        Self::Digest,
        Self::Signature,
    ];

    /// Its name in a file unless another is given, and in the reasons of verdicts.
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

/// A value of a row. Ranges are of the chunk's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing: no such field, or null.
    #[default]
    Absent,
    /// Text, as it stands (without the escapes and quotes of its format).
    Text(Range<usize>),
    /// Bytes of a column that is not for text.
    Binary(Range<usize>),
    /// Something that has no business here: "a number".
    Other(&'static str),
}

/// The cells, in the order of [`Column::ALL`].
pub type Cells = [Cell; COLUMNS];

/// A row, or why it is none.
#[derive(Debug)]
pub struct Row {
    /// The line on which it begins, the first being 1, where the format has lines.
    pub line: Option<u64>,
    pub cells: Result<Cells, String>,
}

/// Rows that are verified together.
#[derive(Debug, Default)]
pub struct Chunk {
    pub bytes: Vec<u8>,
    pub rows: Vec<Row>,
    /// How far the input has been read, in the units of its length.
    pub position: u64,
}

impl Chunk {
    /// Enough rows for the work to be shared among many threads.
    pub const ROWS: usize = 4096;
    /// And so many bytes at most, but for the last row: what memory is used does not depend on the input.
    pub const BYTES: usize = 16 << 20;

    pub fn is_full(&self) -> bool {
        self.rows.len() >= Self::ROWS || self.bytes.len() >= Self::BYTES
    }

    /// Keeps bytes, and says where.
    pub fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    /// The bytes of a cell.
    pub fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}
