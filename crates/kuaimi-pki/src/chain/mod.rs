//! Chains of certificates, verified (RFC 5280, clause 6, with RFC 9525 for names of hosts and
//! RFC 9618 for policies; GM/T 0015 for pairs of certificates).
//!
//! A [`Verifier`] holds what does not change from chain to chain: trust anchors, known
//! intermediates, lists of revoked certificates and OCSP responses. A [`Policy`] says what a chain
//! has to fulfil, and at which time. The result is the [`Path`] to a trust anchor, or a
//! [`Refusal`], which names the certificate and the rule.
//!
//! | checked | where in RFC 5280 |
//! | --- | --- |
//! | signatures, validity, names of issuers | 6.1.3 |
//! | revocation by lists, deltas and OCSP | 6.3, RFC 6960 |
//! | name constraints: DNS, e-mail, directory, URI and IP | 4.2.1.10 |
//! | policies, mappings and their constraints | 6.1.2 to 6.1.5 |
//! | basicConstraints, pathLenConstraint, keyUsage | 6.1.4 |
//! | extKeyUsage, of authorities, too | 4.2.1.12 |
//! | unknown critical extensions, versions, repeated extensions | 4.2 |
//! | keys of RSA under 2048 bits | |
//!
//! Of a trust anchor, validity, constraints and key usage are checked as for any other authority.
//! A list of revoked certificates counts if the key that signed the certificate signed it.
//!
//! However many certificates a stranger sends, the work is limited: in signatures
//! ([`Policy::max_signatures`]), in issuers that are looked at, and in comparisons of names.

mod authorities;
mod batch;
pub(crate) mod distinguished_name;
pub(crate) mod facts;
mod key_use;
mod name_constraints;
mod peer_name;
mod policies;
mod policy;
mod refusal;
mod revocation;
mod search;
mod signatures;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt;

use kuaimi::Threads;

use self::authorities::Authorities;
use self::facts::Node;
use self::revocation::Evidence;
use self::search::Search;
use self::signatures::Signatures;
use crate::Certificate;
use crate::crl::Crl;
use crate::ocsp::Response;

pub use peer_name::PeerName;
pub use policy::{KeyUse, Policy, Purpose, Revocation};
pub use refusal::{Refusal, Rule};

/// The most intermediates that come with one end certificate.
pub const MAX_PRESENTED: usize = 1000;

/// Trust anchors, and what else is known.
///
/// ```
/// use kuaimi_pki::Certificate;
/// use kuaimi_pki::chain::{PeerName, Policy, Purpose, Refusal, Verifier};
///
/// /// The chain of a server, its own certificate first.
/// fn accept(verifier: &Verifier, chain: &[Certificate], host: PeerName, now: u64) -> Result<(), Refusal> {
///     let policy = Policy::at(now).purpose(Purpose::Server).peer(host);
///     let path = verifier.verify(&chain[0], &chain[1..], &policy)?;
///     println!("trusted by {:?}", path.anchor());
///     Ok(())
/// }
/// ```
#[derive(Default)]
pub struct Verifier {
    anchors: Authorities,
    intermediates: Authorities,
    evidence: Evidence,
}

/// An end certificate with what its holder sends along.
///
/// ```
/// use kuaimi_pki::Certificate;
/// use kuaimi_pki::chain::Presented;
/// use kuaimi_pki::ocsp::Response;
///
/// fn handshake<'a>(chain: &'a [Certificate], stapled: &'a [Response]) -> Option<Presented<'a>> {
///     let (end, intermediates) = chain.split_first()?;
///     Some(Presented::new(end).intermediates(intermediates).responses(stapled))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Presented<'a> {
    end: &'a Certificate,
    intermediates: &'a [Certificate],
    responses: &'a [Response],
    policy: Option<&'a Policy>,
}

impl<'a> Presented<'a> {
    /// An end certificate alone.
    pub fn new(end: &'a Certificate) -> Self {
        Self {
            end,
            intermediates: &[],
            responses: &[],
            policy: None,
        }
    }

    /// Intermediates, in any order. There may be others among them.
    #[must_use]
    pub fn intermediates(mut self, intermediates: &'a [Certificate]) -> Self {
        self.intermediates = intermediates;
        self
    }

    /// OCSP responses.
    #[must_use]
    pub fn responses(mut self, responses: &'a [Response]) -> Self {
        self.responses = responses;
        self
    }

    /// The intermediates, each once, and no more than are accepted.
    fn distinct(&self) -> impl Iterator<Item = &'a Certificate> {
        let mut seen: BTreeSet<&[u8]> = BTreeSet::new();
        let given = self.intermediates.iter().take(MAX_PRESENTED);
        given.filter(move |one| seen.insert(one.as_der()))
    }

    /// A policy for this chain, in the place of the one for all.
    #[must_use]
    pub fn policy(mut self, policy: &'a Policy) -> Self {
        self.policy = Some(policy);
        self
    }
}

/// The way from an end certificate to a trust anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(Vec<Certificate>);

impl Path {
    /// The certificates: the end certificate first, the trust anchor last. They are one and the
    /// same if the end certificate is a trust anchor.
    pub fn certificates(&self) -> &[Certificate] {
        &self.0
    }

    /// The trust anchor.
    pub fn anchor(&self) -> Option<&Certificate> {
        self.0.last()
    }

    /// The issuer of the end certificate.
    pub fn issuer(&self) -> Option<&Certificate> {
        self.0.get(1)
    }
}

impl Verifier {
    /// Trusts `anchors`. They need not be self-signed.
    pub fn new<'c>(anchors: impl IntoIterator<Item = &'c Certificate>) -> Self {
        let mut verifier = Self::default();
        for anchor in anchors {
            verifier.anchors.add(anchor);
        }
        verifier
    }

    /// Adds intermediates, which paths may lead over. They are not trusted.
    #[must_use]
    pub fn with_intermediates<'c>(
        mut self,
        intermediates: impl IntoIterator<Item = &'c Certificate>,
    ) -> Self {
        for intermediate in intermediates {
            self.intermediates.add(intermediate);
        }
        self
    }

    /// Adds lists of revoked certificates, complete ones and deltas. They are not trusted: a list
    /// counts once its signature was verified.
    #[must_use]
    pub fn with_crls<'c>(mut self, lists: impl IntoIterator<Item = &'c Crl>) -> Self {
        for list in lists {
            self.evidence.add_list(list);
        }
        self
    }

    /// Adds OCSP responses. They are not trusted: a response counts once its signature was
    /// verified.
    #[must_use]
    pub fn with_responses<'c>(mut self, responses: impl IntoIterator<Item = &'c Response>) -> Self {
        for response in responses {
            self.evidence.add_response(response);
        }
        self
    }

    /// Verifies the chain of `end`, with `intermediates` in any order.
    ///
    /// # Errors
    /// [`Refusal`], which names the certificate and the rule that it breaks.
    pub fn verify(
        &self,
        end: &Certificate,
        intermediates: &[Certificate],
        policy: &Policy,
    ) -> Result<Path, Refusal> {
        self.verify_presented(&Presented::new(end).intermediates(intermediates), policy)
    }

    /// As [`verify`](Self::verify), with all that the holder of the end certificate sends along.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_presented(
        &self,
        presented: &Presented<'_>,
        policy: &Policy,
    ) -> Result<Path, Refusal> {
        let policy = presented.policy.unwrap_or(policy);
        too_many(presented)?;
        let end = Node::new(presented.end.clone());
        let intermediates: Vec<Node> = presented
            .distinct()
            .map(|one| Node::new(one.clone()))
            .collect();
        let intermediates: Vec<&Node> = intermediates.iter().collect();
        let signatures = Signatures::verifying(policy.max_signatures, None);
        Search::new(
            self,
            policy,
            &intermediates,
            presented.responses,
            signatures,
        )
        .run(&end)
    }

    /// Verifies many chains, and gives a result for each, in order: the same as
    /// [`verify_presented`](Self::verify_presented) gives.
    ///
    /// The signatures are verified together, on these threads, and those that several chains have
    /// in common once.
    ///
    /// ```
    /// use kuaimi::Threads;
    /// use kuaimi_pki::Certificate;
    /// use kuaimi_pki::chain::{Policy, Presented, Verifier};
    ///
    /// fn count_good(verifier: &Verifier, ends: &[Certificate], now: u64) -> usize {
    ///     let chains: Vec<Presented<'_>> = ends.iter().map(Presented::new).collect();
    ///     let results = verifier.verify_batch(&chains, &Policy::at(now), Threads::One);
    ///     results.iter().filter(|result| result.is_ok()).count()
    /// }
    /// ```
    pub fn verify_batch(
        &self,
        chains: &[Presented<'_>],
        policy: &Policy,
        threads: Threads,
    ) -> Vec<Result<Path, Refusal>> {
        batch::verify(self, chains, policy, threads)
    }
}

fn too_many(presented: &Presented<'_>) -> Result<(), Refusal> {
    if presented.intermediates.len() > MAX_PRESENTED {
        let rule = Rule::Limit("intermediates that come along");
        return Err(Refusal::new(rule, 0, presented.end));
    }
    Ok(())
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier")
            .field("anchors", &self.anchors)
            .field("intermediates", &self.intermediates)
            .finish_non_exhaustive()
    }
}
