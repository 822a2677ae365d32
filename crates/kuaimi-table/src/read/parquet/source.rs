//! Parts of a file, each read at its own place, and what a compressed part holds, as a stream: a
//! page is never in memory as a whole, whatever its size.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use super::snappy::Snappy;

/// A file that several columns are read from at the same time.
#[derive(Clone)]
pub struct Source {
    file: Arc<Mutex<File>>,
    pub length: u64,
}

impl Source {
    pub fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self {
            file: Arc::new(Mutex::new(file)),
            length,
        })
    }

    /// The bytes from `start` on, `length` of them at most.
    pub fn part(&self, start: u64, length: u64) -> Part {
        Part {
            source: self.clone(),
            position: start,
            end: start.saturating_add(length),
        }
    }
}

/// Some bytes of a file.
pub struct Part {
    source: Source,
    position: u64,
    end: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.position).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let mut file = self
            .source
            .file
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let count = file.read(&mut buffer[..count])?;
        self.position += count as u64;
        Ok(count)
    }
}

/// How a column's pages are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    Uncompressed,
    Snappy,
    Zstd,
}

impl Codec {
    /// From its number in the file; else its name.
    pub fn new(code: i64) -> Result<Self, &'static str> {
        match code {
            0 => Ok(Self::Uncompressed),
            1 => Ok(Self::Snappy),
            2 => Err("gzip"),
            3 => Err("lzo"),
            4 => Err("brotli"),
            5 | 7 => Err("lz4"),
            6 => Ok(Self::Zstd),
            _ => Err("an unknown method"),
        }
    }
}

/// What a page holds, decompressed while it is read.
pub type Content = BufReader<Box<dyn Read + Send>>;

/// How far back zstd may refer, as a power of two: 8 MiB, which all levels up to 19 keep.
const ZSTD_WINDOW: u32 = 23;

/// The content of a compressed part.
pub fn content(part: BufReader<Part>, codec: Codec) -> io::Result<Content> {
    let reader: Box<dyn Read + Send> = match codec {
        Codec::Uncompressed => return Ok(BufReader::new(Box::new(part))),
        Codec::Snappy => Box::new(Snappy::new(part)),
        Codec::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(part)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            Box::new(decoder)
        }
    };
    Ok(BufReader::with_capacity(BUFFER, reader))
}

/// Bytes read from a file or decompressed at a time.
pub const BUFFER: usize = 64 << 10;
