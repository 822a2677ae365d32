//! Key exchange (GB/T 38635.2-2020, clause 7).
//!
//! One handle goes through the exchange: an initiator gives its point and then finishes; a
//! responder gives its answer and then confirms.

use alloc::vec::Vec;

use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{Error, G1Point};
use zeroize::Zeroizing;

use super::{Key, identity};
use crate::Result;
use crate::object::{Handle, Object, other};
use crate::random::Random;

fn parties(key: &Handle, peer: &[u8], peer_hid: u32) -> Result<(Party, Peer)> {
    let Key::Exchange(key) = key.sm9()? else {
        return Err(other());
    };
    Ok((Party::new(&key), Peer::new(identity(peer, peer_hid)?)?))
}

/// A confirmation of another length confirms nothing.
fn confirmation(bytes: &[u8]) -> Result<&[u8; 32]> {
    bytes
        .try_into()
        .map_err(|_| Error::ConfirmationFailed.into())
}

/// The side that begins.
pub fn sm9_exchange_start(key: &Handle, peer: &[u8], peer_hid: u32) -> Result<Object> {
    let (party, peer) = parties(key, peer, peer_hid)?;
    let (state, point) = Initiator::start_with_rng(&mut Random, party, peer)?;
    Ok(Object::Sm9Initiator(state, point))
}

/// The initiator's point, for the other side: 64 bytes.
pub fn sm9_exchange_point(exchange: &Handle) -> Result<[u8; 64]> {
    exchange.with(|object| match object {
        Object::Sm9Initiator(_, point) => Ok(point.to_bytes()),
        _ => Err(other()),
    })
}

/// The initiator's end: the shared key of `length` bytes, and behind it the confirmation for the
/// other side where that has sent one. The exchange is used up.
pub fn sm9_exchange_finish(
    exchange: &Handle,
    point: &[u8],
    from_peer: Option<&[u8]>,
    length: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let point = G1Point::from_slice(point)?;
    let from_peer = from_peer.map(confirmation).transpose()?;
    let Object::Sm9Initiator(state, _) =
        exchange.take(|object| matches!(object, Object::Sm9Initiator(..)))?
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

/// The side that answers.
pub fn sm9_exchange_respond(
    key: &Handle,
    peer: &[u8],
    peer_hid: u32,
    point: &[u8],
    length: u32,
) -> Result<Object> {
    let (party, peer) = parties(key, peer, peer_hid)?;
    let point = G1Point::from_slice(point)?;
    let responder = Responder::new(party, peer);
    let response = responder.respond_with_rng(&mut Random, &point, length as usize)?;
    Ok(Object::Sm9Response(response))
}

/// The responder's point, 64 bytes, and its confirmation, 32.
pub fn sm9_exchange_answer(exchange: &Handle) -> Result<Vec<u8>> {
    exchange.with(|object| match object {
        Object::Sm9Response(response) => {
            Ok([&response.point().to_bytes()[..], &response.confirmation()].concat())
        }
        _ => Err(other()),
    })
}

/// The responder's end: the shared key, once the initiator's confirmation proves that it has the
/// same, or without one. The exchange is used up.
pub fn sm9_exchange_confirm(
    exchange: &Handle,
    from_peer: Option<&[u8]>,
) -> Result<Zeroizing<Vec<u8>>> {
    let from_peer = from_peer.map(confirmation).transpose()?;
    let Object::Sm9Response(response) =
        exchange.take(|object| matches!(object, Object::Sm9Response(_)))?
    else {
        return Err(other());
    };
    Ok(match from_peer {
        None => response.key_unconfirmed(),
        Some(from_peer) => response.confirm(from_peer)?,
    })
}
