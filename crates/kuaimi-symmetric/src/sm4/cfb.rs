//! Cipher feedback (GB/T 17964-2021, clause 7; NIST SP 800-38A, 6.3), with whole blocks fed back:
//! CFB-128.

#![forbid(unsafe_code)]

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::backend::{Chaining, Direction, Masks};
use super::block::{add_bytes, at_blocks_mut};
use super::{BLOCK_LEN, Block, KEY_LEN, Sm4};

/// SM4 in CFB mode, for data of any length, in pieces of any lengths.
///
/// Each block is XORed with the encryption of the ciphertext block before it; the initialization
/// vector (IV) of 16 bytes is before the first. Whole blocks are fed back (CFB-128), and the last
/// block may be shorter. **Never use an IV twice with a key**: the first blocks of the ciphertexts
/// would reveal the XOR of those of the plaintexts. CFB does not detect altered data: use it for
/// protocols that require it, and otherwise [`Sm4Gcm`](super::Sm4Gcm). Encryption is sequential;
/// decryption takes 64 blocks at a time. Constant time except for lengths.
///
/// ```
/// use kuaimi::sm4::Sm4Cfb;
///
/// let (key, iv) = ([7; 16], [9; 16]);
/// let mut data = *b"a message in two pieces";
/// let mut encryption = Sm4Cfb::new(&key, &iv);
/// encryption.encrypt(&mut data[..5]);
/// encryption.encrypt(&mut data[5..]);
///
/// Sm4Cfb::new(&key, &iv).decrypt(&mut data);
/// assert_eq!(&data, b"a message in two pieces");
/// ```
#[derive(Clone)]
pub struct Sm4Cfb {
    cipher: Sm4,
    /// The last block: `used` bytes of ciphertext, and after them the key stream for the others. At
    /// the start, the IV.
    chain: [u8; BLOCK_LEN],
    used: usize,
}

/// Blocks decrypted at a time.
const CHUNK: usize = 64;

impl Sm4Cfb {
    /// CFB with a key and an IV, 16 bytes each.
    pub fn new(key: &[u8; KEY_LEN], iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(Sm4::new(key), iv)
    }

    /// CFB with a cipher that has its key already, and an IV.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Cfb};
    ///
    /// let mut data = *b"a message";
    /// Sm4Cfb::new(&[7; 16], &[9; 16]).encrypt(&mut data);
    /// Sm4Cfb::with_cipher(Sm4::new(&[7; 16]), &[9; 16]).decrypt(&mut data);
    /// assert_eq!(&data, b"a message");
    /// ```
    pub const fn with_cipher(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self {
            cipher,
            chain: *iv,
            used: BLOCK_LEN,
        }
    }

    /// Where it stands: the block with which, as the IV, the rest would go on after a whole block,
    /// and how many bytes of the last block were used, 0 to 15. For interfaces that show this, such
    /// as OpenSSL's; the block may be key stream in part.
    ///
    /// ```
    /// use kuaimi::sm4::Sm4Cfb;
    ///
    /// let mut stream = Sm4Cfb::new(&[7; 16], &[9; 16]);
    /// assert_eq!(stream.position(), ([9; 16], 0));
    /// stream.encrypt(&mut [0; 5]);
    /// assert_eq!(stream.position().1, 5);
    /// ```
    pub fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        (self.chain, self.used % BLOCK_LEN)
    }

    /// Encrypts the next bytes in place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        let (head, blocks, tail) = at_blocks_mut(BLOCK_LEN - self.used, data);
        self.encrypt_part(head);
        self.cipher.chain(Chaining::Cfb, &mut self.chain, blocks);
        if !tail.is_empty() {
            self.next_block();
            self.encrypt_part(tail);
        }
    }

    /// Decrypts the next bytes in place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        let (head, blocks, tail) = at_blocks_mut(BLOCK_LEN - self.used, data);
        self.decrypt_part(head);
        // The key stream is the encryption of what is before each block: the chain, and then the
        // ciphertext.
        let mut ciphertext = [Block::default(); CHUNK + 1];
        for blocks in blocks.chunks_mut(CHUNK) {
            let length = blocks.len();
            ciphertext[0] = self.chain.into();
            ciphertext[1..=length].copy_from_slice(blocks);
            self.chain = ciphertext[length].into();
            let masks = Masks::After(&ciphertext[1..=length]);
            blocks.copy_from_slice(&ciphertext[..length]);
            self.cipher
                .crypt_masked(Direction::Encrypt, masks, blocks.into());
        }
        if !tail.is_empty() {
            self.next_block();
            self.decrypt_part(tail);
        }
    }

    /// Replaces the whole ciphertext block by the key stream of the next one.
    fn next_block(&mut self) {
        self.cipher.encrypt(&mut self.chain);
        self.used = 0;
    }

    /// Encrypts the next bytes of a block.
    fn encrypt_part(&mut self, part: &mut [u8]) {
        let chain = &mut self.chain[self.used..][..part.len()];
        add_bytes(part, chain);
        chain.copy_from_slice(part);
        self.used += part.len();
    }

    /// Decrypts the next bytes of a block.
    fn decrypt_part(&mut self, part: &mut [u8]) {
        let chain = &mut self.chain[self.used..][..part.len()];
        // The sum of ciphertext and key stream is the plaintext; what stays is the ciphertext.
        for (byte, chain) in part.iter_mut().zip(chain) {
            let plaintext = *byte ^ *chain;
            *chain = core::mem::replace(byte, plaintext);
        }
        self.used += part.len();
    }
}

impl Drop for Sm4Cfb {
    fn drop(&mut self) {
        self.chain.zeroize();
    }
}

impl ZeroizeOnDrop for Sm4Cfb {}

impl fmt::Debug for Sm4Cfb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Cfb { ... }")
    }
}
