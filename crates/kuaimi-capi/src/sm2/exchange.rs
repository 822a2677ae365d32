//! Key exchange (GB/T 32918.3-2016).

use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder, Response};

use super::private_key::kuaimi_sm2_private_key;
use super::public_key::{identity, kuaimi_sm2_public_key, point};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::state::{Once, State};

/// The initiator of a key exchange, waiting for the responder's point. It finishes once.
pub struct kuaimi_sm2_initiator {
    _opaque: [u8; 0],
}
/// The responder of a key exchange, waiting for the initiator's confirmation. It gives its key
/// once.
pub struct kuaimi_sm2_response {
    _opaque: [u8; 0],
}
objects!(
    kuaimi_sm2_initiator: Once<Initiator>,
    kuaimi_sm2_response: Once<Response>,
);

/// The initiator's first step. `key` and `id` are the initiator's own, `peer` and `peer_id` the
/// responder's; an identity that is null means the default one. Send the 65 bytes at `r_a` to the
/// responder. Free the initiator with `kuaimi_sm2_initiator_free`.
///
/// Source: GB/T 32918.3-2016, clause 6.1, steps A1 to A3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_exchange_start(
    key: *const kuaimi_sm2_private_key,
    peer: *const kuaimi_sm2_public_key,
    id: *const u8,
    id_len: usize,
    peer_id: *const u8,
    peer_id_len: usize,
    out: *mut *mut kuaimi_sm2_initiator,
    r_a: *mut u8,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        key = handle(key),
        peer = handle(peer),
        id = optional_input(id, id_len),
        peer_id = optional_input(peer_id, peer_id_len),
        r_a = array_out(r_a) => {
            let party = Party::new(key, identity(id))?;
            let peer = Peer::new(peer.public_key(), identity(peer_id))?;
            let (initiator, point) = Initiator::start(party, peer)?;
            r_a.put(point.to_sec1_bytes());
            out.put(State::new(Some(initiator)));
            Ok(())
        }
    )
}

/// The responder's step. `key` and `id` are the responder's own, `peer` and `peer_id` the
/// initiator's, `r_a` the initiator's point (33, 64 or 65 bytes), and `shared_len` the length of
/// the key to agree on. Send the 65 bytes at `r_b` and the 32 bytes at `s_b` to the initiator. Free
/// the response with `kuaimi_sm2_response_free`.
///
/// `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point.
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is zero or too large.
///
/// Source: GB/T 32918.3-2016, clause 6.1, steps B1 to B8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_exchange_respond(
    key: *const kuaimi_sm2_private_key,
    peer: *const kuaimi_sm2_public_key,
    id: *const u8,
    id_len: usize,
    peer_id: *const u8,
    peer_id_len: usize,
    r_a: *const u8,
    r_a_len: usize,
    shared_len: usize,
    out: *mut *mut kuaimi_sm2_response,
    r_b: *mut u8,
    s_b: *mut u8,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        key = handle(key),
        peer = handle(peer),
        id = optional_input(id, id_len),
        peer_id = optional_input(peer_id, peer_id_len),
        #[once] r_a = input(r_a, r_a_len),
        r_b = array_out(r_b),
        s_b = array_out(s_b) => {
            let party = Party::new(key, identity(id))?;
            let peer = Peer::new(peer.public_key(), identity(peer_id))?;
            let response = Responder::new(party, peer).respond(&point(r_a)?, shared_len)?;
            r_b.put(response.point().to_sec1_bytes());
            s_b.put(response.confirmation());
            out.put(State::new(Some(response)));
            Ok(())
        }
    )
}

/// The initiator's last step: `r_b` and `s_b` are the responder's point and confirmation. The
/// shared key of `shared_len` bytes is written to `shared`. Send the 32 bytes at `s_a` to the
/// responder. Whether it succeeds or not, the initiator cannot be used again, unless an argument
/// was wrong (errors 10 to 23).
///
/// `KUAIMI_ERROR_CONFIRMATION_FAILED`: the responder does not hold the same key.
///
/// Source: GB/T 32918.3-2016, clause 6.1, steps A4 to A10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_initiator_finish(
    initiator: *mut kuaimi_sm2_initiator,
    r_b: *const u8,
    r_b_len: usize,
    s_b: *const u8,
    shared: *mut u8,
    shared_len: usize,
    s_a: *mut u8,
) -> kuaimi_error {
    call!(
        initiator = handle(initiator),
        #[once] r_b = input(r_b, r_b_len),
        s_b = array(s_b),
        shared = region(shared, shared_len),
        s_a = array_out(s_a) => {
            let r_b = point(r_b)?;
            let (key, confirmation) = initiator.take()?.finish(&r_b, s_b, shared.len())?;
            shared.copy_from_slice(&key);
            s_a.put(confirmation);
            Ok(())
        }
    )
}

/// As `kuaimi_sm2_initiator_finish`, without confirmations: a wrong peer shows only when the keys
/// do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_initiator_finish_unconfirmed(
    initiator: *mut kuaimi_sm2_initiator,
    r_b: *const u8,
    r_b_len: usize,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(
        initiator = handle(initiator),
        #[once] r_b = input(r_b, r_b_len),
        shared = region(shared, shared_len) => {
            let r_b = point(r_b)?;
            shared.copy_from_slice(&initiator.take()?.finish_unconfirmed(&r_b, shared.len())?);
            Ok(())
        }
    )
}

/// Writes what a process needs to go on with `kuaimi_sm2_initiator_finish` later, a secret: keep it
/// where only its owner can read or write it. The initiator can still be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_initiator_to_bytes(
    initiator: *const kuaimi_sm2_initiator,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(initiator = handle(initiator), out = output(out, out_len) => {
        out.write_bytes(initiator.look(|initiator| Ok(initiator.to_bytes()))?)
    })
}

/// The initiator that `kuaimi_sm2_initiator_to_bytes` wrote. `key` is the private key that it
/// started with.
///
/// `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is
/// another private key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_initiator_from_bytes(
    key: *const kuaimi_sm2_private_key,
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_initiator,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key), #[once] bytes = input(bytes, len) => {
        out.put(State::new(Some(Initiator::from_bytes(bytes, key)?)));
        Ok(())
    })
}

/// Wipes and frees an initiator. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_initiator_free(initiator: *mut kuaimi_sm2_initiator) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(initiator) }
}

/// The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length
/// that `kuaimi_sm2_exchange_respond` was given, is written to `shared`. Whether it succeeds or
/// not, the response cannot be used again, unless an argument was wrong (errors 10 to 13).
///
/// `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key.
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is another length.
///
/// Source: GB/T 32918.3-2016, clause 6.1, step B10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_response_confirm(
    response: *mut kuaimi_sm2_response,
    s_a: *const u8,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(response = handle(response), s_a = array(s_a), shared = region(shared, shared_len) => {
        give_key(&response.take()?.confirm(s_a)?, shared)
    })
}

/// As `kuaimi_sm2_response_confirm`, without a confirmation: a wrong peer shows only when the keys
/// do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_response_key_unconfirmed(
    response: *mut kuaimi_sm2_response,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(response = handle(response), shared = region(shared, shared_len) => {
        give_key(&response.take()?.key_unconfirmed(), shared)
    })
}

/// Copies a shared key into memory of the same length.
pub(crate) fn give_key(key: &[u8], shared: &mut [u8]) -> Result<(), Error> {
    if key.len() != shared.len() {
        return Err(Error::KUAIMI_ERROR_DERIVED_KEY_LENGTH);
    }
    shared.copy_from_slice(key);
    Ok(())
}

/// Writes what a process needs to go on with `kuaimi_sm2_response_confirm` later, a secret: keep it
/// where only its owner can read or write it. The response can still be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_response_to_bytes(
    response: *const kuaimi_sm2_response,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(response = handle(response), out = output(out, out_len) => {
        out.write_bytes(response.look(|response| Ok(response.to_bytes()))?)
    })
}

/// The response that `kuaimi_sm2_response_to_bytes` wrote.
///
/// `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_response_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_response,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(State::new(Some(Response::from_bytes(bytes)?)));
        Ok(())
    })
}

/// Wipes and frees a response. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_response_free(response: *mut kuaimi_sm2_response) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(response) }
}
