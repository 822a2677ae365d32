//! Records under SM4-GCM: `nonce_explicit (8) ‖ ciphertext ‖ tag (16)` (6.3.3.4.4, RFC 5288).

use kuaimi::sm4::Sm4Gcm;
use zeroize::Zeroize;

use super::{refuse, with_length};
use crate::Error;
use crate::key_schedule::Keys;

const EXPLICIT_LEN: usize = 8;

pub(super) struct Gcm {
    cipher: Sm4Gcm,
    salt: [u8; 4],
}

impl Gcm {
    pub(super) fn new(keys: &Keys) -> Self {
        Self {
            cipher: Sm4Gcm::new(&keys.key),
            salt: keys.salt,
        }
    }

    fn nonce(&self, explicit: &[u8; EXPLICIT_LEN]) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce[..4].copy_from_slice(&self.salt);
        nonce[4..].copy_from_slice(explicit);
        nonce
    }

    /// The explicit part of the nonce is the record's number, so none is used twice.
    pub(super) fn seal(
        &self,
        sequence: u64,
        associated: &[u8; 11],
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let explicit = sequence.to_be_bytes();
        out.extend(explicit);
        let start = out.len();
        out.extend(content);
        let header = with_length(associated, content.len());
        let tag = self
            .cipher
            .seal_in_place(&self.nonce(&explicit), &header, &mut out[start..])
            .map_err(|_| Error::RecordOverflow)?;
        out.extend(tag);
        Ok(())
    }

    pub(super) fn open<'a>(
        &self,
        associated: &[u8; 11],
        fragment: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        let Some(length) = fragment.len().checked_sub(EXPLICIT_LEN + Sm4Gcm::TAG_LEN) else {
            return Err(refuse(fragment));
        };
        let (explicit, sealed) = fragment
            .split_first_chunk_mut()
            .ok_or(Error::BadRecordMac)?;
        let (content, tag) = sealed.split_at_mut(length);
        let header = with_length(associated, length);
        let nonce = self.nonce(explicit);
        match self.cipher.open_in_place(&nonce, &header, content, tag) {
            Ok(()) => Ok(content),
            Err(_) => Err(Error::BadRecordMac),
        }
    }
}

impl Drop for Gcm {
    fn drop(&mut self) {
        self.salt.zeroize();
    }
}
