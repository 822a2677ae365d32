//! XTS over a file of any length (GB/T 17964-2021, clause 11; IEEE 1619-2018).
//!
//! XTS encrypts a *data unit* under its number, and says nothing of files. Here a file is cut into
//! units of one length, the sectors, as a disk is: their numbers count up from the first one's, and
//! the tweak is the number in 16 bytes, least significant byte first. The last unit may be shorter,
//! of at least 16 bytes; its last blocks are made by ciphertext stealing.

use std::io::{Read, Write};

use kuaimi::sm4::Sm4Xts;
use zeroize::Zeroizing;

use super::{Direction, Error};
use crate::input::{CHUNK, fill};

/// A page of memory, and a sector of most disks.
pub const DEFAULT_SECTOR: u32 = 4096;
/// The standards allow at most 2²⁰ blocks in a data unit.
pub const MAX_SECTOR: i64 = 16 << 20;

/// XTS with its key, at a sector.
#[derive(Clone)]
pub struct Sectors {
    cipher: Sm4Xts,
    /// The number of the next sector.
    next: u128,
    size: usize,
}

impl Sectors {
    pub fn new(cipher: Sm4Xts, first: u128, size: usize) -> Self {
        Self {
            cipher,
            next: first,
            size,
        }
    }

    /// Returns how many bytes were written.
    pub fn run(
        mut self,
        direction: Direction,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<u64, Error> {
        let sectors = (CHUNK / self.size).max(1);
        let mut buffer = Zeroizing::new(vec![0; sectors * self.size]);
        let mut written = 0;
        loop {
            let count = fill(&mut reader, &mut buffer).map_err(Error::Read)?;
            for sector in buffer[..count].chunks_mut(self.size) {
                let tweak = self.next.to_le_bytes();
                match direction {
                    Direction::Encrypt => self.cipher.encrypt(&tweak, sector),
                    Direction::Decrypt => self.cipher.decrypt(&tweak, sector),
                }
                .map_err(|_| Error::ShortSector)?;
                self.next = self.next.wrapping_add(1);
            }
            writer.write_all(&buffer[..count]).map_err(Error::Write)?;
            written += count as u64;
            if count < buffer.len() {
                return Ok(written);
            }
        }
    }
}
