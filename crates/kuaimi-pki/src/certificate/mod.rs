//! Certificates (GM/T 0015-2023; RFC 5280, clause 4.1): read as they were signed.
//!
//! A [`Certificate`] keeps its bytes. Its signature is of those, and not of what another encoder
//! would make of the fields.

pub(crate) mod builder;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use der::Decode;
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, SubjectKeyIdentifier};

use crate::ber::{self, Elements, Malformed, place};
use crate::error::Reading;
use crate::public_key::{Identities, SignatureAlgorithm};
use crate::{Error, PublicKey};

pub use builder::{CertificateBuilder, Validity};

const WHAT: &str = "certificate";

/// The maximum length of a certificate in bytes. Certificates of millions of bytes would only keep
/// a reader busy.
pub const MAX_LEN: usize = 1 << 20;

/// A certificate. Clones share it.
#[derive(Clone)]
pub struct Certificate(Arc<Inner>);

struct Inner {
    der: Vec<u8>,
    /// `tbsCertificate`, which is what the signature is of.
    tbs: Range<usize>,
    /// The subject, in the bytes that other certificates name it with.
    subject: Range<usize>,
    issuer: Range<usize>,
    fields: x509_cert::Certificate,
    key: PublicKey,
}

impl Certificate {
    /// Reads a certificate in DER. Nothing may follow it.
    ///
    /// Its signature, its dates and its use are not checked: see the module `chain`.
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Structure`] and [`Error::Encoding`] for what is no certificate, or
    /// has a malformed public key; [`Error::Limit`] for more than [`MAX_LEN`] bytes.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        if der.len() > MAX_LEN {
            return Err(Error::Limit("a certificate of more than 1 MiB"));
        }
        let fields = x509_cert::Certificate::from_der(der).of(WHAT)?;
        let tbs_fields = fields.tbs_certificate();
        if fields.signature_algorithm() != tbs_fields.signature() {
            return Err(Error::Structure(
                WHAT,
                "names two different algorithms of its signature",
            ));
        }
        if fields.signature().as_bytes().is_none() {
            return Err(Error::Structure(
                WHAT,
                "has a signature that is not whole bytes",
            ));
        }
        let [tbs, issuer, subject] = places(der)?;
        let key = PublicKey::read(tbs_fields.subject_public_key_info())?;
        Ok(Self(Arc::new(Inner {
            tbs,
            subject,
            issuer,
            key,
            fields,
            der: der.to_vec(),
        })))
    }

    /// Reads the certificates in `bytes`: one in DER, or any number in PEM, with other text and
    /// other blocks between them.
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der), and [`Error::Argument`] if there is none.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        let mut all = Vec::new();
        for der in crate::pem::blocks(
            bytes,
            &["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"],
        )? {
            all.push(Self::from_der(&der)?);
        }
        Ok(all)
    }

    /// The certificate in DER, as it was read.
    pub fn as_der(&self) -> &[u8] {
        &self.0.der
    }

    /// The certificate in PEM.
    pub fn to_pem(&self) -> alloc::string::String {
        crate::pem::encode("CERTIFICATE", &self.0.der)
    }

    /// The fields.
    pub fn fields(&self) -> &x509_cert::TbsCertificate {
        self.0.fields.tbs_certificate()
    }

    /// The bytes that the issuer signed.
    pub fn tbs(&self) -> &[u8] {
        &self.0.der[self.0.tbs.clone()]
    }

    /// The subject's name in DER, as it stands in the certificate.
    pub fn subject_der(&self) -> &[u8] {
        &self.0.der[self.0.subject.clone()]
    }

    /// The issuer's name in DER, as it stands in the certificate.
    pub fn issuer_der(&self) -> &[u8] {
        &self.0.der[self.0.issuer.clone()]
    }

    /// The serial number: a big-endian two's complement integer, as in DER.
    pub fn serial(&self) -> &[u8] {
        self.fields().serial_number().as_bytes()
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.0.key
    }

    /// The issuer's signature, in the form that its algorithm has: DER for SM2.
    pub fn signature(&self) -> &[u8] {
        self.0.fields.signature().raw_bytes()
    }

    /// The algorithm of the signature.
    ///
    /// # Errors
    /// [`Error::Algorithm`] and [`Error::Structure`] for one that is not supported.
    pub fn signature_algorithm(&self) -> Result<SignatureAlgorithm, Error> {
        SignatureAlgorithm::read(self.0.fields.signature_algorithm())
    }

    /// Whether `issuer`'s key signed this certificate. Names, dates and uses are not looked at.
    ///
    /// # Errors
    /// [`Error::Signature`] if it did not.
    pub fn verify_signature(
        &self,
        issuer: &PublicKey,
        identities: Identities,
    ) -> Result<(), Error> {
        issuer.verify(
            self.signature_algorithm()?,
            self.tbs(),
            self.signature(),
            identities,
        )
    }

    /// The extension of the type `T`, and whether it is critical.
    ///
    /// # Errors
    /// [`Error::Der`] if it is malformed or there are two.
    pub fn extension<'a, T: Decode<'a, Error = der::Error> + der::oid::AssociatedOid>(
        &'a self,
    ) -> Result<Option<(bool, T)>, Error> {
        self.fields().get_extension().of("extension")
    }

    /// The identifier of the public key, if the certificate has one.
    ///
    /// # Errors
    /// As [`extension`](Self::extension).
    pub fn subject_key_identifier(&self) -> Result<Option<Vec<u8>>, Error> {
        let found = self.extension::<SubjectKeyIdentifier>()?;
        Ok(found.map(|(_, id)| id.0.as_bytes().to_vec()))
    }

    /// The identifier of the issuer's public key, if the certificate has one.
    ///
    /// # Errors
    /// As [`extension`](Self::extension).
    pub fn authority_key_identifier(&self) -> Result<Option<Vec<u8>>, Error> {
        let found = self.extension::<AuthorityKeyIdentifier>()?;
        Ok(found
            .and_then(|(_, id)| id.key_identifier)
            .map(|id| id.as_bytes().to_vec()))
    }

    /// The bits of the public key, which identifiers are hashes of.
    pub(crate) fn key_bits(&self) -> &[u8] {
        let info = self.fields().subject_public_key_info();
        info.subject_public_key.raw_bytes()
    }
}

/// Where `tbsCertificate`, the issuer and the subject are in `der`.
fn places(der: &[u8]) -> Result<[Range<usize>; 3], Malformed> {
    let tbs = Elements::inside(der, ber::SEQUENCE, WHAT)?.take_element(ber::SEQUENCE)?;
    let mut fields = tbs.enter(ber::SEQUENCE, WHAT)?;
    let _version = fields.optional(ber::context(0))?;
    let _serial = fields.element()?;
    let _signature = fields.element()?;
    let issuer = fields.bytes()?;
    let _validity = fields.element()?;
    let subject = fields.bytes()?;
    Ok([tbs.whole, issuer, subject].map(|part| place(der, part)))
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der
    }
}

impl Eq for Certificate {}

impl Hash for Certificate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.der.hash(state);
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields();
        f.debug_struct("Certificate")
            .field("subject", &format_args!("{}", fields.subject()))
            .field("issuer", &format_args!("{}", fields.issuer()))
            .field("serial", &format_args!("{}", fields.serial_number()))
            .finish_non_exhaustive()
    }
}
