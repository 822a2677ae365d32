//! Why something was refused, in words for people.

use kuaimi::encoding::{read_private_key, read_public_key};
use kuaimi::sm2::VerifyingKey;
use kuaimi::sm2::explain::{Explanation, explain, explain_digest};

use super::public_key::{identity, kuaimi_sm2_public_key};
use super::signature::read_signature;
use crate::buffer::Output;
use crate::error::{Error, kuaimi_error};
use crate::signature_form::kuaimi_signature_form;

/// The most bytes that an explanation takes.
pub const KUAIMI_EXPLANATION_MAX_LEN: usize = 512;

/// Why a signature may not fit, as a sentence in English at `out`, such as "it fits under the empty
/// identity". What people often get wrong is tried: another identity, the message in hexadecimal or
/// Base64 or with another end of line, a digest in place of the message, r and s swapped or
/// reversed. **It is a hint for people, and makes no signature valid.** All values are public; the
/// time is variable, and bounded: about a second.
///
/// `id` null means the default identity. `form`: any form of a signature. There is a sentence
/// always, also for a signature that fits, for bytes that are none, and where no reason was found.
/// It has no zero byte at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_explain_signature(
    key: *const kuaimi_sm2_public_key,
    id: *const u8,
    id_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        id = optional_input(id, id_len),
        message = input(message, message_len),
        signature = input(signature, signature_len),
        out = output(out, out_len) => {
            let verifier = VerifyingKey::with_id(*key.public_key(), identity(id))?;
            let read = read_signature(form, signature)?;
            write(out, || match read {
                Ok(signature) if verifier.verify(message, &signature).is_ok() => fits(),
                Ok(signature) => or_unknown(explain(&[*key.public_key()], identity(id), message, &signature)),
                Err(error) => error.to_string(),
            })
        }
    )
}

/// As `kuaimi_sm2_explain_signature`, for the 32 bytes at `digest` in place of the identity and the
/// message: see `kuaimi_sm2_verify_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_explain_digest_signature(
    key: *const kuaimi_sm2_public_key,
    digest: *const u8,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        digest = digest(digest),
        signature = input(signature, signature_len),
        out = output(out, out_len) => {
            let verifier = VerifyingKey::new(*key.public_key());
            let read = read_signature(form, signature)?;
            write(out, || match read {
                Ok(signature) if verifier.verify_digest(&digest, &signature).is_ok() => fits(),
                Ok(signature) => or_unknown(explain_digest(&[*key.public_key()], &digest, &signature)),
                Err(error) => error.to_string(),
            })
        }
    )
}

/// What the content of a file is, if `kuaimi_sm2_private_key_read` with the same arguments does not
/// read it, as a sentence in English at `out`: a certificate request, a key on another curve, a
/// password that is missing. There is a sentence always, also for a key that is read. It has no
/// zero byte at its end, and nothing of the key in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_explain_private_key(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        #[once] bytes = input(bytes, len),
        password = optional_input(password, password_len),
        out = output(out, out_len) => {
            write(out, || match read_private_key(bytes, password) {
                Ok((_, form)) => format!("this is an SM2 private key: {form}"),
                Err(error) => error.to_string(),
            })
        }
    )
}

/// What the content of a file is, if `kuaimi_sm2_public_key_read` does not read it: see
/// `kuaimi_sm2_explain_private_key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_explain_public_key(
    bytes: *const u8,
    len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(#[once] bytes = input(bytes, len), out = output(out, out_len) => {
        write(out, || match read_public_key(bytes) {
            Ok((_, form)) => format!("this is an SM2 public key: {form}"),
            Err(error) => error.to_string(),
        })
    })
}

fn fits() -> String {
    "the signature fits".to_owned()
}

fn or_unknown(found: Option<Explanation>) -> String {
    found.map_or_else(
        || "it fits nothing that is often meant instead: another key, or altered data".to_owned(),
        |found| found.to_string(),
    )
}

/// Writes a sentence, unless the caller only asks for the size.
fn write(out: Output, sentence: impl FnOnce() -> String) -> Result<(), Error> {
    out.write_sentence(KUAIMI_EXPLANATION_MAX_LEN, || Ok(sentence()))
}
