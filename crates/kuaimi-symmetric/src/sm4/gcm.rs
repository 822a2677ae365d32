//! Galois/counter mode (GB/T 17964-2021; NIST SP 800-38D; with SM4 in RFC 8998).

#![forbid(unsafe_code)]

mod stream;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use cipher::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::backend::{Ghash, GhashKey};
use super::block::add_bytes;
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4, sealed};
use kuaimi_platform::declassify;

pub use self::stream::Sm4GcmStream;

/// SM4 in GCM: authenticated encryption of a message, with associated data that is authenticated
/// but not encrypted.
///
/// **Never use a nonce twice with a key**: two messages with one nonce reveal the XOR of their
/// plaintexts, and the key of the authentication. A nonce usually has twelve bytes. The best nonce
/// is a counter; random nonces are safe for up to 2³² messages with a key. Nonces of other lengths,
/// from one byte on, are accepted.
///
/// The tag always has 16 bytes. Decryption compares it, in constant time, before it decrypts
/// anything: if it fails, no plaintext was computed. Constant time in key, nonce and data except
/// for lengths and for whether decryption succeeded. For messages that come in pieces, there is
/// [`Sm4GcmStream`].
///
/// The traits `KeyInit`, `Aead` and `AeadInOut` of the `aead` crate, with nonces of 12 bytes, are
/// implemented, too.
///
/// ```
/// use kuaimi::sm4::{Error, Sm4Gcm};
///
/// let cipher = Sm4Gcm::new(&[7; 16]);
/// let nonce = [0; 12]; // a counter, for example
/// let mut sealed = cipher.seal(&nonce, b"a header", b"a message")?;
/// assert_eq!(sealed.len(), b"a message".len() + Sm4Gcm::TAG_LEN);
/// assert_eq!(cipher.open(&nonce, b"a header", &sealed)?, b"a message");
///
/// sealed[3] ^= 1;
/// assert_eq!(cipher.open(&nonce, b"a header", &sealed), Err(Error::DecryptionFailed));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Gcm {
    cipher: Sm4,
    ghash: GhashKey,
}

/// Bytes encrypted before they are hashed: few enough that they are still in the first-level cache.
const CHUNK: usize = 8 << 10;

impl Sm4Gcm {
    /// The length of a tag in bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm4::Sm4Gcm::TAG_LEN, 16);
    /// ```
    pub const TAG_LEN: usize = sealed::TAG_LEN;
    /// The recommended length of a nonce in bytes.
    ///
    /// ```
    /// use kuaimi::sm4::Sm4Gcm;
    ///
    /// let nonce = [0; Sm4Gcm::NONCE_LEN];
    /// let sealed = Sm4Gcm::new(&[7; 16]).seal(&nonce, b"", b"a message")?;
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    pub const NONCE_LEN: usize = 12;
    /// The maximum length of a message in bytes: 2³² − 2 blocks.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm4::Sm4Gcm::MAX_LEN, 16 * ((1 << 32) - 2));
    /// ```
    pub const MAX_LEN: u64 = (1 << 36) - 32;
    /// The maximum length of associated data, and of a nonce, in bytes.
    const MAX_ASSOCIATED_DATA_LEN: u64 = (1 << 61) - 1;

    /// GCM with a key of 16 bytes. Constant time.
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::with_cipher(Sm4::new(key))
    }

    /// GCM with a key in a slice.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Gcm};
    ///
    /// assert!(Sm4Gcm::from_slice(&[7; 16]).is_ok());
    /// assert_eq!(Sm4Gcm::from_slice(&[7; 15]).err(), Some(Error::KeyLength { found: 15, needed: 16 }));
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has 16 bytes.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::with_cipher(Sm4::from_slice(key)?))
    }

    /// GCM with a cipher that has its key already.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Gcm};
    ///
    /// let one = Sm4Gcm::with_cipher(Sm4::new(&[7; 16])).seal(&[0; 12], b"", b"a message")?;
    /// assert_eq!(one, Sm4Gcm::new(&[7; 16]).seal(&[0; 12], b"", b"a message")?);
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    pub fn with_cipher(cipher: Sm4) -> Self {
        let mut h = [0; BLOCK_LEN];
        cipher.encrypt(&mut h);
        let ghash = GhashKey::new(kuaimi_platform::backend::Ghash::selected(), &h);
        h.zeroize();
        Self { cipher, ghash }
    }

    /// Encrypts a message. The result is the ciphertext, as long as the message, followed by the
    /// tag.
    ///
    /// # Errors
    /// [`Error::EmptyNonce`], [`Error::TooLong`].
    pub fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        message: &[u8],
    ) -> Result<Vec<u8>, Error> {
        sealed::seal(message, |data| {
            self.seal_in_place(nonce, associated_data, data)
        })
    }

    /// Decrypts a result of [`seal`](Self::seal).
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`] if anything was altered, or if there are fewer than the 16 bytes
    /// of a tag; [`Error::EmptyNonce`].
    pub fn open(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        sealed::open(sealed, |data, tag| {
            self.open_in_place(nonce, associated_data, data, tag)
        })
    }

    /// Encrypts the data in place, and returns the tag.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Gcm};
    ///
    /// let (cipher, nonce) = (Sm4Gcm::new(&[7; 16]), [0; 12]);
    /// let mut data = *b"a message";
    /// let tag = cipher.seal_in_place(&nonce, b"a header", &mut data)?;
    /// cipher.open_in_place(&nonce, b"a header", &mut data, &tag)?;
    /// assert_eq!(data, *b"a message");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::EmptyNonce`], [`Error::TooLong`]; then nothing is encrypted.
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; Self::TAG_LEN], Error> {
        self.seal_inout(nonce, associated_data, data.into())
    }

    /// Decrypts the data in place, if the tag is right.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Gcm};
    ///
    /// let (cipher, nonce) = (Sm4Gcm::new(&[7; 16]), [0; 12]);
    /// let mut data = *b"a message";
    /// let tag = cipher.seal_in_place(&nonce, b"a header", &mut data)?;
    /// cipher.open_in_place(&nonce, b"a header", &mut data, &tag)?;
    /// assert_eq!(data, *b"a message");
    /// let short = cipher.open_in_place(&nonce, b"a header", &mut data, &tag[..12]);
    /// assert_eq!(short, Err(Error::TagLength(12)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`] if anything was altered: then the data is still the ciphertext.
    /// [`Error::TagLength`] unless the tag has 16 bytes, as a truncated tag protects little;
    /// [`Error::EmptyNonce`].
    pub fn open_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let tag = tag.try_into().map_err(|_| Error::TagLength(tag.len()))?;
        self.open_inout(nonce, associated_data, data.into(), tag)
    }

    /// The counter of the first block of the message, and the encryption of the one before it,
    /// which masks the hash.
    fn counter_and_mask(
        &self,
        nonce: &[u8],
    ) -> Result<([u8; BLOCK_LEN], Zeroizing<[u8; BLOCK_LEN]>), Error> {
        if nonce.is_empty() {
            return Err(Error::EmptyNonce);
        }
        if nonce.len() as u64 > Self::MAX_ASSOCIATED_DATA_LEN {
            return Err(Error::TooLong);
        }
        let mut counter = [0; BLOCK_LEN];
        if nonce.len() == Self::NONCE_LEN {
            counter[..Self::NONCE_LEN].copy_from_slice(nonce);
            counter[BLOCK_LEN - 1] = 1;
        } else {
            let mut hash = self.ghash.start();
            hash.update_padded(nonce);
            hash.update(&[lengths(0, nonce.len() as u64)]);
            counter = hash.finish();
        }
        let mut mask = Zeroizing::new(counter);
        self.cipher.encrypt(&mut mask);
        add_to_counter(&mut counter, 1);
        Ok((counter, mask))
    }

    pub(super) fn seal_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; Self::TAG_LEN], Error> {
        let mut message = Message::start(self, nonce, associated_data, data.len())?;
        let length = data.len();
        while !data.is_empty() {
            let next = data.len().min(CHUNK);
            let (mut piece, rest) = data.split_at(next);
            message.add_stream(piece.reborrow());
            message.hash.update_padded(piece.get_out());
            data = rest;
        }
        Ok(message.finish(associated_data.len() as u64, length as u64))
    }

    pub(super) fn open_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8; Self::TAG_LEN],
    ) -> Result<(), Error> {
        let length = data.len();
        let mut message = match Message::start(self, nonce, associated_data, length) {
            // `seal` makes no such message.
            Err(Error::TooLong) => return Err(Error::DecryptionFailed),
            started => started?,
        };
        message.hash.update_padded(data.get_in());
        let counter = message.counter;
        let mut expected = message.finish(associated_data.len() as u64, length as u64);
        // The return value reveals it.
        let right = declassify(expected.ct_eq(tag));
        // An attacker could use it as the tag of a forged message.
        expected.zeroize();
        if !right {
            return Err(Error::DecryptionFailed);
        }
        self.cipher.ctr32(&counter, data);
        Ok(())
    }
}

/// The encryption or decryption of a message.
#[derive(Clone)]
struct Message<'a> {
    cipher: Cow<'a, Sm4>,
    /// Of the associated data and the ciphertext so far.
    hash: Ghash<'a>,
    /// The counter of the next block.
    counter: [u8; BLOCK_LEN],
    /// The encryption of the first counter, which masks the hash.
    mask: Zeroizing<[u8; BLOCK_LEN]>,
}

impl<'a> Message<'a> {
    fn start(
        gcm: &'a Sm4Gcm,
        nonce: &[u8],
        associated_data: &[u8],
        length: usize,
    ) -> Result<Self, Error> {
        if length as u64 > Sm4Gcm::MAX_LEN
            || associated_data.len() as u64 > Sm4Gcm::MAX_ASSOCIATED_DATA_LEN
        {
            return Err(Error::TooLong);
        }
        let (counter, mask) = gcm.counter_and_mask(nonce)?;
        let mut hash = gcm.ghash.start();
        hash.update_padded(associated_data);
        Ok(Self {
            cipher: Cow::Borrowed(&gcm.cipher),
            hash,
            counter,
            mask,
        })
    }

    /// XORs the key stream into the next piece. All pieces but the last are whole blocks.
    fn add_stream(&mut self, piece: InOutBuf<'_, '_, u8>) {
        let blocks = piece.len().div_ceil(BLOCK_LEN);
        self.cipher.ctr32(&self.counter, piece);
        add_to_counter(&mut self.counter, blocks);
    }

    /// The tag, from the lengths of the associated data and of the message in bytes.
    fn finish(mut self, associated_data: u64, length: u64) -> [u8; Sm4Gcm::TAG_LEN] {
        self.hash.update(&[lengths(associated_data, length)]);
        let mut tag = self.hash.finish();
        add_bytes(&mut tag, &*self.mask);
        tag
    }
}

/// Adds a number of blocks to the low 32 bits of the counter, modulo 2³².
fn add_to_counter(counter: &mut [u8; BLOCK_LEN], blocks: usize) {
    let low = u32::from_be_bytes([12, 13, 14, 15].map(|i| counter[i]));
    let low = low.wrapping_add(blocks as u32);
    counter[12..].copy_from_slice(&low.to_be_bytes());
}

/// Two lengths in bytes, as 64-bit numbers of bits.
fn lengths(first: u64, second: u64) -> Block {
    let (first, second) = (8 * first as u128, 8 * second as u128);
    (first << 64 | second).to_be_bytes().into()
}

impl ZeroizeOnDrop for Sm4Gcm {}

impl fmt::Debug for Sm4Gcm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Gcm { ... }")
    }
}
