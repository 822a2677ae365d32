//! The block cipher with its key.

#![forbid(unsafe_code)]

use core::fmt;

use cipher::InOutBuf;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::backend::{Chaining, Direction, Implementation, Masks, RoundKeys};
use super::tweaks::Eight;
use super::{BLOCK_LEN, Block, Error, KEY_LEN, ROUNDS, XtsStandard};

/// SM4 with a key: the block cipher, from which modes of operation are built.
///
/// For messages use [`Sm4Gcm`](super::Sm4Gcm), which also detects alterations. This type is for
/// protocols that require another mode: it implements the traits of the `cipher` crate, with 64
/// blocks at a time, so that the modes of other crates run on it at full speed. Constant time in
/// key and data. The round keys are wiped when it is dropped. Making a value takes about as long as
/// encrypting two blocks, one after the other.
///
/// ```
/// use kuaimi::sm4::Sm4;
///
/// // GB/T 32907-2016, annex A.1: key and plaintext are equal.
/// let key = 0x0123456789abcdef_fedcba9876543210_u128.to_be_bytes();
/// let cipher = Sm4::new(&key);
/// let mut block = key;
/// cipher.encrypt(&mut block);
/// assert_eq!(block, 0x681edf34d206965e_86b3e94f536e4246_u128.to_be_bytes());
/// cipher.decrypt(&mut block);
/// assert_eq!(block, key);
/// ```
#[derive(Clone)]
pub struct Sm4 {
    implementation: Implementation,
    keys: RoundKeys,
}

impl Sm4 {
    /// The cipher with a key of 16 bytes. Constant time.
    #[inline]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::with_implementation(Implementation::selected(), key)
    }

    pub(super) fn with_implementation(implementation: Implementation, key: &[u8; KEY_LEN]) -> Self {
        Self {
            implementation,
            keys: implementation.round_keys(key),
        }
    }

    /// The cipher, and the encryption of a block of zeros, in less time than one after the other.
    #[inline]
    pub(super) fn with_zero(
        implementation: Implementation,
        key: &[u8; KEY_LEN],
    ) -> (Self, [u8; BLOCK_LEN]) {
        let (keys, zero) = implementation.round_keys_and_zero(key);
        let cipher = Self {
            implementation,
            keys,
        };
        (cipher, zero)
    }

    /// The cipher with a key in a slice.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4};
    ///
    /// assert!(Sm4::from_slice(&[7; 16]).is_ok());
    /// assert_eq!(Sm4::from_slice(&[7; 15]).err(), Some(Error::KeyLength { found: 15, needed: 16 }));
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has 16 bytes.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(key_of(key)?))
    }

    /// Encrypts one block in place.
    #[inline]
    pub fn encrypt(&self, block: &mut [u8; BLOCK_LEN]) {
        let block: &mut Block = block.into();
        self.crypt(Direction::Encrypt, InOutBuf::from_mut(block));
    }

    /// Decrypts one block in place.
    #[inline]
    pub fn decrypt(&self, block: &mut [u8; BLOCK_LEN]) {
        let block: &mut Block = block.into();
        self.crypt(Direction::Decrypt, InOutBuf::from_mut(block));
    }

    /// Encrypts each block in place on its own (ECB mode). Equal blocks stay equal, so ECB does not
    /// hide the pattern of a message.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4};
    ///
    /// let cipher = Sm4::new(&[7; 16]);
    /// let mut data = [9; 32];
    /// cipher.encrypt_ecb(&mut data)?;
    /// assert_eq!(data[..16], data[16..], "equal blocks stay equal");
    /// cipher.decrypt_ecb(&mut data)?;
    /// assert_eq!(data, [9; 32]);
    /// assert_eq!(cipher.encrypt_ecb(&mut [0; 17]), Err(Error::PartialBlock(17)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PartialBlock`] unless the length is a multiple of 16; then nothing is encrypted.
    pub fn encrypt_ecb(&self, data: &mut [u8]) -> Result<(), Error> {
        self.crypt(Direction::Encrypt, whole_blocks(data)?.into());
        Ok(())
    }

    /// Decrypts each block in place on its own: the inverse of [`encrypt_ecb`](Self::encrypt_ecb).
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4};
    ///
    /// let cipher = Sm4::new(&[7; 16]);
    /// let mut data = [9; 32];
    /// cipher.encrypt_ecb(&mut data)?;
    /// assert_eq!(data[..16], data[16..], "equal blocks stay equal");
    /// cipher.decrypt_ecb(&mut data)?;
    /// assert_eq!(data, [9; 32]);
    /// assert_eq!(cipher.decrypt_ecb(&mut [0; 17]), Err(Error::PartialBlock(17)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PartialBlock`] unless the length is a multiple of 16; then nothing is decrypted.
    pub fn decrypt_ecb(&self, data: &mut [u8]) -> Result<(), Error> {
        self.crypt(Direction::Decrypt, whole_blocks(data)?.into());
        Ok(())
    }

    #[inline]
    pub(super) fn crypt(&self, direction: Direction, blocks: InOutBuf<'_, '_, Block>) {
        self.implementation
            .crypt(&self.keys, direction, None, blocks);
    }

    /// Encrypts or decrypts every block, and adds masks.
    pub(super) fn crypt_masked(
        &self,
        direction: Direction,
        masks: Masks<'_>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        self.implementation
            .crypt(&self.keys, direction, Some(masks), blocks);
    }

    /// See [`Implementation::chain`].
    pub(super) fn chain(&self, mode: Chaining, chain: &mut [u8; BLOCK_LEN], blocks: &mut [Block]) {
        self.implementation.chain(&self.keys, mode, chain, blocks);
    }

    /// See [`Implementation::mac`].
    pub(super) fn mac(&self, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
        self.implementation.mac(&self.keys, chain, blocks);
    }

    /// See [`Implementation::fill_tweaks`].
    pub(super) fn fill_tweaks(&self, standard: XtsStandard, tweaks: &mut [Eight]) {
        self.implementation.fill_tweaks(standard, tweaks);
    }

    /// Adds a key stream to the data, in counter mode with a counter of 32 bits: see
    /// [`Implementation::ctr32`].
    #[inline]
    pub(super) fn ctr32(&self, counter: &[u8; BLOCK_LEN], data: InOutBuf<'_, '_, u8>) {
        self.implementation.ctr32(&self.keys, counter, data);
    }
}

/// A key in a slice as an array.
pub(super) fn key_of(key: &[u8]) -> Result<&[u8; KEY_LEN], Error> {
    key.try_into().map_err(|_| Error::KeyLength {
        found: key.len(),
        needed: KEY_LEN,
    })
}

/// The data as blocks, if they are whole.
pub(super) fn whole_blocks(data: &mut [u8]) -> Result<&mut [Block], Error> {
    let length = data.len();
    match Block::slice_as_chunks_mut(data) {
        (blocks, []) => Ok(blocks),
        _ => Err(Error::PartialBlock(length)),
    }
}

/// XORs 16 bytes into a block.
#[inline]
pub(super) fn add(block: &mut Block, other: &[u8; BLOCK_LEN]) {
    let sum = u128::from_ne_bytes((*block).into()) ^ u128::from_ne_bytes(*other);
    *block = sum.to_ne_bytes().into();
}

/// XORs the first bytes of a key stream into the data.
#[inline]
pub(super) fn add_bytes(data: &mut [u8], stream: &[u8]) {
    for (byte, stream) in data.iter_mut().zip(stream) {
        *byte ^= stream;
    }
}

/// The next piece of a message whose last block still lacks some bytes, 0 to 15: what belongs to
/// that block, whole blocks, and the beginning of another block.
#[inline]
pub(super) fn at_blocks(lacks: usize, data: &[u8]) -> (&[u8], &[Block], &[u8]) {
    let (head, rest) = data.split_at(lacks.min(data.len()));
    let (blocks, tail) = Block::slice_as_chunks(rest);
    (head, blocks, tail)
}

/// As [`at_blocks`].
#[inline]
pub(super) fn at_blocks_mut(lacks: usize, data: &mut [u8]) -> (&mut [u8], &mut [Block], &mut [u8]) {
    let (head, rest) = data.split_at_mut(lacks.min(data.len()));
    let (blocks, tail) = Block::slice_as_chunks_mut(rest);
    (head, blocks, tail)
}

impl Drop for Sm4 {
    #[inline]
    fn drop(&mut self) {
        self.keys = [0; ROUNDS];
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for Sm4 {}

impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4 { ... }")
    }
}
