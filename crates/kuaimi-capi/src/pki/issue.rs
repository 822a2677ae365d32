//! Certificates and lists of revoked certificates, made by an authority (GM/T 0015; RFC 5280).

use std::time::Duration;

use getrandom::SysRng;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::crl::CrlBuilder;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::external::x509_cert::ext::pkix::CrlReason;

use super::certificate::kuaimi_certificate;
use super::request::{add_names, subject};
use super::{room_for, utf8};
use crate::buffer::{items, kuaimi_bytes, once};
use crate::error::{Error, kuaimi_error};
use crate::sm2::{kuaimi_sm2_private_key, kuaimi_sm2_public_key};

options! {
    /// What a certificate is made for. It decides basicConstraints, keyUsage and extKeyUsage.
    pub enum kuaimi_issue_purpose {
        /// Signatures, encryption and key exchange of a person or a service.
        KUAIMI_ISSUE_GENERAL = 1,
        /// A server of TLS.
        KUAIMI_ISSUE_SERVER = 2,
        /// A client of TLS.
        KUAIMI_ISSUE_CLIENT = 3,
        /// The signing certificate of a pair.
        KUAIMI_ISSUE_SIGNING = 4,
        /// The encrypting certificate of a pair.
        KUAIMI_ISSUE_ENCRYPTION = 5,
        /// An authority, which may certify other authorities.
        KUAIMI_ISSUE_AUTHORITY = 6,
        /// An authority that certifies no other authorities.
        KUAIMI_ISSUE_LAST_AUTHORITY = 7,
        /// OCSP responses in the issuer's place.
        KUAIMI_ISSUE_OCSP = 8,
    }
}

/// What a certificate is to say. Texts are in UTF-8, and times seconds since 1970-01-01 00:00:00
/// UTC.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_certificate_template {
    /// The holder's name: `CN=leaf,O=Example` (RFC 4514).
    pub subject: kuaimi_bytes,
    /// Alternative names: hosts, IP addresses, mailboxes, or URIs with `://`.
    pub names: *const kuaimi_bytes,
    /// Their number.
    pub name_count: usize,
    /// The URI of the issuer's list of revoked certificates; nothing with null `data`.
    pub crl_uri: kuaimi_bytes,
    /// The URI of the issuer's OCSP responder; nothing with null `data`.
    pub ocsp_uri: kuaimi_bytes,
    /// From when on the certificate is valid.
    pub not_before: u64,
    /// Until when.
    pub not_after: u64,
    /// What it is for.
    pub purpose: kuaimi_issue_purpose,
}

fn date(seconds: u64) -> Result<DateTime, Error> {
    DateTime::from_unix_duration(Duration::from_secs(seconds))
        .map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}

fn builder(
    template: &kuaimi_certificate_template,
    key: &kuaimi::sm2::PublicKey,
) -> Result<CertificateBuilder, Error> {
    let purpose = match template.purpose {
        KUAIMI_ISSUE_GENERAL => Purpose::General,
        KUAIMI_ISSUE_SERVER => Purpose::Server,
        KUAIMI_ISSUE_CLIENT => Purpose::Client,
        KUAIMI_ISSUE_SIGNING => Purpose::Signing,
        KUAIMI_ISSUE_ENCRYPTION => Purpose::Encryption,
        KUAIMI_ISSUE_AUTHORITY => Purpose::Authority { path_len: None },
        KUAIMI_ISSUE_LAST_AUTHORITY => Purpose::Authority { path_len: Some(0) },
        KUAIMI_ISSUE_OCSP => Purpose::OcspResponder,
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    };
    let validity = Validity {
        not_before: date(template.not_before)?,
        not_after: date(template.not_after)?,
    };
    if template.not_after <= template.not_before {
        return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
    }
    let mut builder = CertificateBuilder::new(subject(template.subject.get()?)?, key, validity)
        .purpose(purpose)?
        .random_serial(&mut SysRng)?;
    // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head of the
    // header.
    let names = unsafe { items(template.names, template.name_count) }?;
    let extensions = builder.extensions();
    add_names(names, extensions)?;
    let wrong = |_| Error::KUAIMI_ERROR_INVALID_ARGUMENT;
    for (uri, is_list) in [(&template.crl_uri, true), (&template.ocsp_uri, false)] {
        let uri = once(uri.get()?);
        match (uri.is_empty(), is_list) {
            (true, _) => {}
            (_, true) => _ = extensions.crl_at(utf8(&uri)?).map_err(wrong)?,
            (_, false) => _ = extensions.ocsp_at(utf8(&uri)?).map_err(wrong)?,
        }
    }
    Ok(builder)
}

/// Makes a certificate for a public key, signed by the authority `issuer` with its private key, at
/// `*out`; free it with `kuaimi_certificate_free`. Its serial number is random. Constant time in
/// the private key.
///
/// For a request, the authority takes the key, and those names that it has checked:
/// `kuaimi_request_verify`, `kuaimi_request_public_key`, `kuaimi_request_subject`,
/// `kuaimi_request_name`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: a field of the template is none, or the private key is not the
/// issuer's.
///
/// Source: GM/T 0015-2023; RFC 5280.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_issue(
    issuer_key: *const kuaimi_sm2_private_key,
    issuer: *const kuaimi_certificate,
    key: *const kuaimi_sm2_public_key,
    template: *const kuaimi_certificate_template,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        issuer_key = handle(issuer_key),
        issuer = handle(issuer),
        key = handle(key),
        template = structure(template) => {
            let signer = SigningKey::new(issuer_key.clone());
            out.put(builder(template, key.public_key())?.sign(issuer, &signer)?);
            Ok(())
        }
    )
}

/// Makes a certificate that its own key signs, such as that of an authority: see
/// `kuaimi_certificate_issue`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_self_sign(
    key: *const kuaimi_sm2_private_key,
    template: *const kuaimi_certificate_template,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key), template = structure(template) => {
        let signer = SigningKey::new(key.clone());
        out.put(builder(template, key.public_key())?.self_sign(&signer)?);
        Ok(())
    })
}

/// A certificate that was revoked.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_revoked_item {
    /// Its serial number, as `kuaimi_certificate_serial` gives it.
    pub serial: kuaimi_bytes,
    /// When it was revoked, in seconds since 1970-01-01 00:00:00 UTC.
    pub date: u64,
    /// Why: a number of RFC 5280, 5.3.1, such as 1 if the key was compromised; 0 for no reason.
    pub reason: u32,
}

/// Writes a list of revoked certificates in DER, of the authority `issuer`, signed with its private
/// key. Constant time in that. The size that it asks for is some hundred bytes too many.
///
/// `number`: one more than that of the list before. `this_update`: now, and `next_update`: when the
/// next list will be there at the latest, in seconds since 1970-01-01 00:00:00 UTC.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: an item's field is none, the times are none, or the private key
/// is not the issuer's.
///
/// Source: RFC 5280, clause 5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_crl_write(
    issuer_key: *const kuaimi_sm2_private_key,
    issuer: *const kuaimi_certificate,
    items: *const kuaimi_revoked_item,
    count: usize,
    number: u64,
    this_update: u64,
    next_update: u64,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        issuer_key = handle(issuer_key),
        issuer = handle(issuer),
        items = items(items, count),
        out = output(out, out_len) => {
            let mut list = CrlBuilder::new(issuer, this_update, next_update)?.number(number);
            for item in items {
                list = list.revoke(&once(item.serial.get()?), item.date, reason(item.reason)?)?;
            }
            let bound = room_for([issuer]).saturating_add(count.saturating_mul(96));
            out.write(bound, || {
                let signer = SigningKey::new(issuer_key.clone());
                Ok(list.sign(&signer)?.as_der().to_vec())
            })
        }
    )
}

fn reason(number: u32) -> Result<Option<CrlReason>, Error> {
    use CrlReason::*;
    let all = [
        KeyCompromise,
        CaCompromise,
        AffiliationChanged,
        Superseded,
        CessationOfOperation,
        CertificateHold,
        RemoveFromCRL,
        PrivilegeWithdrawn,
        AaCompromise,
    ];
    if number == 0 {
        return Ok(None);
    }
    let found = all.into_iter().find(|reason| *reason as u32 == number);
    found.map(Some).ok_or(Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}
