//! Responses (RFC 6960, clause 4.2), read as they were signed.

use alloc::vec::Vec;
use core::ops::Range;

use der::Decode;
use x509_cert::ext::pkix::CrlReason;
use x509_cert::time::Time;

use super::{CertId, Extensions, MAX_LEN, MAX_SINGLES};
use crate::ber::{self, Elements, Malformed, place};
use crate::error::Reading;
use crate::public_key::SignatureAlgorithm;
use crate::{Certificate, Error, oid};

pub(super) const WHAT: &str = "OCSP response";

/// The most certificates that come with a response.
const MAX_CERTIFICATES: usize = 16;

/// Whether the responder answers, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResponseStatus {
    /// It answers.
    Successful,
    /// It could not read the request.
    MalformedRequest,
    /// It failed.
    InternalError,
    /// It is busy.
    TryLater,
    /// It wants signed requests.
    SignatureRequired,
    /// It does not answer this requestor, or knows nothing of the certificate's issuer.
    Unauthorized,
}

impl ResponseStatus {
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Successful => 0,
            Self::MalformedRequest => 1,
            Self::InternalError => 2,
            Self::TryLater => 3,
            Self::SignatureRequired => 5,
            Self::Unauthorized => 6,
        }
    }

    fn from_number(content: &[u8]) -> Option<Self> {
        let all = [
            Self::Successful,
            Self::MalformedRequest,
            Self::InternalError,
            Self::TryLater,
            Self::SignatureRequired,
            Self::Unauthorized,
        ];
        all.into_iter().find(|status| content == [status.number()])
    }
}

/// What a responder says of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It is not revoked.
    Good,
    /// It was revoked at this time (seconds since 1970), for this reason.
    Revoked(u64, Option<CrlReason>),
    /// The responder does not know it.
    Unknown,
}

/// The answer about one certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    pub(super) id: CertId,
    pub(super) status: Status,
    pub(super) this_update: u64,
    pub(super) next_update: Option<u64>,
}

impl Single {
    /// Which certificate this is about.
    pub fn id(&self) -> &CertId {
        &self.id
    }

    /// What is said of it.
    pub fn status(&self) -> Status {
        self.status
    }

    /// When this was known to be right, in seconds since 1970.
    pub fn this_update(&self) -> u64 {
        self.this_update
    }

    /// When there will be newer knowledge, in seconds since 1970.
    pub fn next_update(&self) -> Option<u64> {
        self.next_update
    }
}

/// Who responds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ResponderId {
    /// A name in DER.
    Name(Vec<u8>),
    /// The SHA-1 of the key.
    Key(Vec<u8>),
}

/// A response.
///
/// What it says counts only after [`verify`](Self::verify).
#[derive(Clone, Debug)]
pub struct Response {
    der: Vec<u8>,
    status: ResponseStatus,
    pub(super) basic: Option<Basic>,
}

/// A response that answers.
#[derive(Clone, Debug)]
pub(super) struct Basic {
    tbs: Range<usize>,
    signature: Range<usize>,
    algorithm: spki::AlgorithmIdentifierOwned,
    pub(super) responder: ResponderId,
    pub(super) produced_at: u64,
    pub(super) singles: Vec<Single>,
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) certificates: Vec<Certificate>,
}

fn malformed(_: Malformed) -> Error {
    Error::Structure(WHAT, "is malformed")
}

impl Response {
    /// Reads a response in DER. Nothing may follow it.
    ///
    /// # Errors
    /// [`Error::Structure`] for what is no response, for one of an unknown type or status, and for
    /// one with a critical extension that is not known; [`Error::Limit`] for more than [`MAX_LEN`]
    /// bytes or [`MAX_SINGLES`] answers.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        if der.len() > MAX_LEN {
            return Err(Error::Limit("an OCSP response of more than 1 MiB"));
        }
        let read = || {
            let mut fields = Elements::inside(der, ber::SEQUENCE, WHAT)?;
            let status = fields.take(ber::ENUMERATED)?;
            let bytes = fields.optional(ber::context(0))?;
            fields.end()?;
            Ok((status, bytes))
        };
        let (status, bytes) = read().map_err(malformed)?;
        let status = ResponseStatus::from_number(status)
            .ok_or(Error::Structure(WHAT, "has an unknown status"))?;
        let basic = match (status, bytes) {
            (ResponseStatus::Successful, Some(bytes)) => Some(Basic::read(der, bytes)?),
            (ResponseStatus::Successful, None) => {
                return Err(Error::Structure(WHAT, "says that it answers, and does not"));
            }
            _ => None,
        };
        Ok(Self {
            der: der.to_vec(),
            status,
            basic,
        })
    }

    /// The response in DER.
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Whether the responder answers.
    pub fn status(&self) -> ResponseStatus {
        self.status
    }

    /// The answers, which are not verified.
    pub fn singles(&self) -> &[Single] {
        self.basic.as_ref().map_or(&[], |basic| &basic.singles)
    }

    /// The certificates that came with the response.
    pub fn certificates(&self) -> &[Certificate] {
        self.basic.as_ref().map_or(&[], |basic| &basic.certificates)
    }

    /// The nonce.
    pub fn nonce(&self) -> Option<&[u8]> {
        self.basic.as_ref()?.nonce.as_deref()
    }

    /// When the response was signed, in seconds since 1970.
    pub fn produced_at(&self) -> Option<u64> {
        self.basic.as_ref().map(|basic| basic.produced_at)
    }

    /// The bytes that are signed; none if the responder does not answer.
    pub fn tbs(&self) -> &[u8] {
        let range = self.basic.as_ref().map(|basic| basic.tbs.clone());
        range
            .and_then(|range| self.der.get(range))
            .unwrap_or_default()
    }

    /// The signature, in the form that its algorithm has: DER for SM2.
    pub fn signature(&self) -> &[u8] {
        let range = self.basic.as_ref().map(|basic| basic.signature.clone());
        range
            .and_then(|range| self.der.get(range))
            .unwrap_or_default()
    }

    /// The algorithm of the signature.
    ///
    /// # Errors
    /// [`Error::Algorithm`] and [`Error::Structure`] for one that is not supported, or if the
    /// responder does not answer.
    pub fn signature_algorithm(&self) -> Result<SignatureAlgorithm, Error> {
        let basic = self.basic.as_ref();
        let basic = basic.ok_or(Error::Structure(WHAT, "has no answer"))?;
        SignatureAlgorithm::read(&basic.algorithm)
    }

    /// The object identifier of the signature's algorithm, whether it is supported or not; none if
    /// the responder does not answer.
    pub fn signature_oid(&self) -> Option<der::asn1::ObjectIdentifier> {
        self.basic.as_ref().map(|basic| basic.algorithm.oid)
    }

    /// The responder's name in DER, if the response names it so.
    pub fn responder_name(&self) -> Option<&[u8]> {
        match &self.basic.as_ref()?.responder {
            ResponderId::Name(name) => Some(name),
            ResponderId::Key(_) => None,
        }
    }

    /// The hash of the responder's key, if the response names it so.
    pub fn responder_key_hash(&self) -> Option<&[u8]> {
        match &self.basic.as_ref()?.responder {
            ResponderId::Name(_) => None,
            ResponderId::Key(hash) => Some(hash),
        }
    }
}

impl Basic {
    /// Reads ResponseBytes, which are in `der`.
    fn read(der: &[u8], bytes: &[u8]) -> Result<Self, Error> {
        let read = || {
            let mut fields = Elements::inside(bytes, ber::SEQUENCE, WHAT)?;
            let kind = fields.take(ber::OID)?;
            let response = fields.octets()?;
            fields.end()?;
            Ok((kind, response))
        };
        let (kind, response) = read().map_err(malformed)?;
        if kind != oid::OCSP_BASIC.as_bytes() {
            return Err(Error::Structure(WHAT, "is of an unknown type"));
        }
        let read = || {
            let mut fields = Elements::inside(response, ber::SEQUENCE, WHAT)?;
            let tbs = fields.take_element(ber::SEQUENCE)?;
            let algorithm = fields.take_element(ber::SEQUENCE)?.whole;
            let signature = fields.take(ber::BIT_STRING)?;
            let certificates = fields.optional(ber::context(0))?;
            fields.end()?;
            let signature = signature.strip_prefix(&[0]).ok_or(fields.malformed())?;
            Ok((tbs, algorithm, signature, certificates))
        };
        let (tbs, algorithm, signature, certificates) = read().map_err(malformed)?;
        let (responder, produced_at, list, extensions) =
            data(Elements::new(tbs.content, WHAT)).map_err(malformed)?;
        if extensions.unknown_critical {
            return Err(Error::Structure(WHAT, "has an unknown critical extension"));
        }
        Ok(Self {
            tbs: place(der, tbs.whole),
            signature: place(der, signature),
            algorithm: spki::AlgorithmIdentifierOwned::from_der(algorithm).of(WHAT)?,
            responder,
            produced_at,
            singles: singles(list)?,
            nonce: extensions.nonce,
            certificates: included(certificates)?,
        })
    }
}

/// The fields of ResponseData: the responder, producedAt, the list of answers, the extensions.
fn data(
    mut fields: Elements<'_>,
) -> Result<(ResponderId, u64, Elements<'_>, Extensions), Malformed> {
    let version = fields.optional(ber::context(0))?;
    if version.is_some_and(|version| version != [ber::INTEGER, 1, 0]) {
        return Err(fields.malformed());
    }
    const NAME: u8 = ber::context(1);
    const KEY: u8 = ber::context(2);
    let responder = fields.element()?;
    let responder = match responder.tag {
        NAME => ResponderId::Name(responder.content.to_vec()),
        KEY => {
            let key = Elements::inside(responder.content, ber::OCTET_STRING, WHAT)?;
            ResponderId::Key(key.rest().to_vec())
        }
        _ => return Err(fields.malformed()),
    };
    let produced_at = time(&mut fields)?;
    let list = fields.enter(ber::SEQUENCE)?;
    let extensions = fields.optional(ber::context(1))?;
    fields.end()?;
    let extensions = extensions.map(Extensions::read).transpose()?;
    Ok((responder, produced_at, list, extensions.unwrap_or_default()))
}

/// A GeneralizedTime, in seconds since 1970.
fn time(fields: &mut Elements<'_>) -> Result<u64, Malformed> {
    let element = fields.take_element(ber::GENERALIZED_TIME)?;
    let time = Time::from_der(element.whole).map_err(|_| fields.malformed())?;
    Ok(time.to_unix_duration().as_secs())
}

fn singles(mut list: Elements<'_>) -> Result<Vec<Single>, Error> {
    let mut found = Vec::new();
    while !list.is_empty() {
        if found.len() >= MAX_SINGLES {
            return Err(Error::Limit("the answers of an OCSP response"));
        }
        let (single, critical) = single(&mut list).map_err(malformed)?;
        if critical {
            return Err(Error::Structure(WHAT, "has an unknown critical extension"));
        }
        found.push(single);
    }
    Ok(found)
}

fn single(list: &mut Elements<'_>) -> Result<(Single, bool), Malformed> {
    const GOOD: u8 = ber::context_primitive(0);
    const REVOKED: u8 = ber::context(1);
    const UNKNOWN: u8 = ber::context_primitive(2);
    let mut fields = list.enter(ber::SEQUENCE)?;
    let id = CertId::read(&mut fields)?;
    let status = fields.element()?;
    let status = match (status.tag, status.content) {
        (GOOD, []) => Status::Good,
        (UNKNOWN, []) => Status::Unknown,
        (REVOKED, content) => {
            let mut revoked = Elements::new(content, WHAT);
            let date = time(&mut revoked)?;
            let reason = revoked.optional(ber::context(0))?;
            revoked.end()?;
            let reason = reason.map(CrlReason::from_der).transpose();
            Status::Revoked(date, reason.map_err(|_| fields.malformed())?)
        }
        _ => return Err(fields.malformed()),
    };
    let this_update = time(&mut fields)?;
    let next_update = match fields.enter_optional(ber::context(0))? {
        Some(mut next) => {
            let time = time(&mut next)?;
            next.end()?;
            Some(time)
        }
        None => None,
    };
    let extensions = fields.optional(ber::context(1))?;
    fields.end()?;
    let extensions = extensions.map(Extensions::read).transpose()?;
    let critical = extensions.is_some_and(|extensions| extensions.unknown_critical);
    Ok((
        Single {
            id,
            status,
            this_update,
            next_update,
        },
        critical,
    ))
}

/// The certificates that came along. One that cannot be read helps nobody, and harms nobody.
fn included(certificates: Option<&[u8]>) -> Result<Vec<Certificate>, Error> {
    let Some(certificates) = certificates else {
        return Ok(Vec::new());
    };
    let mut list = Elements::inside(certificates, ber::SEQUENCE, WHAT).map_err(malformed)?;
    let mut found = Vec::new();
    let mut count = 0;
    while !list.is_empty() {
        let element = list.take_element(ber::SEQUENCE).map_err(malformed)?;
        count += 1;
        if count > MAX_CERTIFICATES {
            return Err(Error::Limit("the certificates of an OCSP response"));
        }
        found.extend(Certificate::from_der(element.whole).ok());
    }
    Ok(found)
}
