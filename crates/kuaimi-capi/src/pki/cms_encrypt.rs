//! Encrypted messages (GM/T 0010, clause 8; RFC 5652, clause 6; RFC 5083).

use getrandom::SysRng;
use kuaimi_pki::message::{
    ContentCipher, EncryptOptions, decrypt, decrypt_without_certificate, encrypt,
};

use super::certificate::kuaimi_certificate;
use super::cms_sign::{dialect, is_second, kuaimi_cms_form, kuaimi_cms_id};
use super::room_for;
use crate::error::{Error, kuaimi_error};
use crate::sm2::kuaimi_sm2_private_key;

options! {
    /// The cipher of a message's content.
    pub enum kuaimi_cms_cipher {
        /// SM4-CBC: what most programs read. **It is not authenticated**: who can change the
        /// message can change the content.
        KUAIMI_CMS_CIPHER_SM4_CBC = 1,
        /// SM4-GCM (RFC 5083): any change is detected.
        KUAIMI_CMS_CIPHER_SM4_GCM = 2,
        /// SM4-CBC, named without the mode, as CFCA's SADK does.
        KUAIMI_CMS_CIPHER_SM4_CBC_SADK = 3,
    }
}

pub(super) fn encrypt_options(
    form: kuaimi_cms_form,
    cipher: kuaimi_cms_cipher,
    id: kuaimi_cms_id,
) -> Result<EncryptOptions, Error> {
    let cipher = match cipher {
        KUAIMI_CMS_CIPHER_SM4_CBC => ContentCipher::Sm4Cbc,
        KUAIMI_CMS_CIPHER_SM4_GCM => ContentCipher::Sm4Gcm,
        KUAIMI_CMS_CIPHER_SM4_CBC_SADK => ContentCipher::Sm4CbcNamedSm4,
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    };
    let options = EncryptOptions::new()
        .with_dialect(dialect(form)?)
        .with_cipher(cipher);
    Ok(match is_second(id)? {
        true => options.by_key_identifier(),
        false => options,
    })
}

/// Encrypts a content for the holders of these certificates, of which there must be one or more,
/// and writes the message in DER. Of a pair, give the encrypting certificate. **The certificates
/// are not verified**: `kuaimi_verifier_verify` with `KUAIMI_PURPOSE_ENCRYPTION` does that. The
/// size that it asks for is some hundred bytes too many.
///
/// `KUAIMI_ERROR_OTHER_ALGORITHM`: a certificate is not of SM2. `KUAIMI_ERROR_INVALID_ARGUMENT`:
/// there is no certificate.
///
/// Source: GM/T 0010-2012, clause 8; RFC 5652, clause 6; RFC 5083.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_encrypt(
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    content: *const u8,
    content_len: usize,
    form: kuaimi_cms_form,
    cipher: kuaimi_cms_cipher,
    id: kuaimi_cms_id,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        certificates = handles(certificates, count),
        content = input(content, content_len),
        out = output(out, out_len) => {
            let options = encrypt_options(form, cipher, id)?;
            let bound = 512 + room_for(certificates.iter().copied()) + content.len();
            out.write(bound, || Ok(encrypt(content, &certificates, &options, &mut SysRng)?))
        }
    )
}

/// Decrypts a message in BER, DER or PEM with a private key. The size that it asks for is that of
/// the message.
///
/// `certificate`: the certificate of the key, by which its part of the message is found; null to
/// try the key on the first eight recipients.
///
/// The signers of signedAndEnvelopedData (GM/T 0010, clause 9) must be right, too, but are not
/// given out: nothing says whether to trust them.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: another key, or an altered message. Which of these is not
/// said. **Do not tell senders of messages without authentication even that**: from many such
/// answers an attacker reads the content. `KUAIMI_ERROR_OTHER_KEY`: the message was not encrypted
/// for this certificate. `KUAIMI_ERROR_DER` and others from 50 on: it is no such message.
///
/// Source: GM/T 0010-2012, clauses 8 and 9; RFC 5652, clause 6; RFC 5083.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_decrypt(
    key: *const kuaimi_sm2_private_key,
    certificate: *const kuaimi_certificate,
    message: *const u8,
    message_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        certificate = optional_handle(certificate),
        #[once] message = input(message, message_len),
        out = output(out, out_len) => {
            out.write(message.len(), || {
                Ok(match certificate {
                    Some(certificate) => decrypt(message, certificate, key)?,
                    None => decrypt_without_certificate(message, key)?,
                })
            })
        }
    )
}
