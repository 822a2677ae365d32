//! Encryption with keys (provider-asym_cipher(7)).

use std::ffi::{c_int, c_void};

use super::param::{Param, Params, Requests};
use super::signature::material;
use super::{Algorithm, Dispatch, Slot, bytes, duplicate, make, output, release, set_length, with};
use crate::failure::Failure;
use crate::provider::Provider;
use crate::sm2::encryption::{Context, PARAMS};

type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type Init =
    unsafe extern "C" fn(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int;
type Crypt = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;
type Free = unsafe extern "C" fn(context: *mut c_void);
type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
type GetParams = unsafe extern "C" fn(context: *mut c_void, params: *mut Param) -> c_int;
type SetParams = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type KnownParams = unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;

static TABLE: [Dispatch; 12] = [
    Slot::<NewContext>::new(1).is(new_context),
    Slot::<Init>::new(2).is(init),
    Slot::<Crypt>::new(3).is(encrypt),
    Slot::<Init>::new(4).is(init),
    Slot::<Crypt>::new(5).is(decrypt),
    Slot::<Free>::new(6).is(free),
    Slot::<Duplicate>::new(7).is(duplicate_context),
    Slot::<GetParams>::new(8).is(get_params),
    Slot::<KnownParams>::new(9).is(known_params),
    Slot::<SetParams>::new(10).is(set_params),
    Slot::<KnownParams>::new(11).is(known_params),
    Dispatch::END,
];

pub(super) static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new(
        c"SM2:1.2.156.10197.1.301",
        Provider::PROPERTIES,
        &TABLE,
        c"SM2 encryption (GB/T 32918.4)",
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

/// Runs `body` with the context and the place for its output, and writes the length of that.
///
/// # Safety
/// `context` is of this table, and `out` and `length` are null or places of the caller's.
unsafe fn crypt(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(&Context, Option<&mut [u8]>) -> Result<usize, Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        with::<Context>(context, |context| {
            let written = body(context, output(out, size))?;
            set_length(length, written);
            Ok(())
        })
    }
}

unsafe extern "C" fn encrypt(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        crypt(context, out, length, size, |context, out| {
            context.encrypt(bytes(data, data_length), out)
        })
    }
}

unsafe extern "C" fn decrypt(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        crypt(context, out, length, size, |context, out| {
            context.decrypt(bytes(data, data_length), out)
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

unsafe extern "C" fn get_params(context: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        with::<Context>(context, |context| {
            context.answer(&mut Requests::new(params))
        })
    }
}

unsafe extern "C" fn set_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe { with::<Context>(context, |context| context.set(&Params::new(params))) }
}

unsafe extern "C" fn known_params(_context: *mut c_void, _provctx: *mut c_void) -> *const Param {
    PARAMS.as_ptr()
}
