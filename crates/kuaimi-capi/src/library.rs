//! The library itself: its version, the implementations that it chooses from, the memory of tables,
//! wiping.

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

/// The version of the library that the program runs with: `"0.1.0"`, for example. It may be newer
/// than the header's.
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

/// The name of the implementation that this process computes with. The library chooses the fastest
/// that the CPU can run; the environment variable `KUAIMI_BACKEND` or `kuaimi_set_backend` selects
/// another.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_backend() -> *const c_char {
    let backend = kuaimi::backend();
    names()
        .iter()
        .find(|name| name.to_bytes() == backend.name().as_bytes())
        .map_or(c"", CString::as_c_str)
        .as_ptr()
}

/// The name of the implementation number `index` of those that this machine can run, from slow to
/// fast; null when there are no more.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_backend_at(index: usize) -> *const c_char {
    names().get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// Selects an implementation for the whole process, from the next operation on: for tests and
/// measurements. Results are the same with each. `"portable"` means the one without special
/// instructions.
///
/// `KUAIMI_ERROR_UNKNOWN_BACKEND`: this machine can run none of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_set_backend(name: *const c_char) -> kuaimi_error {
    call!(name = text(name) => {
        Ok(kuaimi::set_backend(name)?)
    })
}

/// Sets what the tables that keys make by themselves may take together in this process, in bytes:
/// see *Tables* in `kuaimi.h`. With 0, keys make none by themselves. Without this call the limit is
/// 16 MiB. Tables that exist stay.
#[unsafe(no_mangle)]
pub extern "C" fn kuaimi_set_table_limit(bytes: usize) {
    kuaimi::precompute::set_limit(bytes);
}

/// Overwrites `len` bytes with zeros, in a way that the compiler does not remove: for copies of
/// secrets in the caller's memory. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_wipe(data: *mut u8, len: usize) {
    // What fails is null, or longer than any object: nothing to be wiped, and nothing for a caller
    // to do about it.
    let _ = call!(data = region(data, len) => {
        data.zeroize();
        Ok(())
    });
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

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use kuaimi::precompute::{DEFAULT_LIMIT, bytes_taken};
    use kuaimi::sm2::EncryptionKey;

    use super::*;
    use crate::error::Error;
    use crate::sm2::*;

    /// Uses a new key twice, and says what its table takes. The tests of this crate use no other
    /// keys.
    fn taken_by_a_key() -> usize {
        let (number, mut private, mut public) = ([7; 32], null_mut(), null_mut());
        let number = number.as_ptr();
        // SAFETY: buffers with their lengths, places, and handles that are freed last.
        unsafe {
            assert_eq!(
                kuaimi_sm2_private_key_from_bytes(number, 32, &mut private),
                Error::KUAIMI_OK
            );
            assert_eq!(
                kuaimi_sm2_private_key_public_key(private, &mut public),
                Error::KUAIMI_OK
            );
            for _ in 0..2 {
                let (mut out, mut len) = ([0; 200], 200);
                let (out, form) = (out.as_mut_ptr(), KUAIMI_SM2_CIPHERTEXT_C1C3C2);
                let error = kuaimi_sm2_encrypt(public, number, 32, form, out, &mut len);
                assert_eq!(error, Error::KUAIMI_OK);
            }
            let taken = bytes_taken();
            kuaimi_sm2_public_key_free(public);
            kuaimi_sm2_private_key_free(private);
            taken
        }
    }

    #[test]
    fn a_key_makes_its_table_within_the_limit() {
        assert_eq!(taken_by_a_key(), EncryptionKey::TABLE_BYTES);
        kuaimi_set_table_limit(EncryptionKey::TABLE_BYTES - 1);
        assert_eq!(taken_by_a_key(), 0);
        kuaimi_set_table_limit(DEFAULT_LIMIT);
        assert_eq!(taken_by_a_key(), EncryptionKey::TABLE_BYTES);
    }
}
