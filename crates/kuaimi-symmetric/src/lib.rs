//! SM3 and SM4 for Kuaimi. Users of the library need the crate `kuaimi`, which has both under the same names.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

pub mod sm3;
#[cfg(feature = "sm4")]
pub mod sm4;
