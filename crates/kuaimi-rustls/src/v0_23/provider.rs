//! The provider, alone and in front of another.

use getrandom::SysRng;
use kuaimi::external::rand_core::TryRng;
use rustls::SignatureScheme;
use rustls::crypto::{CryptoProvider, GetRandomFailed, SecureRandom, WebPkiSupportedAlgorithms};
use rustls::pki_types::SignatureVerificationAlgorithm;

use super::{CURVE_SM2, SM2SIG_SM3, Sm2Keys, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3};
use crate::signatures::{CERTIFICATES, HANDSHAKES};

/// ShangMi's algorithms alone: a peer that does not speak RFC 8998 gets an error.
///
/// ```
/// use std::sync::Arc;
/// use rustls::{ClientConfig, RootCertStore};
///
/// let roots = RootCertStore::empty(); // and your authorities
/// let config = ClientConfig::builder_with_provider(Arc::new(kuaimi_rustls::strict()))
///     .with_safe_default_protocol_versions()?
///     .with_root_certificates(roots)
///     .with_no_client_auth();
/// # Ok::<(), rustls::Error>(())
/// ```
pub fn strict() -> CryptoProvider {
    CryptoProvider {
        cipher_suites: vec![TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3],
        kx_groups: vec![CURVE_SM2],
        signature_verification_algorithms: ALGORITHMS,
        secure_random: &System,
        key_provider: &Sm2Keys { other: None },
    }
}

/// ShangMi's algorithms, and behind them those of another provider, for peers of both kinds.
///
/// With a peer that has them, ShangMi's suites, group and signatures are preferred. They may also
/// be mixed, an SM4 suite with the other provider's group, say, where a peer asks for that;
/// [`strict`] never does so. TLS 1.2 is the other provider's alone.
///
/// A client sends a share of `curveSM2` first, so a server that does not know it needs one more
/// round trip. Where most servers are of that kind, put another group first in `kx_groups`.
///
/// Call this once in a process: what rustls wants to live forever, some hundred bytes, is never
/// freed.
///
/// ```
/// // Or rustls::crypto::aws_lc_rs::default_provider().
/// let provider = kuaimi_rustls::in_front_of(rustls::crypto::ring::default_provider());
/// assert_eq!(provider.cipher_suites[0], kuaimi_rustls::TLS_SM4_GCM_SM3);
/// ```
pub fn in_front_of(other: CryptoProvider) -> CryptoProvider {
    let shangmi = strict();
    let algorithms = other.signature_verification_algorithms;
    CryptoProvider {
        cipher_suites: [shangmi.cipher_suites, other.cipher_suites].concat(),
        kx_groups: [shangmi.kx_groups, other.kx_groups].concat(),
        signature_verification_algorithms: WebPkiSupportedAlgorithms {
            all: Vec::leak([ALGORITHMS.all, algorithms.all].concat()),
            mapping: Vec::leak([ALGORITHMS.mapping, algorithms.mapping].concat()),
        },
        secure_random: other.secure_random,
        key_provider: Box::leak(Box::new(Sm2Keys {
            other: Some(other.key_provider),
        })),
    }
}

type Mapping = (
    SignatureScheme,
    &'static [&'static dyn SignatureVerificationAlgorithm],
);

static MAPPING: &[Mapping] = &[(SM2SIG_SM3, HANDSHAKES)];

/// Two objects for one algorithm: see the module `signatures`.
const ALGORITHMS: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: CERTIFICATES,
    mapping: MAPPING,
};

/// The operating system's random generator.
#[derive(Debug)]
struct System;

impl SecureRandom for System {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        SysRng.try_fill_bytes(bytes).map_err(|_| GetRandomFailed)
    }
}
