//! SM3 and SM4 for Kuaimi. Users of the library need the crate `kuaimi`, which exports both modules
//! under the same names.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`sm3`] | the hash function, HMAC, the key derivation function, many messages at once |
//! | `sm4` | the block cipher, and the modes GCM, CCM, CTR, CBC, CFB, OFB and XTS (feature `sm4`) |
//!
//! ```
//! use kuaimi_symmetric::sm3;
//!
//! assert_eq!(sm3::digest(b"abc")[..4], [0x66, 0xc7, 0xf0, 0xf4]);
//! ```

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

pub mod sm3;
#[cfg(feature = "sm4")]
pub mod sm4;
