//! Rows as they are read, a chunk of them at a time: their bytes side by side, and where in these
//! each value is.

use std::fmt;
use std::ops::Range;

use kuaimi_bulk::{COLUMNS, Cell, Table, Values};

/// The cells of a row, in the order of [`Column::ALL`](kuaimi_bulk::Column::ALL).
pub(crate) type Cells = [Cell; COLUMNS];

/// How much is read at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rows at most.
    pub rows: usize,
    /// Bytes at most, but for the last row.
    pub bytes: usize,
}

impl Limits {
    /// The most rows of a chunk in [`map`](crate::map): enough for a key to come often in it.
    pub(crate) const ROWS: usize = 1 << 15;
}

/// What of a chunk is still to be done, by the thread that needs its rows.
type Rest = Box<dyn FnOnce(&mut Chunk) + Send>;

/// Rows that are read together.
#[derive(Default)]
pub struct Chunk {
    /// What the cells' ranges are of.
    pub(crate) bytes: Vec<u8>,
    columns: [Vec<Cell>; COLUMNS],
    faults: Vec<(usize, String)>,
    /// The line on which each row begins, the first being 1, where the format has lines.
    pub lines: Vec<u64>,
    /// How far the input has been read, in the units of its length.
    pub position: u64,
    rest: Option<Rest>,
}

impl Chunk {
    /// How many rows it has, but for those that [`complete`](Self::complete) has still to find.
    pub(crate) fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// Whether it has as much as the limits allow.
    pub(crate) fn is_full(&self, limits: Limits) -> bool {
        self.len() >= limits.rows || self.bytes.len() >= limits.bytes
    }

    /// Adds a row, or why it is none.
    pub(crate) fn push(&mut self, line: Option<u64>, cells: Result<Cells, String>) {
        self.lines.extend(line);
        let cells = cells.unwrap_or_else(|fault| {
            self.faults.push((self.len(), fault));
            Cells::default()
        });
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
    }

    /// Keeps bytes, and says where.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Range<u32> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        range(start..self.bytes.len())
    }

    /// Leaves the rows to be found later, by [`complete`](Self::complete).
    pub(crate) fn postpone(&mut self, rest: impl FnOnce(&mut Self) + Send + 'static) {
        self.rest = Some(Box::new(rest));
    }

    /// An empty one with the memory of this.
    pub(crate) fn emptied(mut self) -> Self {
        self.bytes.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        self.faults.clear();
        self.lines.clear();
        self.rest = None;
        self
    }

    /// Finds the rows, if that was left to the thread that needs them.
    pub fn complete(&mut self) {
        if let Some(rest) = self.rest.take() {
            rest(self);
        }
    }

    /// The rows, as columns. Call [`complete`](Self::complete) before.
    pub fn table(&self) -> Table<'_> {
        Table {
            rows: self.len(),
            columns: self.columns.each_ref().map(|cells| Values::Cells {
                bytes: &self.bytes,
                cells,
            }),
            faults: &self.faults,
        }
    }
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("rows", &self.len())
            .finish_non_exhaustive()
    }
}

/// The range of a cell. A chunk has far fewer than 4 GiB: see [`Limits`] and the longest row.
pub(crate) fn range(range: Range<usize>) -> Range<u32> {
    let short = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    short(range.start)..short(range.end)
}

#[cfg(test)]
pub(crate) mod testing {
    use kuaimi_bulk::Item;

    use super::*;

    /// A value: whether it is text, and its bytes; or the name of its type.
    pub type Value = Result<(bool, Vec<u8>), &'static str>;
    /// A row with its line and its values, or its fault.
    pub type Row = (Option<u64>, Result<[Option<Value>; COLUMNS], String>);

    impl Chunk {
        /// All rows, with nothing left out.
        pub fn rows(&mut self) -> Vec<Row> {
            self.complete();
            let table = self.table();
            let value = |row: usize, column: usize| match table.columns[column].get(row) {
                Item::Absent => None,
                Item::Text(bytes) => Some(Ok((true, bytes.to_vec()))),
                Item::Binary(bytes) => Some(Ok((false, bytes.to_vec()))),
                Item::Other(other) => Some(Err(other.name())),
            };
            (0..self.len())
                .map(|row| {
                    let fault = table.faults.iter().find(|(place, _)| *place == row);
                    let cells = match fault {
                        Some((_, fault)) => Err(fault.clone()),
                        None => Ok(std::array::from_fn(|column| value(row, column))),
                    };
                    (self.lines.get(row).copied(), cells)
                })
                .collect()
        }
    }
}
