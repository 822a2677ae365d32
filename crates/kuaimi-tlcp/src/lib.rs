//! TLCP, the TLS of ShangMi (GB/T 38636-2020).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod alert;
mod buffer;
mod codec;
mod config;
mod connection;
mod error;
mod handshake;
mod identity;
mod key_schedule;
mod message;
mod private_key;
pub mod protocol;
mod record;
mod session;
mod stream;
mod suite;
#[cfg(test)]
mod tests;
#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
pub mod tokio;
mod transcript;
mod trust;

pub use alert::AlertDescription;
pub use config::{ClientAuth, ClientConfig, ServerConfig, SignedTranscript};
pub use connection::{Connection, IoState, Reader, Writer};
pub use error::{Error, Half};
pub use identity::Identity;
pub use private_key::{EncryptionKey, PREMASTER_LEN, PendingExchange};
pub use session::{Session, SessionCache, SessionStore};
pub use stream::Stream;
pub use suite::{CipherSuite, KeyExchange, Protection};
pub use trust::{DangerousVerifier, Presented, Trust};

/// The crates whose types are part of this library's interface, in the versions that it uses.
pub mod external {
    pub use {kuaimi, kuaimi_pki};
}

/// Fills `bytes` from the operating system's random generator.
fn random(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|_| Error::Random)
}
