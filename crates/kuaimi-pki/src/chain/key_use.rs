//! What a certificate's key may be used for (RFC 5280, clauses 4.2.1.3, 4.2.1.9 and 4.2.1.12).

use der::asn1::ObjectIdentifier;
use x509_cert::Version;

use super::facts::{Facts, Node};
use super::policy::{KeyUse, Policy, Purpose};
use super::refusal::Rule;
use crate::{PublicKey, oid};

const DIGITAL_SIGNATURE: u16 = 1;
const NON_REPUDIATION: u16 = 1 << 1;
const ENCRYPTION: u16 = 1 << 2 | 1 << 3 | 1 << 4;
const KEY_CERT_SIGN: u16 = 1 << 5;
const CRL_SIGN: u16 = 1 << 6;

/// The shortest modulus of RSA in bits.
#[cfg(feature = "other-algorithms")]
const MIN_RSA_BITS: u32 = 2048;

impl Facts {
    /// Whether the key may be used for one of `usages`. A certificate without keyUsage is for all.
    fn permits(&self, usages: u16) -> bool {
        self.key_usage.is_none_or(|usage| usage & usages != 0)
    }

    /// Whether extKeyUsage is missing, or has `purpose` or any purpose.
    fn permits_purpose(&self, purpose: ObjectIdentifier) -> bool {
        self.extended_key_usage.as_ref().is_none_or(|purposes| {
            purposes.contains(&purpose) || purposes.contains(&oid::ANY_EXTENDED_KEY_USAGE)
        })
    }
}

impl Node {
    /// What holds for each certificate of a path: it can be read, is valid at `time`, and its key
    /// is long enough.
    pub(crate) fn check(&self, time: u64) -> Result<&Facts, Rule> {
        let facts = self.facts.as_ref().map_err(Clone::clone)?;
        if let Some(id) = facts.unknown_critical {
            return Err(Rule::UnknownCriticalExtension(id));
        }
        if time < self.not_before {
            return Err(Rule::NotYetValid(self.not_before));
        }
        if time > self.not_after {
            return Err(Rule::Expired(self.not_after));
        }
        if is_weak(self.certificate.public_key()) {
            return Err(Rule::WeakKey);
        }
        Ok(facts)
    }

    /// Whether this may be the end certificate.
    pub(super) fn check_end(&self, policy: &Policy) -> Result<(), Rule> {
        let facts = self.check(policy.time)?;
        if self.issuer.is_empty() {
            return Err(Rule::EmptyIssuer);
        }
        let (usages, name) = match (policy.key_use, policy.purpose) {
            (Some(KeyUse::Signing), _)
            | (None, Purpose::MessageSigning | Purpose::CodeSigning | Purpose::OcspSigning) => {
                (DIGITAL_SIGNATURE | NON_REPUDIATION, "signing")
            }
            (Some(KeyUse::Encryption), _) | (None, Purpose::Encryption) => {
                (ENCRYPTION, "encryption")
            }
            (None, Purpose::Server | Purpose::Client) => {
                (DIGITAL_SIGNATURE | ENCRYPTION, "signing or encryption")
            }
            (None, Purpose::Any) => (u16::MAX, "any use"),
        };
        let any = policy.purpose == Purpose::Any && policy.key_use.is_none();
        if !any && !facts.permits(usages) {
            return Err(Rule::KeyUsage(name));
        }
        if facts.key_usage.unwrap_or(0) & policy.key_usages != policy.key_usages {
            return Err(Rule::KeyUsage("all that is asked for"));
        }
        self.check_end_purposes(facts, policy)?;
        match &policy.peer {
            Some(peer) => peer.check(self, policy.common_name),
            None => Ok(()),
        }
    }

    fn check_end_purposes(&self, facts: &Facts, policy: &Policy) -> Result<(), Rule> {
        let purposes = facts.extended_key_usage.as_deref();
        let named = |id: &ObjectIdentifier| purposes.is_some_and(|list| list.contains(id));
        let refused = |name| Err(Rule::ExtendedKeyUsage(name));
        match policy.purpose {
            Purpose::Server if !facts.permits_purpose(oid::SERVER_AUTH) => {
                return refused("a server of TLS");
            }
            Purpose::Client if !facts.permits_purpose(oid::CLIENT_AUTH) => {
                return refused("a client of TLS");
            }
            // These two must be named.
            Purpose::CodeSigning if !named(&oid::CODE_SIGNING) => {
                return refused("signing programs");
            }
            Purpose::OcspSigning if !crate::ocsp::is_responder(purposes) => {
                return refused("signing OCSP responses");
            }
            _ => {}
        }
        match policy.extended_key_usage {
            Some(id) if !named(&id) => refused("the purpose that is asked for"),
            _ => Ok(()),
        }
    }

    /// Whether this may be the issuer of a certificate with `below` authorities between that one
    /// and the end certificate, or that one itself if it is an authority.
    pub(super) fn check_issuer(
        &self,
        policy: &Policy,
        purposes: &[ObjectIdentifier],
        below: usize,
        is_anchor: bool,
    ) -> Result<(), Rule> {
        let facts = self.check(policy.time)?;
        // A trust anchor of an old version has no extensions.
        let old_anchor = is_anchor && self.certificate.fields().version() != Version::V3;
        if !old_anchor && facts.basic_constraints != Some(true) {
            return Err(Rule::NotAnAuthority);
        }
        if self.issuer.is_empty() {
            return Err(Rule::EmptyIssuer);
        }
        if !facts.permits(KEY_CERT_SIGN) {
            return Err(Rule::KeyUsage("signing certificates"));
        }
        if let Some(most) = facts.path_len
            && below > most
        {
            return Err(Rule::PathLength(most));
        }
        for purpose in purposes {
            if !facts.permits_purpose(*purpose) {
                return Err(Rule::ExtendedKeyUsage("the purpose of what it issues"));
            }
        }
        Ok(())
    }

    /// Whether the key may sign lists of revoked certificates.
    pub(super) fn may_sign_lists(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_ok_and(|facts| facts.permits(CRL_SIGN))
    }

    /// Whether the holder may sign OCSP responses for the issuer, at `time`.
    pub(crate) fn may_respond(&self, time: u64) -> bool {
        self.check(time).is_ok_and(|facts| {
            crate::ocsp::is_responder(facts.extended_key_usage.as_deref())
                && facts.permits(DIGITAL_SIGNATURE | NON_REPUDIATION)
        })
    }
}

#[cfg(feature = "other-algorithms")]
fn is_weak(key: &PublicKey) -> bool {
    use rsa::traits::PublicKeyParts;
    matches!(key, PublicKey::Rsa(key) if key.n().bit_width() < MIN_RSA_BITS)
}

#[cfg(not(feature = "other-algorithms"))]
fn is_weak(_: &PublicKey) -> bool {
    false
}
