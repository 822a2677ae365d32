//! Certificates: read, looked at, and verified against one issuer.

use kuaimi::sm2::EncryptionKey;
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::{Certificate, name};

use super::found;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::sm2::kuaimi_sm2_public_key;

/// A certificate of X.509, with the bytes that it was read from. Not changed by any function, so
/// that threads may share it.
///
/// Reading a certificate checks nothing of it: `kuaimi_verifier_verify` says whether it can be
/// trusted.
pub struct kuaimi_certificate {
    _opaque: [u8; 0],
}
objects!(kuaimi_certificate: Certificate);

options! {
    /// A form in which a certificate is written.
    pub enum kuaimi_certificate_form {
        /// PEM.
        KUAIMI_CERTIFICATE_PEM = 1,
        /// DER.
        KUAIMI_CERTIFICATE_DER = 2,
    }
}

options! {
    /// The identities under which SM2's signatures in certificates, lists and messages may be made.
    pub enum kuaimi_identities {
        /// The usual one, `1234567812345678`, as GM/T 0009 says.
        KUAIMI_IDENTITIES_USUAL = 1,
        /// The usual one, or else the empty one, under which OpenSSL 3 and some authorities sign.
        KUAIMI_IDENTITIES_USUAL_OR_EMPTY = 2,
    }
}

pub(crate) fn accepted(identities: kuaimi_identities) -> Result<Identities, Error> {
    match identities {
        KUAIMI_IDENTITIES_USUAL => Ok(Identities::Default),
        KUAIMI_IDENTITIES_USUAL_OR_EMPTY => Ok(Identities::DefaultOrEmpty),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// Reads a certificate in DER, PEM, Base64 or hexadecimal; of several in PEM the first. It is at
/// `*out`; free it with `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_TEXT`: there is no certificate in the text. `KUAIMI_ERROR_DER` and the errors of
/// public keys: it is malformed. `KUAIMI_ERROR_INVALID_ARGUMENT`: it has more than 1 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_read(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        let mut all = found(Certificate::read_all(bytes))?;
        if all.is_empty() {
            return Err(Error::KUAIMI_ERROR_TEXT);
        }
        out.put(all.swap_remove(0));
        Ok(())
    })
}

/// How many certificates are in PEM with other text and other blocks between them, at `count`; for
/// one in another form 1. All of them are read. Errors as of `kuaimi_certificate_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_count(
    bytes: *const u8,
    len: usize,
    count: *mut usize,
) -> kuaimi_error {
    call!(#[once] bytes = input(bytes, len), count = place(count) => {
        count.put(found(Certificate::read_all(bytes))?.len());
        Ok(())
    })
}

/// Reads the first `count` certificates, with handles at `certificates[0]` to
/// `certificates[count - 1]`: all, if `count` came from `kuaimi_certificate_count`. Free each with
/// `kuaimi_certificate_free`. If one cannot be read, there is none.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are fewer. Other errors as of `kuaimi_certificate_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_read_all(
    bytes: *const u8,
    len: usize,
    certificates: *mut *mut kuaimi_certificate,
    count: usize,
) -> kuaimi_error {
    call!(
        certificates = new_handles(certificates, count),
        #[once] bytes = input(bytes, len) => {
            let mut certificates = certificates;
            let all = found(Certificate::read_all(bytes))?;
            if all.len() < count {
                return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
            }
            for (place, certificate) in all.into_iter().take(count).enumerate() {
                certificates.put(place, certificate);
            }
            Ok(())
        }
    )
}

/// Writes a certificate: the bytes that were read, or PEM of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_write(
    certificate: *const kuaimi_certificate,
    form: kuaimi_certificate_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(certificate = handle(certificate), out = output(out, out_len) => {
        match form {
            KUAIMI_CERTIFICATE_PEM => out.write_bytes(certificate.to_pem()),
            KUAIMI_CERTIFICATE_DER => out.write_bytes(certificate.as_der()),
            _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// The subject's name as text in UTF-8: `CN=leaf,O=Example` (RFC 4514). There is no zero byte at
/// its end, and no byte at all if the name is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_subject(
    certificate: *const kuaimi_certificate,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(certificate = handle(certificate), out = output(out, out_len) => {
        out.write_bytes(name::to_text(certificate.fields().subject()))
    })
}

/// The issuer's name: see `kuaimi_certificate_subject`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_issuer(
    certificate: *const kuaimi_certificate,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(certificate = handle(certificate), out = output(out, out_len) => {
        out.write_bytes(name::to_text(certificate.fields().issuer()))
    })
}

/// The serial number, as in DER: most significant byte first, with a byte 00 before a first byte
/// above 7f.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_serial(
    certificate: *const kuaimi_certificate,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(certificate = handle(certificate), out = output(out, out_len) => {
        out.write_bytes(certificate.serial())
    })
}

/// From when and until when a certificate is valid, in seconds since 1970-01-01 00:00:00 UTC. Both
/// moments belong to the time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_validity(
    certificate: *const kuaimi_certificate,
    not_before: *mut u64,
    not_after: *mut u64,
) -> kuaimi_error {
    call!(
        certificate = handle(certificate),
        not_before = place(not_before),
        not_after = place(not_after) => {
            let validity = certificate.fields().validity();
            not_before.put(validity.not_before.to_unix_duration().as_secs());
            not_after.put(validity.not_after.to_unix_duration().as_secs());
            Ok(())
        }
    )
}

/// The public key of a certificate, at `*out`. Free it with `kuaimi_sm2_public_key_free`.
///
/// `KUAIMI_ERROR_OTHER_ALGORITHM`: it is no key of SM2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_public_key(
    certificate: *const kuaimi_certificate,
    out: *mut *mut kuaimi_sm2_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), certificate = handle(certificate) => {
        out.put(EncryptionKey::new(*certificate.public_key().sm2()?.public_key()));
        Ok(())
    })
}

/// Whether the key of `issuer` signed a certificate. **Names, dates and uses are not looked at**:
/// `kuaimi_verifier_verify` does that. Signatures of SM2, of ECDSA on P-256 and P-384 and of RSA
/// are verified.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: it did not. `KUAIMI_ERROR_OTHER_ALGORITHM`: the signature or
/// the key is of an algorithm that is not supported.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_verify_signature(
    certificate: *const kuaimi_certificate,
    issuer: *const kuaimi_certificate,
    identities: kuaimi_identities,
) -> kuaimi_error {
    call!(certificate = handle(certificate), issuer = handle(issuer) => {
        Ok(certificate.verify_signature(issuer.public_key(), accepted(identities)?)?)
    })
}

/// Frees a certificate. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_certificate_free(certificate: *mut kuaimi_certificate) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(certificate) }
}
