//! Messages in pieces of any length, where input and output may overlap.

use zeroize::Zeroize;

use super::{Cipher, MAX_BLOCK_LEN};
use crate::abi::memory::bytes;
use crate::failure::{Failure, Reason};

/// Copies the bytes that the cipher held back and the input to the output buffer, which may be that
/// of the input, and has the cipher process there what it can. Returns the number of bytes.
///
/// # Safety
/// `data` is an input of `length` bytes, and `out` has `size` bytes.
pub(super) unsafe fn process<C: Cipher>(
    cipher: &mut C,
    out: *mut u8,
    size: usize,
    data: *const u8,
    length: usize,
) -> Result<usize, Failure> {
    if let Some(record_length) = cipher.record_len(length)? {
        if data.is_null() || out.is_null() || record_length.max(length) > size {
            return Err(Reason::OutputTooSmall.into());
        }
        // SAFETY: both have as many bytes. They are the same, or may overlap.
        unsafe { std::ptr::copy(data, out, length) };
        // SAFETY: the output, of which everything is this call's.
        let record = unsafe { std::slice::from_raw_parts_mut(out, record_length) };
        return cipher.process_record(record, length);
    }
    let held_length = cipher.held().len();
    let total = held_length
        .checked_add(length)
        .ok_or(Reason::MessageTooLong)?;
    let ready = cipher.ready(total);
    if held_length == 0 && ready == length {
        // SAFETY: as the caller says.
        unsafe { process_whole(cipher, out, size, data, length)? };
        return Ok(length);
    }
    if ready > size {
        return Err(Reason::OutputTooSmall.into());
    }
    let mut held = [0; MAX_BLOCK_LEN];
    held[..held_length].copy_from_slice(cipher.held());
    // The rest, which cannot be processed yet, is copied first, as the output may overwrite it.
    let from_held = ready.min(held_length);
    let from_data = ready - from_held;
    let mut rest = [0; 2 * MAX_BLOCK_LEN];
    let rest = &mut rest[..total - ready];
    rest[..held_length - from_held].copy_from_slice(&held[from_held..held_length]);
    // SAFETY: the input, after the part that is ready.
    let after = unsafe { &bytes(data, length)[from_data..] };
    rest[held_length - from_held..].copy_from_slice(after);
    if ready != 0 {
        if out.is_null() {
            return Err(Reason::OutputTooSmall.into());
        }
        // SAFETY: both have as many bytes. They may overlap.
        unsafe { std::ptr::copy(data, out.add(from_held), from_data) };
        // SAFETY: the output, of which everything before `ready` is this call's.
        let out = unsafe { std::slice::from_raw_parts_mut(out, ready) };
        out[..from_held].copy_from_slice(&held[..from_held]);
        cipher.process(out)?;
    }
    cipher.hold(rest);
    held.zeroize();
    rest.zeroize();
    Ok(ready)
}

/// Has the cipher process the whole input at once in the output buffer, which may be that of the
/// input.
///
/// # Safety
/// As for [`process`].
pub(super) unsafe fn process_whole<C: Cipher>(
    cipher: &mut C,
    out: *mut u8,
    size: usize,
    data: *const u8,
    length: usize,
) -> Result<(), Failure> {
    if length == 0 {
        return Ok(());
    }
    if data.is_null() || out.is_null() || length > size {
        return Err(Reason::OutputTooSmall.into());
    }
    // SAFETY: both have as many bytes. They are the same, or may overlap.
    unsafe { std::ptr::copy(data, out, length) };
    // SAFETY: the output, of which everything is this call's.
    cipher.process(unsafe { std::slice::from_raw_parts_mut(out, length) })
}
