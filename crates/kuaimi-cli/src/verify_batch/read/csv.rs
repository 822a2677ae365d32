//! Comma-separated values (RFC 4180): the first record names the columns. `csv-core` finds the fields; here is what
//! bounds a record's length, knows its line, and distrusts quotes that do not come in pairs.

use std::io::Read;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::{LONGEST, Rows, too_long};
use crate::exit::{Failure, Result, reason};
use crate::verify_batch::columns::Wanted;
use crate::verify_batch::rows::{COLUMNS, Cell, Cells, Chunk, Row};

/// A record with more fields is malformed.
const WIDEST: usize = 1 << 14;

pub struct Table {
    name: String,
    records: Records,
    width: usize,
    places: [Option<usize>; COLUMNS],
}

impl Table {
    pub fn new(
        name: String,
        reader: Box<dyn Read + Send>,
        position: u64,
        delimiter: u8,
        wanted: Wanted,
    ) -> Result<Self> {
        let mut records = Records::new(reader, position, delimiter);
        let unreadable = |what: &str| Failure::file(&name, what);
        let more = records
            .next()
            .map_err(|error| unreadable(&format!("cannot read: {}", reason(&error))))?;
        if !more {
            return Err(unreadable(
                "is empty: a CSV file begins with the names of its columns",
            ));
        }
        if let Some(fault) = records.fault() {
            return Err(unreadable(&format!(
                "its first line should name the columns, but {fault}; check that it is CSV"
            )));
        }
        let names: Vec<String> = (0..records.width())
            .map(|i| String::from_utf8_lossy(records.field(i)).trim().to_owned())
            .collect();
        let places = wanted.places(&name, &names)?;
        Ok(Self {
            name,
            width: names.len(),
            records,
            places,
        })
    }

    /// The cells of the record just read.
    fn cells(&self, chunk: &mut Chunk) -> Result<Cells, String> {
        if let Some(fault) = self.records.fault() {
            return Err(fault);
        }
        if self.records.width() != self.width {
            return Err(format!(
                "has {} in place of {}{}",
                fields(self.records.width()),
                fields(self.width),
                self.records.span()
            ));
        }
        Ok(self.places.map(|place| match place {
            None => Cell::Absent,
            Some(place) => Cell::Text(chunk.keep(self.records.field(place))),
        }))
    }
}

impl Rows for Table {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        let mut more = true;
        while more && !chunk.is_full() {
            more = self.records.next().map_err(|error| {
                Failure::file(&self.name, format_args!("cannot read: {}", reason(&error)))
            })?;
            if more {
                let cells = self.cells(chunk);
                chunk.rows.push(Row {
                    line: Some(self.records.line),
                    cells,
                });
            }
        }
        chunk.position = self.records.position;
        Ok(more)
    }
}

fn fields(count: usize) -> String {
    match count {
        1 => "1 field".to_owned(),
        count => format!("{count} fields"),
    }
}

/// The records of a file, one at a time.
struct Records {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// What of the buffer has not been looked at yet.
    start: usize,
    end: usize,
    position: u64,
    core: Reader,
    content: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// The line on which the record begins, and the one after it.
    line: u64,
    next_line: u64,
    quotes: usize,
    length: usize,
}

impl Records {
    fn new(reader: Box<dyn Read + Send>, position: u64, delimiter: u8) -> Self {
        Self {
            reader,
            buffer: vec![0; crate::input::CHUNK],
            start: 0,
            end: 0,
            position,
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            content: vec![0; 4096],
            ends: vec![0; 64],
            count: 0,
            line: 1,
            next_line: 1,
            quotes: 0,
            length: 0,
        }
    }

    /// Makes sure that there is something in the buffer; false at the end of the file.
    fn refill(&mut self) -> std::io::Result<bool> {
        while self.start == self.end {
            match self.reader.read(&mut self.buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => (self.start, self.end) = (0, count),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Passes over `count` bytes.
    fn consume(&mut self, count: usize) {
        let bytes = &self.buffer[self.start..self.start + count];
        self.next_line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.quotes += memchr::memchr_iter(b'"', bytes).count();
        self.length = self.length.saturating_add(count);
        self.start += count;
        self.position += count as u64;
    }

    /// Reads the next record; false where there is none.
    fn next(&mut self) -> std::io::Result<bool> {
        // Empty lines are no records, and the line on which a record begins is that of its first byte.
        while self.refill()? && matches!(self.buffer[self.start], b'\r' | b'\n') {
            self.consume(1);
        }
        (self.quotes, self.length, self.count) = (0, 0, 0);
        self.line = self.next_line;
        let mut written = 0;
        loop {
            self.refill()?;
            // At the end of the file this is empty, by which the last record is known to have ended.
            let (result, consumed, out, count) = self.core.read_record(
                &self.buffer[self.start..self.end],
                &mut self.content[written..],
                &mut self.ends[self.count..],
            );
            self.consume(consumed);
            written += out;
            self.count += count;
            if self.length > LONGEST || self.count >= WIDEST {
                // It will be refused: nothing of it needs to be kept.
                (written, self.count) = (0, 0);
                self.length = usize::MAX;
            }
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    let size = 2 * self.content.len();
                    self.content.resize(size.min(LONGEST + 4096), 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    let size = 2 * self.ends.len();
                    self.ends.resize(size.min(WIDEST), 0);
                }
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// What is wrong with the record as a whole.
    fn fault(&self) -> Option<String> {
        if self.length == usize::MAX {
            return Some(format!("{}{}", too_long(), self.span()));
        }
        (self.quotes % 2 == 1).then(|| {
            format!(
                "a double quote has no partner; a field with quotes in it stands in quotes, and those in it are doubled{}",
                self.span()
            )
        })
    }

    /// Where a record has more than one line, the last of them: a quote that is not closed swallows lines.
    fn span(&self) -> String {
        let last = self.next_line.max(self.line + 1) - 1;
        if last > self.line {
            format!(" (the row goes to line {last})")
        } else {
            String::new()
        }
    }

    fn width(&self) -> usize {
        self.count
    }

    fn field(&self, i: usize) -> &[u8] {
        let start = match i.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
        };
        let end = self.ends.get(i).copied().unwrap_or_default();
        self.content.get(start..end).unwrap_or_default()
    }
}
