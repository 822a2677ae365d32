//! Public keys.

use kuaimi::encoding::{EncodePublicKey, LineEnding, read_public_key};
use kuaimi::sm2::{EncryptionKey, Error as Sm2Error, PublicKey, identity_digest};

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::key_form::*;

/// An SM2 public key: a point that was checked. Threads may share it.
pub struct kuaimi_sm2_public_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_public_key: EncryptionKey);

/// The length of a point with its first byte 04, as the functions of key exchange write it.
pub const KUAIMI_SM2_POINT_LEN: usize = 65;

/// A point: 33, 64 or 65 bytes, as for a public key.
pub(crate) fn point(bytes: &[u8]) -> Result<PublicKey, Sm2Error> {
    match bytes.try_into() {
        Ok(xy) => PublicKey::from_xy_bytes(xy),
        Err(_) => PublicKey::from_sec1_bytes(bytes),
    }
}

/// The public key that is a point: 64 bytes (x and y), 65 bytes (04, x and y; or hybrid) or 33
/// bytes (02 or 03, and x). Variable time, as it is public. Free it with
/// `kuaimi_sm2_public_key_free`.
///
/// `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_public_key_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(EncryptionKey::new(point(bytes)?));
        Ok(())
    })
}

/// Reads the content of a key file in any form: PEM or DER, of a SubjectPublicKeyInfo or a
/// certificate; or a point of 33, 64 or 65 bytes; DER and points also as hexadecimal or Base64. Of
/// a certificate only the key is read: nothing else in it is checked.
///
/// `KUAIMI_ERROR_NOT_A_KEY`, `KUAIMI_ERROR_OTHER_KEY`, `KUAIMI_ERROR_OTHER_ALGORITHM` and the other
/// errors from 50 on say what is wrong with the file; `kuaimi_sm2_explain_public_key` says what it
/// is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_public_key_read(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(EncryptionKey::new(read_public_key(bytes)?.0));
        Ok(())
    })
}

/// Writes a public key.
///
/// `form`: `KUAIMI_KEY_RAW` (64 bytes, x and y), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes),
/// `KUAIMI_KEY_COMPRESSED` (33 bytes), `KUAIMI_KEY_SPKI_PEM` or `KUAIMI_KEY_SPKI_DER`. PEM is ASCII
/// text without a zero byte at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_public_key_write(
    key: *const kuaimi_sm2_public_key,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        let key = key.public_key();
        match form {
            KUAIMI_KEY_RAW => out.write_bytes(key.to_xy_bytes()),
            KUAIMI_KEY_UNCOMPRESSED => out.write_bytes(key.to_sec1_bytes()),
            KUAIMI_KEY_COMPRESSED => out.write_bytes(key.to_compressed_bytes()),
            KUAIMI_KEY_SPKI_PEM => out.write_bytes(key.to_public_key_pem(LineEnding::LF)?),
            KUAIMI_KEY_SPKI_DER => out.write_bytes(key.to_public_key_der()?.as_bytes()),
            _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// Makes the table of a public key now, 52 KiB: encryption of short messages takes about half the
/// time with it. The verifying keys that were made from this handle have the same table. Making it
/// takes as long as about three verifications.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_public_key_prepare(
    key: *const kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// The identity digest `Z` of a public key and an identity: 32 bytes at `z`. `id` null means the
/// default identity.
///
/// `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
///
/// Source: GB/T 32918.2-2016, clause 5.5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_identity_digest(
    key: *const kuaimi_sm2_public_key,
    id: *const u8,
    id_len: usize,
    z: *mut u8,
) -> kuaimi_error {
    call!(key = handle(key), id = optional_input(id, id_len), z = array_out(z) => {
        z.put(identity_digest(identity(id), key.public_key())?);
        Ok(())
    })
}

/// The identity, or the default one.
pub(crate) fn identity(id: Option<&[u8]>) -> &[u8] {
    id.unwrap_or(kuaimi::sm2::DEFAULT_ID)
}

/// Frees a public key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_public_key_free(key: *mut kuaimi_sm2_public_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
