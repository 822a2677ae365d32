//! Snappy's raw format, decompressed as a stream.
//!
//! The crate `snap` decompresses a block of this format as a whole, which for a page of Parquet may
//! be 2 GiB. Compressors work on pieces of 64 KiB, so a copy never reaches further back, and that
//! much is kept here.
//!
//! Source: "Snappy compressed format description" (google/snappy, format_description.txt).

use std::io::{self, Read};

/// How far back a copy may reach: twice what compressors use.
const WINDOW: usize = 128 << 10;
/// Bytes decompressed at a time, about.
const STEP: usize = 64 << 10;

pub struct Snappy<R> {
    reader: R,
    /// Bytes that are still to come; unknown until the header is read.
    left: Option<u64>,
    /// Bytes of the current literal that are still to come.
    literal: u64,
    /// What was decompressed last, from `position` on not yet given out.
    output: Vec<u8>,
    position: usize,
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read> Snappy<R> {
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            left: None,
            literal: 0,
            output: Vec::new(),
            position: 0,
        }
    }

    /// An integer of `count` bytes, the least significant first.
    fn int(&mut self, count: usize) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.reader.read_exact(&mut bytes[..count])?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The length of all: a varint of at most 32 bits.
    fn header(&mut self) -> io::Result<u64> {
        let mut length = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.int(1)?;
            length |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(length);
            }
        }
        Err(damaged("a length that is too long"))
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut left = match self.left {
            Some(left) => left,
            None => self.header()?,
        };
        if self.output.len() > WINDOW {
            self.output.drain(..self.output.len() - WINDOW);
        }
        self.position = self.output.len();
        let end = self.position + STEP;
        while self.output.len() < end && left > 0 {
            if self.literal == 0 {
                let tag = self.int(1)?;
                let long = tag >> 2;
                let (length, offset) = match tag & 3 {
                    0 if long < 60 => (long + 1, 0),
                    0 => (self.int(long as usize - 59)? + 1, 0),
                    1 => ((long & 7) + 4, (tag >> 5) << 8 | self.int(1)?),
                    2 => (long + 1, self.int(2)?),
                    _ => (long + 1, self.int(4)?),
                };
                if length > left {
                    return Err(damaged("more bytes than its header says"));
                }
                if tag & 3 != 0 {
                    self.copy(offset as usize, length as usize)?;
                    left -= length;
                    continue;
                }
                self.literal = length;
            }
            let count = self.literal.min(STEP as u64);
            let before = self.output.len();
            self.output.resize(before + count as usize, 0);
            self.reader.read_exact(&mut self.output[before..])?;
            self.literal -= count;
            left -= count;
        }
        self.left = Some(left);
        Ok(())
    }

    /// Repeats what stands `offset` bytes back. It may overlap itself.
    fn copy(&mut self, offset: usize, length: usize) -> io::Result<()> {
        let Some(start) = self.output.len().checked_sub(offset).filter(|_| offset > 0) else {
            return Err(damaged("a copy of what is not there"));
        };
        if offset >= length {
            self.output.extend_from_within(start..start + length);
        } else {
            for place in start..start + length {
                self.output.push(self.output[place]);
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Snappy<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position == self.output.len() && self.left != Some(0) {
            self.refill()?;
        }
        let ready = &self.output[self.position..];
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.position += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(compressed: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Snappy::new(compressed).read_to_end(&mut out).map(|_| out)
    }

    /// Bytes that a compressor finds short and long copies and literals in.
    fn sample(length: usize, seed: u64) -> Vec<u8> {
        let mut state = seed | 1;
        let mut next = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) as usize
        };
        let mut out: Vec<u8> = Vec::new();
        while out.len() < length {
            let count = 1 + next() % 300;
            match next() % 3 {
                0 => out.extend((0..count).map(|_| next() as u8)),
                1 => out.extend(std::iter::repeat_n(next() as u8, count)),
                _ => {
                    let start = next() % (out.len() + 1);
                    let end = out.len().min(start + count);
                    out.extend_from_within(start..end);
                }
            }
        }
        out.truncate(length);
        out
    }

    #[test]
    fn agrees_with_the_crate() {
        for length in [
            0, 1, 59, 60, 61, 255, 256, 257, 65_535, 65_536, 65_537, 1_000_000,
        ] {
            let bytes = sample(length, length as u64);
            let compressed = snap::raw::Encoder::new().compress_vec(&bytes).unwrap();
            assert_eq!(read(&compressed).unwrap(), bytes, "{length}");
            // Cut anywhere, it is an error and not less content.
            for cut in (0..compressed.len()).step_by(compressed.len() / 50 + 1) {
                assert!(read(&compressed[..cut]).is_err(), "{length} {cut}");
            }
        }
    }

    #[test]
    fn what_is_altered_is_an_error_or_other_content() {
        let bytes = sample(3000, 7);
        let compressed = snap::raw::Encoder::new().compress_vec(&bytes).unwrap();
        for place in 0..compressed.len() {
            for bit in 0..8 {
                let mut altered = compressed.clone();
                altered[place] ^= 1 << bit;
                let oracle = snap::raw::Decoder::new().decompress_vec(&altered);
                match (read(&altered), oracle) {
                    (ours, Ok(theirs)) => assert_eq!(ours.unwrap(), theirs, "{place} {bit}"),
                    // What follows the end is not looked at here, and nothing else differs.
                    (Ok(ours), Err(_)) => assert!(ours.len() < bytes.len(), "{place} {bit}"),
                    (Err(_), Err(_)) => {}
                }
            }
        }
    }

    #[test]
    fn copies_that_reach_too_far() {
        // A literal of one byte, then a copy from before the beginning, or from nowhere.
        assert!(read(&[5, 0, b'a', 0b0000_0001, 2]).is_err());
        assert!(read(&[5, 0, b'a', 0b0000_0001, 0]).is_err());
        assert_eq!(read(&[5, 0, b'a', 0b0000_0001, 1]).unwrap(), b"aaaaa");
        // More than the header says.
        assert!(read(&[4, 0, b'a', 0b0000_0001, 1]).is_err());
    }
}
