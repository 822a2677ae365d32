//! Encryption with keys (provider-asym_cipher(7)).

use std::ffi::{c_int, c_void};

use super::dispatch::{Dispatch, Slot};
use super::function::{
    Duplicate, Free, GetObjectParams, KnownContextParams, New, Process, SetObjectParams,
};
use super::key_operation::{
    Init, KeyOperation, get_params, gettable_params, init, new_context, set_params,
    settable_params, write_output,
};
use super::memory::{Output, bytes};
use super::object::{duplicate, free};
use crate::failure::Failure;

/// Encryption to a public key, and decryption with its private key. Without an output buffer, the
/// length of the result is asked for.
pub(crate) trait AsymCipher: KeyOperation {
    type Ciphertext: AsRef<[u8]>;
    type Message: AsRef<[u8]>;

    fn encrypt(
        &self,
        message: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Self::Ciphertext>, Failure>;

    fn decrypt(
        &self,
        ciphertext: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Self::Message>, Failure>;
}

/// The functions of an encryption.
pub(crate) const fn table<C: AsymCipher>() -> [Dispatch; 12] {
    [
        Slot::<New>::new(1).is(new_context::<C>),
        Slot::<Init>::new(2).is(init::<C>),
        Slot::<Process>::new(3).is(encrypt::<C>),
        Slot::<Init>::new(4).is(init::<C>),
        Slot::<Process>::new(5).is(decrypt::<C>),
        Slot::<Free>::new(6).is(free::<C>),
        Slot::<Duplicate>::new(7).is(duplicate::<C>),
        Slot::<GetObjectParams>::new(8).is(get_params::<C>),
        Slot::<KnownContextParams>::new(9).is(gettable_params::<C>),
        Slot::<SetObjectParams>::new(10).is(set_params::<C>),
        Slot::<KnownContextParams>::new(11).is(settable_params::<C>),
        Dispatch::END,
    ]
}

unsafe extern "C" fn encrypt<C: AsymCipher>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        write_output::<C, _>(context, out, length, size, |cipher, capacity| {
            cipher.encrypt(bytes(data, data_length), capacity)
        })
    }
}

unsafe extern "C" fn decrypt<C: AsymCipher>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // No copy of the message stays on the stack.
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table, the places for its output, and its input.
        unsafe {
            write_output::<C, _>(context, out, length, size, |cipher, capacity| {
                cipher.decrypt(bytes(data, data_length), capacity)
            })
        }
    })
}
