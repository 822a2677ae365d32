//! Output feedback (GB/T 17964-2021, clause 8; NIST SP 800-38A, 6.4), with whole blocks fed back.

#![forbid(unsafe_code)]

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::backend::Chaining;
use super::block::{add_bytes, at_blocks_mut};
use super::{BLOCK_LEN, KEY_LEN, Sm4};

/// SM4 in OFB mode: a key stream that is XORed with data of any length, in pieces of any lengths.
///
/// Encryption and decryption are the same. **Never use an initialization vector (IV) of 16 bytes
/// twice with a key**: the ciphertexts would reveal the XOR of the plaintexts. OFB does not detect
/// altered data, and each block of its key stream is the encryption of the one before it, so that
/// it is slower than [`Sm4Ctr`](super::Sm4Ctr): use it for protocols that require it, and otherwise
/// [`Sm4Gcm`](super::Sm4Gcm). Constant time except for lengths.
///
/// ```
/// use kuaimi::sm4::Sm4Ofb;
///
/// let (key, iv) = ([7; 16], [9; 16]);
/// let mut data = *b"a message in two pieces";
/// let mut stream = Sm4Ofb::new(&key, &iv);
/// stream.apply(&mut data[..5]);
/// stream.apply(&mut data[5..]);
///
/// Sm4Ofb::new(&key, &iv).apply(&mut data);
/// assert_eq!(&data, b"a message in two pieces");
/// ```
#[derive(Clone)]
pub struct Sm4Ofb {
    cipher: Sm4,
    /// The last block of the key stream; at the start, the IV.
    stream: [u8; BLOCK_LEN],
    /// How many bytes of it were used.
    used: usize,
}

impl Sm4Ofb {
    /// The key stream of a key and an IV, 16 bytes each.
    pub fn new(key: &[u8; KEY_LEN], iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(Sm4::new(key), iv)
    }

    /// The key stream of a cipher that has its key already, and an IV.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Ofb};
    ///
    /// let (mut one, mut two) = ([0; 20], [0; 20]);
    /// Sm4Ofb::with_cipher(Sm4::new(&[7; 16]), &[9; 16]).apply(&mut one);
    /// Sm4Ofb::new(&[7; 16], &[9; 16]).apply(&mut two);
    /// assert_eq!(one, two);
    /// ```
    pub const fn with_cipher(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self {
            cipher,
            stream: *iv,
            used: BLOCK_LEN,
        }
    }

    /// Where it stands: the block with which, as the IV, the rest would go on after a whole block,
    /// and how many bytes of the last block were used, 0 to 15. For interfaces that show this, such
    /// as OpenSSL's; the block may be key stream.
    ///
    /// ```
    /// use kuaimi::sm4::Sm4Ofb;
    ///
    /// let mut stream = Sm4Ofb::new(&[7; 16], &[9; 16]);
    /// assert_eq!(stream.position(), ([9; 16], 0));
    /// stream.apply(&mut [0; 5]);
    /// assert_eq!(stream.position().1, 5);
    /// ```
    pub fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        (self.stream, self.used % BLOCK_LEN)
    }

    /// XORs the next bytes of the key stream into the data.
    pub fn apply(&mut self, data: &mut [u8]) {
        let (head, blocks, tail) = at_blocks_mut(BLOCK_LEN - self.used, data);
        add_bytes(head, &self.stream[self.used..]);
        self.used += head.len();
        self.cipher.chain(Chaining::Ofb, &mut self.stream, blocks);
        if !tail.is_empty() {
            self.cipher.encrypt(&mut self.stream);
            add_bytes(tail, &self.stream);
            self.used = tail.len();
        }
    }
}

impl Drop for Sm4Ofb {
    fn drop(&mut self) {
        self.stream.zeroize();
    }
}

impl ZeroizeOnDrop for Sm4Ofb {}

impl fmt::Debug for Sm4Ofb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Ofb { ... }")
    }
}
