//! The SM4 block cipher (GB/T 32907-2016; ISO/IEC 18033-3:2010/Amd 1) and its modes of operation
//! (GB/T 17964-2021; NIST SP 800-38A, C and D).
//!
//! SM4 encrypts blocks of 16 bytes under a key of 16 bytes. What to use:
//!
//! | for | use |
//! | --- | --- |
//! | messages | [`Sm4Gcm`]: it encrypts and authenticates; [`Sm4GcmStream`] does so in pieces |
//! | many short messages, each under a key of its own, or all under one | `sm4::batch` |
//! | sectors of a disk | [`Sm4Xts`] |
//! | protocols and files that require these modes | [`Sm4Ccm`], [`Sm4Ctr`], [`Sm4Cbc`], [`Sm4Cfb`], [`Sm4Ofb`], or another crate's mode over [`Sm4`] |
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
//! No table is read at an address that depends on a key or on data, as other programs on the same
//! machine could find keys from the traces of such reads in the caches. The S-box is computed as
//! what it is, an inversion in GF(2⁸) between affine maps. The fastest implementation that the CPU
//! can run is used.
//!
//! # Traits
//! [`Sm4`] implements the traits of block ciphers of the `cipher` crate, [`Sm4Ctr`] its
//! `StreamCipher`, and [`Sm4Gcm`] and [`Sm4Ccm`] the traits of the `aead` crate.

#[cfg(feature = "batch")]
pub mod batch;

pub use kuaimi_symmetric::sm4::{
    BLOCK_LEN, Error, KEY_LEN, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4GcmStream, Sm4Ofb,
    Sm4Xts, XtsStandard, padding_length,
};
