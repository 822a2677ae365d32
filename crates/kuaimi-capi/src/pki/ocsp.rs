//! Whether a certificate is revoked, asked of a responder (RFC 6960).

use kuaimi_pki::ocsp::{CertId, Check, HashAlgorithm, RequestBuilder, Response, Status};

use super::certificate::{accepted, kuaimi_certificate, kuaimi_identities};
use super::verifier::{add_response, kuaimi_verifier};
use crate::error::{Error, kuaimi_error};

options! {
    /// With what a request names a certificate's issuer. It protects nothing.
    pub enum kuaimi_ocsp_hash {
        /// SM3.
        KUAIMI_OCSP_HASH_SM3 = 1,
        /// SHA-1, which every responder knows.
        KUAIMI_OCSP_HASH_SHA1 = 2,
    }
}

options! {
    /// What a responder says of a certificate.
    pub enum kuaimi_ocsp_status {
        /// It is not revoked.
        KUAIMI_OCSP_GOOD = 1,
        /// It was revoked.
        KUAIMI_OCSP_REVOKED = 2,
        /// The responder does not know it.
        KUAIMI_OCSP_UNKNOWN = 3,
    }
}

/// The answer about a certificate. Times are seconds since 1970-01-01 00:00:00 UTC.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct kuaimi_ocsp_answer {
    /// When this was known to be right.
    pub this_update: u64,
    /// When there will be newer knowledge; 0 if that is not said.
    pub next_update: u64,
    /// When the certificate was revoked; else 0.
    pub revoked_at: u64,
    /// What is said.
    pub status: kuaimi_ocsp_status,
    /// Why it was revoked: a number of RFC 5280, 5.3.1, where 0 is that no reason is given.
    pub reason: u32,
}

/// Writes a request about a certificate, in DER, for the responder of its issuer.
///
/// `nonce`: null, or 1 to 32 random bytes, which `kuaimi_ocsp_check` compares: then an old response
/// is no answer to a new request.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the nonce has another length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_ocsp_request(
    certificate: *const kuaimi_certificate,
    issuer: *const kuaimi_certificate,
    nonce: *const u8,
    nonce_len: usize,
    hash: kuaimi_ocsp_hash,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        certificate = handle(certificate),
        issuer = handle(issuer),
        nonce = optional_input(nonce, nonce_len),
        out = output(out, out_len) => {
            let hash = match hash {
                KUAIMI_OCSP_HASH_SM3 => HashAlgorithm::Sm3,
                KUAIMI_OCSP_HASH_SHA1 => HashAlgorithm::Sha1,
                _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
            };
            let mut request = RequestBuilder::new();
            request = request.about(CertId::new(hash, issuer, certificate.serial()));
            if let Some(nonce) = nonce {
                if !(1..=32).contains(&nonce.len()) {
                    return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
                }
                request = request.nonce(&crate::buffer::once(nonce));
            }
            out.write_bytes(request.build()?.as_der())
        }
    )
}

/// Verifies a response in DER, and puts at `answer` what it says of a certificate. The responder
/// must be the issuer, or the holder of a certificate that the issuer signed for this purpose; the
/// response must be in force at `time`, and repeat `nonce` if it is not null.
///
/// `issuer`: the chain of it must have been verified.
///
/// `KUAIMI_ERROR_DER`: it is no response. `KUAIMI_ERROR_INVALID_SIGNATURE`: it is no answer that
/// counts: it has another signer, time or nonce, or says nothing of the certificate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_ocsp_check(
    certificate: *const kuaimi_certificate,
    issuer: *const kuaimi_certificate,
    response: *const u8,
    response_len: usize,
    nonce: *const u8,
    nonce_len: usize,
    identities: kuaimi_identities,
    time: u64,
    answer: *mut kuaimi_ocsp_answer,
) -> kuaimi_error {
    call!(
        certificate = handle(certificate),
        issuer = handle(issuer),
        #[once] response = input(response, response_len),
        nonce = optional_input(nonce, nonce_len),
        answer = place(answer) => {
            let identities = accepted(identities)?;
            let response = Response::from_der(response)?;
            let nonce = nonce.map(crate::buffer::once);
            let check = Check::new(issuer, time)
                .nonce(nonce.as_ref().map(|nonce| nonce.as_slice()))
                .identities(identities);
            let single = response
                .verify(&check)
                .and_then(|verified| verified.single(certificate.serial()));
            let single = single.map_err(|_| Error::KUAIMI_ERROR_INVALID_SIGNATURE)?;
            let (status, revoked_at, reason) = match single.status() {
                Status::Good => (KUAIMI_OCSP_GOOD, 0, None),
                Status::Revoked(time, reason) => (KUAIMI_OCSP_REVOKED, time, reason),
                _ => (KUAIMI_OCSP_UNKNOWN, 0, None),
            };
            answer.put(kuaimi_ocsp_answer {
                this_update: single.this_update(),
                next_update: single.next_update().unwrap_or(0),
                revoked_at,
                status,
                reason: reason.map_or(0, |reason| reason as u32),
            });
            Ok(())
        }
    )
}

/// Adds a response, in DER, to what a verifier knows of revocation. It is not trusted: it counts
/// once its signature was verified.
///
/// `KUAIMI_ERROR_DER`: it is no response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_add_ocsp(
    verifier: *mut kuaimi_verifier,
    bytes: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(verifier = handle(verifier), #[once] bytes = input(bytes, len) => {
        add_response(verifier, Response::from_der(bytes)?)
    })
}
