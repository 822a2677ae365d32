//! SM2's key exchange (GB/T 32918.3) without confirmation, as Tongsuo has it under the name `SM2DH`
//! for TLCP (GB/T 38636).
//!
//! The context's key and the peer's are the ephemeral ones. The keys of the certificates and the
//! identities are parameters.

use std::sync::Arc;

use kuaimi::sm2::PublicKey;
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use zeroize::Zeroizing;

use super::check_digest;
use super::key::{Key, Material};
use crate::abi::core::Core;
use crate::abi::foreign_key;
use crate::abi::key_operation::KeyOperation;
use crate::abi::keyexch::Exchange;
use crate::abi::keymgmt::Selection;
use crate::abi::memory::Output;
use crate::abi::object::{Context, Loaded as _, Object};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// An exchange, with our side and the peer's.
#[derive(Clone)]
pub(crate) struct Sm2Exchange {
    provider: Arc<Provider>,
    own: Side,
    peer: Side,
    initiates: bool,
    length: usize,
}

#[derive(Clone, Default)]
struct Side {
    ephemeral: Option<Arc<Material>>,
    /// The key of the certificate.
    key: Option<Arc<Material>>,
    id: Option<Vec<u8>>,
}

impl Side {
    fn id<'a>(&'a self, provider: &'a Provider) -> &'a [u8] {
        self.id.as_deref().unwrap_or(provider.default_id())
    }

    fn set(
        &mut self,
        provider: &Provider,
        selection: Selection,
        key: Option<&Param>,
        id: Option<&Param>,
    ) -> Result<(), Failure> {
        if let Some(param) = key {
            let material = foreign_key::read(provider.core(), param, selection, |params| {
                Material::import(params, selection)
            })?;
            self.key = Some(Arc::new(material));
        }
        if let Some(param) = id {
            self.id = Some(param.octets()?.to_vec());
        }
        Ok(())
    }
}

impl Object for Sm2Exchange {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

impl Context for Sm2Exchange {}

impl KeyOperation for Sm2Exchange {
    type Provider = Provider;
    type Key = Key;

    const SETTABLE: &'static [Param] = &[
        Param::known(c"sm2-initiator", Kind::Integer),
        Param::known(c"self-id", Kind::Octets),
        Param::known(c"peer-id", Kind::Octets),
        Param::known(c"self-enc-key", Kind::OctetPointer),
        Param::known(c"peer-enc-key", Kind::OctetPointer),
        Param::known(c"digest", Kind::Text),
        Param::known(c"outlen", Kind::Unsigned),
        Param::END,
    ];
    const GETTABLE: &'static [Param] = &[
        Param::known(c"digest", Kind::Text),
        Param::known(c"outlen", Kind::Unsigned),
        Param::END,
    ];

    fn new(provider: &Arc<Provider>) -> Self {
        Self {
            provider: Arc::clone(provider),
            own: Side::default(),
            peer: Side::default(),
            initiates: false,
            length: 0,
        }
    }

    fn init(&mut self, key: Option<&Key>, params: &Params<'_>) -> Result<(), Failure> {
        let key = key.ok_or(Reason::NoKey)?.material();
        key.need_secret()?;
        self.own.ephemeral = Some(key);
        self.peer.ephemeral = None;
        self.set(params)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(c"digest") {
            check_digest(param.text()?)?;
        }
        if let Some(param) = params.find(c"sm2-initiator") {
            self.initiates = param.unsigned()? != 0;
        }
        if let Some(param) = params.find(c"outlen") {
            self.length = param.size()?;
        }
        let Self {
            provider,
            own,
            peer,
            ..
        } = self;
        own.set(
            provider,
            Selection::WHOLE,
            params.find(c"self-enc-key"),
            params.find(c"self-id"),
        )?;
        peer.set(
            provider,
            Selection::WITHOUT_PRIVATE,
            params.find(c"peer-enc-key"),
            params.find(c"peer-id"),
        )
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"digest", |param| param.set_text(c"SM3"))?;
        requests.answer(c"outlen", |param| param.set_unsigned(self.length as u64))
    }
}

impl Exchange for Sm2Exchange {
    type Secret = Zeroizing<Vec<u8>>;

    fn set_peer(&mut self, peer: Option<&Key>) -> Result<(), Failure> {
        let peer = peer.ok_or(Reason::NoPeer)?.material();
        peer.need_public()?;
        self.peer.ephemeral = Some(peer);
        Ok(())
    }

    fn derive(&self, capacity: Option<usize>) -> Result<Output<Zeroizing<Vec<u8>>>, Failure> {
        match capacity {
            None => return Ok(Output::Length(self.length)),
            Some(size) if size < self.length => return Err(Reason::OutputTooSmall.into()),
            Some(_) => {}
        }
        let ephemeral = self.own.ephemeral.as_ref().ok_or(Reason::NoKey)?;
        let ephemeral = ephemeral.need_secret()?.to_bytes();
        let point: &PublicKey = self
            .peer
            .ephemeral
            .as_ref()
            .ok_or(Reason::NoPeer)?
            .need_public()?;
        let own_key = self.own.key.as_ref().ok_or(Reason::NoKey)?.need_secret()?;
        let peer_key = self
            .peer
            .key
            .as_ref()
            .ok_or(Reason::NoPeer)?
            .need_public()?;
        let party = Party::new(own_key, self.own.id(&self.provider))?;
        let peer = Peer::new(peer_key, self.peer.id(&self.provider))?;
        let key = if self.initiates {
            Initiator::start_with_nonce(party, peer, &ephemeral)
                .and_then(|(initiator, _)| initiator.finish_unconfirmed(point, self.length))
        } else {
            Responder::new(party, peer)
                .respond_with_nonce(point, self.length, &ephemeral)
                .map(|response| response.key_unconfirmed())
        };
        key.map(Output::Bytes)
            .map_err(|error| Failure::with(Reason::ExchangeFailed, error.to_string()))
    }
}
