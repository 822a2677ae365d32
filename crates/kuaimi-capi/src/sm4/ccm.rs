//! Counter mode with CBC-MAC (NIST SP 800-38C; RFC 8998).

use kuaimi::sm4::Sm4Ccm;

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};

/// SM4 in CCM with a key: authenticated encryption, for protocols that require it; SM4-GCM is
/// faster. Not changed by any function, so that threads may share it.
pub struct kuaimi_sm4_ccm {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_ccm: Sm4Ccm);

/// SM4-CCM with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_ccm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ccm_new(
    key: *const u8,
    out: *mut *mut kuaimi_sm4_ccm,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key) => {
        out.put(Sm4Ccm::new(key));
        Ok(())
    })
}

/// Encrypts `len` bytes from `data` to `out`, which may be the same, and writes the tag over all of
/// it and over the associated data to `tag`. A tag has 16 bytes, or 4, 6, 8, 10, 12 or 14 if a
/// protocol says so. **Never use a nonce twice with a key.** A nonce has 7 to 13 bytes, 12 in TLS
/// 1.3; the longer the nonce, the shorter the message may be: up to 65,535 bytes with a nonce of
/// 13, below 16 MiB with 12, below 4 GiB with 11. Constant time but for the lengths.
///
/// `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`, `KUAIMI_ERROR_MESSAGE_TOO_LONG`. Then
/// `out` is a copy of `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ccm_seal(
    cipher: *const kuaimi_sm4_ccm,
    nonce: *const u8,
    nonce_len: usize,
    associated_data: *const u8,
    associated_data_len: usize,
    data: *const u8,
    len: usize,
    out: *mut u8,
    tag: *mut u8,
    tag_len: usize,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        nonce = input(nonce, nonce_len),
        associated_data = input(associated_data, associated_data_len),
        out = in_place(data, out, len),
        tag = in_place(tag, tag, tag_len) => {
            // The data first: it may lie where the tag will.
            let out = out.copy();
            Ok(cipher.seal_in_place(nonce, associated_data, out, tag.copy())?)
        }
    )
}

/// Decrypts `len` bytes from `data` to `out`, which may be the same, if the tag of `tag_len` bytes
/// at `tag` is right. It is compared in constant time before any plaintext is written to `out`. The
/// protocol, and not the sender, must say how long a tag is.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
/// `out` is a copy of `data`. `KUAIMI_ERROR_NONCE_LENGTH`, `KUAIMI_ERROR_TAG_LENGTH`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ccm_open(
    cipher: *const kuaimi_sm4_ccm,
    nonce: *const u8,
    nonce_len: usize,
    associated_data: *const u8,
    associated_data_len: usize,
    data: *const u8,
    len: usize,
    tag: *const u8,
    tag_len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        nonce = input(nonce, nonce_len),
        associated_data = input(associated_data, associated_data_len),
        tag = input(tag, tag_len),
        out = in_place(data, out, len) => {
            cipher.open_in_place(nonce, associated_data, out.copy(), tag).map_err(Error::from)
        }
    )
}

/// Wipes and frees a cipher. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ccm_free(cipher: *mut kuaimi_sm4_ccm) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cipher) }
}
