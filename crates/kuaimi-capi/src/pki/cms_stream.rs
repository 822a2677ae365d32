//! Contents of any size in pieces: signatures of one that is elsewhere, verified, and one that is
//! encrypted. Nothing is given out here that was not verified: so no decryption.

use getrandom::SysRng;
use kuaimi_pki::message::{DetachedVerifier, EncryptOptions, EnvelopeWriter, VerifyOptions};

use super::certificate::{accepted, kuaimi_certificate, kuaimi_identities};
use super::cms_encrypt::{encrypt_options, kuaimi_cms_cipher};
use super::cms_sign::{kuaimi_cms_form, kuaimi_cms_id};
use super::cms_verify::{Message, kuaimi_cms_verified};
use super::owned;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::state::{Once, State};

/// A message whose content is elsewhere, being verified.
pub struct kuaimi_cms_detached {
    _opaque: [u8; 0],
}
objects!(kuaimi_cms_detached: Once<DetachedVerifier>);

/// Begins to verify a message that does not have the content inside, with the content in pieces, at
/// `*out`; free it with `kuaimi_cms_detached_free`. Arguments and errors as of `kuaimi_cms_verify`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_detached_new(
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    message: *const u8,
    message_len: usize,
    identities: kuaimi_identities,
    out: *mut *mut kuaimi_cms_detached,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        certificates = handles(certificates, count),
        #[once] message = input(message, message_len) => {
            let options = VerifyOptions::new()
                .with_certificates(&owned(&certificates))
                .with_identities(accepted(identities)?);
            let message = kuaimi_pki::message::to_ber(message)?;
            out.put(State::new(Some(DetachedVerifier::new(&message, options)?)));
            Ok(())
        }
    )
}

/// Takes the next bytes of the content.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_detached_update(
    detached: *mut kuaimi_cms_detached,
    content: *const u8,
    content_len: usize,
) -> kuaimi_error {
    call!(detached = handle(detached), content = input(content, content_len) => {
        detached.look(|verifier| {
            verifier.update(content);
            Ok(())
        })
    })
}

/// Ends the content. If every signature is right, what is in the message is at `*out`, as from
/// `kuaimi_cms_verify`; free it with `kuaimi_cms_verified_free`. It can be done once.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature is not right. `KUAIMI_ERROR_ALREADY_USED`: this
/// was called before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_detached_finish(
    detached: *mut kuaimi_cms_detached,
    out: *mut *mut kuaimi_cms_verified,
) -> kuaimi_error {
    call!(out = new_handle(out), detached = handle(detached) => {
        let verification = detached.take()?.finish()?;
        verification.check()?;
        out.put(Message::without_content(verification));
        Ok(())
    })
}

/// Frees what was being verified. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_detached_free(detached: *mut kuaimi_cms_detached) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(detached) }
}

/// The length of a content that is not known beforehand.
pub const KUAIMI_CMS_LENGTH_UNKNOWN: u64 = u64::MAX;

/// A content that is being encrypted.
pub struct kuaimi_cms_encryption {
    _opaque: [u8; 0],
}
objects!(kuaimi_cms_encryption: Once<Writer>);

pub(crate) struct Writer {
    writer: EnvelopeWriter,
    /// The beginning of the message, until it is taken.
    pending: Vec<u8>,
}

/// Begins to encrypt a content in pieces, at `*out`; free it with `kuaimi_cms_encryption_free`. The
/// message is what `kuaimi_cms_encryption_update` and `_finish` write, one after another.
///
/// `content_len`: the number of bytes of the content, with which the message is DER, or
/// `KUAIMI_CMS_LENGTH_UNKNOWN`: then it is BER, which most programs read, too. Other arguments and
/// errors as of `kuaimi_cms_encrypt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_encryption_new(
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    form: kuaimi_cms_form,
    cipher: kuaimi_cms_cipher,
    id: kuaimi_cms_id,
    content_len: u64,
    out: *mut *mut kuaimi_cms_encryption,
) -> kuaimi_error {
    call!(out = new_handle(out), certificates = handles(certificates, count) => {
        let options: EncryptOptions = encrypt_options(form, cipher, id)?;
        let length = (content_len != KUAIMI_CMS_LENGTH_UNKNOWN).then_some(content_len);
        let mut pending = Vec::new();
        let (rng, head) = (&mut SysRng, &mut pending);
        let writer = EnvelopeWriter::new(&certificates, &options, length, rng, head)?;
        out.put(State::new(Some(Writer { writer, pending })));
        Ok(())
    })
}

/// Takes the next bytes of the content, and writes the next bytes of the message. The size that it
/// asks for is some hundred bytes too many.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are more bytes than `content_len` said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_encryption_update(
    encryption: *mut kuaimi_cms_encryption,
    content: *const u8,
    content_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        encryption = handle(encryption),
        content = input(content, content_len),
        out = output(out, out_len) => {
            encryption.look(|Writer { writer, pending }| {
                // A block that was held back, and headers of pieces.
                let headers = 128 + content.len() / 4096;
                let bound = pending.len().saturating_add(content.len()).saturating_add(headers);
                out.write(bound, || {
                    let mut message = std::mem::take(pending);
                    writer.push(content, &mut message)?;
                    Ok(message)
                })
            })
        }
    )
}

/// Ends the content, and writes the last bytes of the message. It can be done once. The size that
/// it asks for is some hundred bytes too many.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there were fewer bytes than `content_len` said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_encryption_finish(
    encryption: *mut kuaimi_cms_encryption,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(encryption = handle(encryption), out = output(out, out_len) => {
        encryption.with(|state| {
            let waiting = state.as_ref().ok_or(Error::KUAIMI_ERROR_ALREADY_USED)?;
            out.write(waiting.pending.len() + 128, || {
                let Writer { writer, pending } =
                    state.take().ok_or(Error::KUAIMI_ERROR_INTERNAL)?;
                let mut message = pending;
                writer.finish(&mut message)?;
                Ok(message)
            })
        })?
    })
}

/// Wipes and frees what was being encrypted. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_encryption_free(encryption: *mut kuaimi_cms_encryption) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(encryption) }
}
