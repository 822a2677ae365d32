//! The provider ABI of OpenSSL 3.0 to 4.0 (provider(7), `openssl/core.h`, `openssl/core_dispatch.h`): the only code here with
//! pointers in it.
//!
//! libcrypto calls the functions of tables that a provider hands out, with `void *` for all objects. Here is a file for each
//! table. Its functions turn pointers into references, call a method of a type of the other modules, and turn the result into
//! OpenSSL's `1` or `0`. No panic leaves them, and an error comes into OpenSSL's error queue.
//!
//! What all of them rely on is what provider(7) and the manual of each operation say of libcrypto: a context or a key comes
//! from a function of the same table; no other thread changes a context during a call, or reads one that the call changes; a
//! buffer has the length that is passed with it; a list of parameters ends with a null key; a table of functions ends with a zero.
//!
//! Threads share keys, and copy one context at the same time; and a decoder is called again by the callback that it calls. So
//! there is a `&mut` of a context alone, in calls that change it (`with`), and of nothing else (`shared`). Results are written
//! when the call holds no reference to its input any more, which may be at the same place.

pub(crate) mod asym_cipher;
pub(crate) mod cipher;
pub(crate) mod core;
pub(crate) mod decoder;
pub(crate) mod digest;
pub(crate) mod foreign_key;
pub(crate) mod key_operation;
pub(crate) mod keyexch;
pub(crate) mod keymgmt;
pub(crate) mod param;
pub mod provider;
pub(crate) mod signature;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// `OSSL_DISPATCH`: a function of a table.
#[repr(C)]
pub struct Dispatch {
    pub(crate) id: c_int,
    pub(crate) function: *const c_void,
}

// SAFETY: a number and the address of a function, which never change.
unsafe impl Sync for Dispatch {}

impl Dispatch {
    /// The end of a table.
    pub(crate) const END: Self = Self {
        id: 0,
        function: std::ptr::null(),
    };
}

/// The place of a function in a table: its number, with the type that the function must have.
pub(crate) struct Slot<F>(pub(crate) c_int, PhantomData<F>);

impl<F: Copy> Slot<F> {
    pub(crate) const fn new(id: c_int) -> Self {
        Self(id, PhantomData)
    }

    /// The entry of a table that has `function` in this place.
    pub(crate) const fn is(self, function: F) -> Dispatch {
        const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
        Dispatch {
            id: self.0,
            // SAFETY: `F` is a type of function pointers, which has the size of a pointer.
            function: unsafe { std::mem::transmute_copy::<F, *const c_void>(&function) },
        }
    }
}

/// `OSSL_ALGORITHM`: the names of an algorithm, its properties, its table and a description.
#[repr(C)]
pub(crate) struct Algorithm {
    names: *const c_char,
    properties: *const c_char,
    implementation: *const Dispatch,
    description: *const c_char,
}

// SAFETY: addresses of constants.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// `names` are separated by colons.
    pub(crate) const fn new(
        names: &'static CStr,
        properties: &'static CStr,
        implementation: &'static [Dispatch],
        description: &'static CStr,
    ) -> Self {
        Self {
            names: names.as_ptr(),
            properties: properties.as_ptr(),
            implementation: implementation.as_ptr(),
            description: description.as_ptr(),
        }
    }

    /// The end of a list.
    pub(crate) const END: Self = Self {
        names: std::ptr::null(),
        properties: std::ptr::null(),
        implementation: std::ptr::null(),
        description: std::ptr::null(),
    };
}

/// What libcrypto holds of a Rust value: it knows the provider that made it. Threads may read it at the same time.
pub(crate) trait Object: Sync {
    fn provider(&self) -> &Arc<Provider>;
}

/// An object that one thread at a time changes: a context. A key is none.
pub(crate) trait Context: Object {}

/// Runs `body`; a panic becomes `failed`.
pub(super) fn guard<R>(failed: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(failed)
}

/// `1`, or `0` with the failure in OpenSSL's error queue.
pub(super) fn verdict(provider: &Provider, body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Failure::internal()));
    match result {
        Ok(()) => 1,
        Err(failure) => {
            guard((), || provider.raise(&failure));
            0
        }
    }
}

/// Calls `body` with the context at `pointer`: `1`, or `0` with the failure in OpenSSL's error queue.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and nothing else uses the context during the call.
pub(super) unsafe fn with<T: Context>(
    pointer: *mut c_void,
    body: impl FnOnce(&mut T) -> Result<(), Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    let Some(object) = (unsafe { pointer.cast::<T>().as_mut() }) else {
        return 0;
    };
    let provider = Arc::clone(object.provider());
    verdict(&provider, || body(object))
}

/// As [`with`], for calls that only read the object.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and nothing changes the object during the call.
pub(super) unsafe fn shared<T: Object>(
    pointer: *const c_void,
    body: impl FnOnce(&T) -> Result<(), Failure>,
) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { pointer.cast::<T>().as_ref() } {
        Some(object) => verdict(object.provider(), || body(object)),
        None => 0,
    }
}

/// Hands a value out to libcrypto.
pub(super) fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Makes an object for the provider at `provctx`, or null with the failure in OpenSSL's error queue.
///
/// # Safety
/// `provctx` is what `OSSL_provider_init` handed out.
pub(super) unsafe fn make<T>(
    provctx: *mut c_void,
    body: impl FnOnce(Arc<Provider>) -> Result<T, Failure>,
) -> *mut c_void {
    // SAFETY: as the caller says.
    let Some(provider) = (unsafe { provctx.cast::<Arc<Provider>>().as_ref() }) else {
        return std::ptr::null_mut();
    };
    let mut object = std::ptr::null_mut();
    verdict(provider, || {
        object = boxed(body(Arc::clone(provider))?);
        Ok(())
    });
    object
}

/// A copy of the object at `pointer`, or null.
///
/// # Safety
/// As [`shared`].
pub(super) unsafe fn duplicate<T: Object + Clone>(pointer: *mut c_void) -> *mut c_void {
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

/// Takes an object back from libcrypto and drops it.
///
/// # Safety
/// `pointer` is null or comes from [`boxed`] for a `T`, and is used no more.
pub(super) unsafe fn release<T>(pointer: *mut c_void) {
    if !pointer.is_null() {
        // SAFETY: as the caller says.
        guard((), || drop(unsafe { Box::from_raw(pointer.cast::<T>()) }));
    }
}

/// The caller's input.
///
/// # Safety
/// `data` is null or the address of `length` bytes that stay as they are for `'a`.
pub(super) unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if data.is_null() || length == 0 {
        &[]
    } else {
        // SAFETY: as the caller says.
        unsafe { std::slice::from_raw_parts(data, length) }
    }
}

/// The result of an operation, for the caller.
pub(crate) enum Given<B> {
    /// How long it is at most: that was asked for.
    Length(usize),
    Bytes(B),
}

/// Runs `body` with the size of the caller's place, none where only the length of the result is asked for. Then writes the result
/// there, and its length. The place may overlap what `body` reads.
///
/// # Safety
/// `out` is null or the address of `size` bytes, and `length` is null or the address of a `size_t`, which nothing else uses.
pub(super) unsafe fn give<B: AsRef<[u8]>>(
    out: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(Option<usize>) -> Result<Given<B>, Failure>,
) -> Result<(), Failure> {
    let written = match body((!out.is_null()).then_some(size))? {
        Given::Length(length) => length,
        Given::Bytes(bytes) => {
            let bytes = bytes.as_ref();
            if out.is_null() || bytes.len() > size {
                return Err(Reason::OutputTooSmall.into());
            }
            // SAFETY: there is place for as many bytes.
            unsafe { std::ptr::copy(bytes.as_ptr(), out, bytes.len()) };
            bytes.len()
        }
    };
    // SAFETY: as the caller says.
    unsafe { set_length(length, written) };
    Ok(())
}

/// The caller's place for the end of a message, of which nothing is read.
///
/// # Safety
/// `data` is null or the address of `size` bytes that only this call uses for `'a`.
pub(super) unsafe fn output<'a>(data: *mut u8, size: usize) -> &'a mut [u8] {
    if data.is_null() || size == 0 {
        &mut []
    } else {
        // SAFETY: as the caller says. Its bytes may not be set yet, but are of a type with no invalid values.
        unsafe { std::slice::from_raw_parts_mut(data, size) }
    }
}

/// The C string at `text`, if it is one and is UTF-8.
///
/// # Safety
/// `text` is null or the address of a string that ends with a zero and stays as it is for `'a`.
pub(super) unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Writes a length for the caller.
///
/// # Safety
/// `length` is null or the address of a `size_t` that only this call uses.
pub(super) unsafe fn set_length(length: *mut usize, value: usize) {
    // SAFETY: as the caller says.
    if let Some(length) = unsafe { length.as_mut() } {
        *length = value;
    }
}
