//! CBC and ECB over a file of any length, with PKCS#7 padding or without (GB/T 17964-2021, clauses
//! 6 and 5).

use std::io::{Read, Write};

use kuaimi::sm4::{self, BLOCK_LEN, Sm4, Sm4Cbc};
use zeroize::Zeroizing;

use super::Error;
use crate::input::{CHUNK, fill};

/// Whether a block depends on the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chaining {
    Cbc,
    Ecb,
}

/// A block mode with its key.
#[derive(Clone)]
pub struct Blocks {
    chaining: Chaining,
    cipher: Sm4,
    cbc: Sm4Cbc,
    /// In CBC, the ciphertext block before the next one; in ECB, zeros.
    iv: [u8; BLOCK_LEN],
    padding: bool,
}

impl Blocks {
    pub fn new(
        chaining: Chaining,
        key: &[u8],
        iv: &[u8; BLOCK_LEN],
        padding: bool,
    ) -> Result<Self, sm4::Error> {
        let cipher = Sm4::from_slice(key)?;
        Ok(Self {
            chaining,
            cbc: Sm4Cbc::with_cipher(cipher.clone()),
            cipher,
            iv: match chaining {
                Chaining::Cbc => *iv,
                Chaining::Ecb => [0; BLOCK_LEN],
            },
            padding,
        })
    }

    /// Returns how many bytes were written.
    pub fn encrypt(mut self, mut reader: impl Read, mut writer: impl Write) -> Result<u64, Error> {
        let mut buffer = Zeroizing::new(vec![0; CHUNK]);
        let mut written = 0;
        loop {
            let count = fill(&mut reader, &mut buffer).map_err(Error::Read)?;
            let (whole, rest) = buffer[..count].split_at_mut(count / BLOCK_LEN * BLOCK_LEN);
            if !rest.is_empty() && !self.padding {
                return Err(Error::PartialBlock);
            }
            self.encrypt_blocks(whole);
            writer.write_all(whole).map_err(Error::Write)?;
            written += whole.len() as u64;
            if count == CHUNK {
                continue;
            }
            if self.padding {
                let last = self.encrypt_last(rest);
                writer.write_all(&last).map_err(Error::Write)?;
                written += last.len() as u64;
            }
            return Ok(written);
        }
    }

    /// Returns how many bytes were written. With padding, the last block is not written before its
    /// padding was found right.
    pub fn decrypt(mut self, mut reader: impl Read, mut writer: impl Write) -> Result<u64, Error> {
        // The last block that was read is kept, as it may be the last one.
        let mut buffer = Zeroizing::new(vec![0; CHUNK + BLOCK_LEN]);
        let mut kept = 0;
        let mut written = 0;
        loop {
            let count = kept + fill(&mut reader, &mut buffer[kept..]).map_err(Error::Read)?;
            let ended = count < buffer.len();
            if count % BLOCK_LEN != 0 {
                return Err(if self.padding {
                    Error::Refused
                } else {
                    Error::PartialBlock
                });
            }
            let keep = if ended && !self.padding { 0 } else { BLOCK_LEN };
            let now = count.checked_sub(keep).ok_or(Error::Refused)?;
            self.decrypt_blocks(&mut buffer[..now]);
            writer.write_all(&buffer[..now]).map_err(Error::Write)?;
            written += now as u64;
            if !ended {
                buffer.copy_within(now..count, 0);
                kept = keep;
                continue;
            }
            if self.padding {
                let last = self.decrypt_last(&buffer[now..count])?;
                writer.write_all(&last).map_err(Error::Write)?;
                written += last.len() as u64;
            }
            return Ok(written);
        }
    }

    fn encrypt_blocks(&mut self, data: &mut [u8]) {
        let done = match self.chaining {
            Chaining::Cbc => self.cbc.encrypt(&self.iv, data),
            Chaining::Ecb => self.cipher.encrypt_ecb(data),
        };
        debug_assert!(done.is_ok(), "whole blocks");
        self.advance(data);
    }

    fn decrypt_blocks(&mut self, data: &mut [u8]) {
        let iv = self.iv;
        self.advance(data);
        let done = match self.chaining {
            Chaining::Cbc => self.cbc.decrypt(&iv, data),
            Chaining::Ecb => self.cipher.decrypt_ecb(data),
        };
        debug_assert!(done.is_ok(), "whole blocks");
    }

    /// The last block of a ciphertext is the next one's IV, if blocks are chained.
    fn advance(&mut self, ciphertext: &[u8]) {
        if let (Chaining::Cbc, Some(last)) = (self.chaining, ciphertext.last_chunk()) {
            self.iv = *last;
        }
    }

    /// The last block, of fewer than 16 bytes and their padding. A single block in ECB is one in
    /// CBC with an IV of zeros.
    fn encrypt_last(&self, rest: &[u8]) -> Vec<u8> {
        self.cbc.encrypt_padded(&self.iv, rest)
    }

    /// The last block without its padding, which is checked in constant time.
    fn decrypt_last(&self, block: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.cbc
            .decrypt_padded(&self.iv, block)
            .map(Zeroizing::new)
            .map_err(|_| Error::Refused)
    }
}
