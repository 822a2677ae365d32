//! TLS 1.3 with the ShangMi algorithms (RFC 8998) for [rustls](https://docs.rs/rustls): a
//! `CryptoProvider`, and verifiers of certificates. Everything that takes a configuration of rustls
//! works with it: tokio-rustls, hyper, axum.
//!
//! | | |
//! | --- | --- |
//! | `TLS_SM4_GCM_SM3`, `TLS_SM4_CCM_SM3` | cipher suites (RFC 8998, clause 2) |
//! | `curveSM2` | key exchange (clause 3.2.2) |
//! | `sm2sig_sm3` | signatures of handshakes (clause 3.2.1), and of certificates (GM/T 0015) |
//! | `curveSM2MLKEM768` | key exchange with ML-KEM-768, feature `mlkem` (draft-yang-tls-hybrid-sm2-mlkem) |
//!
//! ```
//! # use kuaimi::encoding::{EncodePrivateKey, LineEnding};
//! # use kuaimi::sm2::{PrivateKey, SigningKey};
//! # use kuaimi_pki::certificate::{CertificateBuilder, Validity};
//! # use kuaimi_pki::extensions::Purpose;
//! # use kuaimi_pki::name;
//! use std::sync::Arc;
//!
//! use kuaimi_pki::Certificate;
//! use kuaimi_rustls::{ServerVerifier, Ticketer, certified_key, strict};
//! use rustls::sign::SingleCertAndKey;
//! use rustls::{ClientConfig, ServerConfig};
//!
//! fn server(certificates: &[u8], key: &[u8]) -> Result<ServerConfig, rustls::Error> {
//!     let own = certified_key(certificates, key, None)?;
//!     let mut config = ServerConfig::builder_with_provider(Arc::new(strict()))
//!         .with_safe_default_protocol_versions()?
//!         .with_no_client_auth()
//!         .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
//!     config.ticketer = Ticketer::new()?;
//!     Ok(config)
//! }
//!
//! fn client(authorities: &[u8]) -> Result<ClientConfig, Box<dyn std::error::Error>> {
//!     let provider = Arc::new(strict());
//!     let verifier = ServerVerifier::new(&Certificate::read_all(authorities)?, &provider);
//!     Ok(ClientConfig::builder_with_provider(provider)
//!         .with_safe_default_protocol_versions()?
//!         .dangerous() // rustls calls every verifier so that is not its own
//!         .with_custom_certificate_verifier(Arc::new(verifier))
//!         .with_no_client_auth())
//! }
//! #
//! # let key = PrivateKey::generate()?;
//! # let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 36500)?;
//! # let mut builder = CertificateBuilder::new(name::parse("CN=s")?, key.public_key(), validity)
//! #     .purpose(Purpose::General)?
//! #     .serial(&[1])?;
//! # builder.extensions().dns("localhost")?;
//! # let own = builder.self_sign(&SigningKey::new(key.clone()))?.to_pem();
//! # let file = key.to_pkcs8_pem(LineEnding::LF)?;
//! # let (server, client) = (server(own.as_bytes(), file.as_bytes())?, client(own.as_bytes())?);
//! # let mut server = rustls::ServerConnection::new(Arc::new(server))?;
//! # let mut client = rustls::ClientConnection::new(Arc::new(client), "localhost".try_into()?)?;
//! # while client.is_handshaking() || server.is_handshaking() {
//! #     let (mut there, mut back) = (Vec::new(), Vec::new());
//! #     client.write_tls(&mut there)?;
//! #     server.read_tls(&mut there.as_slice())?;
//! #     server.process_new_packets()?;
//! #     server.write_tls(&mut back)?;
//! #     client.read_tls(&mut back.as_slice())?;
//! #     client.process_new_packets()?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to do | use |
//! | --- | --- |
//! | speak RFC 8998 alone | [`strict`] |
//! | speak it with those who can, and ordinary TLS with others | [`in_front_of`] |
//! | read certificates and a private key from files | [`certified_key`] |
//! | sign with a key in a device | [`Sm2Key::with_signer`] |
//! | verify certificates as China's authorities issue them | [`ServerVerifier`], [`ClientVerifier`] |
//! | resume sessions without a store | [`Ticketer`] |
//!
//! **Identities.** A CertificateVerify is signed under `TLSv1.3+GM+Cipher+Suite`, certificates
//! under `1234567812345678`. A signature under the other identity is refused.
//!
//! **Secrets.** What Kuaimi computes with private keys and session keys takes constant time, and is
//! wiped. rustls wipes the secrets that it keeps itself.
//!
//! # Features
//!
//! | feature | what it adds | default |
//! | --- | --- | --- |
//! | `rustls-0-23` | the provider for rustls 0.23, at the root of the crate | yes |
//! | `rustls-0-24` | the module `v0_24`: the same for the preview 0.24.0-dev.2 | |
//! | `mlkem` | `curveSM2MLKEM768` | |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(any(feature = "rustls-0-23", feature = "rustls-0-24")),
    allow(dead_code, reason = "the parts that all versions of rustls share")
)]

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
#[cfg(feature = "rustls-0-24")]
pub mod v0_24;

pub use error::Error;
pub use key::Sm2Key;
#[cfg(feature = "rustls-0-23")]
#[doc(inline)]
pub use v0_23::*;
