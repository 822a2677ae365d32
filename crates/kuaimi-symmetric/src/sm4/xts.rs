//! XTS, for storage (IEEE 1619-2018; GB/T 17964-2021, clause 11).

#![forbid(unsafe_code)]

use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::backend::{Direction, Implementation};
use super::block::{add, key_of};
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4};
use kuaimi_platform::{declassify, value_barrier};

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
        let mut tweak = Tweak::new(&first, self.standard);

        let stolen = data.len() % BLOCK_LEN;
        let whole = data.len() / BLOCK_LEN - usize::from(stolen != 0);
        let (blocks, rest) = data.split_at_mut(whole * BLOCK_LEN);
        let (blocks, _) = Block::slice_as_chunks_mut(blocks);
        let mut tweaks = [[0; BLOCK_LEN]; CHUNK];
        for blocks in blocks.chunks_mut(CHUNK) {
            tweaks[..blocks.len()].fill_with(|| tweak.next());
            self.crypt_with_tweaks(direction, &tweaks[..blocks.len()], blocks);
        }
        tweaks.as_flattened_mut().zeroize();

        // Ciphertext stealing for the last whole block and the partial one: the end of the whole
        // block, once encrypted, completes the partial block, and its beginning becomes the last
        // bytes of the result.
        if let Some((last, part)) = rest.split_first_chunk_mut::<BLOCK_LEN>() {
            let (before, after) = (tweak.next(), tweak.next());
            let (first, second) = match direction {
                Direction::Encrypt => (before, after),
                Direction::Decrypt => (after, before),
            };
            let last: &mut Block = last.into();
            self.crypt_with_tweaks(direction, &[first], core::slice::from_mut(last));
            part.swap_with_slice(&mut last[..stolen]);
            self.crypt_with_tweaks(direction, &[second], core::slice::from_mut(last));
        }
        Ok(())
    }

    /// `E(x + t) + t` for each block `x` and its tweak `t`.
    fn crypt_with_tweaks(
        &self,
        direction: Direction,
        tweaks: &[[u8; BLOCK_LEN]],
        blocks: &mut [Block],
    ) {
        let add_tweaks = |blocks: &mut [Block]| {
            for (block, tweak) in blocks.iter_mut().zip(tweaks) {
                add(block, tweak);
            }
        };
        add_tweaks(blocks);
        self.data.crypt(direction, (&mut *blocks).into());
        add_tweaks(blocks);
    }
}

impl fmt::Debug for Sm4Xts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Xts { ... }")
    }
}

/// All ones for 1, zero for 0.
#[inline]
fn mask(bit: u128) -> u64 {
    value_barrier((bit as u64).wrapping_neg())
}

/// A tweak, an element of GF(2)\[X\]/(X¹²⁸+X⁷+X²+X+1). It is multiplied by X from block to block.
struct Tweak {
    standard: XtsStandard,
    /// The coefficient of Xⁱ in bit `i` (IEEE), or in bit `127 − i` (GB).
    element: u128,
}

impl Tweak {
    fn new(first: &[u8; BLOCK_LEN], standard: XtsStandard) -> Self {
        let element = match standard {
            XtsStandard::Ieee => u128::from_le_bytes(*first),
            XtsStandard::Gb => u128::from_be_bytes(*first),
        };
        Self { standard, element }
    }

    /// Returns the tweak, and advances to the next.
    #[inline]
    fn next(&mut self) -> [u8; BLOCK_LEN] {
        let now = self.element;
        match self.standard {
            XtsStandard::Ieee => {
                self.element = now << 1 ^ u128::from(0x87 & mask(now >> 127));
                now.to_le_bytes()
            }
            XtsStandard::Gb => {
                self.element = now >> 1 ^ u128::from(0xe1 & mask(now & 1)) << 120;
                now.to_be_bytes()
            }
        }
    }
}

impl Drop for Tweak {
    fn drop(&mut self) {
        self.element.zeroize();
    }
}
