//! Signatures (provider-signature(7)).

use std::ffi::{c_char, c_int, c_void};

use super::key_operation::{
    Duplicate, Free, GetParams, Init, KnownParams, SetParams, duplicate_context, free, get_params,
    gettable_params, give, init, material, new_context, set_params, settable_params,
};
use super::param::{Param, Params};
use super::{Algorithm, Dispatch, Slot, bytes, text, with};
use crate::provider::Provider;
use crate::sm2::signature::SignatureOperation;

type NewContext =
    unsafe extern "C" fn(provctx: *mut c_void, properties: *const c_char) -> *mut c_void;
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

static TABLE: [Dispatch; 20] = [
    Slot::<NewContext>::new(1).is(new_signature),
    Slot::<Init>::new(2).is(init::<SignatureOperation>),
    Slot::<Sign>::new(3).is(sign),
    Slot::<Init>::new(4).is(init::<SignatureOperation>),
    Slot::<Verify>::new(5).is(verify),
    Slot::<InitMessage>::new(8).is(init_message),
    Slot::<Update>::new(9).is(update),
    Slot::<SignFinal>::new(10).is(sign_final),
    Slot::<Sign>::new(11).is(sign_message),
    Slot::<InitMessage>::new(12).is(init_message),
    Slot::<Update>::new(13).is(update),
    Slot::<VerifyFinal>::new(14).is(verify_final),
    Slot::<Verify>::new(15).is(verify_message),
    Slot::<Free>::new(16).is(free::<SignatureOperation>),
    Slot::<Duplicate>::new(17).is(duplicate_context::<SignatureOperation>),
    Slot::<GetParams>::new(18).is(get_params::<SignatureOperation>),
    Slot::<KnownParams>::new(19).is(gettable_params::<SignatureOperation>),
    Slot::<SetParams>::new(20).is(set_params::<SignatureOperation>),
    Slot::<KnownParams>::new(21).is(settable_params::<SignatureOperation>),
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

unsafe extern "C" fn new_signature(
    provctx: *mut c_void,
    _properties: *const c_char,
) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { new_context::<SignatureOperation>(provctx) }
}

unsafe extern "C" fn init_message(
    context: *mut c_void,
    digest: *const c_char,
    key: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, a name, a key of this module, and a list for this call.
    unsafe {
        with::<SignatureOperation>(context, |operation| {
            operation.init_message(text(digest), material(key), &Params::new(params))
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
        give::<SignatureOperation, _>(context, signature, length, size, |operation, place| {
            operation.sign_digest(bytes(data, data_length), place)
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
        with::<SignatureOperation>(context, |operation| {
            operation.verify_digest(bytes(data, data_length), bytes(signature, length))
        })
    }
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, length: usize) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe {
        with::<SignatureOperation>(context, |operation| operation.update(bytes(data, length)))
    }
}

unsafe extern "C" fn sign_final(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        give::<SignatureOperation, _>(context, signature, length, size, |operation, place| {
            operation.sign_message(&[], place)
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
        give::<SignatureOperation, _>(context, signature, length, size, |operation, place| {
            operation.sign_message(bytes(data, data_length), place)
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
        with::<SignatureOperation>(context, |operation| {
            operation.verify_message(bytes(signature, length))
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
        with::<SignatureOperation>(context, |operation| {
            operation.update(bytes(data, data_length))?;
            operation.verify_message(bytes(signature, length))
        })
    }
}
