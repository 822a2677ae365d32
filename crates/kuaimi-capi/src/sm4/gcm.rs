//! Galois/counter mode (GB/T 17964-2021; NIST SP 800-38D; RFC 8998).

use kuaimi::sm4::Sm4Gcm;

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};

/// The length of a tag in bytes.
pub const KUAIMI_SM4_GCM_TAG_LEN: usize = 16;
/// The recommended length of a nonce in bytes.
pub const KUAIMI_SM4_GCM_NONCE_LEN: usize = 12;

/// SM4 in GCM with a key: authenticated encryption. Not changed by any function, so that threads
/// may share it.
pub struct kuaimi_sm4_gcm {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_gcm: Sm4Gcm);

/// SM4-GCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_gcm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_new(
    key: *const u8,
    out: *mut *mut kuaimi_sm4_gcm,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key) => {
        out.put(Sm4Gcm::new(key));
        Ok(())
    })
}

/// Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag of 16 bytes
/// over all of it and over the associated data to `tag`. **Never use a nonce twice with a key.** A
/// nonce usually has 12 bytes; other lengths from one on are accepted. Constant time but for the
/// lengths.
///
/// `KUAIMI_ERROR_EMPTY_NONCE`, `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_seal(
    cipher: *const kuaimi_sm4_gcm,
    nonce: *const u8,
    nonce_len: usize,
    associated_data: *const u8,
    associated_data_len: usize,
    data: *const u8,
    len: usize,
    out: *mut u8,
    tag: *mut u8,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        nonce = input(nonce, nonce_len),
        associated_data = input(associated_data, associated_data_len),
        tag = array_out(tag),
        out = in_place(data, out, len) => {
            tag.put(cipher.seal_in_place(nonce, associated_data, out.copy())?);
            Ok(())
        }
    )
}

/// Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of 16 bytes at
/// `tag` is right. The tag is compared in constant time before anything is decrypted.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
/// `out` is a copy of `data`. `KUAIMI_ERROR_EMPTY_NONCE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_open(
    cipher: *const kuaimi_sm4_gcm,
    nonce: *const u8,
    nonce_len: usize,
    associated_data: *const u8,
    associated_data_len: usize,
    data: *const u8,
    len: usize,
    tag: *const u8,
    out: *mut u8,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        nonce = input(nonce, nonce_len),
        associated_data = input(associated_data, associated_data_len),
        tag = array::<16>(tag),
        out = in_place(data, out, len) => {
            cipher.open_in_place(nonce, associated_data, out.copy(), tag).map_err(Error::from)
        }
    )
}

/// Wipes and frees a cipher. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_free(cipher: *mut kuaimi_sm4_gcm) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cipher) }
}
