//! Users' keys for signing.

use kuaimi::encoding::sm9::{UnboundSigningKey, read_key};
use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm9::SigningKey;

use super::identity::identity;
use super::master_signing::kuaimi_sm9_master_signing_public_key;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::key_form::*;

/// A user's key for SM9 signatures. Threads may share it.
pub struct kuaimi_sm9_signing_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm9_signing_key: SigningKey);

/// The key that is the point of 64 bytes, or 65 bytes after 04, at `bytes`, of the user `id` under
/// a master public key. `hid` is the function identifier; 0 means the usual one, 1. It is checked
/// that they belong together. Free the key with `kuaimi_sm9_signing_key_free`.
///
/// `KUAIMI_ERROR_USER_KEY_MISMATCH`: they do not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_from_bytes(
    master: *const kuaimi_sm9_master_signing_public_key,
    bytes: *const u8,
    len: usize,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_signing_key,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        master = handle(master),
        #[once] bytes = input(bytes, len),
        #[once] id = input(id, id_len) => {
            out.put(SigningKey::from_slice(bytes, identity(id, hid), master)?);
            Ok(())
        }
    )
}

/// Reads the content of a key file of the user `id`: PKCS#8, encrypted or not, with the master
/// public key, in PEM, DER, hexadecimal or Base64. `password` may be null. `hid` 0 means the usual
/// function identifier, 1.
///
/// `KUAIMI_ERROR_USER_KEY_MISMATCH`: it is another user's. The errors from 50 on say what is wrong
/// with the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_read(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_signing_key,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        #[once] bytes = input(bytes, len),
        password = optional_input(password, password_len),
        #[once] id = input(id, id_len) => {
            let key = UnboundSigningKey::try_from(read_key(bytes, password)?.0)?;
            out.put(key.signing_key(identity(id, hid))?);
            Ok(())
        }
    )
}

/// Writes a user's key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
///
/// `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
/// `KUAIMI_KEY_PKCS8_DER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_write(
    key: *const kuaimi_sm9_signing_key,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        write_sm9_private!(key, form, out)
    })
}

/// Writes a user's key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_write_encrypted(
    key: *const kuaimi_sm9_signing_key,
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

/// Makes the table of a key now, 52 KiB, and of its master public key what signing needs, 66 KiB,
/// or 149 KiB with AVX-512 IFMA: signing is faster with both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_prepare(
    key: *const kuaimi_sm9_signing_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// Writes the table of a key, to be stored beside the key: `kuaimi_sm9_signing_key_read_table`
/// reads it faster than `kuaimi_sm9_signing_key_prepare` makes it. If the key has no table, it is
/// made. **A secret**, as the key is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_write_table(
    key: *const kuaimi_sm9_signing_key,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        out.write_bytes(key.tables_to_bytes())
    })
}

/// The same key with the table that `kuaimi_sm9_signing_key_write_table` wrote, at `*out`.
///
/// `KUAIMI_ERROR_TABLE`: the table is of another version, was altered, or belongs to another key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_read_table(
    key: *const kuaimi_sm9_signing_key,
    table: *const u8,
    table_len: usize,
    out: *mut *mut kuaimi_sm9_signing_key,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key), #[once] table = input(table, table_len) => {
        out.put(key.with_tables(table)?);
        Ok(())
    })
}

/// Wipes and frees a user's key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signing_key_free(key: *mut kuaimi_sm9_signing_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
