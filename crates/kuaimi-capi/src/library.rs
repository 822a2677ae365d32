//! The library itself: its version, the implementations that it chooses from, wiping.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use once_cell::race::OnceBox;
use zeroize::Zeroize;

use crate::error::kuaimi_error;

/// The first number of the version that this header belongs to.
pub const KUAIMI_VERSION_MAJOR: u32 = 0;
/// The second number of the version that this header belongs to.
pub const KUAIMI_VERSION_MINOR: u32 = 1;
/// The third number of the version that this header belongs to.
pub const KUAIMI_VERSION_PATCH: u32 = 0;

/// The version of the library that the program runs with: `"0.1.0"`, for example. It may be newer than the header's.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The names of all implementations that this machine can run, as C strings.
fn names() -> &'static [CString] {
    static NAMES: OnceBox<Vec<CString>> = OnceBox::new();
    NAMES.get_or_init(|| {
        let names = kuaimi::backends().filter_map(|name| CString::new(name).ok());
        Box::new(names.collect())
    })
}

/// The name of the implementation that this process computes with. The library chooses the fastest that the CPU can run; the
/// environment variable `KUAIMI_BACKEND` or `kuaimi_set_backend` selects another.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_backend() -> *const c_char {
    let backend = kuaimi::backend();
    names()
        .iter()
        .find(|name| name.to_bytes() == backend.name().as_bytes())
        .map_or(c"", CString::as_c_str)
        .as_ptr()
}

/// The name of the implementation number `index` of those that this machine can run, from slow to fast; null when there are no
/// more.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_backend_at(index: usize) -> *const c_char {
    names().get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// Selects an implementation for the whole process, from the next operation on: for tests and measurements. Results are the
/// same with each. `"portable"` means the one without special instructions.
///
/// `KUAIMI_ERROR_UNKNOWN_BACKEND`: this machine can run none of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_set_backend(name: *const c_char) -> kuaimi_error {
    call!(name = text(name) => {
        Ok(kuaimi::set_backend(name)?)
    })
}

/// Overwrites `len` bytes with zeros, in a way that the compiler does not remove: for copies of secrets in the caller's memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_wipe(data: *mut u8, len: usize) -> kuaimi_error {
    call!(data = region(data, len) => {
        data.zeroize();
        Ok(())
    })
}

// The numbers of the header are the crate's version.
const _: () = {
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let expected = [
        b'0' + KUAIMI_VERSION_MAJOR as u8,
        b'.',
        b'0' + KUAIMI_VERSION_MINOR as u8,
        b'.',
        b'0' + KUAIMI_VERSION_PATCH as u8,
    ];
    let mut i = 0;
    while i < expected.len() {
        assert!(
            version[i] == expected[i],
            "the version of the header is not the crate's"
        );
        i += 1;
    }
    assert!(CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()).is_ok());
};
