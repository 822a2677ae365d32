//! Key exchange (provider-keyexch(7)).

use std::ffi::{c_int, c_void};

use super::param::{Param, Params, Requests};
use super::signature::material;
use super::{Algorithm, Dispatch, Slot, duplicate, make, output, release, set_length, with};
use crate::provider::Provider;
use crate::sm2::exchange::{Context, PARAMS};

type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type Init =
    unsafe extern "C" fn(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int;
type Derive = unsafe extern "C" fn(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type SetPeer = unsafe extern "C" fn(context: *mut c_void, peer: *mut c_void) -> c_int;
type Free = unsafe extern "C" fn(context: *mut c_void);
type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
type SetParams = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type GetParams = unsafe extern "C" fn(context: *mut c_void, params: *mut Param) -> c_int;
type KnownParams = unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;

static TABLE: [Dispatch; 11] = [
    Slot::<NewContext>::new(1).is(new_context),
    Slot::<Init>::new(2).is(init),
    Slot::<Derive>::new(3).is(derive),
    Slot::<SetPeer>::new(4).is(set_peer),
    Slot::<Free>::new(5).is(free),
    Slot::<Duplicate>::new(6).is(duplicate_context),
    Slot::<SetParams>::new(7).is(set_params),
    Slot::<KnownParams>::new(8).is(known_params),
    Slot::<GetParams>::new(9).is(get_params),
    Slot::<KnownParams>::new(10).is(known_params),
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

unsafe extern "C" fn new_context(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { make(provctx, |provider| Ok(Context::new(provider))) }
}

unsafe extern "C" fn init(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context of this table, a key of this module, and a list for this call.
    unsafe {
        with::<Context>(context, |context| {
            context.init(material(key), &Params::new(params))
        })
    }
}

unsafe extern "C" fn set_peer(context: *mut c_void, peer: *mut c_void) -> c_int {
    // SAFETY: a context of this table, and a key of this module.
    unsafe { with::<Context>(context, |context| context.set_peer(material(peer))) }
}

unsafe extern "C" fn derive(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        with::<Context>(context, |context| {
            let written = context.derive(output(secret, size))?;
            set_length(length, written);
            Ok(())
        })
    }
}

unsafe extern "C" fn free(context: *mut c_void) {
    // SAFETY: a context of this table, used for the last time.
    unsafe { release::<Context>(context) }
}

unsafe extern "C" fn duplicate_context(context: *mut c_void) -> *mut c_void {
    // SAFETY: a context of this table.
    unsafe { duplicate::<Context>(context) }
}

unsafe extern "C" fn set_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe { with::<Context>(context, |context| context.set(&Params::new(params))) }
}

unsafe extern "C" fn get_params(context: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        with::<Context>(context, |context| {
            context.answer(&mut Requests::new(params))
        })
    }
}

unsafe extern "C" fn known_params(_context: *mut c_void, _provctx: *mut c_void) -> *const Param {
    PARAMS.as_ptr()
}
