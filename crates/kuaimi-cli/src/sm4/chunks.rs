//! The chunks of an encrypted file: the construction STREAM (Hoang, Reyhanitabar, Rogaway, Vizár:
//! Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, CRYPTO 2015) with
//! SM4-GCM.
//!
//! Each chunk is a GCM message of its own, whose nonce is a prefix, the number of the chunk, and
//! whether it is the last one. So chunks that were exchanged, left out, added or taken from another
//! file do not decrypt, and neither does a file that was cut off between two chunks. Nothing is
//! written of a chunk that does not decrypt.

use std::io::{self, Read, Write};

use kuaimi::sm4::Sm4Gcm;
use zeroize::Zeroizing;

use super::header;
use crate::input::fill;

/// Bytes of a chunk's plaintext; the last one may have fewer.
pub const CHUNK: usize = 64 << 10;
/// The same with its tag.
const SEALED: usize = CHUNK + Sm4Gcm::TAG_LEN;

/// Bytes at the beginning of each nonce.
pub const PREFIX_LEN: usize = 7;

/// Why a file was not encrypted or decrypted to its end.
#[derive(Debug)]
pub enum Error {
    Read(io::Error),
    Write(io::Error),
    /// Another key, or something was altered.
    Refused,
    /// More than 2³² chunks.
    TooLong,
}

/// What encrypts or decrypts the chunks of one file.
pub struct Chunks {
    cipher: Sm4Gcm,
    prefix: [u8; PREFIX_LEN],
    /// The associated data of each chunk.
    header: [u8; header::LEN],
}

impl Chunks {
    pub fn new(cipher: Sm4Gcm, prefix: [u8; PREFIX_LEN], header: [u8; header::LEN]) -> Self {
        Self {
            cipher,
            prefix,
            header,
        }
    }

    fn nonce(&self, number: u32, last: bool) -> [u8; Sm4Gcm::NONCE_LEN] {
        let mut nonce = [0; Sm4Gcm::NONCE_LEN];
        nonce[..PREFIX_LEN].copy_from_slice(&self.prefix);
        nonce[PREFIX_LEN..PREFIX_LEN + 4].copy_from_slice(&number.to_be_bytes());
        nonce[PREFIX_LEN + 4] = last.into();
        nonce
    }

    /// Encrypts all of `reader`, in constant memory. Returns the length of the plaintext.
    pub fn encrypt(&self, mut reader: impl Read, mut writer: impl Write) -> Result<u64, Error> {
        // Room for the chunk and its tag; the first byte of the next chunk says whether there is
        // one.
        let mut buffer = Zeroizing::new(vec![0; SEALED]);
        let mut carried = 0;
        let mut written = 0;
        for number in 0..=u32::MAX {
            let count =
                carried + fill(&mut reader, &mut buffer[carried..=CHUNK]).map_err(Error::Read)?;
            let last = count <= CHUNK;
            let length = count.min(CHUNK);
            let next = buffer[CHUNK];
            let tag = self
                .cipher
                .seal_in_place(
                    &self.nonce(number, last),
                    &self.header,
                    &mut buffer[..length],
                )
                .map_err(|_| Error::TooLong)?;
            let sealed = length + tag.len();
            buffer[length..sealed].copy_from_slice(&tag);
            writer.write_all(&buffer[..sealed]).map_err(Error::Write)?;
            written += length as u64;
            if last {
                return Ok(written);
            }
            buffer[0] = next;
            carried = 1;
        }
        Err(Error::TooLong)
    }

    /// Decrypts all of `reader`, in constant memory. What was written is good only if this
    /// succeeds: an error is a chunk that was altered, or a last one that is missing. Returns the
    /// length of the plaintext.
    pub fn decrypt(&self, mut reader: impl Read, mut writer: impl Write) -> Result<u64, Error> {
        let mut buffer = Zeroizing::new(vec![0; SEALED + 1]);
        let mut carried = 0;
        let mut written = 0;
        for number in 0..=u32::MAX {
            let count = carried + fill(&mut reader, &mut buffer[carried..]).map_err(Error::Read)?;
            let last = count <= SEALED;
            let next = buffer[SEALED];
            let (data, tag) = buffer[..count.min(SEALED)]
                .split_last_chunk_mut::<{ Sm4Gcm::TAG_LEN }>()
                .ok_or(Error::Refused)?;
            // Only an empty file has an empty chunk, so that no plaintext has two forms.
            if data.is_empty() && number > 0 {
                return Err(Error::Refused);
            }
            self.cipher
                .open_in_place(&self.nonce(number, last), &self.header, data, tag)
                .map_err(|_| Error::Refused)?;
            writer.write_all(data).map_err(Error::Write)?;
            written += data.len() as u64;
            if last {
                return Ok(written);
            }
            buffer[0] = next;
            carried = 1;
        }
        Err(Error::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks() -> Chunks {
        Chunks::new(
            Sm4Gcm::new(&[3; 16]),
            [1, 2, 3, 4, 5, 6, 7],
            [9; header::LEN],
        )
    }

    fn decrypt(sealed: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        match chunks().decrypt(sealed, &mut out) {
            Ok(length) => {
                assert_eq!(length, out.len() as u64);
                Some(out)
            }
            Err(Error::Refused) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    /// The nonces and the associated data, chunk by chunk, are those of the paper and of
    /// docs/sm4-file.md.
    #[test]
    fn as_documented() {
        for (length, chunks_of) in [
            (0, 1),
            (1, 1),
            (CHUNK - 1, 1),
            (CHUNK, 1),
            (CHUNK + 1, 2),
            (2 * CHUNK, 2),
            (3 * CHUNK - 1, 3),
        ] {
            let plain: Vec<u8> = (0..length).map(|i| (i / 7) as u8).collect();
            let mut sealed = Vec::new();
            let written = chunks().encrypt(&plain[..], &mut sealed).unwrap();
            assert_eq!(written, length as u64);
            let cipher = Sm4Gcm::new(&[3; 16]);
            let mut expected = Vec::new();
            for number in 0..chunks_of {
                let end = plain.len().min((number + 1) * CHUNK);
                let last = u8::from(number + 1 == chunks_of);
                let nonce = [1, 2, 3, 4, 5, 6, 7, 0, 0, 0, number as u8, last];
                let piece = &plain[number * CHUNK..end];
                expected.extend(cipher.seal(&nonce, &[9; header::LEN], piece).unwrap());
            }
            assert!(sealed == expected, "{length}");
            assert!(decrypt(&sealed) == Some(plain), "{length}");
        }
    }

    /// A full last chunk may not be followed by an empty one, though its tag be right.
    #[test]
    fn no_empty_chunk_at_the_end() {
        let cipher = Sm4Gcm::new(&[3; 16]);
        let seal =
            |nonce: [u8; 12], plain: &[u8]| cipher.seal(&nonce, &[9; header::LEN], plain).unwrap();
        let mut sealed = seal([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0], &[0; CHUNK]);
        sealed.extend(seal([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 1, 1], b""));
        assert!(decrypt(&sealed).is_none());
        sealed.truncate(SEALED);
        sealed.extend(seal([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 1, 1], b"x"));
        assert!(decrypt(&sealed).is_some());
    }
}
