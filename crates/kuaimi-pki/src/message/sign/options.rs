//! What a signed message is to have.

use alloc::vec::Vec;

use der::DateTime;
use der::asn1::ObjectIdentifier;

use super::super::attributes::Attribute;
use super::super::types::{Dialect, Kind};
use crate::Certificate;

/// How a message is signed: after GM/T 0010, with signed attributes, the content and the signers'
/// certificates inside, unless something else is asked for.
#[derive(Clone, Debug)]
pub struct SignOptions {
    pub(super) dialect: Dialect,
    pub(super) detached: bool,
    pub(super) attributes: bool,
    pub(super) signing_time: Option<DateTime>,
    pub(super) more_attributes: Vec<Attribute>,
    pub(super) by_key: bool,
    pub(super) signers_certificates: bool,
    pub(super) certificates: Vec<Certificate>,
    pub(super) crls: Vec<Vec<u8>>,
    pub(super) content_type: Option<ObjectIdentifier>,
    pub(super) empty_identity: bool,
}

impl Default for SignOptions {
    fn default() -> Self {
        Self {
            dialect: Dialect::Gm,
            detached: false,
            attributes: true,
            signing_time: None,
            more_attributes: Vec::new(),
            by_key: false,
            signers_certificates: true,
            certificates: Vec::new(),
            crls: Vec::new(),
            content_type: None,
            empty_identity: false,
        }
    }
}

impl SignOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the object identifiers of `dialect`.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Without the content inside.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.detached = true;
        self
    }

    /// Without signed attributes, as CFCA's SADK signs: the signature is of the content itself.
    #[must_use]
    pub fn without_attributes(mut self) -> Self {
        self.attributes = false;
        self
    }

    /// With the time of the signature among the signed attributes.
    #[must_use]
    pub fn with_signing_time(mut self, time: DateTime) -> Self {
        self.signing_time = Some(time);
        self
    }

    /// With another signed attribute.
    #[must_use]
    pub fn with_attribute(mut self, attribute: Attribute) -> Self {
        self.more_attributes.push(attribute);
        self
    }

    /// Names the signers' certificates by key identifier, and not by issuer and serial number.
    #[must_use]
    pub fn by_key_identifier(mut self) -> Self {
        self.by_key = true;
        self
    }

    /// Without the signers' certificates, which the receiver must have.
    #[must_use]
    pub fn without_certificates(mut self) -> Self {
        self.signers_certificates = false;
        self
    }

    /// With more certificates inside: those of the authorities.
    #[must_use]
    pub fn with_certificates(mut self, certificates: &[Certificate]) -> Self {
        self.certificates.extend_from_slice(certificates);
        self
    }

    /// With a revocation list inside, in DER.
    #[must_use]
    pub fn with_crl(mut self, der: &[u8]) -> Self {
        self.crls.push(der.to_vec());
        self
    }

    /// With a content of another type than `data`.
    #[must_use]
    pub fn with_content_type(mut self, oid: ObjectIdentifier) -> Self {
        self.content_type = Some(oid);
        self
    }

    /// Signs under the empty identity, and not under the default one. OpenSSL 3.0 verifies messages
    /// with signed attributes so (and those without in a way of its own, without `Z`, which nobody
    /// else reads). Other programs refuse it: this one unless
    /// [`VerifyOptions::identities`](crate::message::VerifyOptions::identities) allow it.
    #[must_use]
    pub fn under_empty_identity(mut self) -> Self {
        self.empty_identity = true;
        self
    }

    /// Whether it asks for nothing that signedAndEnvelopedData does not have.
    pub(crate) fn is_plain(&self) -> bool {
        !self.attributes && !self.detached
    }

    pub(super) fn content_oid(&self) -> ObjectIdentifier {
        self.content_type
            .unwrap_or_else(|| Kind::Data.oid(self.dialect))
    }
}
