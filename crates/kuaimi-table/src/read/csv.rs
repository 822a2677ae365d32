//! Comma-separated values (RFC 4180): the first record names the columns. `csv-core` finds the
//! fields; here is what bounds a record's length, knows its line, and distrusts quotes that do not
//! come in pairs.
//!
//! Where no quotes are, a record is a line, and its fields are what stands between the separators.
//! Such lines are left to the thread that verifies them.

use std::io::{self, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use kuaimi_bulk::{COLUMNS, Cell};

use super::{LONGEST, Rows, too_long};
use crate::rows::{Cells, range};
use crate::{Chunk, Error, Format, Limits, Result, Wanted};

/// A record with more fields is malformed.
const WIDEST: usize = 1 << 14;

pub struct Table {
    records: Records,
    columns: Columns,
}

/// How many fields there are, and which are read.
#[derive(Clone, Copy)]
struct Columns {
    delimiter: u8,
    width: usize,
    places: [Option<usize>; COLUMNS],
}

/// Bytes that are read at a time, where records are read one by one.
const BUFFER: usize = 256 << 10;
/// Records that are read one by one before it is looked whether the next ones have no quotes.
const ONE_BY_ONE: usize = 256;
/// Lines without quotes are left to another thread if they have so many bytes.
const WORTH_IT: usize = 4096;

impl Table {
    pub fn new(
        reader: Box<dyn Read + Send>,
        position: u64,
        delimiter: u8,
        wanted: &Wanted,
    ) -> Result<Self> {
        let mut records = Records::new(reader, position, delimiter);
        if !records.next()? {
            return Err(Error::Empty(Some(Format::Csv)));
        }
        if let Some(fault) = records.fault() {
            return Err(Error::NotCsv(fault));
        }
        let names: Vec<String> = (0..records.width())
            .map(|i| String::from_utf8_lossy(records.field(i)).trim().to_owned())
            .collect();
        let places = wanted.places(&names)?;
        Ok(Self {
            records,
            columns: Columns {
                delimiter,
                width: names.len(),
                places,
            },
        })
    }

    /// The cells of the record just read.
    fn cells(&self, chunk: &mut Chunk) -> Result<Cells, String> {
        if let Some(fault) = self.records.fault() {
            return Err(fault);
        }
        if self.records.width() != self.columns.width {
            return Err(self.columns.wrong(self.records.width()) + &self.records.span());
        }
        Ok(self.columns.places.map(|place| match place {
            None => Cell::Absent,
            Some(place) => Cell::Text(chunk.keep(self.records.field(place))),
        }))
    }

    fn read(&mut self, chunk: &mut Chunk, limits: Limits) -> io::Result<bool> {
        let columns = self.columns;
        let line = self.records.next_line;
        if self.records.plain_lines(limits, &mut chunk.bytes)? {
            chunk.postpone(move |chunk| columns.split_lines(chunk, line));
            return Ok(true);
        }
        self.read_records(chunk, limits)
    }

    /// Reads records one by one.
    fn read_records(&mut self, chunk: &mut Chunk, limits: Limits) -> io::Result<bool> {
        while !chunk.is_full(limits) {
            if !self.records.next()? {
                return Ok(false);
            }
            let cells = self.cells(chunk);
            chunk.push(Some(self.records.line), cells);
            if chunk.len().is_multiple_of(ONE_BY_ONE) && self.records.is_plain() {
                break;
            }
        }
        Ok(true)
    }
}

impl Columns {
    /// What is wrong with a record of so many fields.
    fn wrong(&self, width: usize) -> String {
        if width >= WIDEST {
            return too_long();
        }
        format!("has {} in place of {}", fields(width), fields(self.width))
    }

    /// The rows of lines without quotes, which are the chunk's bytes. The first one has the number
    /// `number`.
    fn split_lines(&self, chunk: &mut Chunk, number: u64) {
        let bytes = std::mem::take(&mut chunk.bytes);
        let mut start = 0;
        for (number, line) in (number..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let begin = start;
            start += line.len();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.is_empty() {
                chunk.push(Some(number), self.split(line, begin));
            }
        }
        chunk.bytes = bytes;
    }

    /// The cells of a line that begins at `start`.
    fn split(&self, line: &[u8], start: usize) -> Result<Cells, String> {
        let mut cells = Cells::default();
        let (mut width, mut begin) = (0, 0);
        let ends = memchr::memchr_iter(self.delimiter, line).chain([line.len()]);
        for end in ends {
            let column = self.places.iter().position(|&place| place == Some(width));
            if let Some(cell) = column.and_then(|column| cells.get_mut(column)) {
                *cell = Cell::Text(range(start + begin..start + end));
            }
            (width, begin) = (width + 1, end + 1);
        }
        if width != self.width {
            return Err(self.wrong(width));
        }
        Ok(cells)
    }
}

impl Rows for Table {
    fn fill(&mut self, chunk: &mut Chunk, limits: Limits) -> Result<bool> {
        let more = self.read(chunk, limits)?;
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
    ended: bool,
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
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            ended: false,
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
    fn refill(&mut self) -> io::Result<bool> {
        while self.start == self.end && !self.ended {
            (self.start, self.end) = (0, 0);
            self.read()?;
        }
        Ok(self.start < self.end)
    }

    /// Reads behind what was read ahead.
    fn read(&mut self) -> io::Result<()> {
        match self.reader.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(count) => self.end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether there is no quote in what was read ahead.
    fn is_plain(&self) -> bool {
        memchr::memchr(b'"', &self.buffer[self.start..self.end]).is_none()
    }

    /// Whole lines without quotes, each of which is a record, or empty: appended to `out`; false
    /// where none come next.
    fn plain_lines(&mut self, limits: Limits, out: &mut Vec<u8>) -> io::Result<bool> {
        if self.end - self.start < limits.bytes && self.is_plain() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            self.buffer.resize(limits.bytes.max(self.buffer.len()), 0);
            while self.end < self.buffer.len() && !self.ended {
                self.read()?;
            }
        }
        let ahead = &self.buffer[self.start..self.end];
        let ahead = &ahead[..ahead.len().min(limits.bytes)];
        // A carriage return is a line's end, too, wherever it stands.
        let quote = memchr::memchr(b'"', ahead);
        let lone = memchr::memchr_iter(b'\r', &ahead[..quote.unwrap_or(ahead.len())])
            .find(|&at| ahead.get(at + 1) != Some(&b'\n'));
        let plain = &ahead[..lone.or(quote).unwrap_or(ahead.len())];
        let all = self.ended && self.start + plain.len() == self.end;
        let whole = match memchr::memrchr(b'\n', plain) {
            _ if all => plain.len(),
            Some(last) => last + 1,
            None => 0,
        };
        let plain = &plain[..whole];
        let full = memchr::memchr_iter(b'\n', plain).nth(limits.rows.saturating_sub(1));
        let lines = &plain[..full.map_or(whole, |last| last + 1)];
        let count = lines.len();
        if count == 0 || count < WORTH_IT && !all {
            return Ok(false);
        }
        out.extend_from_slice(lines);
        self.consume(count);
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
    fn next(&mut self) -> io::Result<bool> {
        // Empty lines are no records, and the line on which a record begins is that of its first
        // byte.
        while self.refill()? && matches!(self.buffer[self.start], b'\r' | b'\n') {
            self.consume(1);
        }
        (self.quotes, self.length, self.count) = (0, 0, 0);
        self.line = self.next_line;
        let mut written = 0;
        loop {
            self.refill()?;
            // At the end of the file this is empty, by which the last record is known to have
            // ended.
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

    /// Where a record has more than one line, the last of them: a quote that is not closed swallows
    /// lines.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Names;
    use crate::rows::testing::Row;

    fn rows(text: &[u8], limits: Limits, one_by_one: bool) -> Vec<Row> {
        let wanted = Wanted::to_verify(&Names::default(), false, false).unwrap();
        let reader = Box::new(io::Cursor::new(text.to_vec()));
        let mut table = Table::new(reader, 0, b',', &wanted).unwrap();
        let mut out = Vec::new();
        loop {
            let mut chunk = Chunk::default();
            let more = if one_by_one {
                table.read_records(&mut chunk, limits).unwrap()
            } else {
                table.read(&mut chunk, limits).unwrap()
            };
            out.extend(chunk.rows());
            assert!(chunk.lines.len() <= limits.rows);
            if !more {
                assert_eq!(table.records.position, text.len() as u64);
                return out;
            }
        }
    }

    /// Lines are records where no quotes are, and only there.
    #[test]
    fn plain_lines_are_the_records() {
        for seed in 0..400u64 {
            let mut state = 2 * seed + 1;
            let mut next = |below: usize| {
                state = state
                    .wrapping_mul(0x5851_f42d_4c95_7f2d)
                    .wrapping_add(0x1405);
                (state >> 33) as usize % below
            };
            let ending = ["\n", "\r\n"][next(2)];
            let odd = [usize::MAX, 1000, 100][next(3)];
            let mut text = format!("key,x,message,signature{ending}").into_bytes();
            for i in 0..1200 {
                let line = match (i * 7 + next(odd.min(1 << 30))) % odd {
                    0 => "\"a\",b,\"c\"\"d\",e",
                    1 => "a,b,\"two\nlines\",c",
                    2 => "a,b\"c,d,e",
                    3 => "a,b,c",
                    4 => "a,b,c,d,e",
                    5 => "",
                    6 => "a,b\rc,d",
                    7 => "a,b,c,d\r",
                    8 => " ",
                    9 => "\u{fffd},,,",
                    10 => "\"open,b,c,d",
                    _ => "04ab,,message 17,3045",
                };
                text.extend(line.bytes());
                text.extend(ending.bytes());
            }
            text.truncate(text.len() - next(4));
            for (rows_, bytes) in [(1 << 15, 8 << 20), (300, 20_000), (1 << 15, 5000)] {
                let limits = Limits { rows: rows_, bytes };
                let plain = rows(&text, limits, false);
                assert_eq!(plain, rows(&text, limits, true), "{seed} {limits:?}");
            }
        }
    }

    /// And lines are left to other threads.
    #[test]
    fn plain_lines_are_postponed() {
        let wanted = Wanted::to_verify(&Names::default(), false, false).unwrap();
        let text = format!("key,message,signature\n{}", "a,b,c\n".repeat(5000));
        let reader = Box::new(io::Cursor::new(text.into_bytes()));
        let mut table = Table::new(reader, 0, b',', &wanted).unwrap();
        let mut chunk = Chunk::default();
        let limits = Limits {
            rows: 1 << 15,
            bytes: 1 << 20,
        };
        table.fill(&mut chunk, limits).unwrap();
        assert_eq!(chunk.len(), 0);
        chunk.complete();
        assert_eq!(chunk.len(), 5000);
    }
}
