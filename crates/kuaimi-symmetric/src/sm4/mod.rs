//! The SM4 block cipher (GB/T 32907-2016; ISO/IEC 18033-3:2010/Amd 1) and its modes of operation (GB/T 17964-2021).
//!
//! SM4 encrypts blocks of 16 bytes under a key of 16 bytes in 32 rounds, each a look-up of four bytes in the S-box and a linear map of
//! the word that they are. What to use:
//!
//! | for | use |
//! | --- | --- |
//! | messages | [`Sm4Gcm`]: hides them, and notices alterations |
//! | sectors of a disk | [`Sm4Xts`] |
//! | protocols and files that ask for it | [`Sm4Ctr`], [`Sm4Cbc`], or another crate's mode over [`Sm4`] |
//!
//! ```
//! use kuaimi::sm4::Sm4Gcm;
//!
//! let cipher = Sm4Gcm::new(&[7; 16]); // from a key exchange, or a random generator
//! let sealed = cipher.seal(&[0; 12], b"", b"hello")?;
//! assert_eq!(cipher.open(&[0; 12], b"", &sealed)?, b"hello");
//! # Ok::<(), kuaimi::sm4::Error>(())
//! ```
//!
//! # Constant time
//! No table is looked up at an address that depends on a key or on data: in caches, such look-ups leave traces that others on the same
//! machine read keys from. The S-box is an inversion in GF(2⁸) between affine maps, and that is how it is computed: as a circuit on bit
//! planes in plain Rust, with the inversion inside the AES instructions, or with the instructions for such fields (GFNI). The module
//! `field` has the mathematics; the fastest that the CPU can run is chosen.
//!
//! # Traits
//! [`Sm4`] has those of the `cipher` crate, [`Sm4Ctr`] is its `StreamCipher`, [`Sm4Gcm`] has those of the `aead` crate.

mod backend;
mod block;
mod cbc;
mod ctr;
mod error;
mod field;
mod gcm;
#[cfg(test)]
mod plain;
mod schedule;
#[cfg(test)]
mod tests;
mod traits;
mod xts;

pub use self::block::Sm4;
pub use self::cbc::Sm4Cbc;
pub use self::ctr::Sm4Ctr;
pub use self::error::Error;
pub use self::gcm::Sm4Gcm;
pub use self::xts::{Sm4Xts, XtsStandard};

/// Bytes of a key.
pub const KEY_LEN: usize = 16;
/// Bytes of a block.
pub const BLOCK_LEN: usize = 16;
/// Rounds of the cipher.
const ROUNDS: usize = 32;

/// A block as the `cipher` crate has it.
type Block = cipher::Array<u8, cipher::consts::U16>;
