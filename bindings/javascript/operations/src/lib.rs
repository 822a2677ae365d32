//! What Kuaimi's JavaScript package calls, once for both of its engines: WebAssembly
//! (`kuaimi-wasm`) and Node's addon (`kuaimi-node`).
//!
//! | module | what it has |
//! | --- | --- |
//! | `list` | every operation with the kinds of its arguments and its result; the engines export it |
//! | [`object`] | what JavaScript holds a handle of: keys, hashes, ciphers, exchanges |
//! | [`failure`] | why an operation fails: a kind and a sentence |
//! | [`random`] | the generator: the operating system's, the host's, or one that the host seeds |
//! | `common`, `symmetric`, `sm2`, `sm9`, `formats`, `pki` | the operations |
//! | `native` | those that only Node's addon has |
//!
//! An operation takes handles, bytes and numbers, and gives one of these. Names that JavaScript
//! users write, such as the forms of a ciphertext, are numbers here: `src/names.js` has the same
//! numbers.

// Without `std`, the WebAssembly has no code that writes panics' messages.
#![cfg_attr(not(feature = "native"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

// First, as the others use its macros.
#[macro_use]
pub mod failure;

pub mod common;
#[cfg(feature = "formats")]
pub mod formats;
mod list;
#[cfg(all(feature = "native", feature = "sm2"))]
pub mod native;
pub mod object;
#[cfg(feature = "pki")]
pub mod pki;
pub mod random;
#[cfg(any(feature = "formats", feature = "pki", feature = "sm2"))]
mod signature_form;
#[cfg(feature = "sm2")]
pub mod sm2;
#[cfg(feature = "sm9")]
pub mod sm9;
#[cfg(feature = "sm2")]
pub mod symmetric;
mod value;

pub use failure::Failure;
pub use object::{Handle, Object};
pub use value::Value;

/// What an operation gives.
pub type Result<T> = core::result::Result<T, Failure>;
