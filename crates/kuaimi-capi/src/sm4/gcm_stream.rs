//! A message of Galois/counter mode in pieces.

use kuaimi::sm4::Sm4GcmStream;

use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::sm4::kuaimi_sm4_gcm;
use crate::state::{Once, State};

/// One message of SM4-GCM that comes in pieces of any lengths: the associated data, then the
/// message, then the tag.
pub struct kuaimi_sm4_gcm_stream {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_gcm_stream: Once<Sm4GcmStream>);

/// A message under the key of `cipher`, which may be freed before it, and the nonce, at `*out`.
/// **Never use a nonce twice with a key.** Free it with `kuaimi_sm4_gcm_stream_free`.
///
/// `KUAIMI_ERROR_EMPTY_NONCE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_new(
    cipher: *const kuaimi_sm4_gcm,
    nonce: *const u8,
    nonce_len: usize,
    out: *mut *mut kuaimi_sm4_gcm_stream,
) -> kuaimi_error {
    call!(out = new_handle(out), cipher = handle(cipher), nonce = input(nonce, nonce_len) => {
        out.put(State::new(Some(Sm4GcmStream::new(cipher, nonce)?)));
        Ok(())
    })
}

/// The next `len` bytes of the associated data.
///
/// `KUAIMI_ERROR_ASSOCIATED_DATA_LATE`: the message has begun. `KUAIMI_ERROR_ALREADY_USED`: it has
/// ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_associated_data(
    stream: *mut kuaimi_sm4_gcm_stream,
    data: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(stream = handle(stream), data = input(data, len) => {
        stream.look(|stream| Ok(stream.associated_data(data)?))
    })
}

/// Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
///
/// `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of
/// `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_encrypt(
    stream: *mut kuaimi_sm4_gcm_stream,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(stream = handle(stream), out = in_place(data, out, len) => {
        stream.look(|stream| Ok(stream.encrypt(out.copy())?))
    })
}

/// Decrypts the next `len` bytes of the message, from `data` to `out`, which may be the same. **It
/// may be an attacker's until `kuaimi_sm4_gcm_stream_verify` has succeeded**: keep it where nobody
/// sees it, do nothing that depends on it, and wipe it if the tag is wrong. `kuaimi_sm4_gcm_open`
/// has no such rule.
///
/// `KUAIMI_ERROR_MESSAGE_TOO_LONG` (64 GiB), `KUAIMI_ERROR_ALREADY_USED`. Then `out` is a copy of
/// `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_decrypt_unverified(
    stream: *mut kuaimi_sm4_gcm_stream,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(stream = handle(stream), out = in_place(data, out, len) => {
        stream.look(|stream| Ok(stream.decrypt_unverified(out.copy())?))
    })
}

/// Ends a message that was encrypted, and writes its tag of 16 bytes to `tag`.
///
/// `KUAIMI_ERROR_ALREADY_USED`: it had ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_tag(
    stream: *mut kuaimi_sm4_gcm_stream,
    tag: *mut u8,
) -> kuaimi_error {
    call!(stream = handle(stream), tag = array_out(tag) => {
        tag.put(stream.take()?.tag());
        Ok(())
    })
}

/// Ends a message that was decrypted, and compares its tag with the 16 bytes at `tag`, in constant
/// time.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, nonce or associated data, or altered data. Then
/// all that was decrypted must be thrown away. `KUAIMI_ERROR_ALREADY_USED`: it had ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_verify(
    stream: *mut kuaimi_sm4_gcm_stream,
    tag: *const u8,
) -> kuaimi_error {
    call!(stream = handle(stream), tag = array::<16>(tag) => { Ok(stream.take()?.verify(tag)?) })
}

/// A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_gcm_stream_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_clone(
    stream: *const kuaimi_sm4_gcm_stream,
    out: *mut *mut kuaimi_sm4_gcm_stream,
) -> kuaimi_error {
    call!(out = new_handle(out), stream = handle(stream) => {
        out.put(State::new(stream.with(|stream| stream.clone())?));
        Ok(())
    })
}

/// Wipes and frees a message. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_stream_free(stream: *mut kuaimi_sm4_gcm_stream) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(stream) }
}
