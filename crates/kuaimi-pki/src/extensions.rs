//! The extensions of a certificate that is made, or asked for (RFC 5280, clause 4.2).

use alloc::vec::Vec;
use core::net::IpAddr;

use der::asn1::{Ia5String, ObjectIdentifier, OctetString};
use der::flagset::FlagSet;
use der::oid::AssociatedOid;
use der::{Decode, Encode};
use sha1::{Digest, Sha1};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::crl::dp::DistributionPoint;
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AccessDescription, AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints,
    CrlDistributionPoints, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName,
    SubjectKeyIdentifier,
};

use crate::Error;
use crate::ber::{self, Elements, Malformed};

/// What a certificate is for, which decides its extensions.
///
/// The uses of a pair of certificates are those of GM/T 0015: the signing one signs, the encrypting
/// one encrypts and agrees on keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// An authority, which signs certificates and CRLs; with the maximum number of authorities
    /// below it, if there is one.
    Authority {
        /// The maximum number of authorities between this one and a certificate at the end.
        path_len: Option<u8>,
    },
    /// Everything that the key of a person or a service does: signatures, encryption, key exchange.
    General,
    /// A server of TLS.
    Server,
    /// A client of TLS.
    Client,
    /// Signatures: the signing certificate of a pair.
    Signing,
    /// Encryption and key exchange: the encrypting certificate of a pair.
    Encryption,
    /// Responses of OCSP in the issuer's place.
    OcspResponder,
}

impl Purpose {
    /// The key usages.
    pub fn key_usages(self) -> FlagSet<KeyUsages> {
        use KeyUsages::{
            CRLSign, DataEncipherment, DigitalSignature, KeyAgreement, KeyCertSign,
            KeyEncipherment, NonRepudiation,
        };
        let encryption = KeyEncipherment | DataEncipherment | KeyAgreement;
        match self {
            Self::Authority { .. } => KeyCertSign | CRLSign,
            Self::General => encryption | DigitalSignature | NonRepudiation,
            Self::Server | Self::Client => DigitalSignature | KeyEncipherment | KeyAgreement,
            Self::Signing => DigitalSignature | NonRepudiation,
            Self::Encryption => encryption,
            Self::OcspResponder => DigitalSignature.into(),
        }
    }

    /// The extended key usages; none means that the certificate does not restrict them.
    pub fn extended_key_usages(self) -> &'static [ObjectIdentifier] {
        use const_oid::db::rfc5280 as oid;
        match self {
            Self::Server => &[oid::ID_KP_SERVER_AUTH],
            Self::Client => &[oid::ID_KP_CLIENT_AUTH],
            Self::OcspResponder => &[oid::ID_KP_OCSP_SIGNING],
            _ => &[],
        }
    }
}

/// Extensions in the order in which they are written, each type once.
///
/// ```
/// use kuaimi_pki::extensions::{Extensions, Purpose};
///
/// let mut extensions = Extensions::default();
/// extensions.purpose(Purpose::Server)?;
/// extensions.dns("www.example")?;
/// extensions.ip("192.0.2.1".parse()?)?;
/// assert_eq!(extensions.iter().count(), 3, "key usage, extended key usage, names");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions(Vec<Extension>);

impl Extensions {
    /// Adds `value`, or puts it in the place of the one of this type.
    ///
    /// # Errors
    /// [`Error::Der`] if it cannot be encoded.
    pub fn set<T: AssociatedOid + Encode>(
        &mut self,
        critical: bool,
        value: &T,
    ) -> Result<&mut Self, Error> {
        let value = value
            .to_der()
            .map_err(|error| Error::Der("extension", error))?;
        self.set_der(T::OID, critical, &value)
    }

    /// Adds an extension whose value is the DER `value`, or puts it in the place of the one of this
    /// type.
    ///
    /// # Errors
    /// [`Error::Der`] if it is too long.
    pub fn set_der(
        &mut self,
        extn_id: ObjectIdentifier,
        critical: bool,
        value: &[u8],
    ) -> Result<&mut Self, Error> {
        let extension = Extension {
            extn_id,
            critical,
            extn_value: OctetString::new(value).map_err(|error| Error::Der("extension", error))?,
        };
        match self.0.iter_mut().find(|old| old.extn_id == extn_id) {
            Some(old) => *old = extension,
            None => self.0.push(extension),
        }
        Ok(self)
    }

    /// The extension of the type `T`, if there is one.
    ///
    /// # Errors
    /// [`Error::Der`] if its value is malformed.
    pub fn get<'a, T: AssociatedOid + Decode<'a, Error = der::Error>>(
        &'a self,
    ) -> Result<Option<T>, Error> {
        let found = self.0.iter().find(|extension| extension.extn_id == T::OID);
        found
            .map(|extension| T::from_der(extension.extn_value.as_bytes()))
            .transpose()
            .map_err(|error| Error::Der("extension", error))
    }

    /// Removes the extension of this type.
    pub fn remove(&mut self, oid: ObjectIdentifier) -> &mut Self {
        self.0.retain(|extension| extension.extn_id != oid);
        self
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Extension> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Basic constraints, key usage and extended key usage for `purpose`.
    ///
    /// # Errors
    /// None that can happen for these values.
    pub fn purpose(&mut self, purpose: Purpose) -> Result<&mut Self, Error> {
        if let Purpose::Authority { path_len } = purpose {
            let constraints = BasicConstraints {
                ca: true,
                path_len_constraint: path_len,
            };
            self.set(true, &constraints)?;
        } else {
            self.remove(BasicConstraints::OID);
        }
        self.set(true, &KeyUsage(purpose.key_usages()))?;
        match purpose.extended_key_usages() {
            [] => Ok(self.remove(ExtendedKeyUsage::OID)),
            usages => self.set(false, &ExtendedKeyUsage(usages.to_vec())),
        }
    }

    /// Adds `name` to the alternative names of the subject.
    ///
    /// # Errors
    /// [`Error::Der`] if the names do not fit into an extension.
    pub fn alternative_name(&mut self, name: GeneralName) -> Result<&mut Self, Error> {
        let mut names = self
            .get::<SubjectAltName>()?
            .map_or(Vec::new(), |names| names.0);
        if !names.contains(&name) {
            names.push(name);
        }
        self.set(false, &SubjectAltName(names))
    }

    /// Adds the host name `name`, such as `www.example` or `*.example`.
    ///
    /// # Errors
    /// [`Error::Name`] if it is no host name. International names are written as `xn--…`.
    pub fn dns(&mut self, name: &str) -> Result<&mut Self, Error> {
        let labels = name.strip_prefix("*.").unwrap_or(name);
        let label = |label: &str| {
            let inner = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
            (1..=63).contains(&label.len())
                && label.bytes().all(inner)
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        if name.len() > 253 || !labels.split('.').all(label) {
            let why = "is no host name: letters, digits, `-` and dots; others as xn--…";
            return Err(Error::Name(name.into(), why));
        }
        self.alternative_name(GeneralName::DnsName(ia5(name)?))
    }

    /// Adds the address `address`.
    ///
    /// # Errors
    /// [`Error::Der`] if the names do not fit into an extension.
    pub fn ip(&mut self, address: IpAddr) -> Result<&mut Self, Error> {
        self.alternative_name(GeneralName::from(address))
    }

    /// Adds the mail address `address`.
    ///
    /// # Errors
    /// [`Error::Name`] if it has no `@`, or is not ASCII.
    pub fn email(&mut self, address: &str) -> Result<&mut Self, Error> {
        let parts = address.split_once('@');
        if !parts.is_some_and(|(local, host)| !local.is_empty() && !host.is_empty()) {
            return Err(Error::Name(address.into(), "is no mail address"));
        }
        self.alternative_name(GeneralName::Rfc822Name(ia5(address)?))
    }

    /// Adds the URI `uri`.
    ///
    /// # Errors
    /// [`Error::Name`] if it has no scheme, or is not ASCII.
    pub fn uri(&mut self, uri: &str) -> Result<&mut Self, Error> {
        self.alternative_name(GeneralName::UniformResourceIdentifier(checked_uri(uri)?))
    }

    /// Where the issuer's CRL is found.
    ///
    /// # Errors
    /// As [`uri`](Self::uri).
    pub fn crl_at(&mut self, uri: &str) -> Result<&mut Self, Error> {
        let name = GeneralName::UniformResourceIdentifier(checked_uri(uri)?);
        let mut points = self
            .get::<CrlDistributionPoints>()?
            .map_or(Vec::new(), |points| points.0);
        points.push(DistributionPoint {
            distribution_point: Some(DistributionPointName::FullName(alloc::vec![name])),
            reasons: None,
            crl_issuer: None,
        });
        self.set(false, &CrlDistributionPoints(points))
    }

    /// Where the issuer's OCSP responder is found.
    ///
    /// # Errors
    /// As [`uri`](Self::uri).
    pub fn ocsp_at(&mut self, uri: &str) -> Result<&mut Self, Error> {
        self.access(const_oid::db::rfc5280::ID_AD_OCSP, uri)
    }

    /// Where the issuer's certificate is found.
    ///
    /// # Errors
    /// As [`uri`](Self::uri).
    pub fn issuer_at(&mut self, uri: &str) -> Result<&mut Self, Error> {
        self.access(const_oid::db::rfc5280::ID_AD_CA_ISSUERS, uri)
    }

    fn access(&mut self, method: ObjectIdentifier, uri: &str) -> Result<&mut Self, Error> {
        let mut all = self
            .get::<AuthorityInfoAccessSyntax>()?
            .map_or(Vec::new(), |all| all.0);
        all.push(AccessDescription {
            access_method: method,
            access_location: GeneralName::UniformResourceIdentifier(checked_uri(uri)?),
        });
        self.set(false, &AuthorityInfoAccessSyntax(all))
    }

    /// The identifiers of the subject's and the issuer's keys.
    pub(crate) fn key_identifiers(
        &mut self,
        subject: &[u8],
        issuer: &[u8],
    ) -> Result<&mut Self, Error> {
        let octets =
            |id: &[u8]| OctetString::new(id).map_err(|error| Error::Der("extension", error));
        self.set(false, &SubjectKeyIdentifier(octets(subject)?))?;
        let authority = AuthorityKeyIdentifier {
            key_identifier: Some(octets(issuer)?),
            ..Default::default()
        };
        self.set(false, &authority)
    }

    pub(crate) fn into_vec(self) -> Vec<Extension> {
        self.0
    }
}

impl From<Vec<Extension>> for Extensions {
    fn from(extensions: Vec<Extension>) -> Self {
        Self(extensions)
    }
}

/// An extension in the bytes that it was read from, of a list, an entry or an OCSP message.
pub(crate) struct BorrowedExtension<'a> {
    /// The content of its identifier.
    pub(crate) id: &'a [u8],
    pub(crate) critical: bool,
    /// The content of its value.
    pub(crate) content: &'a [u8],
}

impl<'a> BorrowedExtension<'a> {
    /// Takes the next of `extensions`.
    pub(crate) fn read(extensions: &mut Elements<'a>) -> Result<Self, Malformed> {
        let mut fields = extensions.enter(ber::SEQUENCE)?;
        let id = fields.take(ber::OID)?;
        let critical = match fields.optional(ber::BOOLEAN)? {
            None | Some([0]) => false,
            Some([0xff]) => true,
            Some(_) => return Err(fields.malformed()),
        };
        let content = fields.octets()?;
        fields.end()?;
        Ok(Self {
            id,
            critical,
            content,
        })
    }

    pub(crate) fn to_der(&self) -> Vec<u8> {
        let mut fields = ber::element(ber::OID, &[self.id]);
        if self.critical {
            ber::write(&mut fields, ber::BOOLEAN, &[0xff]);
        }
        ber::write(&mut fields, ber::OCTET_STRING, self.content);
        ber::element(ber::SEQUENCE, &[&fields])
    }
}

/// The identifier of a key: SHA-1 of the bits of `subjectPublicKey` (RFC 5280, clause 4.2.1.2,
/// method 1), as nearly all authorities compute it. It names the key and protects nothing.
pub fn key_identifier(subject_public_key: &[u8]) -> [u8; 20] {
    Sha1::digest(subject_public_key).into()
}

fn ia5(text: &str) -> Result<Ia5String, Error> {
    Ia5String::new(text).map_err(|_| Error::Name(text.into(), "is not ASCII"))
}

fn checked_uri(uri: &str) -> Result<Ia5String, Error> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.is_empty()
        || !scheme
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c))
    {
        return Err(Error::Name(
            uri.into(),
            "is no URI: it begins with http:// or such",
        ));
    }
    ia5(uri)
}
