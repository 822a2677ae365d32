//! TLCP, the TLS of ShangMi (GB/T 38636-2020): client and server.
//!
//! | what | where |
//! | --- | --- |
//! | a connection without input and output | [`Connection`] |
//! | over `std::io` | [`Stream`] |
//! | over tokio (feature `tokio`) | `tokio::Stream` |
//! | what connections have in common | [`ClientConfig`], [`ServerConfig`] |
//! | the own pair of certificates, and keys in a device | [`Identity`], [`EncryptionKey`] |
//! | whom a side trusts | [`Trust`] |
//! | TLCP or TLS, on one port | [`protocol::detect`] |
//!
//! Suites: `ECC` and `ECDHE` with SM4 in GCM and CBC, and SM3. A side has two certificates: one
//! signs, the other receives keys. The peer's are verified by [`kuaimi_pki::chain`]; what accepts
//! more is named `dangerous`. Nothing is renegotiated, nothing is compressed.
//!
//! # Example
//! An authority, a server and a client that talk in memory:
//!
//! ```
//! use std::io::{Read, Write};
//! use std::sync::Arc;
//!
//! use kuaimi::sm2::{PrivateKey, SigningKey};
//! use kuaimi_pki::certificate::{CertificateBuilder, Validity};
//! use kuaimi_pki::chain::PeerName;
//! use kuaimi_pki::extensions::Purpose;
//! use kuaimi_pki::{Certificate, name};
//! use kuaimi_tlcp::{ClientConfig, Connection, Identity, ServerConfig, Trust};
//!
//! let mut rng = getrandom::SysRng;
//! let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 365)?;
//! let mut build = |name: &str, key: &PrivateKey, purpose| {
//!     let builder = CertificateBuilder::new(name::parse(name)?, key.public_key(), validity);
//!     let mut builder = builder.purpose(purpose)?.random_serial(&mut rng)?;
//!     builder.extensions().dns("bank.example")?;
//!     Ok::<_, kuaimi_pki::Error>(builder)
//! };
//! let (ca_key, sign_key, encrypt_key) =
//!     (PrivateKey::generate()?, PrivateKey::generate()?, PrivateKey::generate()?);
//! let ca_key_signs = SigningKey::new(ca_key.clone());
//! let ca: Certificate =
//!     build("CN=Root", &ca_key, Purpose::Authority { path_len: None })?.self_sign(&ca_key_signs)?;
//! let sign = build("CN=bank", &sign_key, Purpose::Signing)?.sign(&ca, &ca_key_signs)?;
//! let encrypt = build("CN=bank", &encrypt_key, Purpose::Encryption)?.sign(&ca, &ca_key_signs)?;
//!
//! // The clock, as the certificates above are of one year.
//! let now = || 1_780_272_000;
//! let identity = Identity::new(sign, SigningKey::new(sign_key), encrypt, encrypt_key, &[])?;
//! let server = Arc::new(ServerConfig::new(identity).clock(now));
//! let client = Arc::new(ClientConfig::new(Trust::new(&[ca])?).clock(now));
//!
//! let mut client = Connection::client(client, PeerName::new("bank.example")?)?;
//! let mut server = Connection::server(server);
//! client.writer().write_all(b"a payment")?;
//! while client.wants_write() || server.wants_write() {
//!     for turn in 0..2 {
//!         let (from, to) = if turn == 0 { (&mut client, &mut server) } else { (&mut server, &mut client) };
//!         let mut network = Vec::new();
//!         from.write_tls(&mut network)?;
//!         let mut network = &network[..];
//!         while !network.is_empty() {
//!             to.read_tls(&mut network)?;
//!             to.process_new_packets()?;
//!         }
//!     }
//! }
//! let mut payment = [0; 9];
//! server.reader().read_exact(&mut payment)?;
//! assert_eq!(&payment, b"a payment");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Constant time
//! What the records' keys, the premaster secret and the master secret go through has no branch and
//! no address that depends on them. The padding and the MAC of CBC, and a wrong premaster secret,
//! end in one error each, after the same work. Lengths of records, whether one is accepted, and
//! all of the handshake's messages are public.
//!
//! # Not verified against the standard
//! The text of GB/T 38636-2020 was not at hand: what is done follows gotlcp, Tongsuo and GmSSL,
//! against which the tests run. `docs/tls.md` lists where that leaves a choice.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod alert;
mod buffer;
mod codec;
mod config;
mod connection;
mod error;
#[cfg(feature = "memcheck")]
#[doc(hidden)]
pub mod evidence;
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
