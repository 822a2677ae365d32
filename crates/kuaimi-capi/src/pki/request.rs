//! Requests for certificates (PKCS #10; GM/T 0092), made and read.

use std::net::IpAddr;

use kuaimi::sm2::{EncryptionKey, SigningKey};
use kuaimi_pki::extensions::Extensions;
use kuaimi_pki::external::x509_cert::ext::pkix::SubjectAltName;
use kuaimi_pki::external::x509_cert::ext::pkix::name::GeneralName;
use kuaimi_pki::name;
use kuaimi_pki::request::{Request, RequestBuilder};

use super::certificate::{
    KUAIMI_CERTIFICATE_DER, KUAIMI_CERTIFICATE_PEM, accepted, kuaimi_certificate_form,
    kuaimi_identities,
};
use super::{at, found, utf8};
use crate::buffer::{kuaimi_bytes, once};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::sm2::{kuaimi_sm2_private_key, kuaimi_sm2_public_key};

/// A request for a certificate. Not changed by any function, so that threads may share it.
///
/// Reading a request checks nothing of it: `kuaimi_request_verify` says whether the holder of its
/// key made it. What it asks for is for an authority to judge.
pub struct kuaimi_request {
    _opaque: [u8; 0],
}
objects!(kuaimi_request: Request);

/// Adds alternative names as people write them.
pub(super) fn add_names(names: &[kuaimi_bytes], extensions: &mut Extensions) -> Result<(), Error> {
    for one in names {
        let one = once(one.get()?);
        let one = utf8(&one)?;
        let added = if let Ok(address) = one.parse::<IpAddr>() {
            extensions.ip(address)
        } else if one.contains("://") {
            extensions.uri(one)
        } else if one.contains('@') {
            extensions.email(one)
        } else {
            extensions.dns(one)
        };
        added.map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)?;
    }
    Ok(())
}

/// A name of a subject, such as `CN=leaf,O=Example`.
pub(super) fn subject(text: &[u8]) -> Result<kuaimi_pki::external::x509_cert::name::Name, Error> {
    let text = once(text);
    name::parse(utf8(&text)?).map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}

/// Makes a request for a certificate of the key, which signs it, at `*out`; free it with
/// `kuaimi_request_free`. Constant time in the key.
///
/// `subject`: the holder's name in UTF-8, `CN=leaf,O=Example` (RFC 4514). `names`: alternative
/// names that are asked for: hosts, IP addresses, mailboxes, or URIs with `://`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: a name is none.
///
/// Source: GM/T 0092-2020; RFC 2986.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_new(
    key: *const kuaimi_sm2_private_key,
    subject: *const u8,
    subject_len: usize,
    names: *const kuaimi_bytes,
    count: usize,
    out: *mut *mut kuaimi_request,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        key = handle(key),
        subject = input(subject, subject_len),
        names = items(names, count) => {
            let signer = SigningKey::new(key.clone());
            let mut builder = RequestBuilder::new(self::subject(subject)?, key.public_key());
            add_names(names, builder.extensions())?;
            out.put(builder.sign(&signer)?);
            Ok(())
        }
    )
}

/// Reads a request in DER, PEM, Base64 or hexadecimal. It is at `*out`; free it with
/// `kuaimi_request_free`.
///
/// `KUAIMI_ERROR_TEXT`: there is no request in the text. `KUAIMI_ERROR_DER` and the errors of
/// public keys: it is malformed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_read(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_request,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(found(Request::read(bytes))?);
        Ok(())
    })
}

/// Writes a request: the bytes that were read or made, or PEM of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_write(
    request: *const kuaimi_request,
    form: kuaimi_certificate_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(request = handle(request), out = output(out, out_len) => {
        match form {
            KUAIMI_CERTIFICATE_PEM => out.write_bytes(request.to_pem()),
            KUAIMI_CERTIFICATE_DER => out.write_bytes(request.as_der()),
            _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// Whether the holder of the request's key made it.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: not. `KUAIMI_ERROR_OTHER_ALGORITHM`: the signature or the key
/// is of an algorithm that is not supported.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_verify(
    request: *const kuaimi_request,
    identities: kuaimi_identities,
) -> kuaimi_error {
    call!(request = handle(request) => {
        Ok(request.verify(accepted(identities)?)?)
    })
}

/// The name that is asked for: see `kuaimi_certificate_subject`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_subject(
    request: *const kuaimi_request,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(request = handle(request), out = output(out, out_len) => {
        out.write_bytes(name::to_text(request.subject()))
    })
}

/// The public key, at `*out`. Free it with `kuaimi_sm2_public_key_free`.
///
/// `KUAIMI_ERROR_OTHER_ALGORITHM`: it is no key of SM2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_public_key(
    request: *const kuaimi_request,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), request = handle(request) => {
        out.put(EncryptionKey::new(*request.public_key().sm2()?.public_key()));
        Ok(())
    })
}

/// How many alternative names are asked for, at `count`: hosts, IP addresses, mailboxes and URIs.
/// Other kinds are passed over.
///
/// `KUAIMI_ERROR_DER`: the names are malformed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_name_count(
    request: *const kuaimi_request,
    count: *mut usize,
) -> kuaimi_error {
    call!(request = handle(request), count = place(count) => {
        count.put(names(request)?.len());
        Ok(())
    })
}

/// Alternative name number `index`, counted from 0, as `kuaimi_request_new` takes it.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_name(
    request: *const kuaimi_request,
    index: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(request = handle(request), out = output(out, out_len) => {
        out.write_bytes(at(&names(request)?, index)?)
    })
}

fn names(request: &Request) -> Result<Vec<String>, Error> {
    let asked = request.extensions()?.get::<SubjectAltName>()?;
    let all = asked.map_or_else(Vec::new, |names| names.0);
    let texts = all.into_iter().filter_map(|one| match one {
        GeneralName::DnsName(text) => Some(text.to_string()),
        GeneralName::Rfc822Name(text) => Some(text.to_string()),
        GeneralName::UniformResourceIdentifier(text) => Some(text.to_string()),
        GeneralName::IpAddress(bytes) => match *bytes.as_bytes() {
            [a, b, c, d] => Some(IpAddr::from([a, b, c, d]).to_string()),
            ref long => {
                let long: [u8; 16] = long.try_into().ok()?;
                Some(IpAddr::from(long).to_string())
            }
        },
        _ => None,
    });
    Ok(texts.collect())
}

/// Frees a request. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_request_free(request: *mut kuaimi_request) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(request) }
}
