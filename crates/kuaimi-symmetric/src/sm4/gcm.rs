//! Galois/counter mode (GB/T 17964-2021; NIST SP 800-38D; with SM4 in RFC 8998).

#![forbid(unsafe_code)]

mod kept;
#[cfg(clmul)]
mod lanes;
mod many;
mod stream;

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use cipher::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

use super::backend::{Ghash, GhashKey, Implementation};
use super::block::{add_bytes, key_of};
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4, sealed};
use kuaimi_platform::declassify;

pub use self::kept::{Message, open_each_with, seal_each_with};
#[cfg(test)]
pub(super) use self::many::{Act, run};
pub use self::many::{Job, open_each, seal_each};
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
        Self::with_implementation(Implementation::selected(), key)
    }

    #[inline]
    fn with_implementation(implementation: Implementation, key: &[u8; KEY_LEN]) -> Self {
        let (cipher, h) = Sm4::with_zero(implementation, key);
        Self::with_hash_key(cipher, h)
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
        Ok(Self::new(key_of(key)?))
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
        Self::with_hash_key(cipher, h)
    }

    #[inline]
    fn with_hash_key(cipher: Sm4, mut h: [u8; BLOCK_LEN]) -> Self {
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

    fn first_counter(&self, nonce: &[u8]) -> Result<Counter, Error> {
        first_counter(nonce, || &self.ghash)
    }

    pub(super) fn seal_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; Self::TAG_LEN], Error> {
        match data.len() {
            length if is_short(length) => {
                self.seal_with::<{ BLOCK_LEN + SHORT }>(nonce, associated_data, data)
            }
            _ => self.seal_with::<{ BLOCK_LEN + LONGEST }>(nonce, associated_data, data),
        }
    }

    /// Encrypts, with room for the beginning of the key stream.
    fn seal_with<const ROOM: usize>(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; Self::TAG_LEN], Error> {
        let length = data.len();
        check_lengths(associated_data, length)?;
        let (mut head, mut data) = data.split_at(first_bytes(length));
        let mut room = Stream([0; ROOM]);
        let mut counter = Counter::default();
        let (mask, stream) = room.begin(self, nonce, &mut counter, head.len())?;
        let mut hash = self.ghash.start();
        hash.update_padded(associated_data);

        add_bytes(head.reborrow().into_out_with_copied_in(), stream);
        let mut last = head;
        while !data.is_empty() {
            hash.update_padded(last.get_out());
            let next = data.len().min(CHUNK);
            let (mut piece, rest) = data.split_at(next);
            add_stream(&self.cipher, &mut counter, piece.reborrow());
            (last, data) = (piece, rest);
        }
        let lengths = lengths(associated_data.len() as u64, length as u64);
        Ok(tag(&mut hash, mask, last.get_out(), lengths))
    }

    pub(super) fn open_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8; Self::TAG_LEN],
    ) -> Result<(), Error> {
        match data.len() {
            length if is_short(length) => {
                self.open_with::<{ BLOCK_LEN + SHORT }>(nonce, associated_data, data, tag)
            }
            _ => self.open_with::<{ BLOCK_LEN + LONGEST }>(nonce, associated_data, data, tag),
        }
    }

    /// Decrypts, with room for the beginning of the key stream.
    fn open_with<const ROOM: usize>(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        given: &[u8; Self::TAG_LEN],
    ) -> Result<(), Error> {
        let length = data.len();
        // `seal` makes no such message.
        check_lengths(associated_data, length).map_err(|_| Error::DecryptionFailed)?;
        let (mut head, rest) = data.split_at(first_bytes(length));
        let mut room = Stream([0; ROOM]);
        let mut counter = Counter::default();
        let (mask, stream) = match room.begin(self, nonce, &mut counter, head.len()) {
            Err(Error::TooLong) => return Err(Error::DecryptionFailed),
            begun => begun?,
        };
        let mut hash = self.ghash.start();
        hash.update_padded(associated_data);
        let mut last = head.get_in();
        if !rest.is_empty() {
            hash.update_padded(last);
            last = rest.get_in();
        }
        let lengths = lengths(associated_data.len() as u64, length as u64);
        let mut expected = tag(&mut hash, mask, last, lengths);
        confirm(&mut expected, given)?;
        add_bytes(head.reborrow().into_out_with_copied_in(), stream);
        if !rest.is_empty() {
            self.cipher.ctr32(&counter, rest);
        }
        Ok(())
    }
}

/// A message's first bytes: as many as share the cipher's pass with the block that masks the hash,
/// as a block alone takes nearly as long as 64.
const LONG: usize = 1024 - BLOCK_LEN;
/// The bytes of a message that is encrypted in one piece, as the last blocks of a little more than
/// 64 share the pass, too.
const LONGEST: usize = LONG + 4 * BLOCK_LEN;
/// The same for short messages, which need less room.
const SHORT: usize = 256 - BLOCK_LEN;

/// How many bytes of a message share the pass with the mask.
const fn first_bytes(length: usize) -> usize {
    match length {
        _ if cfg!(target_arch = "wasm32") && length > SHORT => SHORT,
        _ if length > LONGEST => LONG,
        _ => length,
    }
}

/// In WebAssembly all are, as the module is smaller so.
const fn is_short(length: usize) -> bool {
    length <= SHORT || cfg!(target_arch = "wasm32")
}

/// The counter of the next block.
type Counter = [u8; BLOCK_LEN];

/// The counter that masks the hash; the message's begin with the next. The key of the hash is for
/// nonces of other lengths than the usual one.
#[inline]
fn first_counter<K: Borrow<GhashKey>>(
    nonce: &[u8],
    key: impl FnOnce() -> K,
) -> Result<Counter, Error> {
    if nonce.is_empty() {
        return Err(Error::EmptyNonce);
    }
    if nonce.len() as u64 > Sm4Gcm::MAX_ASSOCIATED_DATA_LEN {
        return Err(Error::TooLong);
    }
    if nonce.len() == Sm4Gcm::NONCE_LEN {
        let mut counter = Counter::default();
        counter[..Sm4Gcm::NONCE_LEN].copy_from_slice(nonce);
        counter[BLOCK_LEN - 1] = 1;
        return Ok(counter);
    }
    let key = key();
    let mut hash = key.borrow().start();
    hash.update_padded(nonce);
    hash.update(&[lengths(0, nonce.len() as u64)]);
    Ok(hash.finish())
}

/// The beginning of a key stream, which starts as zeros and is wiped when dropped.
struct Stream<const N: usize>([u8; N]);

impl<const N: usize> Stream<N> {
    /// The mask, and the key stream of so many bytes. `counter` is the one after it.
    #[inline]
    fn begin(
        &mut self,
        gcm: &Sm4Gcm,
        nonce: &[u8],
        counter: &mut Counter,
        length: usize,
    ) -> Result<(&[u8], &[u8]), Error> {
        let stream = &mut self.0[..BLOCK_LEN + length];
        *counter = gcm.first_counter(nonce)?;
        add_stream(&gcm.cipher, counter, (&mut *stream).into());
        Ok(stream.split_at(BLOCK_LEN))
    }
}

impl<const N: usize> Drop for Stream<N> {
    fn drop(&mut self) {
        self.0 = [0; N];
        optimization_barrier(self);
    }
}

fn check_lengths(associated_data: &[u8], length: usize) -> Result<(), Error> {
    let too_long = length as u64 > Sm4Gcm::MAX_LEN
        || associated_data.len() as u64 > Sm4Gcm::MAX_ASSOCIATED_DATA_LEN;
    if too_long {
        Err(Error::TooLong)
    } else {
        Ok(())
    }
}

/// XORs the key stream into the next piece. All pieces but the last are whole blocks.
fn add_stream(cipher: &Sm4, counter: &mut Counter, piece: InOutBuf<'_, '_, u8>) {
    let blocks = piece.len().div_ceil(BLOCK_LEN);
    cipher.ctr32(counter, piece);
    add_to_counter(counter, blocks);
}

/// The tag: the hash, after what was not hashed yet of the ciphertext and after the lengths, plus
/// the mask.
fn tag(
    hash: &mut Ghash<'_>,
    mask: &[u8],
    ciphertext: &[u8],
    lengths: Block,
) -> [u8; Sm4Gcm::TAG_LEN] {
    let (blocks, rest) = Block::slice_as_chunks(ciphertext);
    if rest.is_empty() {
        hash.update_with_ending(blocks, &[lengths]);
    } else {
        let mut last = Block::default();
        last[..rest.len()].copy_from_slice(rest);
        hash.update_with_ending(blocks, &[last, lengths]);
    }
    let mut tag = hash.finish();
    add_bytes(&mut tag, mask);
    tag
}

/// Whether a tag is the expected one, which is wiped.
#[inline]
fn confirm(
    expected: &mut [u8; Sm4Gcm::TAG_LEN],
    given: &[u8; Sm4Gcm::TAG_LEN],
) -> Result<(), Error> {
    // The result reveals it.
    let right = declassify(expected.ct_eq(given));
    // An attacker could use it as the tag of a forged message.
    expected.zeroize();
    if right {
        Ok(())
    } else {
        Err(Error::DecryptionFailed)
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
