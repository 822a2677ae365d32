//! The streaming hash: buffering and padding (GB/T 32905-2016, 5.2 and 5.3) around the compression
//! function.

#![forbid(unsafe_code)]

use core::fmt;

use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::compress::compress_blocks;
use super::{BLOCK_LEN, DIGEST_LEN, IV, State};

/// The SM3 hash of a message that comes in pieces: a 32-byte digest.
///
/// A value has 104 bytes and no allocation, and a clone copies only these. So if many messages
/// share a prefix, absorb the prefix once and clone the hash. A value is wiped when dropped, and
/// `Debug` shows nothing of it. Constant time: the running time depends on the lengths of the
/// pieces, never on their content.
///
/// The standard allows messages of up to 2⁶⁴ − 1 bits. The length is counted modulo 2⁶⁴ bits.
///
/// The traits of the `digest` crate are implemented, so it can be used as a generic hash.
///
/// ```
/// use kuaimi::sm3::{self, Sm3};
///
/// let mut hash = Sm3::new();
/// hash.update(b"a");
/// hash.update(b"bc");
/// assert_eq!(hash.finalize(), sm3::digest(b"abc"));
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
#[derive(Clone)]
pub struct Sm3 {
    pub(super) state: State,
    /// Bytes absorbed so far. The last `len % 64` of them are in `buf`.
    pub(super) len: u64,
    pub(super) buf: [u8; BLOCK_LEN],
}

impl Sm3 {
    /// A hash that has absorbed nothing.
    #[inline]
    pub const fn new() -> Self {
        Self {
            state: IV,
            len: 0,
            buf: [0; BLOCK_LEN],
        }
    }

    /// Absorbs `data`. The digest does not depend on how a message is cut into pieces.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub fn update(&mut self, data: &[u8]) {
        let used = self.buffered();
        self.len = self.len.wrapping_add(data.len() as u64);
        let free = &mut self.buf[used..];
        if data.len() < free.len() {
            free[..data.len()].copy_from_slice(data);
            return;
        }
        let mut rest = data;
        if used != 0 {
            let (head, tail) = data.split_at(free.len());
            free.copy_from_slice(head);
            compress_blocks(&mut self.state, core::slice::from_ref(&self.buf));
            rest = tail;
        }
        let (blocks, rest) = rest.as_chunks::<BLOCK_LEN>();
        if !blocks.is_empty() {
            compress_blocks(&mut self.state, blocks);
        }
        self.buf[..rest.len()].copy_from_slice(rest);
    }

    /// The digest of all data absorbed: 32 bytes, eight words with the most significant byte first.
    #[inline]
    pub fn finalize(mut self) -> [u8; DIGEST_LEN] {
        self.pad_and_output()
    }

    /// As [`finalize`](Self::finalize), and starts a new message.
    ///
    /// ```
    /// use kuaimi::sm3::{self, Sm3};
    ///
    /// let mut hash = Sm3::new();
    /// hash.update(b"one");
    /// assert_eq!(hash.finalize_reset(), sm3::digest(b"one"));
    /// hash.update(b"two");
    /// assert_eq!(hash.finalize_reset(), sm3::digest(b"two"));
    /// ```
    #[inline]
    pub fn finalize_reset(&mut self) -> [u8; DIGEST_LEN] {
        let digest = self.pad_and_output();
        self.reset();
        digest
    }

    /// Wipes the state and starts a new message.
    ///
    /// ```
    /// use kuaimi::sm3::{self, Sm3};
    ///
    /// let mut hash = Sm3::new();
    /// hash.update(b"one");
    /// hash.reset();
    /// hash.update(b"two");
    /// assert_eq!(hash.finalize(), sm3::digest(b"two"));
    /// ```
    #[inline]
    pub fn reset(&mut self) {
        self.wipe();
        self.state = IV;
    }

    /// The number of bytes in the buffer, 0 to 63.
    #[inline(always)]
    pub(super) fn buffered(&self) -> usize {
        (self.len % BLOCK_LEN as u64) as usize
    }

    /// Appends the padding, a bit 1, zeros, and the message's length in bits as 64 bits (5.2), and
    /// returns the digest. The state is not usable afterwards.
    pub(super) fn pad_and_output(&mut self) -> [u8; DIGEST_LEN] {
        let used = self.buffered();
        self.buf[used] = 0x80;
        self.buf[used + 1..].fill(0);
        if used >= BLOCK_LEN - 8 {
            compress_blocks(&mut self.state, core::slice::from_ref(&self.buf));
            self.buf = [0; BLOCK_LEN];
        }
        self.buf[BLOCK_LEN - 8..].copy_from_slice(&self.len.wrapping_mul(8).to_be_bytes());
        compress_blocks(&mut self.state, core::slice::from_ref(&self.buf));
        to_bytes(&self.state)
    }

    /// Wipes the hash by a few wide stores that the compiler must keep. Byte-by-byte volatile
    /// stores would take a tenth of the time of a short message.
    #[inline(always)]
    fn wipe(&mut self) {
        self.state = [0; 8];
        self.len = 0;
        self.buf = [0; BLOCK_LEN];
        optimization_barrier(self);
    }
}

/// The state as a digest: eight big-endian words.
#[inline(always)]
pub(super) fn to_bytes(state: &State) -> [u8; DIGEST_LEN] {
    let mut out = [0; DIGEST_LEN];
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    out
}

impl Default for Sm3 {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Sm3 {
    #[inline]
    fn drop(&mut self) {
        self.wipe();
    }
}

impl ZeroizeOnDrop for Sm3 {}

impl fmt::Debug for Sm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3 { ... }")
    }
}
