//! Encryption with keys (provider-asym_cipher(7)).

use std::ffi::{c_int, c_void};

use super::key_operation::{
    Duplicate, Free, GetParams, Init, KnownParams, NewContext, SetParams, duplicate_context, free,
    get_params, gettable_params, give, init, new_context, set_params, settable_params,
};
use super::{Algorithm, Dispatch, Slot, bytes};
use crate::provider::Provider;
use crate::sm2::encryption::Encryption;

type Crypt = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;

static TABLE: [Dispatch; 12] = [
    Slot::<NewContext>::new(1).is(new_context::<Encryption>),
    Slot::<Init>::new(2).is(init::<Encryption>),
    Slot::<Crypt>::new(3).is(encrypt),
    Slot::<Init>::new(4).is(init::<Encryption>),
    Slot::<Crypt>::new(5).is(decrypt),
    Slot::<Free>::new(6).is(free::<Encryption>),
    Slot::<Duplicate>::new(7).is(duplicate_context::<Encryption>),
    Slot::<GetParams>::new(8).is(get_params::<Encryption>),
    Slot::<KnownParams>::new(9).is(gettable_params::<Encryption>),
    Slot::<SetParams>::new(10).is(set_params::<Encryption>),
    Slot::<KnownParams>::new(11).is(settable_params::<Encryption>),
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
        give::<Encryption, _>(context, out, length, size, |encryption, place| {
            encryption.encrypt(bytes(data, data_length), place)
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
    // The message, which the caller gets, is left nowhere else.
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table, the places for its output, and its input.
        unsafe {
            give::<Encryption, _>(context, out, length, size, |encryption, place| {
                encryption.decrypt(bytes(data, data_length), place)
            })
        }
    })
}
