//! Whose signatures are verified.

use kuaimi::sm9::VerifyingKey;

use super::identity::identity;
use super::master_signing::kuaimi_sm9_master_signing_public_key;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};

/// A user's public key for SM9 signatures: an identity under a master public key. Threads may share
/// it.
pub struct kuaimi_sm9_verifying_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm9_verifying_key: VerifyingKey);

/// The public key of the user `id` under a master public key, at `*out`. `hid` is the function
/// identifier; 0 means the usual one, 1. Free it with `kuaimi_sm9_verifying_key_free`.
///
/// `KUAIMI_ERROR_EMPTY_IDENTITY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verifying_key_new(
    master: *const kuaimi_sm9_master_signing_public_key,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_verifying_key,
) -> kuaimi_error {
    call!(out = new_handle(out), master = handle(master), #[once] id = input(id, id_len) => {
        out.put(VerifyingKey::new(master, identity(id, hid))?);
        Ok(())
    })
}

/// Makes the table of a key now, 10 KiB, and of its master public key what is needed with it, 66
/// KiB: verification is faster with both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verifying_key_prepare(
    key: *const kuaimi_sm9_verifying_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// Frees a key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verifying_key_free(key: *mut kuaimi_sm9_verifying_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
