//! Signed messages, made (GM/T 0010, clause 7; RFC 5652, clause 5).

use std::time::Duration;

use kuaimi::sm2::SigningKey;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::message::{Dialect, SignOptions, sign};

use super::certificate::kuaimi_certificate;
use super::{owned, room_for};
use crate::error::{Error, kuaimi_error};
use crate::sm2::kuaimi_sm2_private_key;

options! {
    /// What the object identifiers of a message are written after. All forms are read, without an
    /// option.
    pub enum kuaimi_cms_form {
        /// CMS (RFC 5652): what OpenSSL and Bouncy Castle read.
        KUAIMI_CMS_FORM_CMS = 1,
        /// GM/T 0010 (GB/T 35275): what Chinese banks and authorities expect.
        KUAIMI_CMS_FORM_GM = 2,
        /// Encrypted messages alone: GM/T 0010 with the names of algorithms that GmSSL 3 reads.
        KUAIMI_CMS_FORM_GMSSL = 3,
    }
}

options! {
    /// How a message names the certificates of signers or recipients.
    pub enum kuaimi_cms_id {
        /// By issuer and serial number.
        KUAIMI_CMS_ID_ISSUER = 0,
        /// By the identifier of the key, as CFCA's SADK does: that in the certificate, or else
        /// SHA-1 of the key.
        KUAIMI_CMS_ID_KEY = 1,
    }
}

options! {
    /// Where the content of a signed message is.
    pub enum kuaimi_cms_content {
        /// In the message.
        KUAIMI_CMS_CONTENT_INSIDE = 0,
        /// Elsewhere: who verifies the message needs it, too.
        KUAIMI_CMS_CONTENT_DETACHED = 1,
    }
}

options! {
    /// What the signature of a message is of.
    pub enum kuaimi_cms_attributes {
        /// Signed attributes, with the digest of the content among them.
        KUAIMI_CMS_ATTRIBUTES_SIGNED = 0,
        /// The content alone, as CFCA's SADK signs. There is no signing time.
        KUAIMI_CMS_ATTRIBUTES_NONE = 1,
    }
}

options! {
    /// The identity under which a message is signed.
    pub enum kuaimi_cms_identity {
        /// The usual one, `1234567812345678`.
        KUAIMI_CMS_IDENTITY_USUAL = 0,
        /// The empty one, which OpenSSL 3 needs and others refuse.
        KUAIMI_CMS_IDENTITY_EMPTY = 1,
    }
}

/// The choices of who signs a message. Where a function takes a pointer to it, null means all
/// zeros.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct kuaimi_cms_sign_options {
    /// When the signer says that it signed, in seconds since 1970-01-01 00:00:00 UTC; 0 for
    /// nothing.
    pub signing_time: u64,
    /// Where the content is.
    pub content: kuaimi_cms_content,
    /// What is signed.
    pub attributes: kuaimi_cms_attributes,
    /// The identity.
    pub identity: kuaimi_cms_identity,
    /// How the signer's certificate is named.
    pub id: kuaimi_cms_id,
}

pub(super) fn dialect(form: kuaimi_cms_form) -> Result<Dialect, Error> {
    match form {
        KUAIMI_CMS_FORM_CMS => Ok(Dialect::Cms),
        KUAIMI_CMS_FORM_GM => Ok(Dialect::Gm),
        KUAIMI_CMS_FORM_GMSSL => Ok(Dialect::GmSsl),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// Whether an option of two values is the second.
pub(super) fn is_second(option: u32) -> Result<bool, Error> {
    match option {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

pub(super) fn read_options(
    form: kuaimi_cms_form,
    options: &kuaimi_cms_sign_options,
) -> Result<SignOptions, Error> {
    let dialect = dialect(form)?;
    // GmSSL's signed messages are not those of the standard.
    if dialect == Dialect::GmSsl {
        return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
    }
    let mut read = SignOptions::new().with_dialect(dialect);
    if is_second(options.content)? {
        read = read.detached();
    }
    if is_second(options.attributes)? {
        read = read.without_attributes();
    }
    if is_second(options.identity)? {
        read = read.under_empty_identity();
    }
    if is_second(options.id)? {
        read = read.by_key_identifier();
    }
    if options.signing_time != 0 {
        let time = DateTime::from_unix_duration(Duration::from_secs(options.signing_time));
        read = read.with_signing_time(time.map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)?);
    }
    Ok(read)
}

/// Signs a content, and writes the message in DER. The certificate of the signer is in it, and the
/// `certificates`, which should be those of the authorities above it but the last. Constant time in
/// the key. The size that it asks for is some hundred bytes too many.
///
/// `form`: `KUAIMI_CMS_FORM_CMS` or `KUAIMI_CMS_FORM_GM`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or options do not fit
/// together. `KUAIMI_ERROR_OTHER_ALGORITHM`: the certificate is not of SM2.
///
/// Source: GM/T 0010-2012, clause 7; RFC 5652, clause 5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cms_sign(
    key: *const kuaimi_sm2_private_key,
    certificate: *const kuaimi_certificate,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    content: *const u8,
    content_len: usize,
    form: kuaimi_cms_form,
    options: *const kuaimi_cms_sign_options,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        certificate = handle(certificate),
        certificates = handles(certificates, count),
        content = input(content, content_len),
        options = optional_structure(options),
        out = output(out, out_len) => {
            let options = read_options(form, &options.copied().unwrap_or_default())?;
            let options = options.with_certificates(&owned(&certificates));
            // The signer's certificate, and its issuer and serial number; and what is fixed.
            let bound = 2 * room_for([certificate]) + room_for(certificates) + content.len();
            out.write(bound, || {
                let signer = SigningKey::new(key.clone());
                Ok(sign(content, &[(certificate, &signer)], &options)?)
            })
        }
    )
}
