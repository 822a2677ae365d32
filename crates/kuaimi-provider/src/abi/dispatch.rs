//! Tables of functions, and lists of the algorithms that have them (`openssl/core.h`).

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;

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

/// A slot of a table: the number of a function, with the type that the function must have.
pub(crate) struct Slot<F>(pub(crate) c_int, PhantomData<F>);

impl<F: Copy> Slot<F> {
    pub(crate) const fn new(id: c_int) -> Self {
        Self(id, PhantomData)
    }

    /// The entry of a table that has `function` in this slot.
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

/// An operation for which libcrypto asks a provider for algorithms (`OSSL_OP_…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Digest,
    Cipher,
    KeyManagement,
    KeyExchange,
    Signature,
    AsymCipher,
    Decoder,
}

impl Operation {
    /// None for an operation for which this module has no algorithm.
    pub(super) fn from_number(number: c_int) -> Option<Self> {
        Some(match number {
            1 => Self::Digest,
            2 => Self::Cipher,
            10 => Self::KeyManagement,
            11 => Self::KeyExchange,
            12 => Self::Signature,
            13 => Self::AsymCipher,
            21 => Self::Decoder,
            _ => return None,
        })
    }
}
