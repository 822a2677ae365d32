//! Key exchange (GB/T 38635.2-2020, clause 7).

use kuaimi::sm9::G1Point;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder, Response};

use super::exchange_key::kuaimi_sm9_exchange_key;
use super::identity::identity;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::sm2::give_key;
use crate::state::{Once, State};

/// The initiator of a key exchange, waiting for the responder's point. It finishes once.
pub struct kuaimi_sm9_initiator {
    _opaque: [u8; 0],
}
/// The responder of a key exchange, waiting for the initiator's confirmation. It gives its key
/// once.
pub struct kuaimi_sm9_response {
    _opaque: [u8; 0],
}
objects!(
    kuaimi_sm9_initiator: Once<Initiator>,
    kuaimi_sm9_response: Once<Response>,
);

/// The initiator's first step. `key` is the initiator's own, `peer_id` the responder, with the
/// function identifier `peer_hid` (0 means the usual one, 2). Send the 65 bytes at `r_a` to the
/// responder. Free the initiator with `kuaimi_sm9_initiator_free`.
///
/// Source: GB/T 38635.2-2020, clause 7.2, steps A1 to A4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_exchange_start(
    key: *const kuaimi_sm9_exchange_key,
    peer_id: *const u8,
    peer_id_len: usize,
    peer_hid: u8,
    out: *mut *mut kuaimi_sm9_initiator,
    r_a: *mut u8,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        key = handle(key),
        #[once] peer_id = input(peer_id, peer_id_len),
        r_a = array_out(r_a) => {
            let peer = Peer::new(identity(peer_id, peer_hid))?;
            let (initiator, point) = Initiator::start(Party::new(key), peer)?;
            r_a.put(point.to_sec1_bytes());
            out.put(State::new(Some(initiator)));
            Ok(())
        }
    )
}

/// The responder's step. `key` is the responder's own, `peer_id` the initiator, with the function
/// identifier `peer_hid` (0 means the usual one, 2), `r_a` the initiator's point (33, 64 or 65
/// bytes), and `shared_len` the length of the key to agree on. Send the 65 bytes at `r_b` and the
/// 32 bytes at `s_b` to the initiator. Free the response with `kuaimi_sm9_response_free`.
///
/// `KUAIMI_ERROR_POINT_ENCODING`, `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: `r_a` is no point.
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is zero or too large.
///
/// Source: GB/T 38635.2-2020, clause 7.2, steps B1 to B7.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_exchange_respond(
    key: *const kuaimi_sm9_exchange_key,
    peer_id: *const u8,
    peer_id_len: usize,
    peer_hid: u8,
    r_a: *const u8,
    r_a_len: usize,
    shared_len: usize,
    out: *mut *mut kuaimi_sm9_response,
    r_b: *mut u8,
    s_b: *mut u8,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        key = handle(key),
        #[once] peer_id = input(peer_id, peer_id_len),
        #[once] r_a = input(r_a, r_a_len),
        r_b = array_out(r_b),
        s_b = array_out(s_b) => {
            let r_a = G1Point::from_slice(r_a)?;
            let peer = Peer::new(identity(peer_id, peer_hid))?;
            let responder = Responder::new(Party::new(key), peer);
            let response = responder.respond(&r_a, shared_len)?;
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
/// Source: GB/T 38635.2-2020, clause 7.2, steps A5 to A8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_initiator_finish(
    initiator: *mut kuaimi_sm9_initiator,
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
            let r_b = G1Point::from_slice(r_b)?;
            let (key, confirmation) = initiator.take()?.finish(&r_b, s_b, shared.len())?;
            shared.copy_from_slice(&key);
            s_a.put(confirmation);
            Ok(())
        }
    )
}

/// As `kuaimi_sm9_initiator_finish`, without confirmations: a wrong peer shows only when the keys
/// do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_initiator_finish_unconfirmed(
    initiator: *mut kuaimi_sm9_initiator,
    r_b: *const u8,
    r_b_len: usize,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(
        initiator = handle(initiator),
        #[once] r_b = input(r_b, r_b_len),
        shared = region(shared, shared_len) => {
            let r_b = G1Point::from_slice(r_b)?;
            shared.copy_from_slice(&initiator.take()?.finish_unconfirmed(&r_b, shared.len())?);
            Ok(())
        }
    )
}

/// Writes what a process needs to go on with `kuaimi_sm9_initiator_finish` later, a secret: keep it
/// where only its owner can read or write it. The initiator can still be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_initiator_to_bytes(
    initiator: *const kuaimi_sm9_initiator,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(initiator = handle(initiator), out = output(out, out_len) => {
        out.write_bytes(initiator.look(|initiator| Ok(initiator.to_bytes()))?)
    })
}

/// The initiator that `kuaimi_sm9_initiator_to_bytes` wrote. `key` is the key that it started with.
///
/// `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state. `KUAIMI_ERROR_EXCHANGE_KEY`: it is
/// another key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_initiator_from_bytes(
    key: *const kuaimi_sm9_exchange_key,
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm9_initiator,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len), key = handle(key) => {
        out.put(State::new(Some(Initiator::from_bytes(bytes, key)?)));
        Ok(())
    })
}

/// Wipes and frees an initiator. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_initiator_free(initiator: *mut kuaimi_sm9_initiator) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(initiator) }
}

/// The responder's last step: `s_a` is the initiator's confirmation. The shared key, of the length
/// that `kuaimi_sm9_exchange_respond` was given, is written to `shared`. Whether it succeeds or
/// not, the response cannot be used again, unless an argument was wrong (errors 10 to 13).
///
/// `KUAIMI_ERROR_CONFIRMATION_FAILED`: the initiator does not hold the same key.
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `shared_len` is another length.
///
/// Source: GB/T 38635.2-2020, clause 7.2, step B8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_response_confirm(
    response: *mut kuaimi_sm9_response,
    s_a: *const u8,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(response = handle(response), s_a = array(s_a), shared = region(shared, shared_len) => {
        give_key(&response.take()?.confirm(s_a)?, shared)
    })
}

/// As `kuaimi_sm9_response_confirm`, without a confirmation: a wrong peer shows only when the keys
/// do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_response_key_unconfirmed(
    response: *mut kuaimi_sm9_response,
    shared: *mut u8,
    shared_len: usize,
) -> kuaimi_error {
    call!(response = handle(response), shared = region(shared, shared_len) => {
        give_key(&response.take()?.key_unconfirmed(), shared)
    })
}

/// Writes what a process needs to go on with `kuaimi_sm9_response_confirm` later, a secret: keep it
/// where only its owner can read or write it. The response can still be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_response_to_bytes(
    response: *const kuaimi_sm9_response,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(response = handle(response), out = output(out, out_len) => {
        out.write_bytes(response.look(|response| Ok(response.to_bytes()))?)
    })
}

/// The response that `kuaimi_sm9_response_to_bytes` wrote.
///
/// `KUAIMI_ERROR_EXCHANGE_STATE`: the bytes are no such state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_response_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm9_response,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(State::new(Some(Response::from_bytes(bytes)?)));
        Ok(())
    })
}

/// Wipes and frees a response. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_response_free(response: *mut kuaimi_sm9_response) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(response) }
}
