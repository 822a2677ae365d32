//! Inputs of any length that are read in pieces, and on decryption twice: what the streams of SM2
//! and SM9 have in common.

mod error;
mod fingerprint;

use std::hint::black_box;
use std::io::{self, Read, Seek, SeekFrom, Write};

use zeroize::Zeroizing;

pub use error::Error;
pub(crate) use fingerprint::Fingerprints;

/// Bytes of a piece that is decrypted: it is fingerprinted when it is read first, and decrypted
/// once the fingerprint fits.
pub(crate) const PIECE: usize = 1 << 20;

/// Bytes that are read and encrypted at a time.
pub(crate) const ENCRYPTED_PIECE: usize = 1 << 16;

/// Whether what was read so far, or all there is, fits the length announced.
pub(crate) fn check_length(announced: Option<u64>, read: u64, all: bool) -> Result<(), Error> {
    // Hidden from the optimizer, which would compare with the length before it looks whether there
    // is one. Where there is none, the memory of its value may hold what is left of a secret.
    let (least, most) = black_box(announced.map_or((0, u64::MAX), |length| (length, length)));
    if read > most || (all && read < least) {
        return Err(Error::LengthMismatch(most));
    }
    Ok(())
}

/// Writes all of `bytes`.
pub(crate) fn write(writer: &mut impl Write, bytes: &[u8]) -> Result<(), Error> {
    writer.write_all(bytes).map_err(Error::Write)
}

/// Writes `bytes` at `position`, and goes back to the end.
pub(crate) fn write_back(
    writer: &mut (impl Write + Seek),
    position: u64,
    bytes: &[u8],
) -> Result<(), Error> {
    let end = writer.stream_position().map_err(Error::Write)?;
    writer
        .seek(SeekFrom::Start(position))
        .map_err(Error::Write)?;
    write(writer, bytes)?;
    writer.seek(SeekFrom::Start(end)).map_err(Error::Write)?;
    Ok(())
}

/// Leaves room for 32 bytes; where it is.
pub(crate) fn leave_room(writer: &mut (impl Write + Seek)) -> Result<u64, Error> {
    let position = writer.stream_position().map_err(Error::Write)?;
    write(writer, &[0; 32])?;
    Ok(position)
}

/// Reads until `buffer` is full or the input ends; how many bytes were read.
pub(crate) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(free) = buffer.get_mut(filled..).filter(|free| !free.is_empty()) {
        match reader.read(free) {
            Ok(0) => break,
            // A reader may wrongly claim to have read more than there is room for.
            Ok(count) => filled = filled.saturating_add(count).min(buffer.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A file that holds one ciphertext, from where it is to its end.
pub(crate) struct Input<R> {
    reader: R,
    start: u64,
    /// Bytes of the ciphertext.
    pub(crate) length: u64,
}

impl<R: Read + Seek> Input<R> {
    pub(crate) fn new(mut reader: R) -> Result<Self, Error> {
        let start = reader.stream_position().map_err(Error::Read)?;
        let end = reader.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        Ok(Self {
            reader,
            start,
            length: end.saturating_sub(start),
        })
    }

    /// The reader, at `offset` from the start of the ciphertext.
    pub(crate) fn at(&mut self, offset: u64) -> Result<&mut R, Error> {
        let position = self.start.saturating_add(offset);
        self.reader
            .seek(SeekFrom::Start(position))
            .map_err(Error::Read)?;
        Ok(&mut self.reader)
    }

    /// The first `count` bytes, or as many as there are.
    pub(crate) fn head(&mut self, count: usize) -> Result<Vec<u8>, Error> {
        let mut head = vec![0; count];
        let length = fill(self.at(0)?, &mut head).map_err(Error::Read)?;
        head.truncate(length);
        Ok(head)
    }

    /// Calls a function with the `length` bytes from `offset` on, in pieces of [`PIECE`] bytes; the
    /// last one may be shorter. The function may change the buffer, which is wiped at the end.
    pub(crate) fn for_each_piece(
        &mut self,
        offset: u64,
        length: u64,
        mut each: impl FnMut(usize, &mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let reader = self.at(offset)?;
        let whole = usize::try_from(length).unwrap_or(usize::MAX);
        let mut buffer = Zeroizing::new(vec![0; PIECE.min(whole)]);
        let mut left = length;
        for index in 0.. {
            if left == 0 {
                break;
            }
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE);
            let piece = &mut buffer[..length];
            if fill(reader, piece).map_err(Error::Read)? != length {
                return Err(Error::InputChanged);
            }
            each(index, piece)?;
            left -= length as u64;
        }
        Ok(())
    }
}
