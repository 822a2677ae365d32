//! What signatures, encryption and key exchange have in common: a context that gets a key.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use super::memory::{self, Output};
use super::object::{Context, Loaded, Object, make, shared, with};
use super::param::{Param, Params, Requests};
use crate::failure::Failure;

/// An operation with a key.
pub(crate) trait KeyOperation: Context + Clone {
    type Provider: Loaded;
    type Key: Object;

    /// The parameters that can be read, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new(provider: &Arc<Self::Provider>) -> Self;

    /// Begins with a key.
    fn init(&mut self, key: Option<&Self::Key>, params: &Params<'_>) -> Result<(), Failure>;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;
}

pub(super) type Init =
    unsafe extern "C" fn(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int;

/// The key at `key`, or none.
///
/// # Safety
/// `key` is null or a `K` of this module, which lives for `'a`.
pub(super) unsafe fn key<'a, K: Object>(key: *mut c_void) -> Option<&'a K> {
    // SAFETY: as the caller says; threads share keys.
    unsafe { key.cast::<K>().as_ref() }
}

/// Runs `body` with the context and the capacity of the output buffer, and writes its result
/// ([`memory::write_output`]).
///
/// # Safety
/// `context` is an `O`, and `out` and `length` are null or memory of the caller's.
pub(super) unsafe fn write_output<O: KeyOperation, B: AsRef<[u8]>>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(&mut O, Option<usize>) -> Result<Output<B>, Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        with::<O>(context, |operation| {
            memory::write_output(out, length, size, |capacity| body(operation, capacity))
        })
    }
}

pub(super) unsafe extern "C" fn new_context<O: KeyOperation>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { make(provctx, |provider| Ok(O::new(provider))) }
}

pub(super) unsafe extern "C" fn init<O: KeyOperation>(
    context: *mut c_void,
    with_key: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of the operation's table, a key of this module, and a list for this call.
    unsafe {
        with::<O>(context, |operation| {
            operation.init(key(with_key), &Params::new(params))
        })
    }
}

pub(super) unsafe extern "C" fn get_params<O: KeyOperation>(
    context: *mut c_void,
    params: *mut Param,
) -> c_int {
    // SAFETY: a context of the operation's table, and a list for this call.
    unsafe {
        shared::<O>(context, |operation| {
            operation.answer(&mut Requests::new(params))
        })
    }
}

pub(super) unsafe extern "C" fn set_params<O: KeyOperation>(
    context: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of the operation's table, and a list for this call.
    unsafe { with::<O>(context, |operation| operation.set(&Params::new(params))) }
}

pub(super) unsafe extern "C" fn gettable_params<O: KeyOperation>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    O::GETTABLE.as_ptr()
}

pub(super) unsafe extern "C" fn settable_params<O: KeyOperation>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    O::SETTABLE.as_ptr()
}
