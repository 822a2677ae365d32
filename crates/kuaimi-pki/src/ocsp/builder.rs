//! Making responses (RFC 6960, clause 4.2): in one step, or in two with a signature from elsewhere.

use alloc::vec::Vec;
use core::time::Duration;

use der::asn1::GeneralizedTime;
use der::{DateTime, Encode};
use kuaimi::sm2::{PublicKey, Signature};
use x509_cert::ext::pkix::CrlReason;

use super::response::WHAT;
use super::{
    CertId, HashAlgorithm, Request, Response, ResponseStatus, Status, check_nonce, nonce_extensions,
};
use crate::error::Reading;
use crate::unsigned::SM2_WITH_SM3;
use crate::{Certificate, Error, Signer, ber, oid, signer};

/// What a response is to say.
///
/// ```
/// use kuaimi_pki::ocsp::{Request, Response, ResponseBuilder, Status};
/// use kuaimi_pki::{Certificate, Error, Signer};
///
/// fn respond(
///     request: &Request, responder: &Certificate, key: &impl Signer, now: u64,
///     status: impl Fn(&[u8]) -> Status,
/// ) -> Result<Response, Error> {
///     let mut response = ResponseBuilder::new(responder, now)?.answering(request);
///     for id in request.ids() {
///         response = response.say(id.clone(), status(id.serial()), now, Some(now + 3600))?;
///     }
///     response.with_certificate(responder).sign(key)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ResponseBuilder {
    key: PublicKey,
    key_hash: Vec<u8>,
    produced_at: Vec<u8>,
    singles: Vec<u8>,
    nonce: Option<Vec<u8>>,
    certificates: Vec<u8>,
}

/// A response without its signature, for a key that is elsewhere.
#[derive(Clone, Debug)]
pub struct Unsigned {
    tbs: Vec<u8>,
    certificates: Vec<u8>,
    key: PublicKey,
}

impl ResponseBuilder {
    /// A response without answers, of the holder of `responder`, made at `produced_at`, in seconds
    /// since 1970. The responder is named by the SHA-1 of its key.
    ///
    /// # Errors
    /// [`Error::Algorithm`] if the responder has no SM2 key, and [`Error::Argument`] for a date
    /// that cannot be written.
    pub fn new(responder: &Certificate, produced_at: u64) -> Result<Self, Error> {
        Ok(Self {
            key: *responder.public_key().sm2()?.public_key(),
            key_hash: HashAlgorithm::Sha1.hash(responder.key_bits()),
            produced_at: time(produced_at)?,
            singles: Vec::new(),
            nonce: None,
            certificates: Vec::new(),
        })
    }

    /// Repeats the nonce of `request`, if it has one.
    #[must_use]
    pub fn answering(mut self, request: &Request) -> Self {
        self.nonce = request.nonce().map(<[u8]>::to_vec);
        self
    }

    /// Has this nonce, for who has the request elsewhere.
    #[must_use]
    pub fn nonce(mut self, nonce: &[u8]) -> Self {
        self.nonce = Some(nonce.to_vec());
        self
    }

    /// Adds an answer: what is said of a certificate, since when that is known, and when there will
    /// be newer knowledge, in seconds since 1970.
    ///
    /// # Errors
    /// [`Error::Argument`] for dates that cannot be written, or of which the second is before the
    /// first.
    pub fn say(
        mut self,
        id: CertId,
        status: Status,
        this_update: u64,
        next_update: Option<u64>,
    ) -> Result<Self, Error> {
        if next_update.is_some_and(|next| next < this_update) {
            return Err(Error::Argument(
                "the next answer must not come before this one",
            ));
        }
        let mut fields = Vec::new();
        id.write(&mut fields);
        match status {
            Status::Good => ber::write(&mut fields, ber::context_primitive(0), &[]),
            Status::Unknown => ber::write(&mut fields, ber::context_primitive(2), &[]),
            Status::Revoked(date, reason) => {
                let mut revoked = time(date)?;
                if let Some(reason) = reason.filter(|reason| *reason != CrlReason::Unspecified) {
                    let reason = [ber::ENUMERATED, 1, reason as u8];
                    ber::write(&mut revoked, ber::context(0), &reason);
                }
                ber::write(&mut fields, ber::context(1), &revoked);
            }
        }
        fields.extend(time(this_update)?);
        if let Some(next) = next_update {
            ber::write(&mut fields, ber::context(0), &time(next)?);
        }
        ber::write(&mut self.singles, ber::SEQUENCE, &fields);
        Ok(self)
    }

    /// Sends a certificate along: a delegated responder's own.
    #[must_use]
    pub fn with_certificate(mut self, certificate: &Certificate) -> Self {
        self.certificates.extend(certificate.as_der());
        self
    }

    /// The response without its signature.
    ///
    /// # Errors
    /// [`Error::Argument`] if it has no answer, or for a nonce that is too long to be repeated.
    pub fn prepare(self) -> Result<Unsigned, Error> {
        if self.singles.is_empty() {
            return Err(Error::Argument("an OCSP response has one answer or more"));
        }
        let mut fields = Vec::new();
        let key = ber::element(ber::OCTET_STRING, &[&self.key_hash]);
        ber::write(&mut fields, ber::context(2), &key);
        fields.extend(&self.produced_at);
        ber::write(&mut fields, ber::SEQUENCE, &self.singles);
        if let Some(nonce) = &self.nonce {
            check_nonce(nonce)?;
            ber::write(&mut fields, ber::context(1), &nonce_extensions(nonce));
        }
        Ok(Unsigned {
            tbs: ber::element(ber::SEQUENCE, &[&fields]),
            certificates: self.certificates,
            key: self.key,
        })
    }

    /// Signs the response.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), those of `signer`, and [`Error::Argument`] if its key is
    /// not the responder's.
    pub fn sign<S: Signer + ?Sized>(self, signer: &S) -> Result<Response, Error> {
        let unsigned = self.prepare()?;
        if *signer.public_key() != unsigned.key {
            return Err(Error::Argument("the key is not the responder's"));
        }
        let signature = signer.sign_digest(&unsigned.digest())?;
        unsigned.finish(&signature)
    }
}

impl Unsigned {
    /// The bytes that are signed.
    pub fn tbs(&self) -> &[u8] {
        &self.tbs
    }

    /// What the key signs: `SM3(Z ‖ tbs)`, under the default identity.
    pub fn digest(&self) -> [u8; 32] {
        signer::digest(&self.key, &self.tbs)
    }

    /// The response with its signature, which is verified.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is not the responder's signature of [`digest`](Self::digest).
    pub fn finish(self, signature: &Signature) -> Result<Response, Error> {
        let key = kuaimi::sm2::VerifyingKey::new(self.key);
        key.verify_digest(&self.digest(), signature)?;
        let mut fields = self.tbs;
        fields.extend(SM2_WITH_SM3.to_der().of(WHAT)?);
        let mut bits = alloc::vec![0];
        bits.extend(signature.to_der().as_bytes());
        ber::write(&mut fields, ber::BIT_STRING, &bits);
        if !self.certificates.is_empty() {
            let list = ber::element(ber::SEQUENCE, &[&self.certificates]);
            ber::write(&mut fields, ber::context(0), &list);
        }
        let basic = ber::element(ber::SEQUENCE, &[&fields]);
        let mut bytes = Vec::new();
        ber::write(&mut bytes, ber::OID, oid::OCSP_BASIC.as_bytes());
        ber::write(&mut bytes, ber::OCTET_STRING, &basic);
        let bytes = ber::element(ber::SEQUENCE, &[&bytes]);
        response(ResponseStatus::Successful, &bytes)
    }
}

impl Response {
    /// The response of a responder that does not answer. It is not signed.
    ///
    /// # Errors
    /// [`Error::Argument`] for [`ResponseStatus::Successful`].
    pub fn refusing(status: ResponseStatus) -> Result<Self, Error> {
        if status == ResponseStatus::Successful {
            return Err(Error::Argument(
                "a response without an answer is no success",
            ));
        }
        response(status, &[])
    }
}

fn response(status: ResponseStatus, bytes: &[u8]) -> Result<Response, Error> {
    let mut fields = alloc::vec![ber::ENUMERATED, 1, status.number()];
    if !bytes.is_empty() {
        ber::write(&mut fields, ber::context(0), bytes);
    }
    Response::from_der(&ber::element(ber::SEQUENCE, &[&fields]))
}

/// A GeneralizedTime in DER.
fn time(seconds: u64) -> Result<Vec<u8>, Error> {
    let date = DateTime::from_unix_duration(Duration::from_secs(seconds))
        .map_err(|_| Error::Argument("the date is after the year 9999"))?;
    GeneralizedTime::from_date_time(date).to_der().of(WHAT)
}
