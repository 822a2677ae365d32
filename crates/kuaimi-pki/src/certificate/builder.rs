//! Making certificates.

use alloc::vec::Vec;

use der::{DateTime, Encode};
use kuaimi::sm2;
use rand_core::TryCryptoRng;
use spki::{AlgorithmIdentifierOwned, EncodePublicKey, SubjectPublicKeyInfoOwned};
use x509_cert::certificate::Version;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{BasicConstraints, KeyUsage};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Time;

use super::Certificate;
use crate::extensions::{Extensions, Purpose, key_identifier};
use crate::unsigned::{FromSigned, Unsigned};
use crate::{Error, Signer, oid, signer};

/// The first and the last second of a certificate's life.
///
/// ```
/// use kuaimi_pki::certificate::Validity;
///
/// let year = Validity::days("2026-01-01T00:00:00Z".parse()?, 365)?;
/// assert_eq!(year.not_after.to_string(), "2027-01-01T00:00:00Z");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// The first second.
    pub not_before: DateTime,
    /// The last second.
    pub not_after: DateTime,
}

impl Validity {
    /// From `not_before` for `days` days.
    ///
    /// # Errors
    /// [`Error::Argument`] if the end is after the year 9999.
    pub fn days(not_before: DateTime, days: u32) -> Result<Self, Error> {
        let length = core::time::Duration::from_secs(u64::from(days) * 86_400);
        let end = not_before.unix_duration().checked_add(length);
        let not_after = end
            .and_then(|end| DateTime::from_unix_duration(end).ok())
            .ok_or(Error::Argument(
                "the certificate would end after the year 9999",
            ))?;
        Ok(Self {
            not_before,
            not_after,
        })
    }
}

/// A certificate in the making: version 3, for a key of SM2, signed with SM2 and SM3.
///
/// Without a key usage, it gets that of an authority if its basic constraints say that it is one,
/// else that of [`Purpose::General`]. The identifiers of the keys are added when it is signed.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_pki::certificate::{CertificateBuilder, Validity};
/// use kuaimi_pki::extensions::Purpose;
/// use kuaimi_pki::{name, public_key::Identities};
///
/// let mut rng = getrandom::SysRng;
/// let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 365)?;
/// let (ca_key, leaf_key) = (PrivateKey::generate()?, PrivateKey::generate()?);
/// let ca_key = SigningKey::new(ca_key);
/// let ca = CertificateBuilder::new(name::parse("CN=Root")?, ca_key.public_key(), validity)
///     .purpose(Purpose::Authority { path_len: None })?
///     .random_serial(&mut rng)?
///     .self_sign(&ca_key)?;
/// let mut builder =
///     CertificateBuilder::new(name::parse("CN=leaf")?, leaf_key.public_key(), validity)
///         .purpose(Purpose::Server)?
///         .random_serial(&mut rng)?;
/// builder.extensions().dns("leaf.example")?;
/// let leaf = builder.sign(&ca, &ca_key)?;
/// assert!(leaf.verify_signature(ca.public_key(), Identities::Default).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct CertificateBuilder {
    subject: Name,
    key: sm2::PublicKey,
    validity: Validity,
    serial: Option<SerialNumber>,
    extensions: Extensions,
}

/// What is signed (RFC 5280, clause 4.1.2).
#[derive(der::Sequence)]
struct Tbs {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    version: Version,
    serial: SerialNumber,
    signature: AlgorithmIdentifierOwned,
    issuer: Name,
    validity: x509_cert::time::Validity,
    subject: Name,
    key: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT")]
    extensions: Vec<Extension>,
}

impl CertificateBuilder {
    /// A certificate for `key`, whose holder has the name `subject`.
    pub fn new(subject: Name, key: &sm2::PublicKey, validity: Validity) -> Self {
        Self {
            subject,
            key: *key,
            validity,
            serial: None,
            extensions: Extensions::default(),
        }
    }

    /// The same certificate for another key, as the second of a pair.
    pub fn for_key(mut self, key: &sm2::PublicKey) -> Self {
        self.key = *key;
        self
    }

    /// What the certificate is for.
    ///
    /// # Errors
    /// None that can happen.
    pub fn purpose(mut self, purpose: Purpose) -> Result<Self, Error> {
        self.extensions.purpose(purpose)?;
        Ok(self)
    }

    /// The serial number: a positive integer of at most 20 bytes, big-endian, which the issuer
    /// gives to no other certificate.
    ///
    /// # Errors
    /// [`Error::Argument`] for zero, and for more bytes.
    pub fn serial(mut self, serial: &[u8]) -> Result<Self, Error> {
        let wrong = Error::Argument("a serial number is positive and has at most 20 bytes");
        if serial.iter().all(|&byte| byte == 0) {
            return Err(wrong);
        }
        self.serial = Some(SerialNumber::new(serial).map_err(|_| wrong)?);
        Ok(self)
    }

    /// A serial number of 126 random bits, which needs no list of the numbers before.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn random_serial<R: TryCryptoRng + ?Sized>(self, rng: &mut R) -> Result<Self, Error> {
        let mut serial = [0; 16];
        signer::fill(rng, &mut serial)?;
        // Always of 16 bytes and positive.
        serial[0] = serial[0] & 0x7f | 0x40;
        self.serial(&serial)
    }

    /// The extensions, to add to them.
    pub fn extensions(&mut self) -> &mut Extensions {
        &mut self.extensions
    }

    /// What `issuer` has to sign.
    ///
    /// # Errors
    /// [`Error::Argument`] without a serial number, for dates in the wrong order, and if `issuer`
    /// has no key of SM2.
    pub fn prepare(self, issuer: &Certificate) -> Result<Unsigned<Certificate>, Error> {
        let key = *issuer
            .public_key()
            .sm2()
            .map_err(|_| Error::Argument("the issuer's certificate has no key of SM2"))?
            .public_key();
        let id = match issuer.subject_key_identifier()? {
            Some(id) => id,
            None => key_identifier(&key.to_sec1_bytes()).to_vec(),
        };
        self.tbs(issuer.fields().subject().clone(), &key, &id)
    }

    /// What the holder of the key has to sign, so that the certificate is its own issuer.
    ///
    /// # Errors
    /// [`Error::Argument`] without a serial number, and for dates in the wrong order.
    pub fn prepare_self_signed(self) -> Result<Unsigned<Certificate>, Error> {
        let (issuer, key) = (self.subject.clone(), self.key);
        self.tbs(issuer, &key, &key_identifier(&key.to_sec1_bytes()))
    }

    /// The certificate, signed by `issuer` with its key.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare); [`Error::Signature`] if `signer` has another key than
    /// `issuer`; and the errors of `signer`.
    pub fn sign(
        self,
        issuer: &Certificate,
        signer: &(impl Signer + ?Sized),
    ) -> Result<Certificate, Error> {
        let unsigned = self.prepare(issuer)?;
        if unsigned.public_key() != signer.public_key() {
            return Err(Error::Argument(
                "the issuer's private key does not belong to its certificate",
            ));
        }
        unsigned.sign(signer)
    }

    /// The certificate, signed with its own key.
    ///
    /// # Errors
    /// As [`prepare_self_signed`](Self::prepare_self_signed), and the errors of `signer`.
    pub fn self_sign(self, signer: &(impl Signer + ?Sized)) -> Result<Certificate, Error> {
        if self.key != *signer.public_key() {
            return Err(Error::Argument(
                "the private key does not belong to the public key",
            ));
        }
        self.prepare_self_signed()?.sign(signer)
    }

    fn tbs(
        mut self,
        issuer: Name,
        issuer_key: &sm2::PublicKey,
        issuer_id: &[u8],
    ) -> Result<Unsigned<Certificate>, Error> {
        if self.validity.not_before > self.validity.not_after {
            return Err(Error::Argument(
                "the certificate would end before it begins",
            ));
        }
        let serial = self
            .serial
            .ok_or(Error::Argument("the certificate has no serial number"))?;
        // What the key may do follows from what the subject is, if it is not said.
        let is_usage = |extension: &Extension| extension.extn_id == oid::KEY_USAGE;
        if !self.extensions.iter().any(is_usage) {
            let constraints = self.extensions.get::<BasicConstraints>()?;
            let purpose = match constraints {
                Some(constraints) if constraints.ca => Purpose::Authority {
                    path_len: constraints.path_len_constraint,
                },
                _ => Purpose::General,
            };
            self.extensions.set(true, &KeyUsage(purpose.key_usages()))?;
        }
        let point = self.key.to_sec1_bytes();
        self.extensions
            .key_identifiers(&key_identifier(&point), issuer_id)?;
        let tbs = Tbs {
            version: Version::V3,
            serial,
            signature: AlgorithmIdentifierOwned {
                oid: oid::SM2_WITH_SM3,
                parameters: None,
            },
            issuer,
            validity: x509_cert::time::Validity::new(
                Time::from(self.validity.not_before),
                Time::from(self.validity.not_after),
            ),
            subject: self.subject,
            key: public_key_info(&self.key)?,
            extensions: self.extensions.into_vec(),
        };
        let tbs = tbs
            .to_der()
            .map_err(|error| Error::Der("certificate", error))?;
        Ok(Unsigned::new(tbs, issuer_key))
    }
}

/// The key as certificates and requests have it.
pub(crate) fn public_key_info(key: &sm2::PublicKey) -> Result<SubjectPublicKeyInfoOwned, Error> {
    let document = key
        .to_public_key_der()
        .map_err(|_| Error::Argument("the public key cannot be encoded"))?;
    document
        .decode_msg::<SubjectPublicKeyInfoOwned>()
        .map_err(|error| Error::Der("public key", error))
}

impl FromSigned for Certificate {
    fn from_signed(der: &[u8]) -> Result<Self, Error> {
        Self::from_der(der)
    }
}
