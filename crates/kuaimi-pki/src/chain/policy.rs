//! What a chain has to fulfil.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use der::flagset::FlagSet;
use x509_cert::ext::pkix::KeyUsages;

use super::PeerName;
use super::policies::Wanted;
use crate::oid;
use crate::public_key::Identities;

/// What the end certificate is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Anything: neither keyUsage nor extKeyUsage of the end certificate is looked at.
    #[default]
    Any,
    /// A server of TLS or TLCP.
    Server,
    /// A client of TLS or TLCP.
    Client,
    /// Signing messages and documents: the signing certificate of a pair (GM/T 0015).
    MessageSigning,
    /// Receiving encrypted messages: the encrypting certificate of a pair (GM/T 0015).
    Encryption,
    /// Signing programs.
    CodeSigning,
    /// Signing OCSP responses.
    OcspSigning,
}

/// Which half of a pair of certificates the end certificate is (GM/T 0015).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyUse {
    /// Its key signs: digitalSignature or nonRepudiation.
    Signing,
    /// Its key receives keys or data: keyEncipherment, dataEncipherment or keyAgreement.
    Encryption,
}

/// When a certificate's revocation is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revocation {
    /// Never: lists and responses are not looked at.
    Off,
    /// Revoked certificates are refused. A certificate of which nothing is known is accepted.
    #[default]
    IfPresent,
    /// As before, and it must be known that the end certificate is not revoked.
    RequiredForEnd,
    /// It must be known of each certificate but the trust anchor that it is not revoked.
    RequiredForAll,
}

/// What a chain has to fulfil.
///
/// ```
/// use kuaimi_pki::chain::{KeyUse, PeerName, Policy, Purpose, Revocation};
///
/// let now = 1_767_225_600; // 2026-01-01 00:00:00 UTC
/// let policy = Policy::at(now)
///     .purpose(Purpose::Server)
///     .key_use(KeyUse::Signing)
///     .peer(PeerName::new("bank.example")?)
///     .revocation(Revocation::RequiredForEnd);
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(super) time: u64,
    pub(super) purpose: Purpose,
    pub(super) key_use: Option<KeyUse>,
    pub(super) key_usages: u16,
    pub(super) extended_key_usage: Option<ObjectIdentifier>,
    pub(super) peer: Option<PeerName>,
    pub(super) common_name: bool,
    pub(super) identities: Identities,
    pub(super) revocation: Revocation,
    pub(super) skew: u64,
    pub(super) wanted: Wanted,
    pub(super) max_intermediates: usize,
    pub(super) max_signatures: u32,
}

impl Policy {
    /// How many intermediates there may be at most, whatever is asked for.
    pub const MAX_INTERMEDIATES: usize = 30;

    /// Every certificate has to be valid at `time`, in seconds since 1970-01-01 00:00:00 UTC; any
    /// purpose, and any peer.
    pub fn at(time: u64) -> Self {
        Self {
            time,
            purpose: Purpose::Any,
            key_use: None,
            key_usages: 0,
            extended_key_usage: None,
            peer: None,
            common_name: false,
            identities: Identities::Default,
            revocation: Revocation::default(),
            skew: 300,
            wanted: Wanted::default(),
            max_intermediates: 8,
            max_signatures: 100,
        }
    }

    /// What the end certificate is used for.
    #[must_use]
    pub fn purpose(mut self, purpose: Purpose) -> Self {
        self.purpose = purpose;
        self
    }

    /// Which half of a pair the end certificate has to be. Without this, the purpose decides; a
    /// server or a client may be either.
    #[must_use]
    pub fn key_use(mut self, half: KeyUse) -> Self {
        self.key_use = Some(half);
        self
    }

    /// All of these usages have to be in the end certificate's keyUsage.
    #[must_use]
    pub fn key_usages(mut self, usages: impl Into<FlagSet<KeyUsages>>) -> Self {
        self.key_usages = usages.into().bits();
        self
    }

    /// The end certificate has to have an extKeyUsage with this purpose; so must every authority
    /// that has an extKeyUsage.
    #[must_use]
    pub fn extended_key_usage(mut self, purpose: ObjectIdentifier) -> Self {
        self.extended_key_usage = Some(purpose);
        self
    }

    /// Whom the end certificate has to be for.
    #[must_use]
    pub fn peer(mut self, peer: PeerName) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Takes the common name for a host's name if the end certificate has no subjectAltName, as
    /// old programs did.
    #[must_use]
    pub fn accept_common_name(mut self, accept: bool) -> Self {
        self.common_name = accept;
        self
    }

    /// The identities of SM2's signatures that are accepted.
    #[must_use]
    pub fn identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }

    /// When revocation is asked about.
    #[must_use]
    pub fn revocation(mut self, revocation: Revocation) -> Self {
        self.revocation = revocation;
        self
    }

    /// By how many seconds an OCSP responder's clock may differ: 300 if this is not called.
    #[must_use]
    pub fn skew(mut self, seconds: u64) -> Self {
        self.skew = seconds;
        self
    }

    /// The certificate policies of which one has to be valid for the whole path.
    #[must_use]
    pub fn certificate_policies(mut self, policies: &[ObjectIdentifier]) -> Self {
        self.wanted.policies = policies.to_vec();
        self.wanted.explicit = true;
        self
    }

    /// A certificate policy has to be valid for the whole path (`initial-explicit-policy`).
    #[must_use]
    pub fn require_explicit_policy(mut self, require: bool) -> Self {
        self.wanted.explicit = require;
        self
    }

    /// Policies may not be mapped to others (`initial-policy-mapping-inhibit`).
    #[must_use]
    pub fn inhibit_policy_mapping(mut self, inhibit: bool) -> Self {
        self.wanted.inhibit_mapping = inhibit;
        self
    }

    /// The policy "any" does not count (`initial-any-policy-inhibit`).
    #[must_use]
    pub fn inhibit_any_policy(mut self, inhibit: bool) -> Self {
        self.wanted.inhibit_any = inhibit;
        self
    }

    /// How many certificates there may be between the end certificate and the trust anchor: 8 if
    /// this is not called, and [`MAX_INTERMEDIATES`](Self::MAX_INTERMEDIATES) at most.
    #[must_use]
    pub fn max_intermediates(mut self, count: usize) -> Self {
        self.max_intermediates = count.min(Self::MAX_INTERMEDIATES);
        self
    }

    /// How many signatures may be verified for one end certificate, with those of the paths that
    /// fail: 100 if this is not called.
    #[must_use]
    pub fn max_signatures(mut self, count: u32) -> Self {
        self.max_signatures = count;
        self
    }

    /// The purposes that an authority's extKeyUsage has to permit, if it has one.
    pub(super) fn purposes(&self) -> Vec<ObjectIdentifier> {
        let purpose = match self.purpose {
            Purpose::Server => Some(oid::SERVER_AUTH),
            Purpose::Client => Some(oid::CLIENT_AUTH),
            Purpose::CodeSigning => Some(oid::CODE_SIGNING),
            _ => None,
        };
        purpose.into_iter().chain(self.extended_key_usage).collect()
    }
}
