//! Requests to valgrind's memcheck, by which `make constant-time` tells it what is secret.
//!
//! Memcheck reports every branch and every memory address that depends on undefined memory. So
//! memory is *classified* by declaring it undefined, and *declassified* by declaring it defined. A
//! value computed from undefined memory is undefined, too. Outside valgrind, and on other systems
//! than Linux on x86-64 and AArch64, the requests do nothing and [`running`] is false.
//!
//! The emulator of `scripts/emulator` answers the same requests. It also reports divisions by
//! secrets and other instructions whose time depends on their operands, which memcheck does not:
//! [`reports_times`].
//!
//! A request has the form that `valgrind.h` defines: six words in memory, their address in `rax` or
//! `x4`, a default answer in `rdx` or `x3`, and four rotations of `rdi` or `x12` that leave it
//! unchanged, followed by an instruction that does nothing.

#![allow(unsafe_code, reason = "inline assembly")]

/// The words of a request. The first is its number.
type Request = [usize; 6];

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
/// The letters `MC`, for requests to memcheck.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;
/// The letters `KM`, for requests that only this project's emulator knows; valgrind leaves the
/// default answer.
const KUAIMI: usize = (b'K' as usize) << 24 | (b'M' as usize) << 16;
const REPORTS_TIMES: usize = KUAIMI + 1;

/// Declares `bytes` secret.
#[inline]
pub fn classify(bytes: &mut [u8]) {
    mark(MAKE_MEM_UNDEFINED, bytes);
}

/// Declares `bytes` public.
#[inline]
pub fn declassify(bytes: &mut [u8]) {
    mark(MAKE_MEM_DEFINED, bytes);
}

/// Whether this process runs under valgrind.
pub fn running() -> bool {
    request(&[RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0]) != 0
}

/// Whether divisions by secrets are reported, too.
pub fn reports_times() -> bool {
    request(&[REPORTS_TIMES, 0, 0, 0, 0, 0]) != 0
}

/// The number of faults that memcheck has reported so far.
pub fn faults() -> usize {
    request(&[COUNT_ERRORS, 0, 0, 0, 0, 0])
}

/// Whether any bit of `bytes` is secret: classified, or computed from classified memory.
pub fn is_secret(bytes: &[u8]) -> bool {
    bytes.chunks(64).any(|chunk| {
        let mut undefined = [0u8; 64];
        let (from, to) = (chunk.as_ptr() as usize, undefined.as_mut_ptr() as usize);
        request(&[GET_VBITS, from, to, chunk.len(), 0, 0]);
        undefined != [0; 64]
    })
}

#[inline]
fn mark(number: usize, bytes: &mut [u8]) {
    request(&[number, bytes.as_mut_ptr() as usize, bytes.len(), 0, 0, 0]);
}

#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
#[inline]
fn request(request: &Request) -> usize {
    let mut answer = 0usize;
    // SAFETY: outside valgrind the instructions leave every register unchanged (rotations by 3 + 13
    // + 61 + 51 = 128 bits, and an exchange of a register with itself). Under valgrind they read
    // the six words, set `rdx`, and for one request write to a buffer that the caller has borrowed
    // mutably. The compiler assumes that any memory may change.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

#[cfg(all(target_arch = "aarch64", target_os = "linux", not(miri)))]
#[inline]
fn request(request: &Request) -> usize {
    let mut answer = 0usize;
    // SAFETY: as on x86-64, with the answer in `x3`: rotations by 3 + 13 + 51 + 61 = 128 bits, and
    // an OR of a register with itself.
    unsafe {
        core::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") request.as_ptr(),
            inout("x3") answer,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux",
    not(miri)
)))]
fn request(_: &Request) -> usize {
    0
}
