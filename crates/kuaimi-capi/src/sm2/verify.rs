//! Verifying (GB/T 32918.2-2016, clause 7), and recovering public keys from signatures.

use kuaimi::sm2::{EncryptionKey, PublicKey, RecoveryId, VerifyingKey};

use super::public_key::{identity, kuaimi_sm2_public_key};
use super::signature::{read_signature, signature_to_verify};
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;
use crate::sm3::kuaimi_sm3;
use crate::state::State;

/// An SM2 public key that verifies under one identity. Threads may share it.
pub struct kuaimi_sm2_verifying_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_verifying_key: VerifyingKey);

/// A public key that verifies under the identity `id`, at `*out`. `id` null means the default
/// identity, `1234567812345678`; a pointer with `id_len` zero means the empty one. The two keys
/// share one table. The public key may be freed. Free the new key with
/// `kuaimi_sm2_verifying_key_free`.
///
/// `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verifying_key_new(
    key: *const kuaimi_sm2_public_key,
    id: *const u8,
    id_len: usize,
    out: *mut *mut kuaimi_sm2_verifying_key,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key), id = optional_input(id, id_len) => {
        out.put(key.verifying_key_with_id(identity(id))?);
        Ok(())
    })
}

/// Makes the table of a key now, 52 KiB: verification takes about a third of the time with it.
/// Making it takes as long as about three verifications.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verifying_key_prepare(
    key: *const kuaimi_sm2_verifying_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// Verifies a signature over a message. Variable time, as all of it is public.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this key's signature over this message under its
/// identity, or no signature in the form `form`. `kuaimi_sm2_explain_signature` looks for what it
/// fits instead.
///
/// Source: GB/T 32918.2-2016, clause 7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verify(
    key: *const kuaimi_sm2_verifying_key,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(
        key = handle(key),
        message = input(message, message_len),
        signature = input(signature, signature_len) => {
            let signature = signature_to_verify(form, signature)?;
            Ok(key.verify(message, &signature)?)
        }
    )
}

/// As `kuaimi_sm2_verify`, for the 32 bytes `SM3(Z, message)` at `digest`, which
/// `kuaimi_sm2_verifying_key_hash` helps to compute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verify_digest(
    key: *const kuaimi_sm2_verifying_key,
    digest: *const u8,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(key = handle(key), digest = digest(digest), signature = input(signature, signature_len) => {
        let signature = signature_to_verify(form, signature)?;
        Ok(key.verify_digest(&digest, &signature)?)
    })
}

/// A hash that has absorbed the identity digest `Z` of a verifying key, at `*out`: see
/// `kuaimi_sm2_signing_key_hash`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verifying_key_hash(
    key: *const kuaimi_sm2_verifying_key,
    out: *mut *mut kuaimi_sm3,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key) => {
        out.put(State::new(key.message_hash()));
        Ok(())
    })
}

/// Frees a verifying key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verifying_key_free(key: *mut kuaimi_sm2_verifying_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}

/// The public key, at `*out`, under which `signature` is valid for the 32 bytes at `digest`.
/// `recovery_id` is what `kuaimi_sm2_sign_digest_recoverable` gave. Variable time. As every
/// identity leads to some key, compare it with one that you trust.
///
/// `KUAIMI_ERROR_NOT_RECOVERABLE`: there is none. `KUAIMI_ERROR_RECOVERY_ID`: `recovery_id` is
/// above 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_recover(
    digest: *const u8,
    signature: *const u8,
    signature_len: usize,
    recovery_id: u8,
    form: kuaimi_signature_form,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), digest = digest(digest), signature = input(signature, signature_len) => {
        let signature = read_signature(form, signature)??;
        let id = RecoveryId::try_from(recovery_id)?;
        out.put(EncryptionKey::new(PublicKey::recover(&digest, &signature, id)?));
        Ok(())
    })
}
