//! The provider for rustls 0.24 (feature `rustls-0-24`), with the same names as that for 0.23.
//!
//! It is made for the preview 0.24.0-dev.2, and changes as rustls does.
//!
//! ```
//! use std::sync::Arc;
//! use kuaimi_rustls::v0_24::{credentials, strict};
//! use rustls_0_24::ServerConfig;
//! use rustls_0_24::crypto::SingleCredential;
//!
//! fn server(certificates: &[u8], key: &[u8]) -> Result<ServerConfig, rustls_0_24::Error> {
//!     let own = credentials(certificates, key, None)?;
//!     ServerConfig::builder(Arc::new(strict()))
//!         .with_no_client_auth()
//!         .with_server_credential_resolver(Arc::new(SingleCredential::from(own)))
//! }
//! ```

mod groups;
mod keys;
mod provider;
mod suites;
mod verifiers;

#[cfg(feature = "mlkem")]
pub use groups::CURVE_SM2_MLKEM768;
pub use groups::{CURVE_SM2, CurveSm2};
pub use keys::{Sm2Keys, credentials};
pub use provider::{Tickets, in_front_of, strict};
pub use suites::{TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3};
pub use verifiers::{ClientVerifier, ServerVerifier};
