//! The types of functions that the tables of several operations have.

use std::ffi::{c_int, c_void};

use super::param::Param;

pub(super) type New = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
pub(super) type Free = unsafe extern "C" fn(object: *mut c_void);
pub(super) type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;

/// Takes a piece of a message.
pub(super) type Take =
    unsafe extern "C" fn(context: *mut c_void, data: *const u8, length: usize) -> c_int;
/// Writes the end of a result, or all of it.
pub(super) type Give = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
/// Takes a message or a piece of one, and writes a result.
pub(super) type Process = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;

/// Parameters of an algorithm, and which of them can be read.
pub(super) type GetParams = unsafe extern "C" fn(params: *mut Param) -> c_int;
pub(super) type KnownParams = unsafe extern "C" fn(provctx: *mut c_void) -> *const Param;
/// Parameters of a context or a key, and which of a context can be read or set.
pub(super) type GetObjectParams =
    unsafe extern "C" fn(object: *mut c_void, params: *mut Param) -> c_int;
pub(super) type SetObjectParams =
    unsafe extern "C" fn(object: *mut c_void, params: *const Param) -> c_int;
pub(super) type KnownContextParams =
    unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;
