//! The SM3 hash function (GB/T 32905-2016; ISO/IEC 10118-3:2018), the key derivation function based
//! on it (GB/T 32918.4-2016, 5.4.3) and HMAC-SM3.
//!
//! SM3 maps a message of bytes to 32 bytes. It is a Merkle–Damgård hash over 64-byte blocks, with
//! the padding of SHA-2 and a compression function of 64 rounds on eight 32-bit words. All
//! functions are constant time in the content of their input: the running time depends on lengths
//! alone.
//!
//! ```
//! use kuaimi::sm3;
//!
//! let digest: [u8; 32] = sm3::digest(b"abc");
//! assert_eq!(digest[..4], [0x66, 0xc7, 0xf0, 0xf4]);
//! ```

mod backend;
mod compress;
mod hasher;
mod hmac;
mod kdf;
mod many;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod tests;
mod traits;

pub use self::compress::{INITIAL_STATE, compress};
pub use self::hasher::Sm3;
pub use self::hmac::{HmacSm3, hmac_sm3};
pub use self::kdf::{Kdf, KdfError, kdf};
pub use self::many::{digest_many, hash_many};
pub use self::traits::Sm3Core;

/// The length of a digest in bytes.
///
/// ```
/// assert_eq!(kuaimi::sm3::digest(b"abc").len(), kuaimi::sm3::DIGEST_LEN);
/// ```
pub const DIGEST_LEN: usize = 32;
/// The length in bytes of a block of the compression function, and of HMAC.
///
/// ```
/// assert_eq!(kuaimi::sm3::BLOCK_LEN, 64);
/// ```
pub const BLOCK_LEN: usize = 64;

/// The chaining value: the words A to H.
type State = [u32; 8];

/// The initial value (4.1).
const IV: State = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// The SM3 digest of `data`: 32 bytes, in the order in which the standard prints them.
///
/// The data may have any length. No allocation. Constant time in the content.
///
/// ```
/// let digest = kuaimi::sm3::digest(b"abc");
/// assert_eq!(digest[28..], [0x8f, 0x4b, 0xa8, 0xe0]);
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
#[inline]
pub fn digest(data: &[u8]) -> [u8; DIGEST_LEN] {
    let mut hash = Sm3::new();
    hash.update(data);
    hash.finalize()
}
