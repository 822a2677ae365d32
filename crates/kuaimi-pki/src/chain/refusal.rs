//! Why a chain is refused: which certificate, and which rule.

use alloc::string::{String, ToString};
use core::fmt;
use core::time::Duration;

use der::DateTime;
use der::asn1::ObjectIdentifier;
use kuaimi_platform::ErrorKind;
use x509_cert::ext::pkix::CrlReason;

use crate::Certificate;
use crate::ber::Malformed;

/// A rule that a certificate breaks.
///
/// Times are seconds since 1970-01-01 00:00:00 UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// A part of it is malformed; the value says which.
    Malformed(&'static str),
    /// It has extensions, but is not of version 3.
    Version,
    /// It has this extension twice.
    RepeatedExtension(ObjectIdentifier),
    /// It has a critical extension that is not known.
    UnknownCriticalExtension(ObjectIdentifier),
    /// It is valid from this time only.
    NotYetValid(u64),
    /// It expired at this time.
    Expired(u64),
    /// No certificate of its issuer is there, neither a trust anchor nor an intermediate.
    UnknownIssuer,
    /// It signed itself, and is no trust anchor.
    SelfSigned,
    /// The name of its issuer is empty.
    EmptyIssuer,
    /// Its signature does not fit its issuer's key.
    Signature,
    /// The algorithm of its signature, or of its issuer's key, is not supported.
    Algorithm(ObjectIdentifier),
    /// Its key is too short.
    WeakKey,
    /// It is no certificate authority's: basicConstraints lacks cA, or is not there.
    NotAnAuthority,
    /// More authorities stand below it than its pathLenConstraint, which is the value, permits.
    PathLength(usize),
    /// The path would have more certificates than this.
    TooManyCertificates(usize),
    /// Its keyUsage does not permit what the key is used for, which the value names.
    KeyUsage(&'static str),
    /// Its extKeyUsage does not permit the purpose, which the value names.
    ExtendedKeyUsage(&'static str),
    /// It is not for the host, the address or the mailbox that is the value.
    PeerName(String),
    /// A name of it, which is the value, is outside what an authority above it may name.
    NameConstraints(String),
    /// Its name constraints have a form that is not supported; the value says which.
    UnsupportedConstraint(&'static str),
    /// No policy is valid for the whole path, but one is required.
    Policy,
    /// It was revoked at this time, for this reason.
    Revoked(u64, Option<CrlReason>),
    /// Whether it was revoked is not known, but must be. The value says what was found.
    RevocationUnknown(&'static str),
    /// The work was stopped; the value says what there was too much of.
    Limit(&'static str),
}

/// Why a chain is not accepted.
///
/// If several paths were tried, this is of the one that led furthest.
///
/// ```
/// use kuaimi_pki::chain::{Refusal, Rule};
///
/// fn explain(refusal: &Refusal) -> String {
///     match refusal.rule() {
///         Rule::Expired(_) => "renew the certificate".into(),
///         _ => refusal.to_string(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    rule: Rule,
    depth: usize,
    subject: String,
    issuer: String,
}

impl Refusal {
    pub(super) fn new(rule: Rule, depth: usize, certificate: &Certificate) -> Self {
        Self {
            rule,
            depth,
            subject: describe(certificate.fields().subject()),
            issuer: describe(certificate.fields().issuer()),
        }
    }

    /// The rule that is broken.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Which certificate breaks it: 0 is the end certificate, 1 its issuer.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The subject of that certificate, as text.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::CertificateRefused
    }
}

/// The most characters of a name that are shown.
const SHOWN: usize = 200;

fn describe(name: &x509_cert::name::Name) -> String {
    if name.is_empty() {
        return "(no name)".to_string();
    }
    let text = crate::name::to_text(name);
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN).chain("…".chars()).collect()
}

impl From<Malformed> for Rule {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed.what)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            subject, issuer, ..
        } = self;
        match &self.rule {
            Rule::Malformed(what) => write!(f, "the {what} of {subject} is malformed"),
            Rule::Version => {
                write!(
                    f,
                    "{subject} has extensions, but is no certificate of version 3"
                )
            }
            Rule::RepeatedExtension(id) => write!(f, "{subject} has the extension {id} twice"),
            Rule::UnknownCriticalExtension(id) => {
                write!(
                    f,
                    "{subject} has the critical extension {id}, which is not known"
                )
            }
            Rule::NotYetValid(time) => write!(
                f,
                "the certificate of {subject} is valid from {} only",
                Utc(*time)
            ),
            Rule::Expired(time) => {
                write!(f, "the certificate of {subject} expired on {}", Utc(*time))
            }
            Rule::UnknownIssuer => write!(
                f,
                "{subject} was issued by {issuer}, of which there is no certificate"
            ),
            Rule::SelfSigned => write!(f, "{subject} signed itself, and is no trust anchor"),
            Rule::EmptyIssuer => write!(f, "{subject} does not name its issuer"),
            Rule::Signature => write!(f, "{issuer} did not sign the certificate of {subject}"),
            Rule::Algorithm(id) => write!(
                f,
                "the algorithm {id} of {subject}'s signature or its issuer's key is not supported"
            ),
            Rule::WeakKey => write!(f, "the key of {subject} is too short"),
            Rule::NotAnAuthority => {
                write!(
                    f,
                    "{subject} is no authority: its basicConstraints lacks cA"
                )
            }
            Rule::PathLength(most) => write!(
                f,
                "{subject} permits {most} authorities below it, and there are more"
            ),
            Rule::TooManyCertificates(most) => {
                write!(
                    f,
                    "the path above {subject} would have more than {most} certificates"
                )
            }
            Rule::KeyUsage(purpose) => {
                write!(f, "the keyUsage of {subject} does not permit {purpose}")
            }
            Rule::ExtendedKeyUsage(purpose) => {
                write!(f, "the extKeyUsage of {subject} does not permit {purpose}")
            }
            Rule::PeerName(name) => write!(f, "the certificate of {subject} is not for {name}"),
            Rule::NameConstraints(name) => write!(
                f,
                "{subject} has the name {name}, which an authority above it may not name"
            ),
            Rule::UnsupportedConstraint(what) => {
                write!(
                    f,
                    "the name constraints of {subject} have {what}, which is not supported"
                )
            }
            Rule::Policy => write!(
                f,
                "no certificate policy is valid from {subject} up, but one is required"
            ),
            Rule::Revoked(time, None) => {
                write!(
                    f,
                    "the certificate of {subject} was revoked on {}",
                    Utc(*time)
                )
            }
            Rule::Revoked(time, Some(reason)) => write!(
                f,
                "the certificate of {subject} was revoked on {} ({})",
                Utc(*time),
                reason_name(*reason)
            ),
            Rule::RevocationUnknown(found) => write!(
                f,
                "whether the certificate of {subject} was revoked is not known: {found}"
            ),
            Rule::Limit(what) => write!(f, "too many: {what} (at {subject})"),
        }
    }
}

impl core::error::Error for Refusal {}

fn reason_name(reason: CrlReason) -> &'static str {
    match reason {
        CrlReason::Unspecified => "no reason given",
        CrlReason::KeyCompromise => "the key was compromised",
        CrlReason::CaCompromise => "the authority was compromised",
        CrlReason::AffiliationChanged => "the holder's affiliation changed",
        CrlReason::Superseded => "it was superseded",
        CrlReason::CessationOfOperation => "it is no longer needed",
        CrlReason::CertificateHold => "it is on hold",
        CrlReason::RemoveFromCRL => "it was removed from the list",
        CrlReason::PrivilegeWithdrawn => "a privilege was withdrawn",
        CrlReason::AaCompromise => "the attribute authority was compromised",
    }
}

/// Seconds since 1970, shown as a date.
pub(crate) struct Utc(pub(crate) u64);

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_unix_duration(Duration::from_secs(self.0)) {
            Ok(date) => write!(
                f,
                "{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC",
                date.year(),
                date.month(),
                date.day(),
                date.hour(),
                date.minutes(),
                date.seconds()
            ),
            Err(_) => write!(f, "second {} after 1970", self.0),
        }
    }
}
