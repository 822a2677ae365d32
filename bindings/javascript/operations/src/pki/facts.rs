//! What certificates and requests say, as JSON. The names of its members are those that users see
//! (`types/x509.d.ts`), but bytes are hexadecimal, and times are seconds since 1970.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use core::net::IpAddr;

use kuaimi_pki::external::der::{self, Decode, oid::AssociatedOid};
use kuaimi_pki::external::x509_cert::ext::Extension;
use kuaimi_pki::external::x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use kuaimi_pki::external::x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use kuaimi_pki::external::x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies,
    CrlDistributionPoints, ExtendedKeyUsage, IssuerAltName, KeyUsage, NameConstraints,
    SubjectAltName, SubjectKeyIdentifier,
};
use kuaimi_pki::external::x509_cert::name::Name;
use kuaimi_pki::public_key::SignatureAlgorithm;
use kuaimi_pki::{Certificate, Error, PublicKey, Request, name};
use serde::Serialize;

use super::json;
use crate::Result;

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The digits of a serial number without zeros in front, in capitals, as Node and OpenSSL show it.
pub(super) fn serial(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    match bytes.get(zeros..) {
        None | Some([]) => "00".into(),
        Some(bytes) => hex(bytes).to_uppercase(),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CertificateFacts {
    subject: String,
    issuer: String,
    subject_parts: Vec<Vec<Attribute>>,
    issuer_parts: Vec<Vec<Attribute>>,
    serial_number: String,
    not_before: u64,
    not_after: u64,
    key_algorithm: String,
    point: Option<String>,
    signature_algorithm: String,
    extensions: Vec<ExtensionFacts>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestFacts {
    subject: String,
    subject_parts: Vec<Vec<Attribute>>,
    key_algorithm: String,
    point: Option<String>,
    extensions: Vec<ExtensionFacts>,
    challenge_password: Option<String>,
    temporary_point: Option<String>,
}

/// A part of a name; no value if it is no text.
#[derive(Serialize)]
struct Attribute {
    oid: String,
    value: Option<String>,
}

#[derive(Serialize)]
struct ExtensionFacts {
    oid: String,
    critical: bool,
    der: String,
    name: Option<&'static str>,
    /// What it says, if it is known and not malformed.
    value: Option<Said>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    #[serde(rename_all = "camelCase")]
    BasicConstraints {
        ca: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        path_length: Option<u8>,
    },
    Bits(u16),
    Identifiers(Vec<String>),
    Names(Vec<GeneralNameFacts>),
    Hex(String),
    Access(Vec<Access>),
    Constraints {
        permitted: Vec<GeneralNameFacts>,
        excluded: Vec<GeneralNameFacts>,
    },
}

#[derive(Serialize)]
struct GeneralNameFacts {
    #[serde(rename = "type")]
    kind: &'static str,
    value: String,
}

#[derive(Serialize)]
struct Access {
    method: String,
    location: GeneralNameFacts,
}

pub(super) fn of_certificate(certificate: &Certificate) -> Result<Vec<u8>> {
    let fields = certificate.fields();
    let validity = fields.validity();
    json(&CertificateFacts {
        subject: name::to_text(fields.subject()),
        issuer: name::to_text(fields.issuer()),
        subject_parts: parts(fields.subject()),
        issuer_parts: parts(fields.issuer()),
        serial_number: serial(certificate.serial()),
        not_before: validity.not_before.to_unix_duration().as_secs(),
        not_after: validity.not_after.to_unix_duration().as_secs(),
        key_algorithm: key_algorithm(certificate.public_key()),
        point: point(certificate.public_key()),
        signature_algorithm: signature_algorithm(certificate.signature_algorithm(), || {
            fields.signature().oid.to_string()
        }),
        extensions: fields
            .extensions()
            .into_iter()
            .flatten()
            .map(extension)
            .collect(),
    })
}

pub(super) fn of_request(request: &Request) -> Result<Vec<u8>> {
    let temporary = kuaimi_pki::cfca::temporary_key(request).ok().flatten();
    json(&RequestFacts {
        subject: name::to_text(request.subject()),
        subject_parts: parts(request.subject()),
        key_algorithm: key_algorithm(request.public_key()),
        point: point(request.public_key()),
        extensions: request.extensions()?.iter().map(extension).collect(),
        challenge_password: request.challenge_password(),
        temporary_point: temporary.map(|key| hex(&key.to_sec1_bytes())),
    })
}

fn parts(name: &Name) -> Vec<Vec<Attribute>> {
    let part = |one: &kuaimi_pki::external::x509_cert::attr::AttributeTypeAndValue| Attribute {
        oid: one.oid.to_string(),
        value: name::string(&one.value),
    };
    name.iter_rdn()
        .map(|set| set.iter().map(part).collect())
        .collect()
}

fn point(key: &PublicKey) -> Option<String> {
    let key = key.sm2().ok()?;
    Some(hex(&key.public_key().to_sec1_bytes()))
}

fn key_algorithm(key: &PublicKey) -> String {
    if key.sm2().is_ok() {
        return "SM2".into();
    }
    let oid = key.algorithm().to_string();
    match oid.as_str() {
        "1.2.840.10045.3.1.7" => "P-256".into(),
        "1.3.132.0.34" => "P-384".into(),
        "1.2.840.113549.1.1.1" => "RSA".into(),
        _ => oid,
    }
}

pub(super) fn signature_algorithm(
    found: core::result::Result<SignatureAlgorithm, Error>,
    other: impl FnOnce() -> String,
) -> String {
    found.map_or_else(|_| other(), |algorithm| algorithm.name().into())
}

fn extension(extension: &Extension) -> ExtensionFacts {
    let name = name_of(extension);
    let value = said(extension);
    ExtensionFacts {
        oid: extension.extn_id.to_string(),
        critical: extension.critical,
        der: hex(extension.extn_value.as_bytes()),
        name,
        value: value.ok().flatten(),
    }
}

fn name_of(extension: &Extension) -> Option<&'static str> {
    Some(match extension.extn_id {
        BasicConstraints::OID => "basicConstraints",
        KeyUsage::OID => "keyUsage",
        ExtendedKeyUsage::OID => "extendedKeyUsage",
        SubjectAltName::OID => "subjectAltName",
        IssuerAltName::OID => "issuerAltName",
        SubjectKeyIdentifier::OID => "subjectKeyIdentifier",
        AuthorityKeyIdentifier::OID => "authorityKeyIdentifier",
        CrlDistributionPoints::OID => "crlDistributionPoints",
        AuthorityInfoAccessSyntax::OID => "authorityInfoAccess",
        CertificatePolicies::OID => "certificatePolicies",
        NameConstraints::OID => "nameConstraints",
        _ => return None,
    })
}

/// Nothing for an extension that is not known.
fn said(extension: &Extension) -> der::Result<Option<Said>> {
    let value = extension.extn_value.as_bytes();
    Ok(Some(match extension.extn_id {
        BasicConstraints::OID => {
            let constraints = BasicConstraints::from_der(value)?;
            Said::BasicConstraints {
                ca: constraints.ca,
                path_length: constraints.path_len_constraint,
            }
        }
        KeyUsage::OID => Said::Bits(KeyUsage::from_der(value)?.0.bits()),
        ExtendedKeyUsage::OID => {
            let all = ExtendedKeyUsage::from_der(value)?.0;
            Said::Identifiers(all.iter().map(ToString::to_string).collect())
        }
        SubjectAltName::OID => Said::Names(names(&SubjectAltName::from_der(value)?.0)),
        IssuerAltName::OID => Said::Names(names(&IssuerAltName::from_der(value)?.0)),
        SubjectKeyIdentifier::OID => {
            Said::Hex(hex(SubjectKeyIdentifier::from_der(value)?.0.as_bytes()))
        }
        AuthorityKeyIdentifier::OID => {
            match AuthorityKeyIdentifier::from_der(value)?.key_identifier {
                Some(id) => Said::Hex(hex(id.as_bytes())),
                None => return Ok(None),
            }
        }
        CrlDistributionPoints::OID => {
            let points = CrlDistributionPoints::from_der(value)?.0;
            let all = points
                .iter()
                .filter_map(|point| match &point.distribution_point {
                    Some(DistributionPointName::FullName(all)) => Some(names(all)),
                    _ => None,
                });
            Said::Names(all.flatten().collect())
        }
        AuthorityInfoAccessSyntax::OID => {
            let all = AuthorityInfoAccessSyntax::from_der(value)?.0;
            let one =
                |access: &kuaimi_pki::external::x509_cert::ext::pkix::AccessDescription| Access {
                    method: access.access_method.to_string(),
                    location: general_name(&access.access_location),
                };
            Said::Access(all.iter().map(one).collect())
        }
        CertificatePolicies::OID => {
            let all = CertificatePolicies::from_der(value)?.0;
            let all = all.iter().map(|one| one.policy_identifier.to_string());
            Said::Identifiers(all.collect())
        }
        NameConstraints::OID => {
            let found = NameConstraints::from_der(value)?;
            Said::Constraints {
                permitted: subtrees(found.permitted_subtrees),
                excluded: subtrees(found.excluded_subtrees),
            }
        }
        _ => return Ok(None),
    }))
}

fn subtrees(all: Option<Vec<GeneralSubtree>>) -> Vec<GeneralNameFacts> {
    let all = all.unwrap_or_default();
    all.iter().map(|one| general_name(&one.base)).collect()
}

fn names(all: &[GeneralName]) -> Vec<GeneralNameFacts> {
    all.iter().map(general_name).collect()
}

fn general_name(found: &GeneralName) -> GeneralNameFacts {
    let (kind, value) = match found {
        GeneralName::DnsName(name) => ("dns", name.to_string()),
        GeneralName::Rfc822Name(name) => ("email", name.to_string()),
        GeneralName::UniformResourceIdentifier(uri) => ("uri", uri.to_string()),
        GeneralName::IpAddress(bytes) => ("ip", address(bytes.as_bytes())),
        GeneralName::DirectoryName(name) => ("directory", name::to_text(name)),
        GeneralName::RegisteredId(id) => ("id", id.to_string()),
        GeneralName::OtherName(other) => ("other", other.type_id.to_string()),
        GeneralName::EdiPartyName(_) => ("ediParty", String::new()),
    };
    GeneralNameFacts { kind, value }
}

/// An address of IP, or one with the mask of its network; else the bytes.
fn address(bytes: &[u8]) -> String {
    let one = |bytes: &[u8]| -> Option<IpAddr> {
        let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
        let v6 = <[u8; 16]>::try_from(bytes).map(IpAddr::from);
        v4.or(v6).ok()
    };
    let (address, mask) = bytes.split_at(bytes.len() / 2);
    match (one(bytes), one(address), one(mask)) {
        // 16 bytes are an address, not two.
        (Some(address), ..) => address.to_string(),
        (None, Some(address), Some(mask)) => format!("{address}/{mask}"),
        _ => hex(bytes),
    }
}
