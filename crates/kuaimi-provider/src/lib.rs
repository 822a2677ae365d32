//! A provider for OpenSSL 3.0 to 4.0 and Tongsuo: SM2, SM3 and SM4 of the crate `kuaimi`, for
//! programs that are not changed.
//!
//! It is a module that libcrypto loads. It does not link libcrypto, but calls it through a table of
//! functions, so one binary serves every version. `docs/openssl.md` is the guide for users.
//!
//! | module | what |
//! | --- | --- |
//! | `abi` | the border to libcrypto, for any algorithm: tables of functions, pointers and parameters; the only unsafe code |
//! | `algorithms` | which algorithm has which table, under which names |
//! | `entry` | the entry of the module, and the provider as libcrypto sees it |
//! | `provider` | what one loaded provider has: its settings, and the tables of public keys that are used again |
//! | `failure` | why a call failed, for OpenSSL's error queue |
//! | `random` | the operating system's random generator |
//! | `self_test` | known answers, checked when the module is loaded |
//! | `capabilities` | what libssl asks for TLS 1.3 (RFC 8998) |
//! | `sm2` | keys, signatures, encryption, key exchange, decoding |
//! | `sm3` | the digest |
//! | `sm4` | the modes, as OpenSSL's ciphers: data in pieces of any length, and records of TLS |

#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "the foreign interface")]
mod abi;
mod algorithms;
mod capabilities;
mod entry;
mod failure;
mod provider;
mod random;
mod self_test;
mod sm2;
mod sm3;
mod sm4;

pub use abi::dispatch::Dispatch;
pub use entry::OSSL_provider_init;

// For `make constant-time`, which runs it under valgrind.
#[doc(hidden)]
pub use sm4::tls_record::open as open_tls_record;
