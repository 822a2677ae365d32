//! The provider for rustls 0.23.

mod groups;
mod keys;
mod provider;
mod suites;
mod tickets;
mod verifiers;

#[cfg(feature = "mlkem")]
pub use groups::CURVE_SM2_MLKEM768;
pub use groups::{CURVE_SM2, CurveSm2};
pub use keys::{Sm2Keys, certified_key};
pub use provider::{in_front_of, strict};
pub use suites::{TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3};
pub use tickets::Ticketer;
pub use verifiers::{ClientVerifier, ServerVerifier};

use rustls::SignatureScheme;

use crate::names;

/// `sm2sig_sm3`, which rustls 0.23 has no name for.
pub const SM2SIG_SM3: SignatureScheme = SignatureScheme::Unknown(names::SM2SIG_SM3);
