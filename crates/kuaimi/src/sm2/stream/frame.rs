//! Where the parts of a ciphertext lie in a file.

use std::io::{Read, Seek, SeekFrom};

use super::{Error, fill};
use crate::encoding::tlv::Rules;
use crate::encoding::{self, DerHeader};
use crate::sm2::{self, CiphertextForm, PublicKey, point_from_raw};

/// A file that holds one ciphertext, from where it is to its end.
pub(super) struct Input<R> {
    reader: R,
    start: u64,
    length: u64,
}

/// A ciphertext but for the masked plaintext, and where that lies.
pub(super) struct Frame {
    pub(super) point: PublicKey,
    pub(super) digest: [u8; 32],
    /// From the start of the ciphertext.
    pub(super) masked_at: u64,
    pub(super) masked_len: u64,
}

impl<R: Read + Seek> Input<R> {
    pub(super) fn new(mut reader: R) -> Result<Self, Error> {
        let start = reader.stream_position().map_err(Error::Read)?;
        let end = reader.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        Ok(Self {
            reader,
            start,
            length: end.saturating_sub(start),
        })
    }

    /// The reader, at `offset` from the start of the ciphertext.
    pub(super) fn at(&mut self, offset: u64) -> Result<&mut R, Error> {
        let position = self.start.saturating_add(offset);
        self.reader
            .seek(SeekFrom::Start(position))
            .map_err(Error::Read)?;
        Ok(&mut self.reader)
    }

    /// The first bytes, as many as any header has where the file is that long.
    fn head(&mut self) -> Result<Vec<u8>, Error> {
        let mut head = vec![0; DerHeader::MAX_LEN];
        let length = fill(self.at(0)?, &mut head).map_err(Error::Read)?;
        head.truncate(length);
        Ok(head)
    }

    /// The forms it may be in.
    pub(super) fn detect(&mut self) -> Result<Vec<CiphertextForm>, Error> {
        Ok(CiphertextForm::detect_from(&self.head()?, self.length))
    }

    /// The ciphertext as one of the form `form`; [`Error::Malformed`] where it is none.
    pub(super) fn frame(&mut self, form: CiphertextForm) -> Result<Frame, Error> {
        let head = self.head()?;
        let Some(layout) = form.raw_layout(head.first().copied().unwrap_or_default()) else {
            let (header, header_len) = DerHeader::read(&head, self.length, Rules::Strict)?;
            if header.masked_len == 0 {
                return Err(encoding::Error::from(sm2::Error::EmptyMessage).into());
            }
            return Ok(Frame {
                point: header.point,
                digest: header.digest,
                masked_at: header_len as u64,
                masked_len: header.masked_len,
            });
        };

        let point_len = layout.point as u64;
        let (point, masked_len) = head
            .get(..layout.point)
            .zip(self.length.checked_sub(point_len + 32))
            .filter(|&(_, masked_len)| masked_len != 0)
            .ok_or(encoding::Error::Truncated)?;
        let point = point_from_raw(point).map_err(encoding::Error::from)?;
        let (digest_at, masked_at) = if layout.digest_first {
            (point_len, point_len + 32)
        } else {
            (point_len + masked_len, point_len)
        };
        let mut digest = [0; 32];
        if fill(self.at(digest_at)?, &mut digest).map_err(Error::Read)? != digest.len() {
            return Err(Error::InputChanged);
        }
        Ok(Frame {
            point,
            digest,
            masked_at,
            masked_len,
        })
    }
}
