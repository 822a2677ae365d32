//! Key exchange (provider-keyexch(7)).

use std::ffi::{c_int, c_void};

use super::key_operation::{
    Duplicate, Free, GetParams, Init, KnownParams, NewContext, SetParams, duplicate_context, free,
    get_params, gettable_params, give, init, material, new_context, set_params, settable_params,
};
use super::{Algorithm, Dispatch, Slot, with};
use crate::provider::Provider;
use crate::sm2::exchange::Exchange;

type Derive = unsafe extern "C" fn(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type SetPeer = unsafe extern "C" fn(context: *mut c_void, peer: *mut c_void) -> c_int;

static TABLE: [Dispatch; 11] = [
    Slot::<NewContext>::new(1).is(new_context::<Exchange>),
    Slot::<Init>::new(2).is(init::<Exchange>),
    Slot::<Derive>::new(3).is(derive),
    Slot::<SetPeer>::new(4).is(set_peer),
    Slot::<Free>::new(5).is(free::<Exchange>),
    Slot::<Duplicate>::new(6).is(duplicate_context::<Exchange>),
    Slot::<SetParams>::new(7).is(set_params::<Exchange>),
    Slot::<KnownParams>::new(8).is(settable_params::<Exchange>),
    Slot::<GetParams>::new(9).is(get_params::<Exchange>),
    Slot::<KnownParams>::new(10).is(gettable_params::<Exchange>),
    Dispatch::END,
];

// Not under the name ECDH: every program with a key on another curve would then ask here first, and be sent away.
pub(super) static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new(
        c"curveSM2",
        Provider::PROPERTIES,
        &TABLE,
        c"ECDH on the curve of SM2, for TLS 1.3 (RFC 8998)",
    ),
    Algorithm::END,
];

unsafe extern "C" fn set_peer(context: *mut c_void, peer: *mut c_void) -> c_int {
    // SAFETY: a context of this table, and a key of this module.
    unsafe { with::<Exchange>(context, |exchange| exchange.set_peer(material(peer))) }
}

unsafe extern "C" fn derive(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        give::<Exchange>(context, secret, length, size, |exchange, out| {
            exchange.derive(out)
        })
    }
}
