//! The provider ABI of OpenSSL 3.0 to 4.0 (provider(7), `openssl/core.h`,
//! `openssl/core_dispatch.h`): the only code here with pointers in it. It knows no algorithm.
//!
//! libcrypto calls the functions of tables that a provider returns, with `void *` for all objects.
//! There is a file for each operation: a trait, such as [`digest::Digest`], and a table of
//! functions that is generic over it. These functions turn pointers into references, call a method
//! of the trait, and turn the result into OpenSSL's `1` or `0`. No panic leaves them, and an error
//! is put into OpenSSL's error queue. The module `algorithms`, above, says which algorithm has
//! which table.
//!
//! | module | what |
//! | --- | --- |
//! | `dispatch`, `function` | tables of functions, and lists of algorithms |
//! | `memory` | the caller's inputs and outputs |
//! | `param` | named values in both directions |
//! | `core` | what libcrypto offers: settings, its error queue, input |
//! | `object` | contexts and keys: made, shared, changed and dropped |
//! | `digest`, `cipher`, `keymgmt`, `signature`, `asym_cipher`, `keyexch`, `decoder` | the operations |
//! | `key_operation` | what operations with a key have in common |
//! | `foreign_key` | keys of other providers |
//! | `provider` | the provider itself, and the entry of the module |
//!
//! All of it relies on what provider(7) and the manual of each operation say of libcrypto: a
//! context or a key comes from a function of the same table; no other thread changes a context
//! during a call, or reads one that the call changes; a buffer has the length that is passed with
//! it; a list of parameters ends with a null key; a table of functions ends with a zero.
//!
//! Threads share keys, and copy one context at the same time; and a decoder is called again by the
//! callback that it calls. So only calls that change a context have a `&mut` to it (`with`), and
//! all others share the object (`shared`). Results are written when the call no longer refers to
//! its input, which may be the same memory.

pub(crate) mod asym_cipher;
pub(crate) mod cipher;
pub(crate) mod core;
pub(crate) mod decoder;
pub(crate) mod digest;
pub(crate) mod dispatch;
pub(crate) mod foreign_key;
mod function;
pub(crate) mod key_operation;
pub(crate) mod keyexch;
pub(crate) mod keymgmt;
pub(crate) mod memory;
pub(crate) mod object;
pub(crate) mod param;
pub(crate) mod provider;
pub(crate) mod signature;
