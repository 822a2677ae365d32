//! XTS, for storage (IEEE 1619-2018; GB/T 17964-2021, clause 11).

#![forbid(unsafe_code)]

use core::fmt;

use cipher::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{Zeroizing, optimization_barrier};

use super::backend::{Direction, Implementation, Masks};
use super::block::key_of;
use super::tweaks::{Eight, first_eight};
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4};
use kuaimi_platform::declassify;

/// The order of the bits in a tweak, which differs between the two standards.
///
/// ```
/// use kuaimi::sm4::{Sm4Xts, XtsStandard};
///
/// let mut key = [1; 32];
/// key[16..].fill(2);
/// let (mut ieee, mut gb) = ([5; 32], [5; 32]);
/// Sm4Xts::new(&key, XtsStandard::Ieee)?.encrypt(&[0; 16], &mut ieee)?;
/// Sm4Xts::new(&key, XtsStandard::Gb)?.encrypt(&[0; 16], &mut gb)?;
/// assert_eq!(ieee[..16], gb[..16]); // the first tweak is the same
/// assert_ne!(ieee[16..], gb[16..]);
/// # Ok::<(), kuaimi::sm4::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum XtsStandard {
    /// IEEE 1619: the first byte's lowest bit is the constant term.
    Ieee,
    /// GB/T 17964-2021: the first byte's highest bit is the constant term, as in GCM.
    Gb,
}

/// SM4 in XTS mode, for sectors of a disk or pages of a database: the ciphertext is as long as the
/// data.
///
/// The key has 32 bytes: 16 for the data, and 16 for the tweak. The tweak of 16 bytes is the
/// position of the data, usually the number of the sector as a little-endian number
/// (`u128::to_le_bytes`). XTS reveals when the same data is written to the same position again, and
/// does not detect alterations. The data must have at least 16 bytes. If it is not whole blocks,
/// the last block is completed by *ciphertext stealing*. Constant time except for the length.
///
/// The two standards differ in the order of the bits in all tweaks after the first: see
/// [`XtsStandard`]. OpenSSL's `SM4-XTS` uses `Gb` by default.
///
/// ```
/// use kuaimi::sm4::{Sm4Xts, XtsStandard};
///
/// let mut key = [1; 32];
/// key[16..].fill(2);
/// let disk = Sm4Xts::new(&key, XtsStandard::Gb)?;
/// let sector = 7_u128.to_le_bytes();
/// let mut data = [5; 512];
/// disk.encrypt(&sector, &mut data)?;
/// disk.decrypt(&sector, &mut data)?;
/// assert_eq!(data, [5; 512]);
/// # Ok::<(), kuaimi::sm4::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Xts {
    data: Sm4,
    tweak: Sm4,
    standard: XtsStandard,
}

/// Blocks encrypted or decrypted at a time.
const CHUNK: usize = 64;

impl Sm4Xts {
    /// XTS with the key for the data, followed by the key for the tweak.
    ///
    /// # Errors
    /// [`Error::EqualHalves`] if the two are equal.
    pub fn new(key: &[u8; 2 * KEY_LEN], standard: XtsStandard) -> Result<Self, Error> {
        Self::with_implementation(Implementation::selected(), key, standard)
    }

    pub(super) fn with_implementation(
        implementation: Implementation,
        key: &[u8; 2 * KEY_LEN],
        standard: XtsStandard,
    ) -> Result<Self, Error> {
        let (data, tweak) = key.split_at(KEY_LEN);
        // Public: only equal halves, which no good key has, are revealed.
        if declassify(data.ct_eq(tweak)) {
            return Err(Error::EqualHalves);
        }
        Ok(Self {
            data: Sm4::with_implementation(implementation, key_of(data)?),
            tweak: Sm4::with_implementation(implementation, key_of(tweak)?),
            standard,
        })
    }

    /// XTS with a key in a slice.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Xts, XtsStandard};
    ///
    /// let short = Sm4Xts::from_slice(&[1; 16], XtsStandard::Gb);
    /// assert_eq!(short.err(), Some(Error::KeyLength { found: 16, needed: 32 }));
    /// let equal = Sm4Xts::from_slice(&[1; 32], XtsStandard::Gb);
    /// assert_eq!(equal.err(), Some(Error::EqualHalves));
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has 32 bytes; [`Error::EqualHalves`].
    pub fn from_slice(key: &[u8], standard: XtsStandard) -> Result<Self, Error> {
        let key = key.try_into().map_err(|_| Error::KeyLength {
            found: key.len(),
            needed: 2 * KEY_LEN,
        })?;
        Self::new(key, standard)
    }

    /// Encrypts the data in place.
    ///
    /// # Errors
    /// [`Error::TooShort`] if there are fewer than 16 bytes.
    pub fn encrypt(&self, tweak: &[u8; BLOCK_LEN], data: &mut [u8]) -> Result<(), Error> {
        self.crypt(Direction::Encrypt, tweak, data)
    }

    /// Decrypts the data in place.
    ///
    /// # Errors
    /// [`Error::TooShort`] if there are fewer than 16 bytes.
    pub fn decrypt(&self, tweak: &[u8; BLOCK_LEN], data: &mut [u8]) -> Result<(), Error> {
        self.crypt(Direction::Decrypt, tweak, data)
    }

    fn crypt(
        &self,
        direction: Direction,
        tweak: &[u8; BLOCK_LEN],
        data: &mut [u8],
    ) -> Result<(), Error> {
        if data.len() < BLOCK_LEN {
            return Err(Error::TooShort(data.len()));
        }
        let mut first = Zeroizing::new(*tweak);
        self.tweak.encrypt(&mut first);
        let mut tweaks = [Eight::default(); CHUNK / 8 + 1];
        tweaks[0] = first_eight(self.standard, &first);

        let stolen = data.len() % BLOCK_LEN;
        let whole = data.len() / BLOCK_LEN - usize::from(stolen != 0);
        let (blocks, rest) = data.split_at_mut(whole * BLOCK_LEN);
        let (blocks, _) = Block::slice_as_chunks_mut(blocks);
        // The place of the next tweak.
        let mut next = 0;
        for blocks in blocks.chunks_mut(CHUNK) {
            if next > 0 {
                tweaks[0] = tweaks[CHUNK / 8];
            }
            next = blocks.len();
            // Two more than there are blocks, for what is left at the end.
            let needed = &mut tweaks[..(next + 2).div_ceil(8)];
            self.data.fill_tweaks(self.standard, needed);
            let masks = Masks::Both(&needed.as_flattened()[..next]);
            self.data.crypt_masked(direction, masks, blocks.into());
        }

        // Ciphertext stealing for the last whole block and the partial one: the end of the whole
        // block, once encrypted, completes the partial block, and its beginning becomes the last
        // bytes of the result.
        if let Some((last, part)) = rest.split_first_chunk_mut::<BLOCK_LEN>() {
            let [before, after] = [next, next + 1].map(|i| [tweaks.as_flattened()[i]]);
            let (first, second) = match direction {
                Direction::Encrypt => (before, after),
                Direction::Decrypt => (after, before),
            };
            let last: &mut Block = last.into();
            let crypt = |tweak: &[Block], block: &mut Block| {
                let block = InOutBuf::from_mut(block);
                self.data.crypt_masked(direction, Masks::Both(tweak), block);
            };
            crypt(&first, last);
            part.swap_with_slice(&mut last[..stolen]);
            crypt(&second, last);
        }
        tweaks = Default::default();
        optimization_barrier(&tweaks);
        Ok(())
    }
}

impl fmt::Debug for Sm4Xts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Xts { ... }")
    }
}
