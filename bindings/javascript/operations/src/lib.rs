//! What Kuaimi's JavaScript package calls, once for both of its engines: WebAssembly
//! (`kuaimi-wasm`) and Node's addon (`kuaimi-node`).
//!
//! | module | what it has |
//! | --- | --- |
//! | `list` | every operation with the kinds of its arguments and its result; the engines export it |
//! | [`object`] | what JavaScript holds a handle of: keys, hashes, ciphers, exchanges |
//! | [`failure`] | why an operation fails: a kind and a sentence |
//! | [`random`] | the generator: the operating system's, the host's, or one that the host seeds |
//! | [`symmetric`], [`sm2`], [`sm9`], [`encoding`] | the operations |
//!
//! An operation takes handles, bytes and numbers, and gives one of these. Names that JavaScript
//! users write, such as the forms of a ciphertext, are numbers here: `src/names.js` has the same
//! numbers.

#![forbid(unsafe_code)]

pub mod encoding;
pub mod failure;
mod list;
pub mod object;
pub mod random;
#[cfg(feature = "sm2")]
pub mod sm2;
#[cfg(feature = "sm9")]
pub mod sm9;
pub mod symmetric;

pub use failure::Failure;
pub use object::{Handle, Object};

/// What an operation gives.
pub type Result<T> = core::result::Result<T, Failure>;
