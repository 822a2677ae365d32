//! Private keys.

use kuaimi::encoding::{EncodeEcPrivateKey, EncodePrivateKey, LineEnding, read_private_key};
use kuaimi::sm2::{EncryptionKey, PrivateKey};

use super::public_key::kuaimi_sm2_public_key;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::key_form::*;

/// An SM2 private key, with its public key. Not changed by any function, so that threads may share
/// it.
pub struct kuaimi_sm2_private_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_private_key: PrivateKey);

/// A new private key at `*out`, from the operating system's random generator. Free it with
/// `kuaimi_sm2_private_key_free`.
///
/// Source: GB/T 32918.1-2016, clause 6.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_generate(
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(PrivateKey::generate()?);
        Ok(())
    })
}

/// The private key that is the integer in the 32 bytes at `bytes`, most significant byte first.
/// Constant time.
///
/// `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not
/// in `[1, n - 2]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(PrivateKey::from_slice(bytes)?);
        Ok(())
    })
}

/// Reads the content of a key file in any form: PEM, DER or 32 bytes; PKCS#8, encrypted PKCS#8 or
/// SEC 1; DER and the 32 bytes also as hexadecimal or Base64. `password` may be null; it is not
/// used for a key that is not encrypted.
///
/// `KUAIMI_ERROR_PASSWORD_NEEDED`, `KUAIMI_ERROR_WRONG_PASSWORD`, `KUAIMI_ERROR_NOT_A_KEY`,
/// `KUAIMI_ERROR_OTHER_KEY`, `KUAIMI_ERROR_OTHER_ALGORITHM` and the other errors from 50 on say
/// what is wrong with the file; `kuaimi_sm2_explain_private_key` says what the file is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_read(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        #[once] bytes = input(bytes, len),
        password = optional_input(password, password_len) => {
            out.put(read_private_key(bytes, password)?.0);
            Ok(())
        }
    )
}

/// Writes a private key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
///
/// `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_PKCS8_PEM`, `KUAIMI_KEY_PKCS8_DER`,
/// `KUAIMI_KEY_SEC1_PEM` or `KUAIMI_KEY_SEC1_DER`. PEM is ASCII text without a zero byte at the
/// end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_write(
    key: *const kuaimi_sm2_private_key,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        match form {
            KUAIMI_KEY_RAW => out.write_bytes(key.to_bytes().as_slice()),
            KUAIMI_KEY_PKCS8_PEM => out.write_bytes(key.to_pkcs8_pem(LineEnding::LF)?.as_bytes()),
            KUAIMI_KEY_PKCS8_DER => out.write_bytes(key.to_pkcs8_der()?.as_bytes()),
            KUAIMI_KEY_SEC1_PEM => out.write_bytes(key.to_sec1_pem(LineEnding::LF)?.as_bytes()),
            KUAIMI_KEY_SEC1_DER => out.write_bytes(key.to_sec1_der()?.as_bytes()),
            _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// Writes a private key, encrypted under a password, in at most `KUAIMI_ENCRYPTED_KEY_MAX_LEN`
/// bytes, which is the size that it asks for. Takes some tenths of a second with the default
/// `encryption`, which is null.
///
/// `form`: `KUAIMI_KEY_PKCS8_PEM` or `KUAIMI_KEY_PKCS8_DER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_write_encrypted(
    key: *const kuaimi_sm2_private_key,
    password: *const u8,
    password_len: usize,
    encryption: *const kuaimi_password_encryption,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        password = input(password, password_len),
        encryption = optional_structure(encryption),
        out = output(out, out_len) => { write_encrypted(key, password, encryption, form, out) }
    )
}

/// The public key that belongs to a private key, at `*out`. Free it with
/// `kuaimi_sm2_public_key_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_public_key(
    key: *const kuaimi_sm2_private_key,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key) => {
        out.put(EncryptionKey::new(*key.public_key()));
        Ok(())
    })
}

/// Writes a key pair as an enveloped key in DER, which the holder of the `recipient`'s private key
/// can open.
///
/// Source: GB/T 35276-2017, clause 7.4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_write_enveloped(
    key: *const kuaimi_sm2_private_key,
    recipient: *const kuaimi_sm2_public_key,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    /// 2 · 35 for the coordinates, 34 and 18 for digest and content, 68 and 35 for the keys, and
    /// the headers.
    const MAX_LEN: usize = 260;
    call!(key = handle(key), recipient = handle(recipient), out = output(out, out_len) => {
        out.write(MAX_LEN, || Ok(key.to_enveloped_key(recipient.public_key(), &mut getrandom::SysRng)?))
    })
}

/// Opens an enveloped key in DER with the recipient's private key. The key pair in it is at `*out`.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: it is for another key or was altered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_open_enveloped(
    recipient: *const kuaimi_sm2_private_key,
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(out = new_handle(out), recipient = handle(recipient), #[once] bytes = input(bytes, len) => {
        out.put(recipient.open_enveloped_key(bytes)?);
        Ok(())
    })
}

/// Wipes and frees a private key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_free(key: *mut kuaimi_sm2_private_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
