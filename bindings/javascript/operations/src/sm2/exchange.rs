//! Key exchange (GB/T 32918.3-2016).
//!
//! One handle goes through the exchange: an initiator gives its point and then finishes; a
//! responder gives its answer and then confirms.

use alloc::vec::Vec;

use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{DEFAULT_ID, PublicKey};
use zeroize::Zeroizing;

use crate::Result;
use crate::object::{Handle, Object, other};
use crate::random::Random;

fn parties(
    key: &Handle,
    peer: &Handle,
    id: Option<&[u8]>,
    peer_id: Option<&[u8]>,
) -> Result<(Party, Peer)> {
    let (key, peer) = (key.sm2_private()?, peer.sm2_public()?);
    Ok((
        Party::new(key.private_key(), id.unwrap_or(DEFAULT_ID))?,
        Peer::new(peer.public_key(), peer_id.unwrap_or(DEFAULT_ID))?,
    ))
}

/// A confirmation of another length confirms nothing.
fn confirmation(bytes: &[u8]) -> Result<&[u8; 32]> {
    bytes
        .try_into()
        .map_err(|_| kuaimi::sm2::Error::ConfirmationFailed.into())
}

/// The side that begins. An ephemeral key of the caller's is used once: the drop-in replacement of
/// a package whose users hold such keys gives one.
pub fn sm2_exchange_start(
    key: &Handle,
    peer: &Handle,
    id: Option<&[u8]>,
    peer_id: Option<&[u8]>,
    nonce: Option<&[u8]>,
) -> Result<Object> {
    let (party, peer) = parties(key, peer, id, peer_id)?;
    let (state, point) = match nonce {
        None => Initiator::start_with_rng(&mut Random, party, peer)?,
        Some(nonce) => Initiator::start_with_nonce(party, peer, ephemeral(nonce)?)?,
    };
    Ok(Object::Sm2Initiator(state, point))
}

fn ephemeral(nonce: &[u8]) -> Result<&[u8; 32]> {
    nonce
        .try_into()
        .map_err(|_| kuaimi::sm2::Error::Nonce.into())
}

/// The initiator's point, for the other side.
pub fn sm2_exchange_point(exchange: &Handle) -> Result<[u8; 65]> {
    exchange.with(|object| match object {
        Object::Sm2Initiator(_, point) => Ok(point.to_sec1_bytes()),
        _ => Err(other()),
    })
}

/// The initiator's end: the shared key of `length` bytes, and behind it the confirmation for the
/// other side where that has sent one. The exchange is used up.
pub fn sm2_exchange_finish(
    exchange: &Handle,
    point: &[u8],
    from_peer: Option<&[u8]>,
    length: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let point = PublicKey::from_sec1_bytes(point)?;
    let from_peer = from_peer.map(confirmation).transpose()?;
    let Object::Sm2Initiator(state, _) =
        exchange.take(|object| matches!(object, Object::Sm2Initiator(..)))?
    else {
        return Err(other());
    };
    let length = length as usize;
    Ok(match from_peer {
        None => state.finish_unconfirmed(&point, length)?,
        Some(from_peer) => {
            let (key, ours) = state.finish(&point, from_peer, length)?;
            Zeroizing::new([&key[..], &ours].concat())
        }
    })
}

/// The side that answers, with an ephemeral key of the caller's or without.
pub fn sm2_exchange_respond(
    key: &Handle,
    peer: &Handle,
    id: Option<&[u8]>,
    peer_id: Option<&[u8]>,
    point: &[u8],
    length: u32,
    nonce: Option<&[u8]>,
) -> Result<Object> {
    let (party, peer) = parties(key, peer, id, peer_id)?;
    let point = PublicKey::from_sec1_bytes(point)?;
    let responder = Responder::new(party, peer);
    let length = length as usize;
    let response = match nonce {
        None => responder.respond_with_rng(&mut Random, &point, length)?,
        Some(nonce) => responder.respond_with_nonce(&point, length, ephemeral(nonce)?)?,
    };
    Ok(Object::Sm2Response(response))
}

/// The responder's point, 65 bytes, and its confirmation, 32.
pub fn sm2_exchange_answer(exchange: &Handle) -> Result<Vec<u8>> {
    exchange.with(|object| match object {
        Object::Sm2Response(response) => {
            let point = response.point().to_sec1_bytes();
            Ok([&point[..], &response.confirmation()].concat())
        }
        _ => Err(other()),
    })
}

/// The responder's end: the shared key, once the initiator's confirmation proves that it has the
/// same, or without one. The exchange is used up.
pub fn sm2_exchange_confirm(
    exchange: &Handle,
    from_peer: Option<&[u8]>,
) -> Result<Zeroizing<Vec<u8>>> {
    let from_peer = from_peer.map(confirmation).transpose()?;
    let Object::Sm2Response(response) =
        exchange.take(|object| matches!(object, Object::Sm2Response(_)))?
    else {
        return Err(other());
    };
    Ok(match from_peer {
        None => response.key_unconfirmed(),
        Some(from_peer) => response.confirm(from_peer)?,
    })
}
