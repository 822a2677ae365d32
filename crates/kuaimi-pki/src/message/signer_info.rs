//! SignerInfo (GM/T 0010-2012, clause 7; RFC 5652, clause 5.3): one signature in a message.

use alloc::vec::Vec;

use der::asn1::{AnyRef, ObjectIdentifier};
use spki::AlgorithmIdentifierOwned;

use super::attributes::{self, Attribute};
use crate::ber::{Element, Elements, INTEGER, SEQUENCE, SET, context, context_primitive, element};
use crate::extensions::key_identifier;
use crate::{Certificate, Error};

const WHAT: &str = "signer";

/// How a message names a certificate: of a signer, or of a recipient.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CertificateId {
    /// By issuer and serial number.
    Issuer {
        /// The issuer's name, in DER.
        issuer: Vec<u8>,
        /// The serial number: a big-endian two's complement integer.
        serial: Vec<u8>,
    },
    /// By the subject key identifier.
    Key(Vec<u8>),
}

impl CertificateId {
    /// The issuer and the serial number of `certificate`.
    pub fn issuer_of(certificate: &Certificate) -> Self {
        Self::Issuer {
            issuer: certificate.issuer_der().to_vec(),
            serial: certificate.serial().to_vec(),
        }
    }

    /// The key identifier of `certificate`; if it has none, the SHA-1 of its public key (RFC 5280,
    /// 4.2.1.2), which others compute as well.
    ///
    /// # Errors
    /// [`Error::Der`] for a malformed extension.
    pub fn key_of(certificate: &Certificate) -> Result<Self, Error> {
        let id = certificate.subject_key_identifier()?;
        let of_key = || key_identifier(certificate.key_bits()).to_vec();
        Ok(Self::Key(id.unwrap_or_else(of_key)))
    }

    /// Whether it names `certificate`.
    pub fn names(&self, certificate: &Certificate) -> bool {
        fn number(bytes: &[u8]) -> &[u8] {
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            bytes.get(zeros..).unwrap_or_default()
        }
        match self {
            Self::Issuer { issuer, serial } => {
                number(serial) == number(certificate.serial()) && issuer == certificate.issuer_der()
            }
            Self::Key(_) => Self::key_of(certificate).is_ok_and(|id| id == *self),
        }
    }

    /// Reads an identifier from the beginning of `elements`; nothing if there is none.
    pub(crate) fn read(elements: &mut Elements<'_>) -> Result<Option<Self>, Error> {
        if let Some(mut inside) = elements.enter_optional(SEQUENCE)? {
            let issuer = inside.take_element(SEQUENCE)?.whole.to_vec();
            let serial = inside.take(INTEGER)?.to_vec();
            inside.end()?;
            return Ok(Some(Self::Issuer { issuer, serial }));
        }
        let key = match elements.optional(context_primitive(0))? {
            Some(key) => Some(key.to_vec()),
            // In an explicit tag, as some write it.
            None => match elements.enter_optional(context(0))? {
                Some(mut inside) => {
                    let key = inside.octets()?.to_vec();
                    inside.end()?;
                    Some(key)
                }
                None => None,
            },
        };
        Ok(key.map(Self::Key))
    }

    pub(crate) fn to_der(&self) -> Vec<u8> {
        match self {
            Self::Issuer { issuer, serial } => {
                element(SEQUENCE, &[issuer, &element(INTEGER, &[serial])])
            }
            Self::Key(id) => element(context_primitive(0), &[id]),
        }
    }
}

/// One signature.
#[derive(Clone, Debug)]
pub(crate) struct SignerInfo {
    pub(crate) id: CertificateId,
    pub(crate) digest_algorithm: ObjectIdentifier,
    /// The signed attributes, and their SET OF in the order in which they came.
    pub(crate) signed: Option<(Vec<Attribute>, Vec<u8>)>,
    pub(crate) signature_algorithm: AlgorithmIdentifierOwned,
    pub(crate) signature: Vec<u8>,
    pub(crate) unsigned: Vec<Attribute>,
}

impl SignerInfo {
    /// Reads one in DER, as [`to_der`](crate::ber::to_der) makes it.
    pub(crate) fn read(whole: &[u8]) -> Result<Self, Error> {
        let mut elements = Elements::inside(whole, SEQUENCE, WHAT)?;
        let _version = elements.version()?;
        let id = CertificateId::read(&mut elements)?;
        let id = id.ok_or(Error::Structure(WHAT, "names no certificate"))?;
        let (digest_algorithm, _) = elements.algorithm()?;
        let signed = match elements.optional(context(0))? {
            Some(set) => Some((attributes::read_all(set)?, element(SET, &[set]))),
            None => None,
        };
        let (oid, parameters) = elements.algorithm()?;
        let signature = elements.octets()?.to_vec();
        let unsigned = match elements.optional(context(1))? {
            Some(set) => attributes::read_all(set)?,
            None => Vec::new(),
        };
        elements.end()?;
        let parameters = parameters.map(|it: Element<'_>| {
            <AnyRef<'_> as der::Decode>::from_der(it.whole).map(der::Any::from)
        });
        Ok(Self {
            id,
            digest_algorithm,
            signed,
            signature_algorithm: AlgorithmIdentifierOwned {
                oid,
                parameters: parameters
                    .transpose()
                    .map_err(|error| Error::Der(WHAT, error))?,
            },
            signature,
            unsigned,
        })
    }
}

/// Reads a SET OF in DER, with at most `limit` elements.
pub(crate) fn elements_of_set(
    what: &'static str,
    whole: &[u8],
    limit: usize,
) -> Result<Vec<Vec<u8>>, Error> {
    let mut elements = Elements::inside(whole, SET, what)?;
    let mut all = Vec::new();
    while !elements.is_empty() {
        if all.len() >= limit {
            return Err(Error::Limit(what));
        }
        all.push(elements.bytes()?.to_vec());
    }
    Ok(all)
}
