//! Kuaimi (快密): the ShangMi algorithms — SM2 signatures, encryption and key exchange, SM3, SM4, SM9 — constant time on secrets.

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
mod batch;
mod choice;
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
#[cfg(feature = "std")]
mod pieces;
pub mod sm2;
pub mod sm3;
pub mod sm4;
#[cfg(feature = "sm9")]
#[allow(dead_code, reason = "the build script and the laboratory use the rest")]
pub mod sm9;

/// What is secret, told to valgrind: for `make constant-time`.
#[cfg(feature = "memcheck")]
#[doc(hidden)]
pub use arith::backend::memcheck;

#[cfg(test)]
mod testing;

/// The name of the arithmetic that this process computes with, as `kuaimi speed` prints it: `portable` or `adx`, for example.
///
/// It is chosen once, at the first operation, from what the CPU can do; the environment variable `KUAIMI_BACKEND` forces
/// one of [`backends`] (feature `std`). Results are the same with each.
///
/// ```
/// assert!(kuaimi::backends().contains(&kuaimi::backend()));
/// ```
pub fn backend() -> &'static str {
    arith::backend::selected_name()
}

/// The names that `KUAIMI_BACKEND` may have on this machine. The library ignores any other, so a program that lets its
/// users set the variable should compare.
pub fn backends() -> &'static [&'static str] {
    arith::backend::names()
}
