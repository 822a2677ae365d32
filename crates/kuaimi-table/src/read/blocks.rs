//! Text as blocks of whole lines, so that finding the rows in a block can be left to another
//! thread.

use std::io::{self, Read};

use super::LONGEST;
use crate::Limits;

/// A file of text, and what of it was read but not given out yet.
pub struct Blocks {
    reader: Box<dyn Read + Send>,
    /// Bytes after the last block.
    next: Vec<u8>,
    /// How many of these are known to hold no line end.
    seen: usize,
    ended: bool,
    pub position: u64,
}

/// Some lines.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// Whole lines with their ends; the last one of the file may have none.
    Lines(Vec<u8>),
    /// A line of more than [`LONGEST`] bytes, which was passed over.
    TooLong,
    End,
}

impl Blocks {
    pub fn new(reader: Box<dyn Read + Send>, position: u64) -> Self {
        Self {
            reader,
            next: Vec::new(),
            seen: 0,
            ended: false,
            position,
        }
    }

    /// The next block, of one line at least. The memory of `spare` serves for what is read next.
    pub fn next(&mut self, limits: Limits, mut spare: Vec<u8>) -> io::Result<Block> {
        loop {
            // A block ends with the last line that fits, or after the first one.
            let within = &self.next[..self.next.len().min(limits.bytes)];
            let end = memchr::memrchr(b'\n', within).or_else(|| {
                let from = self.seen.max(within.len());
                Some(from + memchr::memchr(b'\n', self.next.get(from..)?)?)
            });
            match end {
                Some(end) if self.ended || self.next.len() >= limits.bytes => {
                    let end = end.min(self.last_row(limits.rows));
                    return Ok(Block::Lines(self.take(end + 1, &mut spare)));
                }
                None if self.next.len() > LONGEST => {
                    self.skip_line()?;
                    return Ok(Block::TooLong);
                }
                None if self.ended && self.next.is_empty() => return Ok(Block::End),
                None if self.ended => {
                    return Ok(Block::Lines(self.take(self.next.len(), &mut spare)));
                }
                None => self.seen = self.next.len(),
                Some(_) => {}
            }
            self.read(limits.bytes)?;
        }
    }

    /// Where the line ends with which so many lines are full.
    fn last_row(&self, rows: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.next)
            .nth(rows.saturating_sub(1))
            .unwrap_or(usize::MAX)
    }

    fn take(&mut self, length: usize, spare: &mut Vec<u8>) -> Vec<u8> {
        let mut rest = std::mem::take(spare);
        rest.extend_from_slice(&self.next[length..]);
        self.next.truncate(length);
        self.seen = 0;
        self.position += length as u64;
        std::mem::replace(&mut self.next, rest)
    }

    fn pass(&mut self, length: usize) {
        self.next.drain(..length);
        self.seen = 0;
        self.position += length as u64;
    }

    fn read(&mut self, bytes: usize) -> io::Result<()> {
        let missing = bytes.saturating_sub(self.next.len()).max(1 << 16);
        let before = self.next.len();
        self.next.reserve(missing);
        let mut reader = self.reader.by_ref().take(missing as u64);
        reader.read_to_end(&mut self.next)?;
        self.ended |= self.next.len() - before < missing;
        Ok(())
    }

    /// Passes over a line of which all that was read is a part.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.next) {
                self.pass(end + 1);
                return Ok(());
            }
            self.pass(self.next.len());
            if self.ended {
                return Ok(());
            }
            self.read(1 << 16)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Dribble(io::Cursor<Vec<u8>>, usize);

    impl Read for Dribble {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.1);
            self.0.read(&mut out[..count])
        }
    }

    fn blocks(text: &[u8], limits: Limits) -> Vec<Block> {
        let reader = Dribble(io::Cursor::new(text.to_vec()), 7);
        let mut blocks = Blocks::new(Box::new(reader), 0);
        let mut out = Vec::new();
        loop {
            match blocks.next(limits, Vec::new()).unwrap() {
                Block::End => {
                    assert_eq!(blocks.position, text.len() as u64);
                    return out;
                }
                block => out.push(block),
            }
        }
    }

    #[test]
    fn whole_lines_within_the_limits() {
        let mut text = Vec::new();
        for i in 0..500 {
            text.extend(vec![b'a' + (i % 26) as u8; i % 40]);
            text.push(b'\n');
        }
        for ending in [&b""[..], b"no line end"] {
            let text = [&text, ending].concat();
            for (rows, bytes) in [(1, 1), (3, 1000), (1000, 100), (1000, 1 << 20), (7, 64)] {
                let blocks = blocks(&text, Limits { rows, bytes });
                let mut all = Vec::new();
                for (i, block) in blocks.iter().enumerate() {
                    let Block::Lines(lines) = block else {
                        panic!("{block:?}");
                    };
                    let last = i + 1 == blocks.len();
                    assert!(lines.ends_with(b"\n") || last && lines.ends_with(ending));
                    let count = memchr::memchr_iter(b'\n', lines).count();
                    assert!(count <= rows && (lines.len() <= bytes || count <= 1));
                    all.extend_from_slice(lines);
                }
                assert_eq!(all, text);
            }
        }
        assert!(blocks(b"", Limits { rows: 9, bytes: 9 }).is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let long = vec![b'x'; LONGEST + 200_000];
        let text = [b"a\n", &long[..], b"\nb\n"].concat();
        for text in [&text[..], &text[..text.len() - 3]] {
            let limits = Limits {
                rows: 10,
                bytes: 1 << 20,
            };
            let blocks = blocks(text, limits);
            assert_eq!(blocks[..2], [Block::Lines(b"a\n".to_vec()), Block::TooLong]);
            let rest: &[Block] = match text.last() {
                Some(b'\n') => &[Block::Lines(b"b\n".to_vec())],
                _ => &[],
            };
            assert_eq!(&blocks[2..], rest);
        }
    }
}
