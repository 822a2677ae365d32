//! Signatures (provider-signature(7)).

use std::ffi::{c_char, c_int, c_void};

use super::dispatch::{Dispatch, Slot};
use super::function::{
    Duplicate, Free, GetObjectParams, Give, KnownContextParams, Process, SetObjectParams, Take,
};
use super::key_operation::{
    Init, KeyOperation, get_params, gettable_params, init, key, new_context, set_params,
    settable_params, write_output,
};
use super::memory::{Output, bytes, text};
use super::object::{duplicate, free, with};
use super::param::{Param, Params};
use crate::failure::Failure;

/// Signing and verifying with a key: of a digest that the program computed, and of a message in
/// pieces. Without an output buffer, the length of a signature is asked for.
pub(crate) trait SignatureOperation: KeyOperation {
    type Signature: AsRef<[u8]>;

    /// Begins with a key, for a message. `digest` is the name of a digest, if the program gave one.
    fn init_message(
        &mut self,
        digest: Option<&str>,
        key: Option<&Self::Key>,
        params: &Params<'_>,
    ) -> Result<(), Failure>;

    /// Takes the next piece of the message.
    fn update(&mut self, data: &[u8]) -> Result<(), Failure>;

    /// Signs the message that ends with `data`.
    fn sign_message(
        &mut self,
        data: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Self::Signature>, Failure>;

    fn sign_digest(
        &self,
        digest: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Self::Signature>, Failure>;

    /// Verifies a signature of the message.
    fn verify_message(&mut self, signature: &[u8]) -> Result<(), Failure>;

    fn verify_digest(&self, digest: &[u8], signature: &[u8]) -> Result<(), Failure>;
}

type NewContext =
    unsafe extern "C" fn(provctx: *mut c_void, properties: *const c_char) -> *mut c_void;
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

/// The functions of a signature.
pub(crate) const fn table<S: SignatureOperation>() -> [Dispatch; 20] {
    [
        Slot::<NewContext>::new(1).is(new_signature::<S>),
        Slot::<Init>::new(2).is(init::<S>),
        Slot::<Process>::new(3).is(sign::<S>),
        Slot::<Init>::new(4).is(init::<S>),
        Slot::<Verify>::new(5).is(verify::<S>),
        Slot::<InitMessage>::new(8).is(init_message::<S>),
        Slot::<Take>::new(9).is(update::<S>),
        Slot::<Give>::new(10).is(sign_final::<S>),
        Slot::<Process>::new(11).is(sign_message::<S>),
        Slot::<InitMessage>::new(12).is(init_message::<S>),
        Slot::<Take>::new(13).is(update::<S>),
        Slot::<Take>::new(14).is(verify_final::<S>),
        Slot::<Verify>::new(15).is(verify_message::<S>),
        Slot::<Free>::new(16).is(free::<S>),
        Slot::<Duplicate>::new(17).is(duplicate::<S>),
        Slot::<GetObjectParams>::new(18).is(get_params::<S>),
        Slot::<KnownContextParams>::new(19).is(gettable_params::<S>),
        Slot::<SetObjectParams>::new(20).is(set_params::<S>),
        Slot::<KnownContextParams>::new(21).is(settable_params::<S>),
        Dispatch::END,
    ]
}

unsafe extern "C" fn new_signature<S: SignatureOperation>(
    provctx: *mut c_void,
    _properties: *const c_char,
) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { new_context::<S>(provctx) }
}

unsafe extern "C" fn init_message<S: SignatureOperation>(
    context: *mut c_void,
    digest: *const c_char,
    with_key: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, a name, a key of this module, and a list for this call.
    unsafe {
        with::<S>(context, |operation| {
            operation.init_message(text(digest), key(with_key), &Params::new(params))
        })
    }
}

unsafe extern "C" fn sign<S: SignatureOperation>(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        write_output::<S, _>(context, signature, length, size, |operation, capacity| {
            operation.sign_digest(bytes(data, data_length), capacity)
        })
    }
}

unsafe extern "C" fn verify<S: SignatureOperation>(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its inputs.
    unsafe {
        with::<S>(context, |operation| {
            operation.verify_digest(bytes(data, data_length), bytes(signature, length))
        })
    }
}

unsafe extern "C" fn update<S: SignatureOperation>(
    context: *mut c_void,
    data: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe { with::<S>(context, |operation| operation.update(bytes(data, length))) }
}

unsafe extern "C" fn sign_final<S: SignatureOperation>(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        write_output::<S, _>(context, signature, length, size, |operation, capacity| {
            operation.sign_message(&[], capacity)
        })
    }
}

unsafe extern "C" fn sign_message<S: SignatureOperation>(
    context: *mut c_void,
    signature: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        write_output::<S, _>(context, signature, length, size, |operation, capacity| {
            operation.sign_message(bytes(data, data_length), capacity)
        })
    }
}

unsafe extern "C" fn verify_final<S: SignatureOperation>(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe {
        with::<S>(context, |operation| {
            operation.verify_message(bytes(signature, length))
        })
    }
}

unsafe extern "C" fn verify_message<S: SignatureOperation>(
    context: *mut c_void,
    signature: *const u8,
    length: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its inputs.
    unsafe {
        with::<S>(context, |operation| {
            operation.update(bytes(data, data_length))?;
            operation.verify_message(bytes(signature, length))
        })
    }
}
