//! XTS, for storage (IEEE 1619-2018; GB/T 17964-2021).

use kuaimi::sm4::{Sm4Xts, XtsStandard};

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};

options! {
    /// The order of the bits in a tweak.
    pub enum kuaimi_sm4_xts_standard {
        /// GB/T 17964-2021, and the default of OpenSSL's `SM4-XTS`.
        KUAIMI_SM4_XTS_GB = 1,
        /// IEEE 1619.
        KUAIMI_SM4_XTS_IEEE = 2,
    }
}

/// SM4 in XTS mode with a key, for sectors of a disk or pages of a database. Not changed by any
/// function, so that threads may share it.
pub struct kuaimi_sm4_xts {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_xts: Sm4Xts);

/// SM4-XTS with the key of 32 bytes at `key`, 16 for the data and 16 for the tweak, at `*out`. Free
/// it with `kuaimi_sm4_xts_free`.
///
/// `KUAIMI_ERROR_EQUAL_HALVES`: the two are equal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_xts_new(
    key: *const u8,
    standard: kuaimi_sm4_xts_standard,
    out: *mut *mut kuaimi_sm4_xts,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key) => {
        let standard = match standard {
            KUAIMI_SM4_XTS_GB => XtsStandard::Gb,
            KUAIMI_SM4_XTS_IEEE => XtsStandard::Ieee,
            _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        };
        out.put(Sm4Xts::new(key, standard)?);
        Ok(())
    })
}

/// Encrypts at least 16 bytes from `data` to `out`, which may be the same. The 16 bytes at `tweak`
/// are the position of the data, usually the number of the sector, least significant byte first.
///
/// `KUAIMI_ERROR_DATA_TOO_SHORT`: fewer than 16 bytes. Then `out` is a copy of `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_xts_encrypt(
    cipher: *const kuaimi_sm4_xts,
    tweak: *const u8,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), tweak = array(tweak), out = in_place(data, out, len) => {
        Ok(cipher.encrypt(tweak, out.copy())?)
    })
}

/// The inverse of `kuaimi_sm4_xts_encrypt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_xts_decrypt(
    cipher: *const kuaimi_sm4_xts,
    tweak: *const u8,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), tweak = array(tweak), out = in_place(data, out, len) => {
        Ok(cipher.decrypt(tweak, out.copy())?)
    })
}

/// Wipes and frees a cipher. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_xts_free(cipher: *mut kuaimi_sm4_xts) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cipher) }
}
