//! Cipher block chaining (GB/T 17964-2021; NIST SP 800-38A).

use kuaimi::sm4::Sm4Cbc;
use zeroize::Zeroizing;

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};

/// SM4 in CBC mode with a key, for protocols and files that require it. CBC does not detect altered
/// data: use SM4-GCM if you can choose. Not changed by any function, so that threads may share it.
pub struct kuaimi_sm4_cbc {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_cbc: Sm4Cbc);

/// SM4-CBC with the key of 16 bytes at `key`, at `*out`. Free it with `kuaimi_sm4_cbc_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_new(
    key: *const u8,
    out: *mut *mut kuaimi_sm4_cbc,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key) => {
        out.put(Sm4Cbc::new(key));
        Ok(())
    })
}

/// Encrypts whole blocks from `data` to `out`, which may be the same. The 16 bytes at `iv` must be
/// unpredictable: take them from a random generator for each message.
///
/// `KUAIMI_ERROR_PARTIAL_BLOCK`: `len` is not a multiple of 16. Then `out` is a copy of `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_encrypt(
    cipher: *const kuaimi_sm4_cbc,
    iv: *const u8,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), iv = array(iv), out = in_place(data, out, len) => {
        Ok(cipher.encrypt(iv, out.copy())?)
    })
}

/// The inverse of `kuaimi_sm4_cbc_encrypt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_decrypt(
    cipher: *const kuaimi_sm4_cbc,
    iv: *const u8,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(cipher = handle(cipher), iv = array(iv), out = in_place(data, out, len) => {
        Ok(cipher.decrypt(iv, out.copy())?)
    })
}

/// Encrypts a message of any length, with 1 to 16 bytes of padding (PKCS#7): the next multiple of
/// 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_encrypt_padded(
    cipher: *const kuaimi_sm4_cbc,
    iv: *const u8,
    message: *const u8,
    message_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        iv = array(iv),
        message = input(message, message_len),
        out = output(out, out_len) => {
            let bound = (message.len() / 16 + 1) * 16;
            out.write(bound, || Ok(cipher.encrypt_padded(iv, message)))
        }
    )
}

/// Decrypts what `kuaimi_sm4_cbc_encrypt_padded` made, and removes the padding. The size that it
/// asks for is one byte less than the ciphertext's. A program that tells an attacker whether the
/// padding was right lets the attacker decrypt, so authenticate the ciphertext first.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: the length is zero or not a multiple of 16, or the padding is
/// wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_decrypt_padded(
    cipher: *const kuaimi_sm4_cbc,
    iv: *const u8,
    ciphertext: *const u8,
    ciphertext_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        cipher = handle(cipher),
        iv = array(iv),
        ciphertext = input(ciphertext, ciphertext_len),
        out = output(out, out_len) => {
            out.write(ciphertext.len().saturating_sub(1), || {
                let message = cipher.decrypt_padded(iv, ciphertext);
                message.map(Zeroizing::new).map_err(|_| Error::KUAIMI_ERROR_DECRYPTION_FAILED)
            })
        }
    )
}

/// Wipes and frees a cipher. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cbc_free(cipher: *mut kuaimi_sm4_cbc) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cipher) }
}
