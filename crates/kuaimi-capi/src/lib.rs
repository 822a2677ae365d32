//! The C library `libkuaimi`: the crate `kuaimi` behind a C ABI.
//!
//! The headers `include/kuaimi.h` and `include/kuaimi/` are made from the documented functions of
//! this crate. The first lines of `kuaimi.h` are the rules for pointers, handles and errors that
//! hold for all of them. `docs/c.md` is the guide for users.
//!
//! | module | what |
//! | --- | --- |
//! | `error` | the one enumeration of errors, and what each of the Rust library's becomes in it |
//! | `call` | the boundary: pointers become references in one macro, and no panic leaves |
//! | `options` | options of functions, which are enumerations in the header |
//! | `handle` | what a C program holds of a Rust value, and how a wrong or a closed handle is detected |
//! | `buffer` | the caller's memory: inputs, outputs and arrays of items |
//! | `state` | states that calls change, behind a lock |
//! | `library` | version, implementations, the memory of tables, wiping |
//! | `key_form`, `signature_form` | how keys and signatures are written, for SM2 and SM9 |
//! | `sm2`, `sm3`, `sm4`, `sm9` | the algorithms, a file for each task |
//! | `pki` | certificates, chains, messages, PKCS #12 |
//! | `tlcp` | connections of TLCP |

#![allow(
    non_camel_case_types,
    reason = "types have their names of the C header, without a table of translations"
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "what the caller must keep is the same for all functions and stands once, at the head of the header"
)]

#[macro_use]
mod call;
#[macro_use]
mod options;
mod buffer;
mod cache;
mod error;
mod handle;
mod key_form;
mod library;
mod pki;
mod signature_form;
mod sm2;
mod sm3;
mod sm4;
mod sm9;
mod state;
mod tlcp;

pub use buffer::kuaimi_bytes;
pub use cache::kuaimi_cache_stats;
pub use error::*;
pub use key_form::*;
pub use library::*;
pub use pki::*;
pub use signature_form::*;
pub use sm2::*;
pub use sm3::*;
pub use sm4::*;
pub use sm9::*;
pub use tlcp::*;
