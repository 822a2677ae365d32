//! The counter mode (GB/T 17964-2021, clause 9; NIST SP 800-38A, 6.5) as a stream cipher.

#![forbid(unsafe_code)]

use core::fmt;

use cipher::consts::U16;
use cipher::{
    AlgorithmName, InOutBuf, Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, OverflowError, SeekNum,
    StreamCipher, StreamCipherError, StreamCipherSeek,
};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::{BLOCK_LEN, KEY_LEN, Sm4};

/// SM4 in counter mode: a key stream that is XORed with data of any length, in pieces of any
/// lengths.
///
/// The initialization vector (IV) of 16 bytes is the first counter. The counter is a big-endian
/// number of 128 bits, modulo 2¹²⁸. Encryption and decryption are the same. **Never use an IV twice
/// with a key**, and never let the counters of two messages overlap: the ciphertexts would reveal
/// the XOR of the plaintexts. Counter mode does not detect altered data: if no protocol requires
/// it, use [`Sm4Gcm`](super::Sm4Gcm). Constant time except for lengths.
///
/// The traits `StreamCipher`, `StreamCipherSeek` and `KeyIvInit` of the `cipher` crate are
/// implemented, too.
///
/// ```
/// use kuaimi::sm4::Sm4Ctr;
///
/// let (key, iv) = ([7; 16], [9; 16]);
/// let mut data = *b"a message in two pieces";
/// let mut stream = Sm4Ctr::new(&key, &iv);
/// stream.apply(&mut data[..5]);
/// stream.apply(&mut data[5..]);
///
/// Sm4Ctr::new(&key, &iv).apply(&mut data);
/// assert_eq!(&data, b"a message in two pieces");
/// ```
#[derive(Clone)]
pub struct Sm4Ctr {
    cipher: Sm4,
    /// The first counter.
    first: u128,
    /// The number of blocks of the key stream computed so far.
    blocks: u128,
    /// The last of them, if bytes of it are left.
    stream: [u8; BLOCK_LEN],
    /// How many bytes of it were used.
    used: usize,
}

impl Sm4Ctr {
    /// The key stream of a key and an IV, 16 bytes each.
    pub fn new(key: &[u8; KEY_LEN], iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(Sm4::new(key), iv)
    }

    /// The key stream of a cipher that has its key already, and an IV.
    ///
    /// ```
    /// use kuaimi::sm4::{Sm4, Sm4Ctr};
    ///
    /// let (mut one, mut two) = ([0; 20], [0; 20]);
    /// Sm4Ctr::with_cipher(Sm4::new(&[7; 16]), &[9; 16]).apply(&mut one);
    /// Sm4Ctr::new(&[7; 16], &[9; 16]).apply(&mut two);
    /// assert_eq!(one, two);
    /// ```
    pub const fn with_cipher(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self {
            cipher,
            first: u128::from_be_bytes(*iv),
            blocks: 0,
            stream: [0; BLOCK_LEN],
            used: BLOCK_LEN,
        }
    }

    /// Where it stands: the block with which, as the IV, the rest would go on after a whole block,
    /// and how many bytes of the last block were used, 0 to 15. For interfaces that show this, such
    /// as OpenSSL's; the block may be the next counter.
    ///
    /// ```
    /// use kuaimi::sm4::Sm4Ctr;
    ///
    /// let mut stream = Sm4Ctr::new(&[7; 16], &[9; 16]);
    /// assert_eq!(stream.position(), ([9; 16], 0));
    /// stream.apply(&mut [0; 5]);
    /// assert_eq!(stream.position().1, 5);
    /// ```
    pub fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        (
            self.first.wrapping_add(self.blocks).to_be_bytes(),
            self.used % BLOCK_LEN,
        )
    }

    /// XORs the next bytes of the key stream into the data.
    pub fn apply(&mut self, data: &mut [u8]) {
        self.apply_inout(data.into());
    }

    pub(super) fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let from_last = data.len().min(BLOCK_LEN - self.used);
        let (mut head, mut data) = data.split_at(from_last);
        head.xor_in2out(&self.stream[self.used..self.used + from_last]);
        self.used += from_last;

        // Whole blocks, as many at once as the low 32 bits of the counter can count.
        while data.len() >= BLOCK_LEN {
            let counter = self.first.wrapping_add(self.blocks);
            let until_wrap = (1 << 32) - u64::from(counter as u32);
            let count = until_wrap.min((data.len() / BLOCK_LEN) as u64) as usize;
            let (piece, rest) = data.split_at(count * BLOCK_LEN);
            self.cipher.ctr32(&counter.to_be_bytes(), piece);
            self.blocks = self.blocks.wrapping_add(count as u128);
            data = rest;
        }
        if !data.is_empty() {
            self.next_block();
            self.used = data.len();
            data.xor_in2out(&self.stream[..self.used]);
        }
    }

    /// Computes the next block of the key stream.
    fn next_block(&mut self) {
        self.stream = self.first.wrapping_add(self.blocks).to_be_bytes();
        self.cipher.encrypt(&mut self.stream);
        self.blocks = self.blocks.wrapping_add(1);
        self.used = 0;
    }
}

impl Drop for Sm4Ctr {
    fn drop(&mut self) {
        self.stream.zeroize();
    }
}

impl ZeroizeOnDrop for Sm4Ctr {}

impl fmt::Debug for Sm4Ctr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Ctr { ... }")
    }
}

impl AlgorithmName for Sm4Ctr {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ctr128BE<Sm4>")
    }
}

impl KeySizeUser for Sm4Ctr {
    type KeySize = U16;
}

impl IvSizeUser for Sm4Ctr {
    type IvSize = U16;
}

impl KeyIvInit for Sm4Ctr {
    fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
        Self::new(key.as_ref(), iv.as_ref())
    }
}

impl StreamCipher for Sm4Ctr {
    /// Always succeeds: the key stream has 2¹³² bytes.
    fn check_remaining(&self, _: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.apply_inout(data);
    }

    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        data.fill(0);
        self.apply(data);
    }
}

impl StreamCipherSeek for Sm4Ctr {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        T::from_block_byte(self.blocks, self.used as u8, BLOCK_LEN as u8)
    }

    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        // In blocks of one byte, as a negative number is an error then; in others it can be a panic
        // inside of `cipher`.
        let (position, _) = position
            .into_block_byte::<u128>(1)
            .map_err(|_| StreamCipherError)?;
        self.blocks = position / BLOCK_LEN as u128;
        self.used = BLOCK_LEN;
        let byte = (position % BLOCK_LEN as u128) as usize;
        if byte > 0 {
            self.next_block();
            self.used = byte;
        }
        Ok(())
    }
}
