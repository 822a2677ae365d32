//! Signed messages, verified (GM/T 0010, clause 7; RFC 5652, clause 5).

use kuaimi_pki::message::{Verified, VerifyOptions, verify, verify_detached};

use super::certificate::{accepted, kuaimi_certificate, kuaimi_identities};
use super::{at, owned};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};

/// A signed message whose signatures are all right. Not changed by any function, so that threads
/// may share it.
pub struct kuaimi_cms_verified {
    _opaque: [u8; 0],
}
objects!(kuaimi_cms_verified: Message);

/// The content is nothing where the caller has it.
pub(crate) struct Message {
    content: Vec<u8>,
    verification: kuaimi_pki::message::Verification,
}

impl Message {
    pub(super) fn without_content(verification: kuaimi_pki::message::Verification) -> Self {
        Self {
            content: Vec::new(),
            verification,
        }
    }
}

/// Verifies a signed message in BER, DER or PEM. If it has signers and every signature is right,
/// what is in it is at `*out`; free it with `kuaimi_cms_verified_free`.
///
/// **Anybody can sign a message.** Whether to trust the signers is for `kuaimi_verifier_verify`
/// with the certificates that `kuaimi_cms_verified_signer` gives, those of
/// `kuaimi_cms_verified_certificate` as intermediates, and `KUAIMI_PURPOSE_SIGNING`.
///
/// `certificates`: those that signers may have, besides those in the message. `content`: null, or
/// the content of a message that does not have it inside.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature is not right, or the certificate of a signer is
/// not there. `KUAIMI_ERROR_DER` and others from 50 on: it is no signed message, or has no signer.
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the content is inside and was given, or is neither.
///
/// Source: GM/T 0010-2012, clause 7; RFC 5652, clause 5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verify(
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    message: *const u8,
    message_len: usize,
    content: *const u8,
    content_len: usize,
    identities: kuaimi_identities,
    out: *mut *mut kuaimi_cms_verified,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        certificates = handles(certificates, count),
        #[once] message = input(message, message_len),
        content = optional_input(content, content_len) => {
            let options = VerifyOptions::new()
                .with_certificates(&owned(&certificates))
                .with_identities(accepted(identities)?);
            out.put(match content {
                None => {
                    let Verified { content, verification, .. } = verify(message, &options)?;
                    Message { content, verification }
                }
                Some(content) => {
                    Message::without_content(verify_detached(message, content, &options)?)
                }
            });
            Ok(())
        }
    )
}

/// Writes the content of a message that has it inside; nothing if the caller gave it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_content(
    message: *const kuaimi_cms_verified,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(message = handle(message), out = output(out, out_len) => {
        out.write_bytes(&message.content)
    })
}

/// The number of signers, at `count`: one at least.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_signer_count(
    message: *const kuaimi_cms_verified,
    count: *mut usize,
) -> kuaimi_error {
    call!(message = handle(message), count = place(count) => {
        count.put(message.verification.signers.len());
        Ok(())
    })
}

/// The certificate whose key signer number `index`, counted from 0, signed with, at `*out`. Free it
/// with `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_signer(
    message: *const kuaimi_cms_verified,
    index: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), message = handle(message) => {
        let signer = at(&message.verification.signers, index)?;
        // A signature cannot be right without it.
        let certificate = signer.certificate.clone();
        out.put(certificate.ok_or(Error::KUAIMI_ERROR_INTERNAL)?);
        Ok(())
    })
}

/// When signer number `index` says that it signed, in seconds since 1970-01-01 00:00:00 UTC, at
/// `signing_time`; 0 if it does not say. **Nothing proves it.**
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_signing_time(
    message: *const kuaimi_cms_verified,
    index: usize,
    signing_time: *mut u64,
) -> kuaimi_error {
    call!(message = handle(message), signing_time = place(signing_time) => {
        let time = at(&message.verification.signers, index)?.signing_time;
        signing_time.put(time.map_or(0, |time| time.unix_duration().as_secs()));
        Ok(())
    })
}

/// The number of certificates in the message, at `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_certificate_count(
    message: *const kuaimi_cms_verified,
    count: *mut usize,
) -> kuaimi_error {
    call!(message = handle(message), count = place(count) => {
        count.put(message.verification.certificates.len());
        Ok(())
    })
}

/// Certificate number `index` in the message, for which nobody has vouched, at `*out`. Free it with
/// `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_certificate(
    message: *const kuaimi_cms_verified,
    index: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), message = handle(message) => {
        out.put(at(&message.verification.certificates, index)?.clone());
        Ok(())
    })
}

/// Frees a verified message. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_verified_free(message: *mut kuaimi_cms_verified) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(message) }
}
