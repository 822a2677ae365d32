//! The record layer (GB/T 38636-2020, 6.3).
//!
//! ```text
//! type (1) ‖ version 0101 (2) ‖ length (2) ‖ fragment
//! ```
//!
//! Nothing is compressed. A fragment is protected once ChangeCipherSpec has passed.

mod cbc;
mod gcm;

use zeroize::Zeroize;

use crate::Error;
use crate::key_schedule::Keys;
use crate::suite::{CipherSuite, Protection};

/// The version of TLCP.
pub(crate) const VERSION: u16 = 0x0101;
pub(crate) const HEADER_LEN: usize = 5;
/// The longest content of a record.
pub(crate) const MAX_CONTENT_LEN: usize = 1 << 14;
/// The longest fragment that is protected.
pub(crate) const MAX_FRAGMENT_LEN: usize = MAX_CONTENT_LEN + 2048;

/// The types of records (6.3.3.2).
pub(crate) mod content {
    pub(crate) const CHANGE_CIPHER_SPEC: u8 = 20;
    pub(crate) const ALERT: u8 = 21;
    pub(crate) const HANDSHAKE: u8 = 22;
    pub(crate) const APPLICATION_DATA: u8 = 23;
}

/// One direction of the record layer: how records are protected, and how many there were.
pub(crate) struct Direction {
    cipher: Cipher,
    sequence: u64,
}

enum Cipher {
    None,
    Cbc(Box<cbc::Cbc>),
    Gcm(Box<gcm::Gcm>),
}

impl Direction {
    pub(crate) fn unprotected() -> Self {
        Self {
            cipher: Cipher::None,
            sequence: 0,
        }
    }

    pub(crate) fn new(suite: CipherSuite, keys: &Keys) -> Self {
        let cipher = match suite.protection() {
            Protection::Cbc => Cipher::Cbc(Box::new(cbc::Cbc::new(keys))),
            Protection::Gcm => Cipher::Gcm(Box::new(gcm::Gcm::new(keys))),
        };
        Self {
            cipher,
            sequence: 0,
        }
    }

    pub(crate) fn is_protected(&self) -> bool {
        !matches!(self.cipher, Cipher::None)
    }

    /// Records so far, since the last ChangeCipherSpec.
    pub(crate) fn count(&self) -> u64 {
        self.sequence
    }

    #[cfg(test)]
    pub(crate) fn set_count(&mut self, count: u64) {
        self.sequence = count;
    }

    /// The number of the next record. The last number is never used: it would be followed by 0.
    fn next(&mut self) -> Result<u64, Error> {
        let sequence = self.sequence;
        self.sequence = sequence.checked_add(1).ok_or(Error::RecordCounter)?;
        Ok(sequence)
    }

    /// Appends a record with `content`, which has at most [`MAX_CONTENT_LEN`] bytes.
    pub(crate) fn seal(
        &mut self,
        kind: u8,
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let sequence = self.next()?;
        let start = out.len();
        out.push(kind);
        out.extend(VERSION.to_be_bytes());
        out.extend([0; 2]);
        match &self.cipher {
            Cipher::None => out.extend(content),
            Cipher::Cbc(cipher) => cipher.seal(&associated(sequence, kind), content, out)?,
            Cipher::Gcm(cipher) => {
                cipher.seal(sequence, &associated(sequence, kind), content, out)?;
            }
        }
        let length = (out.len() - start - HEADER_LEN) as u16;
        out[start + 3..][..2].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }

    /// The content of a record with this fragment, which is decrypted in place.
    pub(crate) fn open<'a>(&mut self, kind: u8, fragment: &'a mut [u8]) -> Result<&'a [u8], Error> {
        let sequence = self.next()?;
        let content: &[u8] = match &self.cipher {
            Cipher::None => fragment,
            Cipher::Cbc(cipher) => cipher.open(&associated(sequence, kind), fragment)?,
            Cipher::Gcm(cipher) => cipher.open(&associated(sequence, kind), fragment)?,
        };
        if content.len() > MAX_CONTENT_LEN {
            return Err(Error::RecordOverflow);
        }
        Ok(content)
    }
}

/// `seq_num ‖ type ‖ version`, which is authenticated before the length of the content.
fn associated(sequence: u64, kind: u8) -> [u8; 11] {
    let mut out = [0; 11];
    out[..8].copy_from_slice(&sequence.to_be_bytes());
    out[8] = kind;
    out[9..].copy_from_slice(&VERSION.to_be_bytes());
    out
}

/// `associated` with the length of the content.
fn with_length(associated: &[u8; 11], length: usize) -> [u8; 13] {
    let mut out = [0; 13];
    out[..11].copy_from_slice(associated);
    out[11..].copy_from_slice(&(length as u16).to_be_bytes());
    out
}

/// Wipes what failed to decrypt.
fn refuse(fragment: &mut [u8]) -> Error {
    fragment.zeroize();
    Error::BadRecordMac
}

#[cfg(test)]
mod tests;
