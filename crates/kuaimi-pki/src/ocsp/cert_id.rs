//! Which certificate is asked about (RFC 6960, clause 4.1.1): hashes of its issuer's name and key,
//! and its serial number.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use sha1::Digest as _;

use crate::ber::{self, Elements, Malformed};
use crate::{Certificate, Error, oid};

/// With what the issuer's name and key are hashed. Nothing secret is, and no collision helps an
/// attacker: so SHA-1 serves, which every responder knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HashAlgorithm {
    /// SM3.
    #[default]
    Sm3,
    /// SHA-1.
    Sha1,
    /// SHA-256.
    #[cfg(feature = "other-algorithms")]
    Sha256,
}

impl HashAlgorithm {
    /// The algorithm's object identifier.
    pub const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Sm3 => oid::SM3,
            Self::Sha1 => oid::SHA1,
            #[cfg(feature = "other-algorithms")]
            Self::Sha256 => oid::SHA256,
        }
    }

    fn from_oid(content: &[u8]) -> Option<Self> {
        let known = [
            Self::Sm3,
            Self::Sha1,
            #[cfg(feature = "other-algorithms")]
            Self::Sha256,
        ];
        known
            .into_iter()
            .find(|algorithm| algorithm.oid().as_bytes() == content)
    }

    pub(super) fn hash(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sm3 => kuaimi::sm3::digest(bytes).to_vec(),
            Self::Sha1 => sha1::Sha1::digest(bytes).to_vec(),
            #[cfg(feature = "other-algorithms")]
            Self::Sha256 => sha2::Sha256::digest(bytes).to_vec(),
        }
    }
}

const WHAT: &str = "OCSP certificate identifier";

/// The name of a certificate in requests and responses.
///
/// ```
/// use kuaimi_pki::Certificate;
/// use kuaimi_pki::ocsp::{CertId, HashAlgorithm};
///
/// fn ask_about(certificate: &Certificate, issuer: &Certificate) -> CertId {
///     CertId::new(HashAlgorithm::Sm3, issuer, certificate.serial())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CertId {
    /// None for an algorithm that is not known.
    hash: Option<HashAlgorithm>,
    /// `hashAlgorithm` in DER.
    algorithm: Vec<u8>,
    name_hash: Vec<u8>,
    key_hash: Vec<u8>,
    serial: Vec<u8>,
}

impl CertId {
    /// Names the certificate of `issuer` with the serial number `serial`, the content of the
    /// INTEGER in DER, as [`Certificate::serial`] gives it.
    pub fn new(hash: HashAlgorithm, issuer: &Certificate, serial: &[u8]) -> Self {
        Self {
            hash: Some(hash),
            // NULL, as all others write it.
            algorithm: ber::identifier(hash.oid(), &[ber::NULL, 0]),
            name_hash: hash.hash(issuer.subject_der()),
            key_hash: hash.hash(issuer.key_bits()),
            serial: serial.to_vec(),
        }
    }

    /// The hash algorithm.
    ///
    /// # Errors
    /// [`Error::Structure`] for one that is not known.
    pub fn hash_algorithm(&self) -> Result<HashAlgorithm, Error> {
        self.hash.ok_or(Error::Structure(
            WHAT,
            "has a hash algorithm that is not supported",
        ))
    }

    /// The hash of the issuer's name.
    pub fn issuer_name_hash(&self) -> &[u8] {
        &self.name_hash
    }

    /// The hash of the issuer's key.
    pub fn issuer_key_hash(&self) -> &[u8] {
        &self.key_hash
    }

    /// The serial number: the content of the INTEGER in DER.
    pub fn serial(&self) -> &[u8] {
        &self.serial
    }

    /// Whether this names the certificate of `issuer` with the serial number `serial`. It does not
    /// if its hash algorithm is not known.
    pub fn is_of(&self, issuer: &Certificate, serial: &[u8]) -> bool {
        self.serial == serial
            && self.hash.is_some_and(|hash| {
                self.name_hash == hash.hash(issuer.subject_der())
                    && self.key_hash == hash.hash(issuer.key_bits())
            })
    }

    /// Reads a CertID.
    pub(super) fn read(elements: &mut Elements<'_>) -> Result<Self, Malformed> {
        let mut fields = elements.enter(ber::SEQUENCE)?;
        let algorithm = fields.take_element(ber::SEQUENCE)?;
        let mut parts = algorithm.enter(ber::SEQUENCE, WHAT)?;
        let hash = HashAlgorithm::from_oid(parts.take(ber::OID)?);
        let name_hash = fields.octets()?.to_vec();
        let key_hash = fields.octets()?.to_vec();
        let serial = fields.take(ber::INTEGER)?;
        fields.end()?;
        if !ber::is_integer(serial) {
            return Err(fields.malformed());
        }
        Ok(Self {
            hash,
            algorithm: algorithm.whole.to_vec(),
            name_hash,
            key_hash,
            serial: serial.to_vec(),
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut fields = self.algorithm.clone();
        ber::write(&mut fields, ber::OCTET_STRING, &self.name_hash);
        ber::write(&mut fields, ber::OCTET_STRING, &self.key_hash);
        ber::write(&mut fields, ber::INTEGER, &self.serial);
        ber::write(out, ber::SEQUENCE, &fields);
    }
}
