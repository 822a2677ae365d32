//! The caller's memory: inputs, outputs, and arrays of items.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::slice;

use zeroize::Zeroizing;

use crate::error::{Error, kuaimi_error};
pub(crate) use crate::handle::{handle, handles, new_handle, new_handles, optional_handle};

/// Bytes that are read: a message among many, for example. `data` may be null if `len` is zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_bytes {
    /// The first byte.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

/// No object is larger, by the rules of Rust and of C compilers alike.
fn check_len<T>(len: usize) -> Result<(), Error> {
    match len.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// An array that is read. Without elements, the pointer may be null.
///
/// # Safety
/// The pointer is null, or the array may be read, and is not written to, as long as the result is
/// used.
pub(crate) unsafe fn items<'a, T>(items: *const T, count: usize) -> Result<&'a [T], Error> {
    if count == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(Error::KUAIMI_ERROR_NULL_POINTER);
    }
    if !items.is_aligned() {
        return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
    }
    check_len::<T>(count)?;
    // SAFETY: as for this function.
    Ok(unsafe { slice::from_raw_parts(items, count) })
}

/// An array that is read and written.
///
/// # Safety
/// The pointer is null, or the array may be read and written, and is not used otherwise, as long as
/// the result is used.
pub(crate) unsafe fn items_mut<'a, T>(items: *mut T, count: usize) -> Result<&'a mut [T], Error> {
    if count == 0 {
        return Ok(&mut []);
    }
    if items.is_null() {
        return Err(Error::KUAIMI_ERROR_NULL_POINTER);
    }
    if !items.is_aligned() {
        return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
    }
    check_len::<T>(count)?;
    // SAFETY: as for this function.
    Ok(unsafe { slice::from_raw_parts_mut(items, count) })
}

/// Bytes that are read.
///
/// # Safety
/// As [`items`].
#[inline]
pub(crate) unsafe fn input<'a>(data: *const u8, len: usize) -> Result<&'a [u8], Error> {
    // SAFETY: as for this function.
    unsafe { items(data, len) }
}

/// A copy of bytes that others may change, wiped when it is dropped, as it may be a private key.
pub(crate) fn once(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes.to_vec())
}

/// As [`once`], for a function that reads a signature: short ones need no allocation.
#[inline]
pub(crate) fn with_copy<T>(bytes: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    let mut copy = [0; 128];
    match copy.get_mut(..bytes.len()) {
        Some(copy) => {
            copy.copy_from_slice(bytes);
            read(copy)
        }
        None => read(&once(bytes)),
    }
}

/// Bytes that are read; nothing for a null pointer.
///
/// # Safety
/// As [`items`].
pub(crate) unsafe fn optional_input<'a>(
    data: *const u8,
    len: usize,
) -> Result<Option<&'a [u8]>, Error> {
    if data.is_null() && len == 0 {
        return Ok(None);
    }
    // SAFETY: as for this function.
    unsafe { input(data, len) }.map(Some)
}

/// A digest, read once: the nonce of a signature and the signature itself must be for the same.
///
/// # Safety
/// As [`items`].
#[inline]
pub(crate) unsafe fn digest(data: *const u8) -> Result<[u8; 32], Error> {
    // SAFETY: as for this function.
    unsafe { array(data) }.copied()
}

/// `N` bytes that are read.
///
/// # Safety
/// As [`items`].
#[inline]
pub(crate) unsafe fn array<'a, const N: usize>(data: *const u8) -> Result<&'a [u8; N], Error> {
    let data = NonNull::new(data.cast_mut()).ok_or(Error::KUAIMI_ERROR_NULL_POINTER)?;
    // SAFETY: as for this function.
    Ok(unsafe { data.cast::<[u8; N]>().as_ref() })
}

/// `N` bytes that are read and written.
///
/// # Safety
/// As [`items_mut`].
pub(crate) unsafe fn array_mut<'a, const N: usize>(
    data: *mut u8,
) -> Result<&'a mut [u8; N], Error> {
    let data = NonNull::new(data).ok_or(Error::KUAIMI_ERROR_NULL_POINTER)?;
    // SAFETY: as for this function.
    Ok(unsafe { data.cast::<[u8; N]>().as_mut() })
}

/// A structure that is read; nothing for a null pointer.
///
/// # Safety
/// As [`items`].
pub(crate) unsafe fn optional_structure<'a, T>(data: *const T) -> Result<Option<&'a T>, Error> {
    if data.is_null() {
        return Ok(None);
    }
    // SAFETY: as for this function.
    Ok(unsafe { items(data, 1) }?.first())
}

/// A structure that is read.
///
/// # Safety
/// As [`items`].
pub(crate) unsafe fn structure<'a, T>(data: *const T) -> Result<&'a T, Error> {
    // SAFETY: as for this function.
    unsafe { optional_structure(data) }?.ok_or(Error::KUAIMI_ERROR_NULL_POINTER)
}

/// A string that ends with a zero byte.
///
/// # Safety
/// The pointer is null, or all bytes up to the first zero may be read, and are not written to, as
/// long as the result is used.
pub(crate) unsafe fn text<'a>(text: *const std::ffi::c_char) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::KUAIMI_ERROR_NULL_POINTER);
    }
    // SAFETY: as for this function.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}

/// A place for one value.
pub(crate) struct Place<T>(NonNull<T>);

impl<T: Copy> Place<T> {
    pub(crate) fn put(self, value: T) {
        // SAFETY: the caller of `place` says that the value may be written there.
        unsafe { self.0.write_unaligned(value) };
    }
}

/// A place for one value: a number, a structure, or an array of fixed length.
///
/// # Safety
/// The pointer is null, or a `T` may be written there as long as the result is used.
pub(crate) unsafe fn place<T>(place: *mut T) -> Result<Place<T>, Error> {
    NonNull::new(place)
        .map(Place)
        .ok_or(Error::KUAIMI_ERROR_NULL_POINTER)
}

/// A place for `N` bytes.
///
/// # Safety
/// As [`place`].
pub(crate) unsafe fn array_out<const N: usize>(out: *mut u8) -> Result<Place<[u8; N]>, Error> {
    // SAFETY: as for this function.
    unsafe { place(out.cast()) }
}

/// An array that is written, every element set to `value` first, as it may never have been written
/// before.
///
/// # Safety
/// The pointer is null, or the array may be read and written, and is not used otherwise, as long as
/// the result is used.
pub(crate) unsafe fn filled<'a, T: Copy>(
    out: *mut T,
    count: usize,
    value: T,
) -> Result<&'a mut [T], Error> {
    if count != 0 && !out.is_null() && out.is_aligned() {
        check_len::<T>(count)?;
        for i in 0..count {
            // SAFETY: as for this function.
            unsafe { out.add(i).write(value) };
        }
    }
    // SAFETY: as for this function.
    unsafe { items_mut(out, count) }
}

/// `len` bytes at `out`, set to zero, to be written.
///
/// # Safety
/// As [`filled`].
pub(crate) unsafe fn region<'a>(out: *mut u8, len: usize) -> Result<&'a mut [u8], Error> {
    // SAFETY: as for this function.
    unsafe { filled(out, len, 0) }
}

/// A result for each item of a batch. Until it is known it is the error that a call has which ends
/// before its items are read, because an argument of all items is wrong.
///
/// # Safety
/// As [`filled`].
pub(crate) unsafe fn results<'a>(
    results: *mut kuaimi_error,
    count: usize,
) -> Result<&'a mut [Error], Error> {
    // SAFETY: as for this function.
    unsafe { filled(results, count, Error::KUAIMI_ERROR_INVALID_ARGUMENT) }
}

/// Memory to be changed, in which a copy of the input is to stand.
pub(crate) struct InPlace<'a> {
    data: *const u8,
    out: *mut u8,
    len: usize,
    memory: PhantomData<&'a mut [u8]>,
}

/// The bytes at `data`, to be copied to `out` and changed there. The two may be the same or
/// overlap.
///
/// # Safety
/// Each pointer is null, or `len` bytes may be read at `data`, and read and written at `out`, and
/// are not used otherwise as long as the result is used.
pub(crate) unsafe fn in_place<'a>(
    data: *const u8,
    out: *mut u8,
    len: usize,
) -> Result<InPlace<'a>, Error> {
    if len != 0 {
        if data.is_null() || out.is_null() {
            return Err(Error::KUAIMI_ERROR_NULL_POINTER);
        }
        check_len::<u8>(len)?;
    }
    Ok(InPlace {
        data,
        out,
        len,
        memory: PhantomData,
    })
}

impl<'a> InPlace<'a> {
    /// Copies the bytes, and gives the copy. Not before all other arguments are known to be right:
    /// else a call that fails would leave a plaintext where a ciphertext is expected.
    pub(crate) fn copy(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        if !ptr::eq(self.data, self.out) {
            // SAFETY: `in_place`'s caller says that the bytes may be read and written.
            unsafe { ptr::copy(self.data, self.out, self.len) };
        }
        // SAFETY: as above, and the length is not larger than an object can be.
        unsafe { slice::from_raw_parts_mut(self.out, self.len) }
    }
}

/// Writes a result to the caller's memory.
///
/// # Safety
/// As many bytes as the result has may be written at `out`, which may be null if there are none.
pub(crate) unsafe fn copy_out(result: &[u8], out: *mut u8) -> Result<(), Error> {
    // SAFETY: as for this function; the result is memory of this library.
    unsafe { in_place(result.as_ptr(), out, result.len()) }?.copy();
    Ok(())
}

/// The caller's buffer for a result whose length varies.
pub(crate) struct Output {
    out: *mut u8,
    len: NonNull<usize>,
}

/// A buffer of `*out_len` bytes; a null pointer asks for the size.
///
/// # Safety
/// Each pointer is null, or `*out_len` bytes may be written at `out`, and `*out_len` read and
/// written, as long as the result is used.
#[inline]
pub(crate) unsafe fn output(out: *mut u8, out_len: *mut usize) -> Result<Output, Error> {
    let len = NonNull::new(out_len).ok_or(Error::KUAIMI_ERROR_NULL_POINTER)?;
    Ok(Output { out, len })
}

impl Output {
    /// Writes what `compute` gives, which has `bound` bytes at most. It is not called if the caller
    /// asks for the size, or if the buffer has fewer than `bound` bytes: then the caller is
    /// told that number.
    #[inline]
    pub(crate) fn write<B: AsRef<[u8]>>(
        self,
        bound: usize,
        compute: impl FnOnce() -> Result<B, Error>,
    ) -> Result<(), Error> {
        // SAFETY: `output`'s caller says that the number may be read and written.
        let len = unsafe { self.len.read_unaligned() };
        if self.out.is_null() || len < bound {
            // SAFETY: as above.
            unsafe { self.len.write_unaligned(bound) };
            return if self.out.is_null() {
                Ok(())
            } else {
                Err(Error::KUAIMI_ERROR_BUFFER_TOO_SMALL)
            };
        }
        let result = compute()?;
        let result = result.as_ref();
        if result.len() > bound {
            return Err(Error::KUAIMI_ERROR_INTERNAL);
        }
        // SAFETY: `output`'s caller says that `len` bytes may be written, and the result has no
        // more. It is memory of this library.
        unsafe { ptr::copy_nonoverlapping(result.as_ptr(), self.out, result.len()) };
        // SAFETY: as above.
        unsafe { self.len.write_unaligned(result.len()) };
        Ok(())
    }

    /// Writes the next of `waiting` bytes, as many as the buffer has room for; `take` fills a copy
    /// with them. A null pointer asks how many wait.
    pub(crate) fn write_part(
        self,
        waiting: usize,
        take: impl FnOnce(&mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: `output`'s caller says that the number may be read and written.
        let len = unsafe { self.len.read_unaligned() };
        let mut count = waiting;
        if !self.out.is_null() {
            count = waiting.min(len);
            // SAFETY: as above. Nothing is there until it is.
            unsafe { self.len.write_unaligned(0) };
            let mut part = Zeroizing::new(vec![0; count]);
            take(&mut part)?;
            // SAFETY: `output`'s caller says that `len` bytes may be written, and the part has no
            // more. It is memory of this library.
            unsafe { ptr::copy_nonoverlapping(part.as_ptr(), self.out, count) };
        }
        // SAFETY: as above.
        unsafe { self.len.write_unaligned(count) };
        Ok(())
    }

    /// Writes a sentence for people, of which `bound` bytes are enough, unless the caller only asks
    /// for the size.
    pub(crate) fn write_sentence(
        self,
        bound: usize,
        sentence: impl FnOnce() -> Result<String, Error>,
    ) -> Result<(), Error> {
        self.write(bound, || {
            let mut sentence = sentence()?;
            while sentence.len() > bound {
                sentence.pop();
            }
            Ok(sentence)
        })
    }

    /// Writes a result that is there already.
    pub(crate) fn write_bytes(self, result: impl AsRef<[u8]>) -> Result<(), Error> {
        let bound = result.as_ref().len();
        self.write(bound, || Ok(result))
    }
}

/// Many inputs.
pub(crate) fn inputs<'a>(
    all: impl Iterator<Item = &'a kuaimi_bytes>,
) -> Result<Vec<&'a [u8]>, Error> {
    all.map(kuaimi_bytes::get).collect()
}

impl kuaimi_bytes {
    /// The bytes. A value of this type comes from `items` alone, whose caller says that they may be
    /// read.
    pub(crate) fn get(&self) -> Result<&[u8], Error> {
        // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head of
        // the header.
        unsafe { input(self.data, self.len) }
    }

    /// As [`get`](Self::get); nothing for a null pointer.
    pub(crate) fn get_optional(&self) -> Result<Option<&[u8]>, Error> {
        // SAFETY: as for `get`.
        unsafe { optional_input(self.data, self.len) }
    }
}
