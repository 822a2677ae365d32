//! Key exchange (provider-keyexch(7)).

use std::ffi::{c_int, c_void};

use super::dispatch::{Dispatch, Slot};
use super::function::{
    Duplicate, Free, GetObjectParams, Give, KnownContextParams, New, SetObjectParams,
};
use super::key_operation::{
    Init, KeyOperation, get_params, gettable_params, init, key, new_context, set_params,
    settable_params, write_output,
};
use super::memory::Output;
use super::object::{duplicate, free, with};
use crate::failure::Failure;

/// An exchange: a private key and a peer's public key make a secret.
pub(crate) trait Exchange: KeyOperation {
    type Secret: AsRef<[u8]>;

    fn set_peer(&mut self, peer: Option<&Self::Key>) -> Result<(), Failure>;

    /// The shared secret, for an output buffer of this capacity; its length where there is no
    /// buffer.
    fn derive(&self, capacity: Option<usize>) -> Result<Output<Self::Secret>, Failure>;
}

type SetPeer = unsafe extern "C" fn(context: *mut c_void, peer: *mut c_void) -> c_int;

/// The functions of an exchange.
pub(crate) const fn table<E: Exchange>() -> [Dispatch; 11] {
    [
        Slot::<New>::new(1).is(new_context::<E>),
        Slot::<Init>::new(2).is(init::<E>),
        Slot::<Give>::new(3).is(derive::<E>),
        Slot::<SetPeer>::new(4).is(set_peer::<E>),
        Slot::<Free>::new(5).is(free::<E>),
        Slot::<Duplicate>::new(6).is(duplicate::<E>),
        Slot::<SetObjectParams>::new(7).is(set_params::<E>),
        Slot::<KnownContextParams>::new(8).is(settable_params::<E>),
        Slot::<GetObjectParams>::new(9).is(get_params::<E>),
        Slot::<KnownContextParams>::new(10).is(gettable_params::<E>),
        Dispatch::END,
    ]
}

unsafe extern "C" fn set_peer<E: Exchange>(context: *mut c_void, peer: *mut c_void) -> c_int {
    // SAFETY: a context of this table, and a key of this module.
    unsafe { with::<E>(context, |exchange| exchange.set_peer(key(peer))) }
}

unsafe extern "C" fn derive<E: Exchange>(
    context: *mut c_void,
    secret: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // No copy of the secret stays on the stack.
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table, and the places for its output.
        unsafe {
            write_output::<E, _>(context, secret, length, size, |exchange, capacity| {
                exchange.derive(capacity)
            })
        }
    })
}
