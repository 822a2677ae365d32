//! `OSSL_PARAM`: named values in both directions (OSSL_PARAM(3)).

mod answer;
mod list;
mod read;

use std::ffi::{CStr, c_char, c_uint, c_void};

pub(super) use list::CallbackPointer;
pub(crate) use list::{Callback, List};

use super::memory;
use crate::failure::{Failure, Reason};

const INTEGER: c_uint = 1;
const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;
const UTF8_PTR: c_uint = 6;
const OCTET_PTR: c_uint = 7;

/// What `return_size` is until a value was written.
const UNMODIFIED: usize = usize::MAX;

/// `OSSL_PARAM`.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

// SAFETY: those that are constants have no data, only a name and a type.
unsafe impl Sync for Param {}

/// The kind of a value, in a list of the parameters that a function takes or gives.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Integer,
    Unsigned,
    Text,
    Octets,
    /// The address of octets.
    OctetPointer,
}

impl Param {
    /// The end of a list.
    pub(crate) const END: Self = Self {
        key: std::ptr::null(),
        data_type: 0,
        data: std::ptr::null_mut(),
        data_size: 0,
        return_size: 0,
    };

    /// An entry in the list of parameters that an operation knows.
    pub(crate) const fn known(key: &'static CStr, kind: Kind) -> Self {
        let data_type = match kind {
            Kind::Integer => INTEGER,
            Kind::Unsigned => UNSIGNED_INTEGER,
            Kind::Text => UTF8_STRING,
            Kind::Octets => OCTET_STRING,
            Kind::OctetPointer => OCTET_PTR,
        };
        Self {
            key: key.as_ptr(),
            data_type,
            data: std::ptr::null_mut(),
            data_size: 0,
            return_size: UNMODIFIED,
        }
    }

    fn value(key: &'static CStr, data_type: c_uint, data: *const c_void, size: usize) -> Self {
        Self {
            key: key.as_ptr(),
            data_type,
            data: data.cast_mut(),
            data_size: size,
            return_size: UNMODIFIED,
        }
    }

    /// A request for the address of a text, which is written to `place`.
    pub(super) fn request(key: &CStr, place: &mut *const c_char) -> Self {
        Self {
            key: key.as_ptr(),
            data_type: UTF8_PTR,
            data: (&raw mut *place).cast(),
            data_size: 0,
            return_size: UNMODIFIED,
        }
    }

    /// Whether it is an integer of at least a byte. A negative length from a program arrives as a
    /// large one.
    fn is_integer(&self) -> bool {
        matches!(self.data_type, INTEGER | UNSIGNED_INTEGER)
            && (self.data.is_null() || (1..=isize::MAX as usize).contains(&self.data_size))
    }

    fn wrong(&self) -> Failure {
        // SAFETY: a parameter in a list has a name.
        let key = unsafe { memory::text(self.key) }.unwrap_or("?");
        Failure::with(Reason::InvalidParameter, key)
    }
}

/// Parameters from libcrypto.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a>(&'a [Param]);

/// Parameters that libcrypto reads.
pub(crate) struct Requests<'a>(&'a mut [Param]);

/// # Safety
/// `list` is null or a list that ends with a null key.
unsafe fn length(list: *const Param) -> usize {
    let mut count = 0;
    if !list.is_null() {
        // SAFETY: the end was not reached yet.
        while !unsafe { &*list.add(count) }.key.is_null() {
            count += 1;
        }
    }
    count
}

fn has_key(param: &Param, key: &CStr) -> bool {
    // Most names differ in their first byte, so their lengths are not computed.
    key.to_bytes_with_nul()
        .iter()
        .enumerate()
        .all(|(at, &byte)| {
            // SAFETY: a parameter in a list has a name that ends with a zero, and all bytes before
            // this one were equal, and so not zero.
            byte == unsafe { *param.key.cast::<u8>().add(at) }
        })
}

impl<'a> Params<'a> {
    /// No parameters.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self(&[])
    }

    /// # Safety
    /// `list` is null or a list that ends with a null key and stays as it is for `'a`.
    pub(super) unsafe fn new(list: *const Param) -> Self {
        // SAFETY: as the caller says.
        match unsafe { length(list) } {
            0 => Self(&[]),
            // SAFETY: as many were counted.
            count => Self(unsafe { std::slice::from_raw_parts(list, count) }),
        }
    }

    pub(crate) fn find(&self, key: &CStr) -> Option<&'a Param> {
        self.0.iter().find(|param| has_key(param, key))
    }
}

impl<'a> Requests<'a> {
    /// # Safety
    /// `list` is null or a list that ends with a null key, and that only this call uses for `'a`.
    pub(super) unsafe fn new(list: *mut Param) -> Self {
        // SAFETY: as the caller says.
        match unsafe { length(list) } {
            0 => Self(&mut []),
            // SAFETY: as many were counted.
            count => Self(unsafe { std::slice::from_raw_parts_mut(list, count) }),
        }
    }

    /// Has `write` write the parameter `key`, if it is among the requests.
    pub(crate) fn answer(
        &mut self,
        key: &CStr,
        write: impl FnOnce(&mut Param) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self.0.iter_mut().find(|param| has_key(param, key)) {
            Some(param) => write(param),
            None => Ok(()),
        }
    }
}
