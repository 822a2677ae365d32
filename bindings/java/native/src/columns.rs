//! Columns in direct buffers: where each row's part begins and ends.

use std::ops::Range;

use jni::Env;
use jni::objects::JIntArray;
use jni::sys::jint;

use crate::call::Failure;

/// Where the rows' parts are in a column, one behind the other.
pub(crate) enum Column {
    /// Each part has this length.
    Each(usize),
    /// Where each part ends.
    Ends(Vec<usize>),
}

impl Column {
    /// `ends` says where each part ends; without it, each has `length` bytes.
    pub(crate) fn new(
        env: &Env<'_>,
        ends: &JIntArray<'_>,
        length: usize,
        rows: usize,
    ) -> Result<Self, Failure> {
        if ends.is_null() {
            return Ok(Self::Each(length));
        }
        let wrong = || Failure::argument("the ends must not decrease, one for each row");
        if ends.len(env)? != rows {
            return Err(wrong());
        }
        let mut numbers = vec![0; rows];
        ends.get_region(env, 0, &mut numbers)?;
        if numbers.first().is_some_and(|&first| first < 0) || !numbers.is_sorted() {
            return Err(wrong());
        }
        Ok(Self::Ends(
            numbers.into_iter().map(|end| end as usize).collect(),
        ))
    }

    /// Where the part of row `row` begins, which is where that of the row before ends.
    pub(crate) fn start(&self, row: usize) -> usize {
        match self {
            Self::Each(length) => length * row,
            Self::Ends(ends) => row.checked_sub(1).map_or(0, |before| ends[before]),
        }
    }

    /// Where the parts of some rows are.
    pub(crate) fn range(&self, rows: Range<usize>) -> Range<usize> {
        self.start(rows.start)..self.start(rows.end)
    }

    /// The part of a row, in bytes that begin with row `first`.
    pub(crate) fn row<'a>(&self, bytes: &'a [u8], first: usize, row: usize) -> &'a [u8] {
        let base = self.start(first);
        &bytes[self.start(row) - base..self.start(row + 1) - base]
    }
}

/// How many rows there are.
pub(crate) fn rows(count: jint) -> Result<usize, Failure> {
    usize::try_from(count).map_err(|_| Failure::argument("a number of rows is not negative"))
}

/// Rows at a time: enough for all threads, in some megabytes.
const CHUNK: usize = 8192;
/// Bytes at a time, if a row alone does not have more: they are copied.
const CHUNK_BYTES: usize = 16 << 20;

/// The rows in chunks. `start` says how many bytes are before a row.
pub(crate) fn chunks(
    rows: usize,
    start: impl Fn(usize) -> usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let begin = first;
        while first < rows
            && first - begin < CHUNK
            && (first == begin || start(first + 1) - start(begin) <= CHUNK_BYTES)
        {
            first += 1;
        }
        (begin < first).then_some(begin..first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_have_all_rows_once() {
        for length in [
            0,
            1,
            100,
            5000,
            CHUNK_BYTES / 2,
            CHUNK_BYTES,
            2 * CHUNK_BYTES,
        ] {
            for rows in [0, 1, CHUNK, CHUNK + 1, 20_000] {
                let mut next = 0;
                for chunk in chunks(rows, |row| row * length) {
                    assert_eq!(chunk.start, next);
                    assert!(chunk.len() <= CHUNK);
                    assert!(chunk.len() == 1 || chunk.len() * length <= CHUNK_BYTES);
                    next = chunk.end;
                }
                assert_eq!(next, rows);
            }
        }
    }

    #[test]
    fn rows_have_their_parts() {
        let ends = Column::Ends(vec![2, 2, 5]);
        assert_eq!(ends.range(0..3), 0..5);
        assert_eq!(ends.row(b"abcde", 0, 0), b"ab");
        assert_eq!(ends.row(b"abcde", 0, 1), b"");
        assert_eq!(ends.row(b"cde", 1, 2), b"cde");
        assert_eq!(Column::Each(2).row(b"cdef", 1, 2), b"ef");
    }
}
