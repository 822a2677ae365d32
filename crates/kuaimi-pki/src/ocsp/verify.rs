//! Verifying a response (RFC 6960, clauses 3.2 and 4.2.2.2): who signed it, for whom, and when.

use super::response::{Basic, ResponderId, WHAT};
use super::{CertId, HashAlgorithm, Response, Single, Status};
use crate::chain::distinguished_name::Canonical;
use crate::chain::facts::Node;
use crate::public_key::Identities;
use crate::{Certificate, Error, oid};

/// How long an answer without a date of the next one counts, in seconds: a day.
const WITHOUT_NEXT_UPDATE: u64 = 86400;

/// What a response is verified against.
///
/// ```
/// use kuaimi_pki::ocsp::{Check, Request, Response, Status};
/// use kuaimi_pki::{Certificate, Error};
///
/// fn status(
///     answer: &[u8], request: &Request, certificate: &Certificate, issuer: &Certificate, now: u64,
/// ) -> Result<Status, Error> {
///     let check = Check::new(issuer, now).nonce(request.nonce());
///     Response::from_der(answer)?.verify(&check)?.status_of(certificate)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    issuer: &'a Certificate,
    time: u64,
    skew: u64,
    nonce: Option<&'a [u8]>,
    delegates: &'a [Certificate],
    identities: Identities,
}

impl<'a> Check<'a> {
    /// A check of answers about certificates of `issuer`, whose own chain must have been verified,
    /// at `time`, in seconds since 1970.
    pub fn new(issuer: &'a Certificate, time: u64) -> Self {
        Self {
            issuer,
            time,
            skew: 300,
            nonce: None,
            delegates: &[],
            identities: Identities::Default,
        }
    }

    /// By how many seconds the two clocks may differ: 300 if this is not called.
    #[must_use]
    pub fn skew(mut self, seconds: u64) -> Self {
        self.skew = seconds;
        self
    }

    /// The nonce of the request, which the response must repeat; if there was none, any may be in
    /// the response.
    #[must_use]
    pub fn nonce(mut self, nonce: Option<&'a [u8]>) -> Self {
        self.nonce = nonce;
        self
    }

    /// Certificates of responders that may not come with the response.
    #[must_use]
    pub fn delegates(mut self, delegates: &'a [Certificate]) -> Self {
        self.delegates = delegates;
        self
    }

    /// The identities of SM2's signatures that are accepted.
    #[must_use]
    pub fn identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }
}

/// A response that was verified.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a> {
    check: Check<'a>,
    basic: &'a Basic,
}

/// Who may have signed a response.
#[derive(Clone, Copy)]
pub(crate) enum Responder<'a> {
    Issuer,
    /// The holder of a certificate, which the issuer must have signed.
    Delegate(&'a Certificate),
}

impl Response {
    /// Verifies the signature, the responder's authority, the time and the nonce.
    ///
    /// The responder is the issuer, or the holder of a certificate that the issuer signed with the
    /// purpose id-kp-OCSPSigning and that is valid. Whether that certificate was revoked is not
    /// asked.
    ///
    /// # Errors
    /// [`Error::Structure`] if the responder does not answer, or is not one of these, or for a
    /// wrong nonce or time; [`Error::Signature`] if its signature, or the issuer's of its
    /// certificate, does not fit.
    pub fn verify<'a>(&'a self, check: &Check<'a>) -> Result<Verified<'a>, Error> {
        let basic = self.answer(check.time, check.skew)?;
        if check.nonce.is_some() && basic.nonce.as_deref() != check.nonce {
            return Err(Error::Structure(
                WHAT,
                "does not repeat the request's nonce",
            ));
        }
        let mut error = Error::Structure(
            WHAT,
            "is of a responder that the certificate's issuer did not authorise",
        );
        for responder in self.responders(check.issuer, check.delegates, check.time) {
            let issuer = check.issuer.public_key();
            let verified = match responder {
                Responder::Issuer => Ok(issuer),
                Responder::Delegate(delegate) => delegate
                    .verify_signature(issuer, check.identities)
                    .map(|()| delegate.public_key()),
            };
            let verified = verified.and_then(|key| {
                let algorithm = self.signature_algorithm()?;
                key.verify(algorithm, self.tbs(), self.signature(), check.identities)
            });
            match verified {
                Ok(()) => {
                    return Ok(Verified {
                        check: *check,
                        basic,
                    });
                }
                Err(found) => error = found,
            }
        }
        Err(error)
    }

    /// The answer, if it was not made after `time`.
    fn answer(&self, time: u64, skew: u64) -> Result<&Basic, Error> {
        let basic = self
            .basic
            .as_ref()
            .ok_or(Error::Structure(WHAT, "has no answer"))?;
        if basic.produced_at > time.saturating_add(skew) {
            return Err(Error::Structure(WHAT, "was made after the given time"));
        }
        Ok(basic)
    }

    /// Who may have signed this, all but their signatures being checked.
    pub(crate) fn responders<'a>(
        &'a self,
        issuer: &'a Certificate,
        delegates: &'a [Certificate],
        time: u64,
    ) -> impl Iterator<Item = Responder<'a>> {
        let id = self.basic.as_ref().map(|basic| &basic.responder);
        let is = move |certificate: &Certificate| id.is_some_and(|id| id.is(certificate));
        let itself = is(issuer).then_some(Responder::Issuer);
        let mut delegates = self.certificates().iter().chain(delegates);
        // The first one that fits is enough, but the same certificate may come twice.
        let delegate = delegates.find(|delegate| {
            is(delegate) && *delegate != issuer && is_delegate(delegate, issuer, time)
        });
        itself.into_iter().chain(delegate.map(Responder::Delegate))
    }

    /// The answer about a certificate that is in force at `time`, as [`Verified::single`] gives it.
    /// The signature is not verified.
    pub(crate) fn single_of(
        &self,
        issuer: &Certificate,
        serial: &[u8],
        time: u64,
        skew: u64,
    ) -> Option<&Single> {
        let basic = self.answer(time, skew).ok()?;
        let mut found = basic.singles.iter();
        found.find(|single| single.id.is_of(issuer, serial) && single.is_current(time, skew))
    }
}

impl<'a> Verified<'a> {
    /// What is said of `certificate`.
    ///
    /// # Errors
    /// As [`single`](Self::single).
    pub fn status_of(&self, certificate: &Certificate) -> Result<Status, Error> {
        Ok(self.single(certificate.serial())?.status)
    }

    /// The answer about the certificate with the serial number `serial`.
    ///
    /// # Errors
    /// [`Error::Structure`] if there is none, or none that is in force at the time.
    pub fn single(&self, serial: &[u8]) -> Result<&'a Single, Error> {
        let Check {
            issuer, time, skew, ..
        } = self.check;
        let mut error = Error::Structure(WHAT, "is not about the certificate");
        let about = self.basic.singles.iter();
        for single in about.filter(|single| single.id.is_of(issuer, serial)) {
            if single.is_current(time, skew) {
                return Ok(single);
            }
            error = Error::Structure(WHAT, "is not in force at the given time");
        }
        Err(error)
    }

    /// The answer to `id`, a part of the request.
    ///
    /// # Errors
    /// As [`single`](Self::single).
    pub fn answer_to(&self, id: &CertId) -> Result<&'a Single, Error> {
        if !id.is_of(self.check.issuer, id.serial()) {
            return Err(Error::Argument("the certificate is another issuer's"));
        }
        self.single(id.serial())
    }
}

impl Single {
    fn is_current(&self, time: u64, skew: u64) -> bool {
        let until = self
            .next_update
            .unwrap_or(self.this_update.saturating_add(WITHOUT_NEXT_UPDATE));
        self.this_update <= time.saturating_add(skew) && time <= until.saturating_add(skew)
    }
}

impl ResponderId {
    fn is(&self, certificate: &Certificate) -> bool {
        match self {
            Self::Name(name) => {
                name == certificate.subject_der()
                    || matches!(
                        (Canonical::read(name), Canonical::read(certificate.subject_der())),
                        (Ok(name), Ok(subject)) if name == subject
                    )
            }
            // SHA-1 by the standard; some responders take the hash of everything else.
            Self::Key(key) => {
                let bits = certificate.key_bits();
                *key == HashAlgorithm::Sha1.hash(bits) || *key == HashAlgorithm::Sm3.hash(bits)
            }
        }
    }
}

/// Whether a certificate, if `issuer` signed it, may sign for it.
fn is_delegate(delegate: &Certificate, issuer: &Certificate, time: u64) -> bool {
    let node = Node::new(delegate.clone());
    let issued = Canonical::read(issuer.subject_der()).is_ok_and(|name| name == node.issuer);
    issued && node.may_respond(time)
}

/// The purpose of a responder's certificate must be said in so many words.
pub(crate) fn is_responder(purposes: Option<&[der::asn1::ObjectIdentifier]>) -> bool {
    purposes.is_some_and(|purposes| purposes.contains(&oid::OCSP_SIGNING))
}
