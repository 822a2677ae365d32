//! A message of GCM in pieces.

#![forbid(unsafe_code)]

use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::super::backend::Ghash;
use super::super::block::{add_bytes, at_blocks, at_blocks_mut};
use super::super::{BLOCK_LEN, Block, Error, Sm4};
use super::{CHUNK, Counter, Sm4Gcm, Stream, add_stream, lengths, tag};
use kuaimi_platform::declassify;

/// One message of [`Sm4Gcm`] that comes in pieces of any lengths: the associated data first, then
/// the message, then the tag.
///
/// This is for protocols and interfaces that need it. **Decryption hands out plaintext before the
/// tag is compared**: until [`verify`](Self::verify) has succeeded, an attacker may have made every
/// byte of it. Keep it where nobody sees it, do nothing that depends on it, and wipe it if the tag
/// is wrong. [`Sm4Gcm::open`] has no such rule; use it if the message fits in memory.
///
/// The message, the tag and the errors are those of [`Sm4Gcm`]: so is the rule for nonces. Constant
/// time except for lengths and for whether the tag was right.
///
/// ```
/// use kuaimi::sm4::{Error, Sm4Gcm, Sm4GcmStream};
///
/// let (cipher, nonce) = (Sm4Gcm::new(&[7; 16]), [0; 12]);
/// let mut data = *b"a message in two pieces";
/// let mut stream = Sm4GcmStream::new(&cipher, &nonce)?;
/// stream.associated_data(b"a header")?;
/// stream.encrypt(&mut data[..5])?;
/// stream.encrypt(&mut data[5..])?;
/// let tag = stream.tag();
///
/// let mut stream = Sm4GcmStream::new(&cipher, &nonce)?;
/// stream.associated_data(b"a header")?;
/// stream.decrypt_unverified(&mut data)?;
/// stream.verify(&tag)?; // before this, the data may be an attacker's
/// assert_eq!(&data, b"a message in two pieces");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4GcmStream {
    cipher: Sm4,
    /// Of the associated data and the ciphertext so far.
    hash: Ghash<'static>,
    counter: Counter,
    /// What masks the hash.
    mask: Zeroizing<[u8; BLOCK_LEN]>,
    /// Lengths so far.
    associated_data: u64,
    length: u64,
    /// Bytes that are not hashed yet, as they are not a whole block: `waiting` of them.
    part: Block,
    waiting: usize,
    /// A block of the key stream, of which some bytes were used.
    stream: Zeroizing<[u8; BLOCK_LEN]>,
    used: usize,
}

impl Sm4GcmStream {
    /// A message under this key and a nonce, usually of 12 bytes.
    ///
    /// # Errors
    /// [`Error::EmptyNonce`], [`Error::TooLong`].
    pub fn new(cipher: &Sm4Gcm, nonce: &[u8]) -> Result<Self, Error> {
        let mut first = Stream([0; BLOCK_LEN]);
        let mut counter = Counter::default();
        let (first, _) = first.begin(cipher, nonce, &mut counter, 0)?;
        let mut mask = Zeroizing::new([0; BLOCK_LEN]);
        mask.copy_from_slice(first);
        let Sm4Gcm { cipher, ghash } = cipher.clone();
        Ok(Self {
            cipher,
            hash: ghash.into_start(),
            counter,
            mask,
            associated_data: 0,
            length: 0,
            part: Block::default(),
            waiting: 0,
            stream: Zeroizing::new([0; BLOCK_LEN]),
            used: BLOCK_LEN,
        })
    }

    /// The next piece of the associated data.
    ///
    /// # Errors
    /// [`Error::AssociatedDataLate`] after the first byte of the message; [`Error::TooLong`].
    pub fn associated_data(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.length > 0 {
            return Err(Error::AssociatedDataLate);
        }
        let length = self.associated_data.saturating_add(data.len() as u64);
        if length > Sm4Gcm::MAX_ASSOCIATED_DATA_LEN {
            return Err(Error::TooLong);
        }
        self.associated_data = length;
        self.hash(data);
        Ok(())
    }

    /// Encrypts the next piece of the message in place.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the message would have more than [`Sm4Gcm::MAX_LEN`] bytes; then
    /// nothing is encrypted.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.begin(data.len())?;
        for piece in data.chunks_mut(CHUNK) {
            self.add_stream(piece);
            self.hash(piece);
        }
        Ok(())
    }

    /// Decrypts the next piece of the message in place. **It may be an attacker's until
    /// [`verify`](Self::verify) has succeeded.**
    ///
    /// # Errors
    /// [`Error::TooLong`] if the message would have more than [`Sm4Gcm::MAX_LEN`] bytes; then
    /// nothing is decrypted.
    pub fn decrypt_unverified(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.begin(data.len())?;
        for piece in data.chunks_mut(CHUNK) {
            self.hash(piece);
            self.add_stream(piece);
        }
        Ok(())
    }

    /// The tag of the message that was encrypted.
    pub fn tag(mut self) -> [u8; Sm4Gcm::TAG_LEN] {
        self.pad();
        let lengths = lengths(self.associated_data, self.length);
        tag(&mut self.hash, &*self.mask, &[], lengths)
    }

    /// Compares the tag of the message that was decrypted, in constant time.
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`] if anything was altered: then all that was decrypted must be
    /// thrown away. [`Error::TagLength`] unless the tag has 16 bytes.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let tag: &[u8; Sm4Gcm::TAG_LEN] =
            tag.try_into().map_err(|_| Error::TagLength(tag.len()))?;
        let mut expected = self.tag();
        // The return value reveals it.
        let right = declassify(expected.ct_eq(tag));
        // An attacker could use it as the tag of a forged message.
        expected.zeroize();
        if right {
            Ok(())
        } else {
            Err(Error::DecryptionFailed)
        }
    }

    /// Counts the next bytes of the message. Before the first of them, the associated data ends.
    fn begin(&mut self, count: usize) -> Result<(), Error> {
        let length = self.length.saturating_add(count as u64);
        if length > Sm4Gcm::MAX_LEN {
            return Err(Error::TooLong);
        }
        if self.length == 0 && count > 0 {
            self.pad();
        }
        self.length = length;
        Ok(())
    }

    /// Hashes the next bytes of the associated data or of the ciphertext.
    fn hash(&mut self, data: &[u8]) {
        let lacks = (BLOCK_LEN - self.waiting) % BLOCK_LEN;
        let (head, blocks, tail) = at_blocks(lacks, data);
        self.wait(head);
        if self.waiting == BLOCK_LEN {
            self.pad();
        }
        self.hash.update(blocks);
        self.wait(tail);
    }

    /// Keeps the next bytes of a block.
    fn wait(&mut self, bytes: &[u8]) {
        self.part[self.waiting..][..bytes.len()].copy_from_slice(bytes);
        self.waiting += bytes.len();
    }

    /// Hashes the bytes that wait, and zeros up to the end of the block.
    fn pad(&mut self) {
        self.hash.update_padded(&self.part[..self.waiting]);
        self.waiting = 0;
    }

    /// XORs the next bytes of the key stream into the data.
    fn add_stream(&mut self, data: &mut [u8]) {
        let (head, blocks, tail) = at_blocks_mut(BLOCK_LEN - self.used, data);
        add_bytes(head, &self.stream[self.used..]);
        self.used += head.len();
        let whole = Block::cast_slice_to_core_mut(blocks).as_flattened_mut();
        add_stream(&self.cipher, &mut self.counter, whole.into());
        if !tail.is_empty() {
            self.stream.fill(0);
            let stream = self.stream.as_mut_slice().into();
            add_stream(&self.cipher, &mut self.counter, stream);
            add_bytes(tail, &*self.stream);
            self.used = tail.len();
        }
    }
}

impl ZeroizeOnDrop for Sm4GcmStream {}

impl fmt::Debug for Sm4GcmStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4GcmStream { ... }")
    }
}
