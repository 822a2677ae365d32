//! TLS 1.3 with the ShangMi algorithms (RFC 8998) for rustls.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod chains;
mod error;
#[cfg(feature = "mlkem")]
mod hybrid;
mod key;
mod mac;
mod names;
mod record;
mod share;
mod signatures;
mod ticket;
#[cfg(feature = "rustls-0-23")]
pub mod v0_23;

pub use error::Error;
pub use key::Sm2Key;
#[cfg(feature = "rustls-0-23")]
#[doc(inline)]
pub use v0_23::*;
