//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3): hash, HMAC, key derivation.

mod hash;
mod hmac;

pub use hash::*;
pub use hmac::*;
