//! Diffie–Hellman on SM2's curve, for TLS 1.3 (RFC 8998).

use std::sync::Arc;

use zeroize::Zeroizing;

use super::key::{Key, Material};
use crate::abi::core::Core;
use crate::abi::key_operation::KeyOperation;
use crate::abi::keyexch::Exchange;
use crate::abi::memory::Output;
use crate::abi::object::{Context, Loaded as _, Object};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// An exchange with a private key and the peer's public key.
#[derive(Clone)]
pub(crate) struct Ecdh {
    provider: Arc<Provider>,
    key: Option<Arc<Material>>,
    peer: Option<Arc<Material>>,
}

impl Object for Ecdh {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

/// The length of the secret: an x-coordinate.
const SECRET_LEN: usize = 32;

impl Context for Ecdh {}

impl KeyOperation for Ecdh {
    type Provider = Provider;
    type Key = Key;

    const GETTABLE: &'static [Param] = &[
        Param::known(c"ecdh-cofactor-mode", Kind::Integer),
        Param::known(c"kdf-type", Kind::Text),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = Self::GETTABLE;

    fn new(provider: &Arc<Provider>) -> Self {
        Self {
            provider: Arc::clone(provider),
            key: None,
            peer: None,
        }
    }

    fn init(&mut self, key: Option<&Key>, params: &Params<'_>) -> Result<(), Failure> {
        let key = key.ok_or(Reason::NoKey)?.material();
        key.need_secret()?;
        self.key = Some(key);
        self.peer = None;
        self.set(params)
    }

    /// The curve's cofactor is 1, so its mode changes nothing. Key derivation is up to the caller.
    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        match params.find(c"kdf-type") {
            Some(param) if !param.text()?.is_empty() => Err(Reason::UnsupportedKdf.into()),
            _ => Ok(()),
        }
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"ecdh-cofactor-mode", |param| param.set_unsigned(0))?;
        requests.answer(c"kdf-type", |param| param.set_text(c""))
    }
}

impl Exchange for Ecdh {
    type Secret = Zeroizing<Vec<u8>>;

    fn set_peer(&mut self, peer: Option<&Key>) -> Result<(), Failure> {
        let peer = peer.ok_or(Reason::NoPeer)?.material();
        peer.need_public()?;
        self.peer = Some(peer);
        Ok(())
    }

    fn derive(&self, capacity: Option<usize>) -> Result<Output<Zeroizing<Vec<u8>>>, Failure> {
        let key = self.key.as_ref().ok_or(Reason::NoKey)?.need_secret()?;
        let peer = self.peer.as_ref().ok_or(Reason::NoPeer)?.need_public()?;
        match capacity {
            None => Ok(Output::Length(SECRET_LEN)),
            Some(SECRET_LEN..) => {
                let secret = key.diffie_hellman(peer);
                Ok(Output::Bytes(Zeroizing::new(secret.to_vec())))
            }
            Some(_) => Err(Reason::OutputTooSmall.into()),
        }
    }
}
