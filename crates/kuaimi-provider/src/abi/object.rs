//! What libcrypto holds of this module: Rust values behind `void *`, made, shared, changed and
//! dropped by the functions of a table.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::core::Core;
use crate::failure::Failure;

/// A provider that libcrypto has loaded: the `provctx` that it passes when the provider has to make
/// an object.
pub(crate) trait Loaded: Send + Sync + 'static {
    fn core(&self) -> &Arc<Core>;
}

/// A value that libcrypto holds. It can report failures to that library. Threads may read it at the
/// same time.
pub(crate) trait Object: Sync {
    fn core(&self) -> &Arc<Core>;
}

/// An object that one thread at a time changes: a context, but not a key.
pub(crate) trait Context: Object {}

/// Runs `body`; a panic becomes `failed`.
pub(super) fn guard<R>(failed: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(failed)
}

/// `1`, or `0` with the failure in OpenSSL's error queue.
pub(super) fn verdict(core: &Core, body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Failure::internal()));
    match result {
        Ok(()) => 1,
        Err(failure) => {
            guard((), || core.raise(&failure));
            0
        }
    }
}

/// Calls `body` with the context at `pointer`: `1`, or `0` with the failure in OpenSSL's error
/// queue.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and nothing else uses the context during
/// the call.
pub(super) unsafe fn with<T: Context>(
    pointer: *mut c_void,
    body: impl FnOnce(&mut T) -> Result<(), Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    let Some(object) = (unsafe { pointer.cast::<T>().as_mut() }) else {
        return 0;
    };
    let core = Arc::clone(object.core());
    verdict(&core, || body(object))
}

/// As [`with`], for calls that only read the object.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and nothing changes the object during the
/// call.
pub(super) unsafe fn shared<T: Object>(
    pointer: *const c_void,
    body: impl FnOnce(&T) -> Result<(), Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { pointer.cast::<T>().as_ref() } {
        Some(object) => verdict(object.core(), || body(object)),
        None => 0,
    }
}

/// Hands a value out to libcrypto.
pub(super) fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// The provider at `provctx`.
///
/// # Safety
/// `provctx` is null or what `OSSL_provider_init` handed out for a `P`.
pub(super) unsafe fn loaded<'a, P: Loaded>(provctx: *mut c_void) -> Option<&'a Arc<P>> {
    // SAFETY: as the caller says.
    unsafe { provctx.cast::<Arc<P>>().as_ref() }
}

/// Makes an object for the provider at `provctx`, or null with the failure in OpenSSL's error
/// queue.
///
/// # Safety
/// As [`loaded`].
pub(super) unsafe fn make<P: Loaded, T>(
    provctx: *mut c_void,
    body: impl FnOnce(&Arc<P>) -> Result<T, Failure>,
) -> *mut c_void {
    // SAFETY: as the caller says.
    let Some(provider) = (unsafe { loaded::<P>(provctx) }) else {
        return std::ptr::null_mut();
    };
    let mut object = std::ptr::null_mut();
    verdict(provider.core(), || {
        object = boxed(body(provider)?);
        Ok(())
    });
    object
}

/// In tables: a copy of an object, or null.
///
/// # Safety
/// As [`shared`].
pub(super) unsafe extern "C" fn duplicate<T: Object + Clone>(pointer: *mut c_void) -> *mut c_void {
    let mut copy = std::ptr::null_mut();
    // SAFETY: as the caller says.
    unsafe {
        shared::<T>(pointer, |object| {
            copy = boxed(object.clone());
            Ok(())
        })
    };
    copy
}

/// In tables: takes an object back from libcrypto and drops it.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and is used no more.
pub(super) unsafe extern "C" fn free<T>(pointer: *mut c_void) {
    if !pointer.is_null() {
        // SAFETY: as the caller says.
        guard((), || drop(unsafe { Box::from_raw(pointer.cast::<T>()) }));
    }
}
