//! What a certificate says that its chain is judged by (RFC 5280, clause 4.2), read once.

use alloc::vec::Vec;

use der::Decode;
use der::asn1::ObjectIdentifier;
use x509_cert::Version;
use x509_cert::ext::pkix::KeyUsage;

use super::distinguished_name::Canonical;
use super::refusal::Rule;
use crate::ber::{self, Elements, Malformed};
use crate::{Certificate, oid};

/// The most extensions that a certificate may have, and the most purposes in one.
const MAX_EXTENSIONS: usize = 100;

/// A certificate with what it says.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) certificate: Certificate,
    pub(crate) subject: Canonical,
    pub(crate) issuer: Canonical,
    /// What its extensions say, or the rule that they break.
    pub(crate) facts: Result<Facts, Rule>,
    pub(crate) not_before: u64,
    pub(crate) not_after: u64,
}

/// What extensions say. Longer ones are places in the list of extensions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Whether basicConstraints is there, and has cA.
    pub(crate) basic_constraints: Option<bool>,
    pub(crate) path_len: Option<usize>,
    /// The bits as in RFC 5280: digitalSignature is 1, nonRepudiation 2.
    pub(crate) key_usage: Option<u16>,
    pub(crate) extended_key_usage: Option<Vec<ObjectIdentifier>>,
    subject_alt_name: Option<usize>,
    name_constraints: Option<usize>,
    policies: Option<usize>,
    policy_mappings: Option<usize>,
    pub(crate) require_explicit_policy: Option<u32>,
    pub(crate) inhibit_policy_mapping: Option<u32>,
    pub(crate) inhibit_any_policy: Option<u32>,
    subject_key_identifier: Option<usize>,
    authority_key_identifier: Option<usize>,
    crl_distribution_points: Option<usize>,
    /// A critical extension that is not known.
    pub(crate) unknown_critical: Option<ObjectIdentifier>,
    pub(crate) no_check: bool,
}

impl Node {
    pub(crate) fn new(certificate: Certificate) -> Self {
        let (issuer, subject) = (certificate.issuer_der(), certificate.subject_der());
        let names = Canonical::read(subject).and_then(|read| Ok((read, Canonical::read(issuer)?)));
        let (subject, issuer, facts) = match names {
            Ok((subject, issuer)) => (subject, issuer, Facts::read(&certificate)),
            Err(malformed) => (
                Canonical::default(),
                Canonical::default(),
                Err(malformed.into()),
            ),
        };
        let validity = certificate.fields().validity();
        Self {
            subject,
            issuer,
            facts,
            not_before: validity.not_before.to_unix_duration().as_secs(),
            not_after: validity.not_after.to_unix_duration().as_secs(),
            certificate,
        }
    }

    /// The content of an extension that was found at `place`.
    fn extension(&self, place: impl Fn(&Facts) -> Option<usize>) -> Option<&[u8]> {
        let place = place(self.facts.as_ref().ok()?)?;
        let extension = self.certificate.fields().extensions()?.get(place)?;
        Some(extension.extn_value.as_bytes())
    }

    pub(crate) fn subject_alt_name(&self) -> Option<&[u8]> {
        self.extension(|facts| facts.subject_alt_name)
    }

    pub(crate) fn name_constraints(&self) -> Option<&[u8]> {
        self.extension(|facts| facts.name_constraints)
    }

    pub(crate) fn policies(&self) -> Option<&[u8]> {
        self.extension(|facts| facts.policies)
    }

    pub(crate) fn policy_mappings(&self) -> Option<&[u8]> {
        self.extension(|facts| facts.policy_mappings)
    }

    pub(crate) fn crl_distribution_points(&self) -> Option<&[u8]> {
        self.extension(|facts| facts.crl_distribution_points)
    }

    /// The identifier of the key.
    pub(crate) fn key_identifier(&self) -> Option<&[u8]> {
        let content = self.extension(|facts| facts.subject_key_identifier)?;
        Elements::new(content, "subjectKeyIdentifier").octets().ok()
    }

    /// The identifier of the issuer's key.
    pub(crate) fn issuer_key_identifier(&self) -> Option<&[u8]> {
        let content = self.extension(|facts| facts.authority_key_identifier)?;
        let mut fields = Elements::inside(content, ber::SEQUENCE, "authorityKeyIdentifier").ok()?;
        fields.optional(ber::context_primitive(0)).ok()?
    }

    /// Whether the certificate names itself as its issuer.
    pub(crate) fn is_self_issued(&self) -> bool {
        self.subject == self.issuer
    }

    /// The key as bytes, and its algorithm or curve.
    pub(crate) fn key(&self) -> (ObjectIdentifier, &[u8]) {
        (
            self.certificate.public_key().algorithm(),
            self.certificate.key_bits(),
        )
    }
}

impl Facts {
    fn read(certificate: &Certificate) -> Result<Self, Rule> {
        let fields = certificate.fields();
        let mut facts = Self::default();
        let Some(extensions) = fields.extensions() else {
            return Ok(facts);
        };
        if fields.version() != Version::V3 {
            return Err(Rule::Version);
        }
        if extensions.len() > MAX_EXTENSIONS {
            return Err(Rule::Limit("the extensions of a certificate"));
        }
        for (place, extension) in extensions.iter().enumerate() {
            let before = extensions.get(..place).unwrap_or_default();
            if before
                .iter()
                .any(|other| other.extn_id == extension.extn_id)
            {
                return Err(Rule::RepeatedExtension(extension.extn_id));
            }
            facts.add(
                place,
                extension.extn_id,
                extension.critical,
                extension.extn_value.as_bytes(),
            )?;
        }
        Ok(facts)
    }

    fn add(
        &mut self,
        place: usize,
        id: ObjectIdentifier,
        critical: bool,
        content: &[u8],
    ) -> Result<(), Rule> {
        let place = Some(place);
        match id {
            oid::BASIC_CONSTRAINTS => {
                let (ca, path_len) = basic_constraints(content)?;
                self.basic_constraints = Some(ca);
                self.path_len = path_len;
            }
            oid::KEY_USAGE => {
                let usage = KeyUsage::from_der(content).map_err(|_| Rule::Malformed("keyUsage"))?;
                self.key_usage = Some(usage.0.bits());
            }
            oid::EXTENDED_KEY_USAGE => {
                self.extended_key_usage = Some(purposes(content)?);
            }
            oid::SUBJECT_ALT_NAME => {
                // An empty list is forbidden.
                non_empty(content, "subjectAltName")?;
                self.subject_alt_name = place;
            }
            oid::NAME_CONSTRAINTS => self.name_constraints = place,
            oid::CERTIFICATE_POLICIES => {
                non_empty(content, "certificatePolicies")?;
                self.policies = place;
            }
            oid::POLICY_MAPPINGS => {
                non_empty(content, "policyMappings")?;
                self.policy_mappings = place;
            }
            oid::POLICY_CONSTRAINTS => {
                (self.require_explicit_policy, self.inhibit_policy_mapping) =
                    policy_constraints(content)?;
            }
            oid::INHIBIT_ANY_POLICY => {
                let mut elements = Elements::new(content, "inhibitAnyPolicy");
                self.inhibit_any_policy = Some(count(&mut elements, ber::INTEGER)?);
                elements.end()?;
            }
            oid::SUBJECT_KEY_IDENTIFIER => {
                let mut elements = Elements::new(content, "subjectKeyIdentifier");
                elements.octets()?;
                elements.end()?;
                self.subject_key_identifier = place;
            }
            oid::AUTHORITY_KEY_IDENTIFIER => {
                Elements::inside(content, ber::SEQUENCE, "authorityKeyIdentifier")?
                    .optional(ber::context_primitive(0))?;
                self.authority_key_identifier = place;
            }
            oid::CRL_DISTRIBUTION_POINTS => self.crl_distribution_points = place,
            oid::OCSP_NO_CHECK => self.no_check = true,
            oid::FRESHEST_CRL => {}
            other if critical => self.unknown_critical = Some(other),
            _ => {}
        }
        Ok(())
    }
}

fn non_empty(content: &[u8], what: &'static str) -> Result<(), Malformed> {
    let elements = Elements::inside(content, ber::SEQUENCE, what)?;
    if elements.is_empty() {
        Err(elements.malformed())
    } else {
        Ok(())
    }
}

fn basic_constraints(content: &[u8]) -> Result<(bool, Option<usize>), Malformed> {
    let mut fields = Elements::inside(content, ber::SEQUENCE, "basicConstraints")?;
    let ca = match fields.optional(ber::BOOLEAN)? {
        None => false,
        Some([0xff]) => true,
        // FALSE is the default, which DER leaves out. Some authorities write it.
        Some([0]) => false,
        Some(_) => return Err(fields.malformed()),
    };
    let path_len = optional_count(&mut fields, ber::INTEGER)?;
    fields.end()?;
    let path_len = path_len.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    Ok((ca, path_len))
}

fn optional_count(elements: &mut Elements<'_>, tag: u8) -> Result<Option<u32>, Malformed> {
    match elements.tag() == Some(tag) {
        true => count(elements, tag).map(Some),
        false => Ok(None),
    }
}

/// An INTEGER with the tag `tag` that is a count. One over 2³² counts as that, as no path is so
/// long.
fn count(elements: &mut Elements<'_>, tag: u8) -> Result<u32, Malformed> {
    let content = elements.take(tag)?;
    if !ber::is_integer(content) || content.first().is_some_and(|byte| *byte >= 0x80) {
        return Err(elements.malformed());
    }
    if content.len() > 5 {
        return Ok(u32::MAX);
    }
    let value = content
        .iter()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    Ok(u32::try_from(value).unwrap_or(u32::MAX))
}

fn purposes(content: &[u8]) -> Result<Vec<ObjectIdentifier>, Malformed> {
    let mut elements = Elements::inside(content, ber::SEQUENCE, "extKeyUsage")?;
    let mut found = Vec::new();
    while !elements.is_empty() {
        let id = elements.take(ber::OID)?;
        // A purpose whose identifier is too long to be kept is none that anybody asks for.
        if let Ok(id) = ObjectIdentifier::from_bytes(id) {
            found.push(id);
        }
        if found.len() > MAX_EXTENSIONS {
            return Err(elements.malformed());
        }
    }
    Ok(found)
}

fn policy_constraints(content: &[u8]) -> Result<(Option<u32>, Option<u32>), Malformed> {
    let mut fields = Elements::inside(content, ber::SEQUENCE, "policyConstraints")?;
    let mut read = |number| optional_count(&mut fields, ber::context_primitive(number));
    let both = (read(0)?, read(1)?);
    fields.end()?;
    if both == (None, None) {
        return Err(fields.malformed());
    }
    Ok(both)
}
