//! The SM4 block cipher (GB/T 32907-2016; ISO/IEC 18033-3:2010/Amd 1) and its modes of operation
//! (GB/T 17964-2021; NIST SP 800-38A, C and D).
//!
//! Users of the library find what is here in `kuaimi::sm4`.
//!
//! # Constant time
//! No table is read at an address that depends on a key or on data, as other programs on the same
//! machine could find keys from the traces of such reads in the caches. Instead, the S-box is
//! computed as what it is, an inversion in GF(2⁸) between affine maps: by a circuit on bit planes
//! in plain Rust, by the inversion inside the AES instructions, by the instructions for such fields
//! (GFNI), or by look-ups within vector registers (NEON, WebAssembly). The modules `field` and
//! `tower` have the mathematics. The fastest implementation that the CPU can run is used.

mod aead;
mod affine;
mod backend;
mod block;
mod cbc;
mod ccm;
mod cfb;
mod ctr;
mod error;
#[cfg(any(test, clmul))]
mod field;
mod gcm;
#[cfg(any(test, vectors))]
mod maps;
mod ofb;
#[cfg(test)]
mod plain;
mod schedule;
mod sealed;
#[cfg(test)]
mod tests;
#[cfg(any(test, simd128))]
mod tower;
mod traits;
mod tweaks;
mod xts;

pub use self::block::Sm4;
pub use self::cbc::{Sm4Cbc, padding_length};
pub use self::ccm::Sm4Ccm;
pub use self::cfb::Sm4Cfb;
pub use self::ctr::Sm4Ctr;
pub use self::error::Error;
pub use self::gcm::{Job, Message, open_each, open_each_with, seal_each, seal_each_with};
pub use self::gcm::{Sm4Gcm, Sm4GcmStream};
pub use self::ofb::Sm4Ofb;
pub use self::xts::{Sm4Xts, XtsStandard};

/// The length of a key in bytes.
///
/// ```
/// let cipher = kuaimi::sm4::Sm4::new(&[7; kuaimi::sm4::KEY_LEN]);
/// ```
pub const KEY_LEN: usize = 16;
/// The length of a block in bytes.
///
/// ```
/// assert_eq!(kuaimi::sm4::BLOCK_LEN, 16);
/// ```
pub const BLOCK_LEN: usize = 16;
/// Rounds of the cipher.
const ROUNDS: usize = 32;

/// A block in the type of the `cipher` crate.
type Block = cipher::Array<u8, cipher::consts::U16>;
