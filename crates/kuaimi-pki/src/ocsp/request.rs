//! Requests (RFC 6960, clause 4.1).

use alloc::vec::Vec;

use super::{CertId, Extensions, MAX_LEN, MAX_SINGLES, check_nonce, nonce_extensions};
use crate::Error;
use crate::ber::{self, Elements, Malformed};

const WHAT: &str = "OCSP request";

/// A request: which certificates are asked about.
///
/// A requestor's signature is read over and not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    der: Vec<u8>,
    ids: Vec<CertId>,
    nonce: Option<Vec<u8>>,
}

impl Request {
    /// Reads a request in DER. Nothing may follow it.
    ///
    /// # Errors
    /// [`Error::Structure`] for what is no request, and for one with a critical extension that is
    /// not known; [`Error::Limit`] for more than [`MAX_LEN`] bytes or [`MAX_SINGLES`] certificates.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        if der.len() > MAX_LEN {
            return Err(Error::Limit("an OCSP request of more than 1 MiB"));
        }
        let malformed = |_: Malformed| Error::Structure(WHAT, "is malformed");
        let read = || {
            let mut outer = Elements::inside(der, ber::SEQUENCE, WHAT)?;
            let mut fields = outer.enter(ber::SEQUENCE)?;
            outer.optional(ber::context(0))?;
            outer.end()?;
            let version = fields.optional(ber::context(0))?;
            fields.optional(ber::context(1))?;
            let list = fields.enter(ber::SEQUENCE)?;
            let extensions = fields.optional(ber::context(2))?;
            fields.end()?;
            if version.is_some_and(|version| version != [ber::INTEGER, 1, 0]) {
                return Err(fields.malformed());
            }
            Ok((list, extensions.map(Extensions::read).transpose()?))
        };
        let (mut list, extensions) = read().map_err(malformed)?;
        let extensions = extensions.unwrap_or_default();
        let mut critical = extensions.unknown_critical;
        let mut ids = Vec::new();
        while !list.is_empty() {
            let mut one = || {
                let mut fields = list.enter(ber::SEQUENCE)?;
                let id = CertId::read(&mut fields)?;
                let extensions = fields.optional(ber::context(0))?;
                fields.end()?;
                Ok((id, extensions.map(Extensions::read).transpose()?))
            };
            let (id, extensions) = one().map_err(malformed)?;
            critical |= extensions.is_some_and(|extensions| extensions.unknown_critical);
            if ids.len() >= MAX_SINGLES {
                return Err(Error::Limit("the certificates of an OCSP request"));
            }
            ids.push(id);
        }
        if ids.is_empty() {
            return Err(Error::Structure(WHAT, "asks about no certificate"));
        }
        if critical {
            return Err(Error::Structure(WHAT, "has an unknown critical extension"));
        }
        Ok(Self {
            der: der.to_vec(),
            ids,
            nonce: extensions.nonce,
        })
    }

    /// The request in DER.
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// The certificates that are asked about.
    pub fn ids(&self) -> &[CertId] {
        &self.ids
    }

    /// The nonce, which the response has to repeat.
    pub fn nonce(&self) -> Option<&[u8]> {
        self.nonce.as_deref()
    }
}

/// What to ask.
///
/// ```
/// use kuaimi_pki::ocsp::{CertId, HashAlgorithm, Request, RequestBuilder};
/// use kuaimi_pki::{Certificate, Error};
///
/// fn ask(certificate: &Certificate, issuer: &Certificate, nonce: &[u8; 32]) -> Result<Request, Error> {
///     let id = CertId::new(HashAlgorithm::Sha1, issuer, certificate.serial());
///     RequestBuilder::new().about(id).nonce(nonce).build()
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestBuilder {
    ids: Vec<CertId>,
    nonce: Option<Vec<u8>>,
}

impl RequestBuilder {
    /// A request about nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a certificate.
    #[must_use]
    pub fn about(mut self, id: CertId) -> Self {
        self.ids.push(id);
        self
    }

    /// Adds a nonce of 1 to 128 random bytes, so that no old response serves as an answer.
    #[must_use]
    pub fn nonce(mut self, nonce: &[u8]) -> Self {
        self.nonce = Some(nonce.to_vec());
        self
    }

    /// The request.
    ///
    /// # Errors
    /// [`Error::Argument`] if it is about no certificate, or its nonce is empty or too long;
    /// [`Error::Limit`] if it is about too many.
    pub fn build(self) -> Result<Request, Error> {
        if self.ids.is_empty() {
            return Err(Error::Argument(
                "an OCSP request is about one certificate or more",
            ));
        }
        let mut list = Vec::new();
        for id in &self.ids {
            let mut request = Vec::new();
            id.write(&mut request);
            ber::write(&mut list, ber::SEQUENCE, &request);
        }
        let mut fields = ber::element(ber::SEQUENCE, &[&list]);
        if let Some(nonce) = &self.nonce {
            check_nonce(nonce)?;
            ber::write(&mut fields, ber::context(2), &nonce_extensions(nonce));
        }
        let tbs = ber::element(ber::SEQUENCE, &[&fields]);
        Request::from_der(&ber::element(ber::SEQUENCE, &[&tbs]))
    }
}
