//! Lists of values that libcrypto takes, and its functions that take them.

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;

use super::{INTEGER, OCTET_STRING, Param, UNSIGNED_INTEGER, UTF8_STRING};
use crate::failure::Failure;

/// A list of values for libcrypto, which borrows them.
pub(crate) struct List<'a> {
    params: Vec<Param>,
    values: PhantomData<&'a [u8]>,
}

impl<'a> List<'a> {
    pub(crate) fn new() -> Self {
        Self {
            params: Vec::new(),
            values: PhantomData,
        }
    }

    pub(crate) fn octets(mut self, key: &'static CStr, value: &'a [u8]) -> Self {
        self.params.push(Param::value(
            key,
            OCTET_STRING,
            value.as_ptr().cast(),
            value.len(),
        ));
        self
    }

    pub(crate) fn text(mut self, key: &'static CStr, value: &'a CStr) -> Self {
        self.params.push(Param::value(
            key,
            UTF8_STRING,
            value.as_ptr().cast(),
            value.to_bytes().len(),
        ));
        self
    }

    /// An integer that is not negative, from its bytes in the order of the machine.
    pub(crate) fn unsigned(mut self, key: &'static CStr, native: &'a [u8]) -> Self {
        self.params.push(Param::value(
            key,
            UNSIGNED_INTEGER,
            native.as_ptr().cast(),
            native.len(),
        ));
        self
    }

    pub(crate) fn integer(mut self, key: &'static CStr, value: &'a c_int) -> Self {
        self.params.push(Param::value(
            key,
            INTEGER,
            (&raw const *value).cast(),
            size_of::<c_int>(),
        ));
        self
    }

    /// A string of octets that is the pointer at `place`, which the receiver may change.
    pub(in crate::abi) fn pointer(mut self, key: &'static CStr, place: *mut *mut c_void) -> Self {
        self.params.push(Param::value(
            key,
            OCTET_STRING,
            place.cast(),
            size_of::<*mut c_void>(),
        ));
        self
    }

    /// The list with its end, for a function of libcrypto.
    pub(in crate::abi) fn finish(mut self) -> Vec<Param> {
        self.params.push(Param::END);
        self.params
    }
}

/// `OSSL_CALLBACK`.
type CallbackFn = unsafe extern "C" fn(params: *const Param, argument: *mut c_void) -> c_int;

/// A function of libcrypto that takes a list of values.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    function: Option<CallbackFn>,
    argument: *mut c_void,
}

impl Callback {
    pub(in crate::abi) fn new(function: Option<CallbackFn>, argument: *mut c_void) -> Self {
        Self { function, argument }
    }

    /// Calls it with the list. If something goes wrong, the function has reported that itself.
    pub(crate) fn call(&self, list: List<'_>) -> Result<(), Failure> {
        let function = self.function.ok_or_else(Failure::internal)?;
        let list = list.finish();
        // SAFETY: the list has its end, its values are still borrowed, and the argument came with
        // the function.
        match unsafe { function(list.as_ptr(), self.argument) } {
            1.. => Ok(()),
            _ => Err(Failure::told()),
        }
    }
}

pub(in crate::abi) type CallbackPointer = Option<CallbackFn>;
