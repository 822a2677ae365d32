//! What certificates and requests say, for people.

use std::net::IpAddr;

use kuaimi::sm3;
use kuaimi_pki::crl::{Crl, Entry};
use kuaimi_pki::external::der::flagset::FlagSet;
use kuaimi_pki::external::der::oid::{AssociatedOid, ObjectIdentifier};
use kuaimi_pki::external::der::{self, Decode};
use kuaimi_pki::external::x509_cert::ext::Extension;
use kuaimi_pki::external::x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use kuaimi_pki::external::x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies,
    CrlDistributionPoints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
    SubjectKeyIdentifier,
};
use kuaimi_pki::ocsp::{Response, Single, Status};
use kuaimi_pki::public_key::SignatureAlgorithm;
use kuaimi_pki::{Certificate, PublicKey, Request, name};
use serde_json::Value;

use super::authority::reason_name;
use super::time;
use crate::describe::Description;
use crate::text::hex;

/// A certificate.
pub fn describe(certificate: &Certificate, out: &mut Description) {
    let fields = certificate.fields();
    out.put("kind", "certificate");
    out.put("subject", name::to_text(fields.subject()));
    out.put("issuer", name::to_text(fields.issuer()));
    out.put_hex("serial", certificate.serial());
    let validity = fields.validity();
    out.put("not_before", time::show(validity.not_before.to_date_time()));
    out.put("not_after", time::show(validity.not_after.to_date_time()));
    describe_key(certificate.public_key(), out);
    out.put(
        "signature",
        algorithm(certificate.signature_algorithm(), || {
            fields.signature().oid.to_string()
        }),
    );
    describe_extensions(fields.extensions().into_iter().flatten(), out);
    out.put_hex("sm3_fingerprint", sm3::digest(certificate.as_der()));
}

/// A request.
pub fn describe_request(request: &Request, valid: bool, out: &mut Description) {
    out.put("kind", "certificate request");
    out.put("subject", name::to_text(request.subject()));
    describe_key(request.public_key(), out);
    out.put("signature", if valid { "fits the key" } else { "INVALID" });
    if let Some(password) = request.challenge_password() {
        out.put("challenge_password", password);
    }
    let asked = request.extensions().unwrap_or_default();
    describe_extensions(asked.iter(), out);
}

/// A list of revoked certificates.
pub fn describe_list(list: &Crl, out: &mut Description) {
    out.put("kind", "list of revoked certificates (CRL)");
    out.put("issuer", list.issuer());
    out.put("made", time::show_seconds(list.this_update()));
    if let Some(next) = list.next_update() {
        out.put("next_list", time::show_seconds(next));
    }
    if let Some(number) = list.number() {
        out.put_hex("number", number);
    }
    if let Some(base) = list.base_number() {
        out.put_hex("changes_of_number", base);
    }
    out.put(
        "signature",
        algorithm(list.signature_algorithm(), || "not supported".to_owned()),
    );
    out.put("certificates", list.len());
    let revoked = |entry: Entry<'_>| {
        let reason = entry.reason();
        let reason = reason.map_or(String::new(), |reason| format!(", {}", reason_name(reason)));
        let date = time::show_seconds(entry.date());
        format!("{} at {date}{reason}", hex(entry.serial()))
    };
    let shown: Vec<_> = list.entries().take(SHOWN).map(revoked).collect();
    if !shown.is_empty() {
        out.put("revoked", shown);
    }
    if list.len() > SHOWN {
        out.put("and_others", list.len() - SHOWN);
    }
}

/// The most entries of a list that are shown.
const SHOWN: usize = 1000;

/// A response of OCSP.
pub fn describe_response(response: &Response, out: &mut Description) {
    out.put("kind", "OCSP response");
    out.put("status", format!("{:?}", response.status()));
    if let Some(made) = response.produced_at() {
        out.put("made", time::show_seconds(made));
    }
    let answer = |single: &Single| {
        let status = match single.status() {
            Status::Good => "good".to_owned(),
            Status::Revoked(date, reason) => {
                let reason =
                    reason.map_or(String::new(), |reason| format!(", {}", reason_name(reason)));
                format!("revoked at {}{reason}", time::show_seconds(date))
            }
            _ => "unknown".to_owned(),
        };
        format!("{} {status}", hex(single.id().serial()))
    };
    let answers: Vec<_> = response.singles().iter().map(answer).collect();
    out.put("certificates", answers);
}

fn algorithm<E>(found: Result<SignatureAlgorithm, E>, other: impl FnOnce() -> String) -> String {
    match found {
        Ok(algorithm) => algorithm.name().to_owned(),
        Err(_) => other(),
    }
}

fn describe_key(key: &PublicKey, out: &mut Description) {
    match key {
        PublicKey::Sm2(key) => {
            out.put("algorithm", "SM2");
            out.put_hex("public_key", key.public_key().to_sec1_bytes());
        }
        PublicKey::P256(_) => out.put("algorithm", "ECDSA on P-256"),
        PublicKey::P384(_) => out.put("algorithm", "ECDSA on P-384"),
        PublicKey::Rsa(_) => out.put("algorithm", "RSA"),
        other => out.put("algorithm", other.algorithm().to_string()),
    }
}

fn describe_extensions<'a>(all: impl Iterator<Item = &'a Extension>, out: &mut Description) {
    let mut others = Vec::new();
    for extension in all {
        match text(extension) {
            Ok(Some((name, value))) => out.put(name, value),
            Ok(None) => others.push(format!("{}{}", extension.extn_id, critical(extension))),
            Err(_) => others.push(format!("{} (malformed)", extension.extn_id)),
        }
    }
    if !others.is_empty() {
        out.put("other_extensions", others);
    }
}

fn critical(extension: &Extension) -> &'static str {
    match extension.critical {
        true => " (critical)",
        false => "",
    }
}

/// The name of an extension and what it says; nothing for one that is not known.
fn text(extension: &Extension) -> der::Result<Option<(&'static str, Value)>> {
    let value = extension.extn_value.as_bytes();
    Ok(Some(match extension.extn_id {
        BasicConstraints::OID => {
            let constraints = BasicConstraints::from_der(value)?;
            let text = match (constraints.ca, constraints.path_len_constraint) {
                (false, _) => "no authority".to_owned(),
                (true, None) => "authority".to_owned(),
                (true, Some(n)) => format!("authority, at most {n} below it"),
            };
            ("basic_constraints", text.into())
        }
        KeyUsage::OID => ("key_usage", usages(KeyUsage::from_der(value)?.0).into()),
        ExtendedKeyUsage::OID => {
            let all = ExtendedKeyUsage::from_der(value)?.0;
            let names = all.iter().map(extended_usage).collect::<Vec<_>>();
            ("extended_key_usage", names.join(", ").into())
        }
        SubjectAltName::OID => ("names", names(&SubjectAltName::from_der(value)?.0).into()),
        SubjectKeyIdentifier::OID => {
            let id = SubjectKeyIdentifier::from_der(value)?;
            ("key_identifier", hex(id.0.as_bytes()).into())
        }
        AuthorityKeyIdentifier::OID => {
            let id = AuthorityKeyIdentifier::from_der(value)?.key_identifier;
            let id = id.map(|id| hex(id.as_bytes()));
            ("issuer_key_identifier", id.unwrap_or_default().into())
        }
        CrlDistributionPoints::OID => {
            let points = CrlDistributionPoints::from_der(value)?.0;
            let all = points
                .iter()
                .filter_map(|point| match &point.distribution_point {
                    Some(DistributionPointName::FullName(all)) => Some(names(all)),
                    _ => None,
                })
                .flatten()
                .collect::<Vec<_>>();
            ("crl_at", all.into())
        }
        AuthorityInfoAccessSyntax::OID => {
            let all = AuthorityInfoAccessSyntax::from_der(value)?.0;
            let all = all
                .iter()
                .map(|access| {
                    let what = match access.access_method.to_string().as_str() {
                        "1.3.6.1.5.5.7.48.1" => "OCSP".to_owned(),
                        "1.3.6.1.5.5.7.48.2" => "issuer".to_owned(),
                        other => other.to_owned(),
                    };
                    format!("{what} {}", general_name(&access.access_location))
                })
                .collect::<Vec<_>>();
            ("issuer_services", all.into())
        }
        CertificatePolicies::OID => {
            let all = CertificatePolicies::from_der(value)?.0;
            let all = all
                .iter()
                .map(|policy| policy.policy_identifier.to_string());
            ("policies", all.collect::<Vec<_>>().into())
        }
        NameConstraints::OID => {
            let constraints = NameConstraints::from_der(value)?;
            let subtrees = |what: &str, all: Option<Vec<_>>| {
                let all: Vec<_> = all.unwrap_or_default();
                let shown = |subtree: &kuaimi_pki::external::x509_cert::ext::pkix::constraints::name::GeneralSubtree| {
                    format!("{what} {}", general_name(&subtree.base))
                };
                all.iter().map(shown).collect::<Vec<_>>()
            };
            let mut all = subtrees("permitted", constraints.permitted_subtrees);
            all.extend(subtrees("excluded", constraints.excluded_subtrees));
            ("name_constraints", all.into())
        }
        _ => return Ok(None),
    }))
}

fn usages(usages: FlagSet<KeyUsages>) -> String {
    let name = |usage| match usage {
        KeyUsages::DigitalSignature => "digital signature",
        KeyUsages::NonRepudiation => "non-repudiation",
        KeyUsages::KeyEncipherment => "key encipherment",
        KeyUsages::DataEncipherment => "data encipherment",
        KeyUsages::KeyAgreement => "key agreement",
        KeyUsages::KeyCertSign => "certificate signing",
        KeyUsages::CRLSign => "CRL signing",
        KeyUsages::EncipherOnly => "encipher only",
        KeyUsages::DecipherOnly => "decipher only",
    };
    usages.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

fn extended_usage(oid: &ObjectIdentifier) -> String {
    match oid.to_string().as_str() {
        "1.3.6.1.5.5.7.3.1" => "TLS server",
        "1.3.6.1.5.5.7.3.2" => "TLS client",
        "1.3.6.1.5.5.7.3.3" => "code signing",
        "1.3.6.1.5.5.7.3.4" => "mail",
        "1.3.6.1.5.5.7.3.8" => "time stamping",
        "1.3.6.1.5.5.7.3.9" => "OCSP signing",
        "2.5.29.37.0" => "any",
        other => return other.to_owned(),
    }
    .to_owned()
}

fn names(all: &[GeneralName]) -> Vec<String> {
    all.iter().map(general_name).collect()
}

fn general_name(found: &GeneralName) -> String {
    match found {
        GeneralName::DnsName(name) => format!("host {}", printable(name.as_str())),
        GeneralName::Rfc822Name(name) => format!("mail {}", printable(name.as_str())),
        GeneralName::UniformResourceIdentifier(uri) => printable(uri.as_str()),
        GeneralName::DirectoryName(found) => format!("name {}", name::to_text(found)),
        GeneralName::IpAddress(bytes) => match bytes.as_bytes() {
            bytes @ [_, _, _, _] => {
                let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
                format!("address {}", IpAddr::from(bytes))
            }
            bytes => match <[u8; 16]>::try_from(bytes) {
                Ok(bytes) => format!("address {}", IpAddr::from(bytes)),
                Err(_) => format!("address {}", hex(bytes)),
            },
        },
        GeneralName::RegisteredId(oid) => format!("identifier {oid}"),
        GeneralName::OtherName(other) => format!("other name {}", other.type_id),
        GeneralName::EdiPartyName(_) => "EDI party name".to_owned(),
    }
}

/// Without control characters, which could change what a terminal shows.
pub fn printable(text: &str) -> String {
    let escape = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    text.chars().map(escape).collect()
}
