//! The caller's memory: inputs, output buffers, and strings.

use std::ffi::{CStr, c_char};

use crate::failure::{Failure, Reason};

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

/// The caller's output buffer, of which nothing is read.
///
/// # Safety
/// `data` is null or the address of `size` bytes that only this call uses for `'a`.
pub(super) unsafe fn output<'a>(data: *mut u8, size: usize) -> &'a mut [u8] {
    if data.is_null() || size == 0 {
        &mut []
    } else {
        // SAFETY: as the caller says. Its bytes may not be set yet, but are of a type with no
        // invalid values.
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

/// The result of an operation, for the caller.
pub(crate) enum Output<B> {
    /// How long it is at most: there was no buffer, and the length was asked for.
    Length(usize),
    Bytes(B),
}

/// Runs `body` with the capacity of the caller's output buffer; none means that only the length of
/// the result is asked for. Then writes the result there, and its length. The buffer may overlap
/// what `body` reads.
///
/// # Safety
/// `out` is null or the address of `size` bytes, and `length` is null or the address of a `size_t`,
/// which nothing else uses.
pub(super) unsafe fn write_output<B: AsRef<[u8]>>(
    out: *mut u8,
    length: *mut usize,
    size: usize,
    body: impl FnOnce(Option<usize>) -> Result<Output<B>, Failure>,
) -> Result<(), Failure> {
    let written = match body((!out.is_null()).then_some(size))? {
        Output::Length(length) => length,
        Output::Bytes(bytes) => {
            let bytes = bytes.as_ref();
            if out.is_null() || bytes.len() > size {
                return Err(Reason::OutputTooSmall.into());
            }
            // SAFETY: the buffer has at least as many bytes.
            unsafe { std::ptr::copy(bytes.as_ptr(), out, bytes.len()) };
            bytes.len()
        }
    };
    // SAFETY: as the caller says.
    unsafe { set_length(length, written) };
    Ok(())
}
