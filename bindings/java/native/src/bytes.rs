//! Java's arrays and direct buffers as Rust's slices. All unsafe code of this crate but the tables'
//! is here.

#![allow(unsafe_code)]

use std::slice;

use jni::elements::ReleaseMode;
use jni::objects::{JByteArray, JByteBuffer};
use jni::{Env, EnvUnowned};
use zeroize::Zeroizing;

use crate::call::{Failure, call};

/// Up to here data is copied out and back, which is quicker than asking the JVM for the array
/// itself.
const COPIED: usize = 512;
/// While a piece of this length is worked on, the garbage collector may have to wait: some dozens
/// of microseconds.
const PIECE: usize = 256 << 10;

fn signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: the same bytes, for the same time.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

fn signed_mut(bytes: &mut [u8]) -> &mut [i8] {
    // SAFETY: the same bytes, for the same time.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// The `length` bytes from `offset` on, which must be in an array of `total` bytes.
fn range(total: usize, offset: i32, length: i32) -> Result<(usize, usize), Failure> {
    match (usize::try_from(offset), usize::try_from(length)) {
        (Ok(offset), Ok(length)) if offset.checked_add(length).is_some_and(|end| end <= total) => {
            Ok((offset, length))
        }
        _ => Err(Failure::argument(format!(
            "{length} bytes from {offset} on are not in an array of {total}"
        ))),
    }
}

/// A copy of an array that must have `N` bytes. It is wiped.
pub(crate) fn array<const N: usize>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
) -> Result<Zeroizing<[u8; N]>, Failure> {
    let length = array.len(env)?;
    if length != N {
        return Err(Failure::argument(format!(
            "an array of {N} bytes is needed, not of {length}"
        )));
    }
    prefix(env, array)
}

/// A copy of the first `N` bytes of an array. It is wiped.
pub(crate) fn prefix<const N: usize>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
) -> Result<Zeroizing<[u8; N]>, Failure> {
    range(array.len(env)?, 0, N as i32)?;
    let mut bytes = Zeroizing::new([0; N]);
    array.get_region(env, 0, signed_mut(bytes.as_mut()))?;
    Ok(bytes)
}

/// A copy of an array. It is wiped.
pub(crate) fn copied(env: &Env<'_>, array: &JByteArray<'_>) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let length = array.len(env)?;
    let mut bytes = Zeroizing::new(vec![0; length]);
    array.get_region(env, 0, signed_mut(&mut bytes))?;
    Ok(bytes)
}

/// A copy of an array, which is wiped when it is dropped; nothing for null.
pub(crate) fn copied_or_none(
    env: &Env<'_>,
    array: &JByteArray<'_>,
) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    match array.is_null() {
        true => Ok(None),
        false => copied(env, array).map(Some),
    }
}

/// A copy of a part of an array. It is wiped.
pub(crate) fn part(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: i32,
    length: i32,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (start, length) = range(array.len(env)?, offset, length)?;
    let mut bytes = Zeroizing::new(vec![0; length]);
    array.get_region(env, start as i32, signed_mut(&mut bytes))?;
    Ok(bytes)
}

/// Runs a body whose result is an array of bytes.
pub(crate) fn call_bytes<'local, B: AsRef<[u8]>>(
    env: EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> Result<B, Failure>,
) -> JByteArray<'local> {
    call(env, |env| {
        let bytes = body(env)?;
        given(env, bytes.as_ref())
    })
}

/// A new array of Java's.
pub(crate) fn given<'local>(
    env: &mut Env<'local>,
    bytes: &[u8],
) -> Result<JByteArray<'local>, Failure> {
    let array = JByteArray::new(env, bytes.len())?;
    array.set_region(env, 0, signed(bytes))?;
    Ok(array)
}

/// Writes into an array of Java's.
pub(crate) fn put(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: usize,
    bytes: &[u8],
) -> Result<(), Failure> {
    Ok(array.set_region(env, offset as i32, signed(bytes))?)
}

/// Runs `work` over a part of an array, in pieces whose lengths are multiples of 64 bytes, but the
/// last. `work` may change it.
///
/// Other threads of Java's may write to the array meanwhile, which gives wrong results, as it does
/// with any provider: nothing here relies on what a byte was before.
pub(crate) fn in_pieces(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: i32,
    length: i32,
    mut work: impl FnMut(&mut [u8]),
) -> Result<(), Failure> {
    let (start, length) = range(array.len(env)?, offset, length)?;
    if length <= COPIED {
        return copied_out(env, array, start, length, |bytes| {
            work(bytes);
            put(env, array, start, bytes)
        });
    }
    let mut done = 0;
    while done < length {
        let piece = PIECE.min(length - done);
        with_elements(
            env,
            array,
            ReleaseMode::CopyBack,
            start + done,
            piece,
            &mut work,
        )?;
        done += piece;
    }
    Ok(())
}

/// As [`in_pieces`], and leaves the array as it is.
pub(crate) fn read_pieces(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: i32,
    length: i32,
    mut work: impl FnMut(&[u8]),
) -> Result<(), Failure> {
    let (start, length) = range(array.len(env)?, offset, length)?;
    if length <= COPIED {
        return copied_out(env, array, start, length, |bytes| {
            work(bytes);
            Ok(())
        });
    }
    let mut done = 0;
    while done < length {
        let piece = PIECE.min(length - done);
        with_elements(
            env,
            array,
            ReleaseMode::NoCopyBack,
            start + done,
            piece,
            |bytes| work(bytes),
        )?;
        done += piece;
    }
    Ok(())
}

/// Runs `work` over a part of an array as a whole. `work` may change it.
pub(crate) fn in_place<T>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: i32,
    length: i32,
    work: impl FnOnce(&mut [u8]) -> T,
) -> Result<T, Failure> {
    let (start, length) = range(array.len(env)?, offset, length)?;
    if length <= COPIED {
        return copied_out(env, array, start, length, |bytes| {
            let result = work(bytes);
            put(env, array, start, bytes)?;
            Ok(result)
        });
    }
    with_elements(env, array, ReleaseMode::CopyBack, start, length, work)
}

/// Runs `work` over a copy of a part of an array that has at most [`COPIED`] bytes.
pub(crate) fn read_copied<T>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    offset: i32,
    length: i32,
    work: impl FnOnce(&mut [u8]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (start, length) = range(array.len(env)?, offset, length)?;
    if length > COPIED {
        return Err(Failure::argument(format!(
            "at most {COPIED} bytes are taken at once, not {length}"
        )));
    }
    copied_out(env, array, start, length, work)
}

/// Runs `work` over a copy of at most [`COPIED`] bytes, and wipes it.
fn copied_out<T>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    start: usize,
    length: usize,
    work: impl FnOnce(&mut [u8]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut room = [0; COPIED];
    let bytes = &mut room[..length];
    array.get_region(env, start as i32, signed_mut(bytes))?;
    let result = work(bytes);
    // Byte-by-byte volatile stores would take longer than the JVM takes to copy.
    bytes.fill(0);
    zeroize::optimization_barrier(&room);
    result
}

/// The caller has checked that the part is in the array.
fn with_elements<T>(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    mode: ReleaseMode,
    start: usize,
    length: usize,
    work: impl FnOnce(&mut [u8]) -> T,
) -> Result<T, Failure> {
    // SAFETY: until it is dropped at the end of this function, nothing is asked of the JVM, and
    // nothing is waited for.
    let elements = unsafe { array.get_elements_critical(env, mode)? };
    // SAFETY: the part is in the array, whose length never changes.
    let bytes =
        unsafe { slice::from_raw_parts_mut(elements.as_ptr().cast::<u8>().add(start), length) };
    Ok(work(bytes))
}

/// A copy of the first `length` bytes of a direct buffer: another thread may write to the buffer,
/// not to the copy.
pub(crate) fn direct(
    env: &Env<'_>,
    buffer: &JByteBuffer<'_>,
    offset: usize,
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let address = address(env, buffer, offset, length)?;
    let mut bytes = Zeroizing::new(vec![0; length]);
    // SAFETY: the part is in the buffer, which Java keeps while this call has a reference to it.
    unsafe { address.copy_to_nonoverlapping(bytes.as_mut_ptr(), length) };
    Ok(bytes)
}

/// Writes into a direct buffer.
pub(crate) fn put_direct(
    env: &Env<'_>,
    buffer: &JByteBuffer<'_>,
    offset: usize,
    bytes: &[u8],
) -> Result<(), Failure> {
    let address = address(env, buffer, offset, bytes.len())?;
    // SAFETY: the part is in the buffer, which Java keeps while this call has a reference to it.
    unsafe { address.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

/// That each part is in its buffer, and that the output is no memory of an input: rows that are
/// computed later read what earlier ones wrote.
pub(crate) fn separate(
    env: &Env<'_>,
    output: (&JByteBuffer<'_>, usize),
    inputs: &[(&JByteBuffer<'_>, usize)],
) -> Result<(), Failure> {
    let range = |(buffer, length): (&JByteBuffer<'_>, usize)| {
        let start = address(env, buffer, 0, length)?.addr();
        Ok::<_, Failure>(start..start + length)
    };
    let output = range(output)?;
    for &input in inputs {
        let input = range(input)?;
        if output.start < input.end && input.start < output.end {
            return Err(Failure::argument(
                "what is written must not be memory that is read: give the result a buffer of its own",
            ));
        }
    }
    Ok(())
}

fn address(
    env: &Env<'_>,
    buffer: &JByteBuffer<'_>,
    offset: usize,
    length: usize,
) -> Result<*mut u8, Failure> {
    let capacity = env.get_direct_buffer_capacity(buffer)?;
    if offset.checked_add(length).is_none_or(|end| end > capacity) {
        return Err(Failure::argument(format!(
            "{length} bytes from {offset} on are not in a buffer of {capacity}"
        )));
    }
    let start = env.get_direct_buffer_address(buffer)?;
    // SAFETY: the offset is in the buffer or at its end.
    Ok(unsafe { start.add(offset) })
}
