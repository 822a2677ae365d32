//! Kuaimi (快密): the ShangMi public-key algorithms, constant time on secrets.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

// The lab measures the parts; nobody else should build on them.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod arith;
#[cfg(not(feature = "internals"))]
#[allow(dead_code, reason = "the build script uses the rest")]
mod arith;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod curve;
#[cfg(not(feature = "internals"))]
#[allow(
    dead_code,
    reason = "the build script uses the rest: it makes the tables"
)]
mod curve;
pub mod encoding;
pub mod sm2;
pub mod sm3;

#[cfg(test)]
mod testing;
