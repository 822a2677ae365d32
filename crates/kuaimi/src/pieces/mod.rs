//! Inputs of any length, read in pieces, and read twice: what the streams of SM2 and SM9 have in common.

mod fingerprint;

use std::io::{self, Read, Seek, SeekFrom};

use zeroize::Zeroizing;

pub(crate) use fingerprint::Fingerprints;

/// Bytes of a piece that is fingerprinted, and decrypted as a whole once its fingerprint fits.
pub(crate) const PIECE: usize = 1 << 20;

/// Why an input could not be read, or not be read again.
pub(crate) enum Failure {
    Read(io::Error),
    /// It is not as long as it was.
    Changed,
    /// There is no randomness for fingerprints.
    Random,
}

/// Reads until `buffer` is full or the input ends; how many bytes were read.
pub(crate) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(free) = buffer.get_mut(filled..).filter(|free| !free.is_empty()) {
        match reader.read(free) {
            Ok(0) => break,
            // A reader that claims to have read more than it was given room for cannot be believed.
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
    pub(crate) fn new(mut reader: R) -> Result<Self, Failure> {
        let start = reader.stream_position().map_err(Failure::Read)?;
        let end = reader.seek(SeekFrom::End(0)).map_err(Failure::Read)?;
        Ok(Self {
            reader,
            start,
            length: end.saturating_sub(start),
        })
    }

    /// The reader, at `offset` from the start of the ciphertext.
    pub(crate) fn at(&mut self, offset: u64) -> Result<&mut R, Failure> {
        let position = self.start.saturating_add(offset);
        self.reader
            .seek(SeekFrom::Start(position))
            .map_err(Failure::Read)?;
        Ok(&mut self.reader)
    }

    /// The first `count` bytes, or as many as there are.
    pub(crate) fn head(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let mut head = vec![0; count];
        let length = fill(self.at(0)?, &mut head).map_err(Failure::Read)?;
        head.truncate(length);
        Ok(head)
    }

    /// The `length` bytes from `offset` on, in pieces of [`PIECE`] bytes but for the last, in a buffer that may be changed and is wiped
    /// at the end.
    pub(crate) fn for_each_piece<E: From<Failure>>(
        &mut self,
        offset: u64,
        length: u64,
        mut each: impl FnMut(usize, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
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
            if fill(reader, piece).map_err(Failure::Read)? != length {
                return Err(Failure::Changed.into());
            }
            each(index, piece)?;
            left -= length as u64;
        }
        Ok(())
    }
}
