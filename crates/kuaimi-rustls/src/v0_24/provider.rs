//! The provider, alone and in front of another.

use std::sync::Arc;
use std::time::Duration;

use getrandom::SysRng;
use kuaimi::external::rand_core::TryRng;
use rustls_0_24::crypto::{
    CryptoProvider, GetRandomFailed, SecureRandom, SignatureScheme, TicketProducer,
    TicketerFactory, WebPkiSupportedAlgorithms,
};
use rustls_0_24::pki_types::SignatureVerificationAlgorithm;
use rustls_0_24::{Error, TicketRotator};

use super::{CURVE_SM2, Sm2Keys, TLS_SM4_CCM_SM3, TLS_SM4_GCM_SM3};
use crate::signatures::{CERTIFICATES, HANDSHAKES};
use crate::ticket::{KEY_LIFETIME, TicketKey};

/// ShangMi's algorithms alone: a peer that does not speak RFC 8998 gets an error.
pub fn strict() -> CryptoProvider {
    CryptoProvider {
        tls12_cipher_suites: Vec::new().into(),
        tls13_cipher_suites: vec![TLS_SM4_GCM_SM3, TLS_SM4_CCM_SM3].into(),
        kx_groups: vec![CURVE_SM2].into(),
        signature_verification_algorithms: ALGORITHMS,
        secure_random: &System,
        key_provider: &Sm2Keys { other: None },
        ticketer_factory: &Tickets,
    }
}

/// ShangMi's algorithms, and behind them those of another provider, for peers of both kinds.
///
/// rustls 0.24 does not give out the other provider's algorithms for signatures, so its own
/// verifiers know none of ShangMi's here. Use [`ServerVerifier`](super::ServerVerifier) and
/// [`ClientVerifier`](super::ClientVerifier), which know both.
///
/// Call this once in a process: what rustls wants to live forever, some bytes, is never freed.
pub fn in_front_of(other: CryptoProvider) -> CryptoProvider {
    let shangmi = strict();
    let suites = [&*shangmi.tls13_cipher_suites, &*other.tls13_cipher_suites].concat();
    CryptoProvider {
        tls13_cipher_suites: suites.into(),
        kx_groups: [&*shangmi.kx_groups, &*other.kx_groups].concat().into(),
        key_provider: Box::leak(Box::new(Sm2Keys {
            other: Some(other.key_provider),
        })),
        ticketer_factory: &Tickets,
        ..other
    }
}

type Mapping = (
    SignatureScheme,
    &'static [&'static dyn SignatureVerificationAlgorithm],
);

static MAPPING: &[Mapping] = &[(SignatureScheme::SM2_SM3, HANDSHAKES)];

/// Two objects for one algorithm: see the module `signatures`.
const ALGORITHMS: WebPkiSupportedAlgorithms =
    match WebPkiSupportedAlgorithms::new(CERTIFICATES, MAPPING) {
        Ok(algorithms) => algorithms,
        Err(_) => panic!("they are not empty"),
    };

/// The operating system's random generator.
#[derive(Debug)]
struct System;

impl SecureRandom for System {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        SysRng.try_fill_bytes(bytes).map_err(|_| GetRandomFailed)
    }
}

/// Session tickets (RFC 8446, clause 4.6.1) under SM4-GCM, with a new key every six hours.
#[derive(Debug)]
pub struct Tickets;

impl TicketerFactory for Tickets {
    fn ticketer(&self) -> Result<Arc<dyn TicketProducer>, Error> {
        let lifetime = Duration::from_secs(KEY_LIFETIME.into());
        Ok(Arc::new(TicketRotator::new(lifetime, generate)?))
    }
}

fn generate() -> Result<Box<dyn TicketProducer>, Error> {
    match TicketKey::generate() {
        Ok(key) => Ok(Box::new(key)),
        Err(_) => Err(GetRandomFailed.into()),
    }
}

impl TicketProducer for TicketKey {
    fn encrypt(&self, state: &[u8]) -> Option<Vec<u8>> {
        self.seal(state)
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        self.open(ticket)
    }

    fn lifetime(&self) -> Duration {
        Duration::from_secs(2 * u64::from(KEY_LIFETIME))
    }
}
