//! Signatures (provider-signature(7)).

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use super::param::{Param, Params, Requests};
use super::{
    Algorithm, Dispatch, Slot, bytes, duplicate, make, output, release, set_length, text, with,
};
use crate::failure::Failure;
use crate::provider::Provider;
use crate::sm2::key::{Key, Material};
use crate::sm2::signature::{Context, GETTABLE, SETTABLE};

type NewContext =
    unsafe extern "C" fn(provctx: *mut c_void, properties: *const c_char) -> *mut c_void;
type Init =
    unsafe extern "C" fn(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int;
type Sign = unsafe extern "C" fn(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;
type Verify = unsafe extern "C" fn(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;
type InitMessage = unsafe extern "C" fn(
    context: *mut c_void,
    digest: *const c_char,
    key: *mut c_void,
    params: *const Param,
) -> c_int;
type Update = unsafe extern "C" fn(context: *mut c_void, data: *const u8, length: usize) -> c_int;
type SignFinal = unsafe extern "C" fn(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type VerifyFinal =
    unsafe extern "C" fn(context: *mut c_void, signature: *const u8, length: usize) -> c_int;
type Free = unsafe extern "C" fn(context: *mut c_void);
type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
type GetParams = unsafe extern "C" fn(context: *mut c_void, params: *mut Param) -> c_int;
type SetParams = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type KnownParams = unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;

static TABLE: [Dispatch; 20] = [
    Slot::<NewContext>::new(1).is(new_context),
    Slot::<Init>::new(2).is(init),
    Slot::<Sign>::new(3).is(sign),
    Slot::<Init>::new(4).is(init),
    Slot::<Verify>::new(5).is(verify),
    Slot::<InitMessage>::new(8).is(init_message),
    Slot::<Update>::new(9).is(update),
    Slot::<SignFinal>::new(10).is(sign_final),
    Slot::<Sign>::new(11).is(sign_message),
    Slot::<InitMessage>::new(12).is(init_message),
    Slot::<Update>::new(13).is(update),
    Slot::<VerifyFinal>::new(14).is(verify_final),
    Slot::<Verify>::new(15).is(verify_message),
    Slot::<Free>::new(16).is(free),
    Slot::<Duplicate>::new(17).is(duplicate_context),
    Slot::<GetParams>::new(18).is(get_params),
    Slot::<KnownParams>::new(19).is(gettable_params),
    Slot::<SetParams>::new(20).is(set_params),
    Slot::<KnownParams>::new(21).is(settable_params),
    Dispatch::END,
];

pub(super) static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new(
        c"SM2:1.2.156.10197.1.301",
        Provider::PROPERTIES,
        &TABLE,
        c"SM2 signatures (GB/T 32918.2)",
    ),
    Algorithm::END,
];

/// The contents of a key of this module, or none.
///
/// # Safety
/// `key` is null or a key of this module.
pub(super) unsafe fn material(key: *mut c_void) -> Option<Arc<Material>> {
    // SAFETY: as the caller says; the key is only read.
    unsafe { key.cast::<Key>().as_ref() }.map(Key::material)
}

unsafe extern "C" fn new_context(provctx: *mut c_void, _properties: *const c_char) -> *mut c_void {
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

unsafe extern "C" fn init_message(
    context: *mut c_void,
    digest: *const c_char,
    key: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, a name, a key of this module, and a list for this call.
    unsafe {
        with::<Context>(context, |context| {
            context.init_message(text(digest), material(key), &Params::new(params))
        })
    }
}

/// Calls `body` with the context and the place for a signature, and writes the length of the signature.
///
/// # Safety
/// `context` is of this table, and `signature` and `length` are null or places of the caller's.
unsafe fn signing(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(&mut Context, Option<&mut [u8]>) -> Result<usize, Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        with::<Context>(context, |context| {
            let written = body(context, output(signature, size))?;
            set_length(length, written);
            Ok(())
        })
    }
}

unsafe extern "C" fn sign(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        signing(context, signature, length, size, |context, out| {
            context.sign_digest(bytes(data, data_length), out)
        })
    }
}

unsafe extern "C" fn verify(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its inputs.
    unsafe {
        with::<Context>(context, |context| {
            context.verify_digest(bytes(data, data_length), bytes(signature, length))
        })
    }
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, length: usize) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe { with::<Context>(context, |context| context.update(bytes(data, length))) }
}

unsafe extern "C" fn sign_final(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        signing(context, signature, length, size, |context, out| {
            context.sign_message(out)
        })
    }
}

unsafe extern "C" fn sign_message(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        signing(context, signature, length, size, |context, out| {
            if out.is_some() {
                context.update(bytes(data, data_length))?;
            }
            context.sign_message(out)
        })
    }
}

unsafe extern "C" fn verify_final(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe {
        with::<Context>(context, |context| {
            context.verify_message(bytes(signature, length))
        })
    }
}

unsafe extern "C" fn verify_message(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its inputs.
    unsafe {
        with::<Context>(context, |context| {
            context.update(bytes(data, data_length))?;
            context.verify_message(bytes(signature, length))
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

unsafe extern "C" fn gettable_params(_context: *mut c_void, _provctx: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn set_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe { with::<Context>(context, |context| context.set(&Params::new(params))) }
}

unsafe extern "C" fn settable_params(_context: *mut c_void, _provctx: *mut c_void) -> *const Param {
    SETTABLE.as_ptr()
}
