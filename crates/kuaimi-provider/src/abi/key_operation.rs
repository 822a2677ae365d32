//! What the tables of signatures, of encryption and of key exchange have in common: a context that gets a key.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use super::param::{Param, Params, Requests};
use super::{Context, Given, duplicate, make, release, shared, with};
use crate::failure::Failure;
use crate::provider::Provider;
use crate::sm2::key::{Key, Material};

/// An operation with a key.
pub(crate) trait KeyOperation: Context + Clone {
    /// The parameters that can be asked for, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new(provider: Arc<Provider>) -> Self;

    /// Begins with a key.
    fn init(&mut self, key: Option<Arc<Material>>, params: &Params<'_>) -> Result<(), Failure>;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;
}

pub(super) type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
pub(super) type Init =
    unsafe extern "C" fn(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int;
pub(super) type Free = unsafe extern "C" fn(context: *mut c_void);
pub(super) type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
pub(super) type GetParams = unsafe extern "C" fn(context: *mut c_void, params: *mut Param) -> c_int;
pub(super) type SetParams =
    unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
pub(super) type KnownParams =
    unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;

/// The contents of a key of this module, or none.
///
/// # Safety
/// `key` is null or a key of this module.
pub(super) unsafe fn material(key: *mut c_void) -> Option<Arc<Material>> {
    // SAFETY: as the caller says; the key is only read.
    unsafe { key.cast::<Key>().as_ref() }.map(Key::material)
}

/// Runs `body` with the context and the size of the place for its result, and writes that ([`give`](super::give)).
///
/// # Safety
/// `context` is an `O`, and `out` and `length` are null or places of the caller's.
pub(super) unsafe fn give<O: KeyOperation, B: AsRef<[u8]>>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(&mut O, Option<usize>) -> Result<Given<B>, Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        with::<O>(context, |operation| {
            super::give(out, length, size, |place| body(operation, place))
        })
    }
}

pub(super) unsafe extern "C" fn new_context<O: KeyOperation>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { make(provctx, |provider| Ok(O::new(provider))) }
}

pub(super) unsafe extern "C" fn init<O: KeyOperation>(
    context: *mut c_void,
    key: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of the operation's table, a key of this module, and a list for this call.
    unsafe {
        with::<O>(context, |operation| {
            operation.init(material(key), &Params::new(params))
        })
    }
}

pub(super) unsafe extern "C" fn free<O: KeyOperation>(context: *mut c_void) {
    // SAFETY: a context of the operation's table, used for the last time.
    unsafe { release::<O>(context) }
}

pub(super) unsafe extern "C" fn duplicate_context<O: KeyOperation>(
    context: *mut c_void,
) -> *mut c_void {
    // SAFETY: a context of the operation's table.
    unsafe { duplicate::<O>(context) }
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
