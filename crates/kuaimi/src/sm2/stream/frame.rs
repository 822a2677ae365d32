//! Where the parts of a ciphertext lie in a file.

use std::io::{Read, Seek};

use super::Error;
use crate::encoding::tlv::Rules;
use crate::encoding::{self, DerHeader};
use crate::sm2::{self, CiphertextForm, PublicKey, point_from_raw};
use crate::two_pass::{Input, fill};

/// A ciphertext but for the masked plaintext, and where that lies.
pub(super) struct Frame {
    pub(super) point: PublicKey,
    pub(super) digest: [u8; 32],
    /// From the start of the ciphertext.
    pub(super) masked_at: u64,
    pub(super) masked_len: u64,
}

impl<R: Read + Seek> Input<R> {
    /// The forms it may be in.
    pub(super) fn detect(&mut self) -> Result<Vec<CiphertextForm>, Error> {
        Ok(CiphertextForm::detect_from(
            &self.head(DerHeader::MAX_LEN)?,
            self.length,
        ))
    }

    /// The ciphertext as one of the form `form`; [`Error::Malformed`] where it is none.
    pub(super) fn frame(&mut self, form: CiphertextForm) -> Result<Frame, Error> {
        let head = self.head(DerHeader::MAX_LEN)?;
        let Some(layout) = form.raw_layout(head.first().copied().unwrap_or_default()) else {
            let (header, header_len) = DerHeader::read(&head, self.length, Rules::Strict)?;
            if header.c2_len == 0 {
                return Err(encoding::Error::from(sm2::Error::EmptyMessage).into());
            }
            return Ok(Frame {
                point: header.point,
                digest: header.digest,
                masked_at: header_len as u64,
                masked_len: header.c2_len,
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
