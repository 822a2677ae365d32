//! To whom messages and keys are encrypted.

use kuaimi::sm9::EncryptionKey;

use super::identity::identity;
use super::master_encryption::kuaimi_sm9_master_encryption_public_key;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};

/// A user's public key for SM9 encryption: an identity under a master public key. Threads may share
/// it.
pub struct kuaimi_sm9_encryption_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm9_encryption_key: EncryptionKey);

/// The public key of the user `id` under a master public key, at `*out`. `hid` is the function
/// identifier; 0 means the usual one, 3. Free it with `kuaimi_sm9_encryption_key_free`.
///
/// `KUAIMI_ERROR_EMPTY_IDENTITY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encryption_key_new(
    master: *const kuaimi_sm9_master_encryption_public_key,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_encryption_key,
) -> kuaimi_error {
    call!(out = new_handle(out), master = handle(master), #[once] id = input(id, id_len) => {
        out.put(EncryptionKey::new(master, identity(id, hid))?);
        Ok(())
    })
}

/// Makes the table of a key now, 52 KiB, and of its master public key what is needed with it, 66
/// KiB: encryption is faster with both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encryption_key_prepare(
    key: *const kuaimi_sm9_encryption_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// Frees a key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encryption_key_free(key: *mut kuaimi_sm9_encryption_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
