//! Signing and verifying (GB/T 38635.2-2020, clauses 6.2 and 6.3).

use kuaimi::encoding;
use kuaimi::sm9::{MessageHash, Signature};

use super::signing_key::kuaimi_sm9_signing_key;
use super::verifying_key::kuaimi_sm9_verifying_key;
use crate::buffer::{Output, with_copy};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::signature_form::{KUAIMI_SIGNATURE_DER, KUAIMI_SIGNATURE_RAW, kuaimi_signature_form};
use crate::state::State;

/// The length of an SM9 signature in the form `KUAIMI_SIGNATURE_RAW`.
pub const KUAIMI_SM9_SIGNATURE_LEN: usize = 96;
/// The length of an SM9 signature in DER.
pub const KUAIMI_SM9_SIGNATURE_DER_LEN: usize = 104;

/// A message on its way into SM9 signatures: it is read once, and serves signing and verifying
/// under any number of keys.
pub struct kuaimi_sm9_message_hash {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm9_message_hash: State<MessageHash>);

/// The hash of the empty message, at `*out`. Free it with `kuaimi_sm9_message_hash_free`.
///
/// Source: GB/T 38635.2-2020, clause 5.3.2.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_message_hash_new(
    out: *mut *mut kuaimi_sm9_message_hash,
) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(State::new(MessageHash::new()));
        Ok(())
    })
}

/// Absorbs the next piece of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_message_hash_update(
    hash: *mut kuaimi_sm9_message_hash,
    data: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(hash = handle(hash), data = input(data, len) => {
        hash.with(|hash| hash.update(data))
    })
}

/// Wipes and frees a hash. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_message_hash_free(hash: *mut kuaimi_sm9_message_hash) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(hash) }
}

fn write_signature(
    form: kuaimi_signature_form,
    out: Output,
    sign: impl FnOnce() -> Result<Signature, Error>,
) -> Result<(), Error> {
    match form {
        KUAIMI_SIGNATURE_RAW => out.write(KUAIMI_SM9_SIGNATURE_LEN, || Ok(sign()?.to_bytes())),
        KUAIMI_SIGNATURE_DER => out.write(KUAIMI_SM9_SIGNATURE_DER_LEN, || Ok(sign()?.to_der())),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

fn read_signature(
    form: kuaimi_signature_form,
    bytes: &[u8],
) -> Result<Result<Signature, encoding::Error>, Error> {
    with_copy(bytes, |bytes| match form {
        KUAIMI_SIGNATURE_RAW => Ok(Signature::from_slice(bytes).map_err(Into::into)),
        KUAIMI_SIGNATURE_DER => Ok(Signature::from_der(bytes)),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    })
}

/// A signature that is to be verified: one that cannot be read is not valid.
pub(crate) fn signature_to_verify(
    form: kuaimi_signature_form,
    bytes: &[u8],
) -> Result<Signature, Error> {
    read_signature(form, bytes)?.map_err(|_| Error::KUAIMI_ERROR_INVALID_SIGNATURE)
}

/// Signs a message. Constant time in the key, and the nonce is derived from the key, the message
/// and fresh randomness together, so that a broken random generator does not give the key away.
///
/// `form`: `KUAIMI_SIGNATURE_RAW` (96 bytes, h and S) or `KUAIMI_SIGNATURE_DER` (104 bytes).
///
/// `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
///
/// Source: GB/T 38635.2-2020, clause 6.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_sign(
    key: *const kuaimi_sm9_signing_key,
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

/// As `kuaimi_sm9_sign`, for a message in pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_sign_hash(
    key: *const kuaimi_sm9_signing_key,
    hash: *const kuaimi_sm9_message_hash,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), hash = handle(hash), out = output(out, out_len) => {
        write_signature(form, out, || {
            hash.with(|hash| Ok(key.sign_hash(hash)?))?
        })
    })
}

/// Verifies a signature over a message. Variable time, as all of it is public.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: it is not this user's signature over this message, or no
/// signature in the form `form`.
///
/// Source: GB/T 38635.2-2020, clause 6.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verify(
    key: *const kuaimi_sm9_verifying_key,
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

/// As `kuaimi_sm9_verify`, for a message in pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verify_hash(
    key: *const kuaimi_sm9_verifying_key,
    hash: *const kuaimi_sm9_message_hash,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(key = handle(key), hash = handle(hash), signature = input(signature, signature_len) => {
        let signature = signature_to_verify(form, signature)?;
        hash.with(|hash| Ok(key.verify_hash(hash, &signature)?))?
    })
}

/// Writes a signature in another form. `from` and `to`: `KUAIMI_SIGNATURE_RAW` or
/// `KUAIMI_SIGNATURE_DER`.
///
/// `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of points and DER: the bytes are no signature
/// in the form `from`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_signature_convert(
    signature: *const u8,
    signature_len: usize,
    from: kuaimi_signature_form,
    to: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(signature = input(signature, signature_len), out = output(out, out_len) => {
        let signature = read_signature(from, signature)??;
        write_signature(to, out, || Ok(signature))
    })
}
