//! Signing (GB/T 32918.2-2016, clause 6).

use kuaimi::sm2::SigningKey;

use super::private_key::kuaimi_sm2_private_key;
use super::public_key::identity;
use super::signature::write_signature;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;
use crate::sm3::kuaimi_sm3;
use crate::state::State;

/// An SM2 private key that signs under one identity, with what signatures share. Not changed by any
/// function, so that threads may share it.
pub struct kuaimi_sm2_signing_key {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_signing_key: SigningKey);

/// A private key that signs under the identity `id`, at `*out`. `id` null means the default
/// identity, `1234567812345678`; a pointer with `id_len` zero means the empty one. The private key
/// may be freed. Free the new key with `kuaimi_sm2_signing_key_free`.
///
/// `KUAIMI_ERROR_IDENTITY_TOO_LONG`: more than 8191 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_signing_key_new(
    key: *const kuaimi_sm2_private_key,
    id: *const u8,
    id_len: usize,
    out: *mut *mut kuaimi_sm2_signing_key,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key), id = optional_input(id, id_len) => {
        out.put(SigningKey::with_id(key.clone(), identity(id))?);
        Ok(())
    })
}

/// Signs a message. Constant time in the key, and the nonce is derived from the key, the message
/// and fresh randomness together, so that a broken random generator does not give the key away.
///
/// `form`: `KUAIMI_SIGNATURE_RAW` (64 bytes) or `KUAIMI_SIGNATURE_DER` (a buffer of 72 bytes).
///
/// `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
///
/// Source: GB/T 32918.2-2016, clause 6.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign(
    key: *const kuaimi_sm2_signing_key,
    message: *const u8,
    message_len: usize,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), message = input(message, message_len), out = output(out, out_len) => {
        write_signature(form, out, || Ok(key.sign(message)?))
    })
}

/// As `kuaimi_sm2_sign`, with the nonce by RFC 6979 with HMAC-SM3 and no randomness: the same
/// message always gets the same signature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign_deterministic(
    key: *const kuaimi_sm2_signing_key,
    message: *const u8,
    message_len: usize,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), message = input(message, message_len), out = output(out, out_len) => {
        write_signature(form, out, || Ok(key.sign_deterministic(message)))
    })
}

/// As `kuaimi_sm2_sign`, for the 32 bytes `SM3(Z, message)` at `digest`, which
/// `kuaimi_sm2_signing_key_hash` helps to compute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign_digest(
    key: *const kuaimi_sm2_signing_key,
    digest: *const u8,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), digest = digest(digest), out = output(out, out_len) => {
        write_signature(form, out, || Ok(key.sign_digest(&digest)?))
    })
}

/// As `kuaimi_sm2_sign_digest`, with the nonce of `kuaimi_sm2_sign_deterministic`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign_digest_deterministic(
    key: *const kuaimi_sm2_signing_key,
    digest: *const u8,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), digest = digest(digest), out = output(out, out_len) => {
        write_signature(form, out, || Ok(key.sign_digest_deterministic(&digest)))
    })
}

/// As `kuaimi_sm2_sign_digest`, with the number 0 to 3 that `kuaimi_sm2_recover` needs, at
/// `recovery_id`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign_digest_recoverable(
    key: *const kuaimi_sm2_signing_key,
    digest: *const u8,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
    recovery_id: *mut u8,
) -> kuaimi_error {
    call!(
        key = handle(key),
        digest = digest(digest),
        out = output(out, out_len),
        recovery_id = place(recovery_id) => {
            write_signature(form, out, || {
                let (signature, id) = key.sign_digest_recoverable(&digest)?;
                recovery_id.put(id.to_byte());
                Ok(signature)
            })
        }
    )
}

/// A hash that has absorbed the identity digest `Z` of a signing key, at `*out`: absorb the message
/// in pieces with `kuaimi_sm3_update`, and sign the digest that `kuaimi_sm3_finish` gives with
/// `kuaimi_sm2_sign_digest`. The hash serves one message: take another from here for the next. Free
/// it with `kuaimi_sm3_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_signing_key_hash(
    key: *const kuaimi_sm2_signing_key,
    out: *mut *mut kuaimi_sm3,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key) => {
        out.put(State::new(key.message_hash()));
        Ok(())
    })
}

/// Wipes and frees a signing key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_signing_key_free(key: *mut kuaimi_sm2_signing_key) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
