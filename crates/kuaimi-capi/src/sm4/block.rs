//! The block cipher.

use kuaimi::sm4::Sm4;

use crate::error::kuaimi_error;
use crate::handle::{free, objects};

/// The length of a key in bytes.
pub const KUAIMI_SM4_KEY_LEN: usize = 16;
/// The length of a block in bytes.
pub const KUAIMI_SM4_BLOCK_LEN: usize = 16;

/// SM4 with a key, block by block. Not changed by any function, so that threads may share it.
pub struct kuaimi_sm4 {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4: Sm4);

/// SM4 with the key of 16 bytes at `key`, at `*out`. Constant time. Free it with `kuaimi_sm4_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_new(key: *const u8, out: *mut *mut kuaimi_sm4) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key) => {
        out.put(Sm4::new(key));
        Ok(())
    })
}

/// Encrypts each block of 16 bytes on its own (ECB), from `data` to `out`, which may be the same.
/// Equal blocks stay equal, so this does not hide a message.
///
/// `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ecb_encrypt(
    cipher: *const kuaimi_sm4,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), out = in_place(data, out, len) => { Ok(cipher.encrypt_ecb(out.copy())?) })
}

/// The inverse of `kuaimi_sm4_ecb_encrypt`.
///
/// `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ecb_decrypt(
    cipher: *const kuaimi_sm4,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), out = in_place(data, out, len) => { Ok(cipher.decrypt_ecb(out.copy())?) })
}

/// Wipes and frees a cipher. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_free(cipher: *mut kuaimi_sm4) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cipher) }
}
