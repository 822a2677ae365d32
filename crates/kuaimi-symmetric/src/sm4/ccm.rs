//! Counter mode with CBC-MAC (NIST SP 800-38C; with SM4 in RFC 8998).
//!
//! The message authentication code is the last block of a CBC encryption, with an IV of zeros, of
//! three things: a block that has the nonce and the length of the message, the associated data, and
//! the message. The message and the code are encrypted in counter mode.

#![forbid(unsafe_code)]

use alloc::vec::Vec;
use core::fmt;

use cipher::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing, optimization_barrier};

use super::block::{add, add_bytes, at_blocks};
use super::{BLOCK_LEN, Block, Error, KEY_LEN, Sm4, Sm4Ctr, sealed};
use kuaimi_platform::declassify;

/// SM4 in CCM: authenticated encryption of a message whose length is known, with associated data
/// that is authenticated but not encrypted.
///
/// **Never use a nonce twice with a key**: two messages with one nonce reveal the XOR of their
/// plaintexts. A nonce has 7 to 13 bytes, 12 in TLS 1.3 (RFC 8998). A longer nonce leaves less room
/// for the length of the message: up to 65,535 bytes with a nonce of 13 bytes, below 16 MiB with
/// 12, and below 4 GiB with 11. A tag has 16 bytes; [`seal_in_place`](Self::seal_in_place) and
/// [`open_in_place`](Self::open_in_place) also take 4, 6, 8, 10, 12 and 14.
///
/// CCM encrypts one block after the other for the tag, and takes ten times as long as
/// [`Sm4Gcm`](super::Sm4Gcm) or longer for messages of a kilobyte and more: use it for protocols
/// that require it. Decryption compares the tag, in constant time, before it writes any plaintext;
/// what it needs for the tag it keeps to itself, and wipes. Constant time in key, nonce and data
/// except for lengths and for whether decryption succeeded.
///
/// The traits `KeyInit`, `Aead` and `AeadInOut` of the `aead` crate, with nonces of 12 bytes, are
/// implemented, too.
///
/// ```
/// use kuaimi::sm4::{Error, Sm4Ccm};
///
/// let cipher = Sm4Ccm::new(&[7; 16]);
/// let nonce = [0; 12]; // a counter, for example
/// let mut sealed = cipher.seal(&nonce, b"a header", b"a message")?;
/// assert_eq!(sealed.len(), b"a message".len() + Sm4Ccm::TAG_LEN);
/// assert_eq!(cipher.open(&nonce, b"a header", &sealed)?, b"a message");
///
/// sealed[3] ^= 1;
/// assert_eq!(cipher.open(&nonce, b"a header", &sealed), Err(Error::DecryptionFailed));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Ccm(Sm4);

/// Bytes decrypted at a time, to find the tag.
const CHUNK: usize = 64 * BLOCK_LEN;

impl Sm4Ccm {
    /// The length of a tag in bytes, unless another is asked for.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm4::Sm4Ccm::TAG_LEN, 16);
    /// ```
    pub const TAG_LEN: usize = sealed::TAG_LEN;

    /// CCM with a key of 16 bytes. Constant time.
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::with_cipher(Sm4::new(key))
    }

    /// CCM with a key in a slice.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Ccm};
    ///
    /// assert!(Sm4Ccm::from_slice(&[7; 16]).is_ok());
    /// assert_eq!(Sm4Ccm::from_slice(&[7; 15]).err(), Some(Error::KeyLength { found: 15, needed: 16 }));
    /// ```
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has 16 bytes.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::with_cipher(Sm4::from_slice(key)?))
    }

    /// CCM with a cipher that has its key already.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Ccm};
    ///
    /// let one = Sm4Ccm::with_cipher(Sm4::new(&[7; 16])).seal(&[0; 12], b"", b"a message")?;
    /// assert_eq!(one, Sm4Ccm::new(&[7; 16]).seal(&[0; 12], b"", b"a message")?);
    /// # Ok::<(), kuaimi::sm4::Error>(())
    /// ```
    pub const fn with_cipher(cipher: Sm4) -> Self {
        Self(cipher)
    }

    /// Encrypts a message. The result is the ciphertext, as long as the message, followed by the
    /// tag of 16 bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::TooLong`].
    pub fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        message: &[u8],
    ) -> Result<Vec<u8>, Error> {
        sealed::seal(message, |data| {
            self.seal_inout(nonce, associated_data, data.into())
        })
    }

    /// Decrypts a result of [`seal`](Self::seal).
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`] if anything was altered, or if there are fewer than the 16 bytes
    /// of a tag; [`Error::NonceLength`].
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

    /// Encrypts the data in place, and writes a tag of 4, 6, 8, 10, 12, 14 or 16 bytes.
    ///
    /// Use 16 bytes unless a protocol says otherwise: each forgery succeeds with probability 2⁻³²
    /// for a tag of 4 bytes.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Ccm};
    ///
    /// let (cipher, nonce) = (Sm4Ccm::new(&[7; 16]), [0; 13]);
    /// let (mut data, mut tag) = (*b"a message", [0; 8]);
    /// cipher.seal_in_place(&nonce, b"a header", &mut data, &mut tag)?;
    /// cipher.open_in_place(&nonce, b"a header", &mut data, &tag)?;
    /// assert_eq!(data, *b"a message");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TagLength`], [`Error::NonceLength`], [`Error::TooLong`]; then nothing is encrypted.
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.seal_tag(nonce, associated_data, data.into(), tag)
    }

    /// Decrypts the data in place, if the tag of 4, 6, 8, 10, 12, 14 or 16 bytes is right.
    ///
    /// The protocol must fix the length of tags, not the sender: an attacker who can choose 4 bytes
    /// needs fewer attempts until a forgery succeeds.
    ///
    /// ```
    /// use kuaimi::sm4::{Error, Sm4Ccm};
    ///
    /// let (cipher, nonce) = (Sm4Ccm::new(&[7; 16]), [0; 12]);
    /// let (mut data, mut tag) = (*b"a message", [0; 16]);
    /// cipher.seal_in_place(&nonce, b"a header", &mut data, &mut tag)?;
    /// let short = cipher.open_in_place(&nonce, b"a header", &mut data, &tag[..8]);
    /// assert_eq!(short, Err(Error::DecryptionFailed)); // its length is authenticated
    /// cipher.open_in_place(&nonce, b"a header", &mut data, &tag)?;
    /// assert_eq!(data, *b"a message");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`] if anything was altered: then the data is still the ciphertext.
    /// [`Error::TagLength`], [`Error::NonceLength`].
    pub fn open_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open_inout(nonce, associated_data, data.into(), tag)
    }

    pub(super) fn seal_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; Self::TAG_LEN], Error> {
        let mut tag = [0; Self::TAG_LEN];
        self.seal_tag(nonce, associated_data, data, &mut tag)?;
        Ok(tag)
    }

    fn seal_tag(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let (mut mac, mut stream) =
            self.start(nonce, associated_data, data.len() as u64, tag.len())?;
        let mask = mask(&mut stream);
        mac.update(data.get_in());
        tag.copy_from_slice(&mac.finish(&mask)[..tag.len()]);
        stream.apply_inout(data);
        Ok(())
    }

    pub(super) fn open_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let length = data.len() as u64;
        let (mut mac, mut stream) = match self.start(nonce, associated_data, length, tag.len()) {
            // `seal` makes no such message.
            Err(Error::TooLong) => return Err(Error::DecryptionFailed),
            started => started?,
        };
        let mask = mask(&mut stream);
        // The plaintext is computed twice, which costs little beside the tag: once for the tag, in
        // memory of its own, and once for the caller, when the tag is known to be right.
        let mut plaintext = [0; CHUNK];
        let mut first_time = stream.clone();
        for ciphertext in data.get_in().chunks(CHUNK) {
            let plaintext = &mut plaintext[..ciphertext.len()];
            plaintext.copy_from_slice(ciphertext);
            first_time.apply(plaintext);
            mac.update(plaintext);
        }
        plaintext = [0; CHUNK];
        optimization_barrier(&plaintext);
        // An attacker could use it as the tag of a forged message.
        let expected = mac.finish(&mask);
        // The return value reveals it.
        if !declassify(expected[..tag.len()].ct_eq(tag)) {
            return Err(Error::DecryptionFailed);
        }
        stream.apply_inout(data);
        Ok(())
    }

    /// The authentication code of the nonce, the lengths and the associated data, and the key
    /// stream, whose first block masks the code.
    fn start(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        length: u64,
        tag_length: usize,
    ) -> Result<(Mac<'_>, Sm4Ctr), Error> {
        if !matches!(tag_length, 4 | 6 | 8 | 10 | 12 | 14 | 16) {
            return Err(Error::TagLength(tag_length));
        }
        if !matches!(nonce.len(), 7..=13) {
            return Err(Error::NonceLength(nonce.len()));
        }
        // The bytes that count blocks, and that have the length: 2 to 8.
        let count = BLOCK_LEN - 1 - nonce.len();
        if count < 8 && length >> (8 * count) != 0 {
            return Err(Error::TooLong);
        }
        // SP 800-38C, A.3: the counters' first byte has `count − 1`, and zero is the first counter.
        let mut counter = [0; BLOCK_LEN];
        counter[0] = count as u8 - 1;
        counter[1..][..nonce.len()].copy_from_slice(nonce);
        // A.2.1: the first block has more flags, and the length in the counter's place.
        let mut first = u128::from_be_bytes(counter) | u128::from(length);
        let flags = 0x40 * u8::from(!associated_data.is_empty()) + 8 * ((tag_length as u8 - 2) / 2);
        first |= u128::from(flags) << 120;
        let mut mac = Mac {
            cipher: &self.0,
            sum: Block::default(),
            used: 0,
        };
        mac.update(&first.to_be_bytes());
        if !associated_data.is_empty() {
            // A.2.2: the length has 2, 6 or 10 bytes.
            let length = associated_data.len() as u64;
            match (u16::try_from(length), u32::try_from(length)) {
                (Ok(length @ ..0xff00), _) => mac.update(&length.to_be_bytes()),
                (_, Ok(length)) => {
                    mac.update(&[0xff, 0xfe]);
                    mac.update(&length.to_be_bytes());
                }
                _ => {
                    mac.update(&[0xff, 0xff]);
                    mac.update(&length.to_be_bytes());
                }
            }
            mac.update(associated_data);
            mac.pad();
        }
        Ok((mac, Sm4Ctr::with_cipher(self.0.clone(), &counter)))
    }
}

/// The first block of the key stream, which masks the authentication code.
fn mask(stream: &mut Sm4Ctr) -> Zeroizing<[u8; BLOCK_LEN]> {
    let mut mask = Zeroizing::new([0; BLOCK_LEN]);
    stream.apply(&mut *mask);
    mask
}

/// CBC-MAC: the last block of a CBC encryption.
struct Mac<'a> {
    cipher: &'a Sm4,
    sum: Block,
    /// How many bytes were added since `sum` was encrypted.
    used: usize,
}

impl Mac<'_> {
    /// Absorbs data.
    fn update(&mut self, data: &[u8]) {
        let (head, blocks, tail) = at_blocks((BLOCK_LEN - self.used) % BLOCK_LEN, data);
        self.add_part(head);
        if !blocks.is_empty() {
            self.cipher.mac(self.sum.as_mut(), blocks);
        }
        self.add_part(tail);
    }

    /// Absorbs bytes of one block.
    fn add_part(&mut self, part: &[u8]) {
        add_bytes(&mut self.sum[self.used..], part);
        self.used += part.len();
        if self.used == BLOCK_LEN {
            self.pad();
        }
    }

    /// Absorbs zeros up to the end of a block.
    fn pad(&mut self) {
        if self.used > 0 {
            self.cipher.encrypt(self.sum.as_mut());
            self.used = 0;
        }
    }

    /// The tag.
    fn finish(mut self, mask: &[u8; BLOCK_LEN]) -> Zeroizing<[u8; BLOCK_LEN]> {
        self.pad();
        add(&mut self.sum, mask);
        Zeroizing::new(self.sum.into())
    }
}

impl Drop for Mac<'_> {
    fn drop(&mut self) {
        self.sum.zeroize();
    }
}

impl ZeroizeOnDrop for Sm4Ccm {}

impl fmt::Debug for Sm4Ccm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Ccm { ... }")
    }
}
