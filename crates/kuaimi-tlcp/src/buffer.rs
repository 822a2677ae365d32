//! A queue of bytes.

use std::io;

/// Bytes that are added at the end and taken from the front.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// Where to add bytes.
    pub(crate) fn end(&mut self) -> &mut Vec<u8> {
        // What was taken is moved out of the way once it is more than what is left: each byte is
        // moved once at most.
        if self.start > self.len() {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        &mut self.bytes
    }

    /// Takes `count` bytes, or all that there are.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count.min(self.len());
        if self.is_empty() {
            self.bytes.clear();
            self.start = 0;
            // One large burst does not keep its memory.
            self.bytes.shrink_to(1 << 16);
        }
    }

    /// Moves bytes into `out`.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> usize {
        let count = out.len().min(self.len());
        out[..count].copy_from_slice(&self.bytes()[..count]);
        self.consume(count);
        count
    }

    /// Reads once, at most `most` bytes.
    pub(crate) fn fill(&mut self, reader: &mut dyn io::Read, most: usize) -> io::Result<usize> {
        let bytes = self.end();
        let before = bytes.len();
        bytes.resize(before + most, 0);
        let result = reader.read(&mut bytes[before..]);
        let count = *result.as_ref().unwrap_or(&0);
        bytes.truncate(before + count.min(most));
        result
    }
}
