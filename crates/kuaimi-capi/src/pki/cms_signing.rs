//! Signed messages, made in steps: of several signers, with keys that are elsewhere, of a content
//! in pieces (GM/T 0010, clause 7; RFC 5652, clause 5).

use kuaimi::sm2::Signature;
use kuaimi_pki::message::{Prepared, Signing};

use super::certificate::kuaimi_certificate;
use super::cms_sign::{kuaimi_cms_form, kuaimi_cms_sign_options, read_options};
use super::{owned, room_for};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;
use crate::sm2::read_signature;
use crate::state::State;

/// A message that is being signed.
pub struct kuaimi_cms_signing {
    _opaque: [u8; 0],
}
objects!(kuaimi_cms_signing: State<Message>);

pub(crate) struct Message {
    step: Step,
    /// What is to be in the message. Kept, so that it is what was hashed.
    content: Option<Vec<u8>>,
    /// What certificates and signatures take.
    room: usize,
    signatures: Vec<Option<Signature>>,
}

enum Step {
    Content(Box<Signing>),
    Prepared(Box<Prepared>),
    Ended,
}

impl Message {
    /// The digests. The content ends with the first call.
    fn prepared(&mut self) -> Result<&Prepared, Error> {
        if let Step::Content(_) = self.step {
            let Step::Content(signing) = std::mem::replace(&mut self.step, Step::Ended) else {
                return Err(Error::KUAIMI_ERROR_INTERNAL);
            };
            self.step = Step::Prepared(Box::new(signing.prepare()?));
        }
        match &self.step {
            Step::Prepared(prepared) => Ok(prepared),
            _ => Err(Error::KUAIMI_ERROR_ALREADY_USED),
        }
    }

    fn bound(&self) -> usize {
        let content = self.content.as_ref().map_or(0, Vec::len);
        self.room.saturating_add(content)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        let signatures: Option<Vec<Signature>> = self.signatures.iter().cloned().collect();
        let signatures = signatures.ok_or(Error::KUAIMI_ERROR_INVALID_ARGUMENT)?;
        self.prepared()?;
        let Step::Prepared(prepared) = std::mem::replace(&mut self.step, Step::Ended) else {
            return Err(Error::KUAIMI_ERROR_INTERNAL);
        };
        let signed = prepared.complete(&signatures)?;
        match self.content.take() {
            Some(content) => Ok(signed.attached(&content)?),
            None => Ok(signed.detached()),
        }
    }
}

/// Begins a message that the holders of these certificates' keys will sign, at `*out`; free it with
/// `kuaimi_cms_signing_free`. For several signers, a key in a device, or a large content that is
/// not to be in the message: then it is given in pieces, and not kept. `kuaimi_cms_sign` is
/// simpler.
///
/// ```c
/// kuaimi_cms_signing_new(signers, 1, NULL, 0, KUAIMI_CMS_FORM_GM, &options, &signing);
/// kuaimi_cms_signing_update(signing, content, content_len);
/// kuaimi_cms_signing_digest(signing, 0, digest);
/// // The device signs the digest.
/// kuaimi_cms_signing_put(signing, signature, 64, 0, KUAIMI_SIGNATURE_RAW);
/// kuaimi_cms_signing_finish(signing, message, &message_len);
/// ```
///
/// `certificates`: others that the message is to have. `form`, `options` and errors as of
/// `kuaimi_cms_sign`; `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no signer, or more than 64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_new(
    signers: *const *mut kuaimi_certificate,
    signer_count: usize,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    form: kuaimi_cms_form,
    options: *const kuaimi_cms_sign_options,
    out: *mut *mut kuaimi_cms_signing,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        signers = handles(signers, signer_count),
        certificates = handles(certificates, count),
        options = optional_structure(options) => {
            let choices = options.copied().unwrap_or_default();
            let options = read_options(form, &choices)?.with_certificates(&owned(&certificates));
            let room = 2 * room_for(signers.iter().copied()) + room_for(certificates);
            out.put(State::new(Message {
                room: room.saturating_add(512),
                content: (choices.content == 0).then(Vec::new),
                signatures: vec![None; signers.len()],
                step: Step::Content(Box::new(Signing::new(&owned(&signers), options)?)),
            }));
            Ok(())
        }
    )
}

/// Takes the next bytes of the content.
///
/// `KUAIMI_ERROR_ALREADY_USED`: the content ended, as a digest was asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_update(
    signing: *mut kuaimi_cms_signing,
    content: *const u8,
    content_len: usize,
) -> kuaimi_error {
    call!(signing = handle(signing), content = input(content, content_len) => {
        signing.with(|message| {
            let Step::Content(signing) = &mut message.step else {
                return Err(Error::KUAIMI_ERROR_ALREADY_USED);
            };
            match &mut message.content {
                // What is hashed is what will be written.
                Some(kept) => {
                    let start = kept.len();
                    kept.extend_from_slice(content);
                    signing.update(kept.get(start..).unwrap_or_default());
                }
                None => signing.update(content),
            }
            Ok(())
        })?
    })
}

/// Ends the content, and writes the 32 bytes that signer number `index`, counted from 0, has to
/// sign: SM3(Z ‖ M), the input of a signature of SM2 after its hash.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many signers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_digest(
    signing: *mut kuaimi_cms_signing,
    index: usize,
    digest: *mut u8,
) -> kuaimi_error {
    call!(signing = handle(signing), digest = array_out::<32>(digest) => {
        let made = signing.with(|message| {
            super::at(&message.signatures, index)?;
            Ok::<_, Error>(*super::at(message.prepared()?.digests(), index)?)
        })??;
        digest.put(made);
        Ok(())
    })
}

/// Takes the signature of signer number `index`.
///
/// `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of DER: the bytes are no signature in this
/// form. Whether it fits is seen by `kuaimi_cms_signing_finish`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_put(
    signing: *mut kuaimi_cms_signing,
    signature: *const u8,
    signature_len: usize,
    index: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(signing = handle(signing), signature = input(signature, signature_len) => {
        let signature = read_signature(form, signature)??;
        signing.with(|message| {
            let place = message.signatures.get_mut(index);
            *place.ok_or(Error::KUAIMI_ERROR_INVALID_ARGUMENT)? = Some(signature);
            Ok(())
        })?
    })
}

/// Verifies the signatures and writes the message in DER. It can be done once; asking for the size
/// ends the content. The size that it asks for is some hundred bytes too many.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: a signature does not fit its certificate and the digest.
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there is none of some signer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_finish(
    signing: *mut kuaimi_cms_signing,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(signing = handle(signing), out = output(out, out_len) => {
        signing.with(|message| {
            message.prepared()?;
            out.write(message.bound(), || message.finish())
        })?
    })
}

/// Wipes and frees a message that was being signed. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_signing_free(signing: *mut kuaimi_cms_signing) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(signing) }
}
