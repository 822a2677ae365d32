//! Thousands of chains: first all rules, then all signatures together.
//!
//! Paths are found as if every signature fitted, and the signatures are noted down. Those that
//! several chains have in common, of intermediates and of lists, are noted once. They are verified
//! in one batch. A chain all of whose signatures fit is accepted; any other is looked at again
//! alone, as another path may lead to a trust anchor, and its refusal has to name the rule.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use kuaimi::Threads;
use kuaimi::sm2::Signature;
use kuaimi::sm2::batch::{VerifyItem, verify_batch};

use super::facts::Node;
use super::search::Search;
use super::signatures::{Id, Signatures, Signed};
use super::{Path, Policy, Presented, Refusal, Rule, Verifier, too_many};
use crate::public_key::SignatureAlgorithm;
use crate::{Certificate, PublicKey};

/// What is known of one chain after its rules were checked.
struct Judged {
    result: Result<Path, Refusal>,
    /// The places of its signatures.
    signatures: Vec<usize>,
}

/// Certificates, read once for all chains that they are in. Clones of one certificate share their
/// bytes, and so are known by these bytes' address.
#[derive(Default)]
struct Nodes {
    nodes: Vec<Node>,
    by_address: BTreeMap<usize, usize>,
}

impl Nodes {
    fn place(&mut self, certificate: &Certificate) -> usize {
        let address = certificate.as_der().as_ptr() as usize;
        let next = self.nodes.len();
        let place = *self.by_address.entry(address).or_insert(next);
        if place == next {
            self.nodes.push(Node::new(certificate.clone()));
        }
        place
    }

    fn get(&self, places: &[usize]) -> Vec<&Node> {
        let found = places.iter().map(|place| self.nodes.get(*place));
        found.flatten().collect()
    }
}

/// A chain, read.
struct Chain<'a> {
    presented: &'a Presented<'a>,
    policy: &'a Policy,
    end: Option<&'a Node>,
    intermediates: Vec<&'a Node>,
}

impl Chain<'_> {
    /// Finds a path, with `signatures`.
    fn search<'a, 'k>(
        &'a self,
        verifier: &'a Verifier,
        signatures: Signatures<'a, 'k>,
    ) -> (Result<Path, Refusal>, Signatures<'a, 'k>) {
        let given = &self.intermediates;
        let responses = self.presented.responses;
        let mut search = Search::new(verifier, self.policy, given, responses, signatures);
        let result = too_many(self.presented).and_then(|()| match self.end {
            Some(end) => search.run(end),
            None => Err(Refusal::new(
                Rule::Limit("certificates"),
                0,
                self.presented.end,
            )),
        });
        (result, search.signatures)
    }
}

pub(super) fn verify(
    verifier: &Verifier,
    chains: &[Presented<'_>],
    policy: &Policy,
    threads: Threads,
) -> Vec<Result<Path, Refusal>> {
    let mut nodes = Nodes::default();
    let places: Vec<(usize, Vec<usize>)> = chains
        .iter()
        .map(|chain| {
            let intermediates = chain.distinct().map(|one| nodes.place(one)).collect();
            (nodes.place(chain.end), intermediates)
        })
        .collect();
    let chains: Vec<Chain<'_>> = chains
        .iter()
        .zip(&places)
        .map(|(presented, (end, intermediates))| Chain {
            presented,
            policy: presented.policy.unwrap_or(policy),
            end: nodes.nodes.get(*end),
            intermediates: nodes.get(intermediates),
        })
        .collect();

    let mut signatures: Vec<Signed<'_>> = Vec::new();
    let mut by_id: BTreeMap<Id<'_>, usize> = BTreeMap::new();
    let mut judged: Vec<Judged> = Vec::with_capacity(chains.len());
    for chain in &chains {
        let noting = Signatures::noting(chain.policy.max_signatures);
        let (result, noted) = chain.search(verifier, noting);
        let mut of_chain = Vec::new();
        for signed in noted.into_noted() {
            let next = signatures.len();
            let place = *by_id.entry(signed.id()).or_insert(next);
            if place == next {
                signatures.push(signed);
            }
            of_chain.push(place);
        }
        judged.push(Judged {
            result,
            signatures: of_chain,
        });
    }

    let verdicts = verify_all(&signatures, threads);
    let fits = |place: &usize| verdicts.get(*place).copied().unwrap_or(false);
    let good = |judged: &Judged| judged.result.is_ok() && judged.signatures.iter().all(fits);
    let known: BTreeMap<Id<'_>, bool> = if judged.iter().all(good) {
        BTreeMap::new()
    } else {
        by_id
            .into_iter()
            .map(|(id, place)| (id, fits(&place)))
            .collect()
    };
    let last = |(chain, judged): (&Chain<'_>, Judged)| {
        if good(&judged) {
            return judged.result;
        }
        let verifying = Signatures::verifying(chain.policy.max_signatures, Some(&known));
        chain.search(verifier, verifying).0
    };
    chains.iter().zip(judged).map(last).collect()
}

/// Verifies each: those of SM2 together, the others one by one.
fn verify_all(signatures: &[Signed<'_>], threads: Threads) -> Vec<bool> {
    let mut items = Vec::new();
    let mut places = Vec::new();
    let mut fits: Vec<bool> = Vec::with_capacity(signatures.len());
    for (place, signed) in signatures.iter().enumerate() {
        match (signed.key, signed.algorithm) {
            (PublicKey::Sm2(key), SignatureAlgorithm::Sm2) => {
                let signature = Signature::from_der(signed.signature);
                items.push(VerifyItem::new(key, signed.message, signature));
                places.push(place);
                fits.push(false);
            }
            _ => fits.push(signed.verify()),
        }
    }
    for (place, verdict) in places.iter().zip(verify_batch(&items, threads)) {
        // Under another identity it may still fit.
        let signed = signatures.get(*place);
        let verdict = verdict.is_ok()
            || signed.is_some_and(|signed| {
                signed.identities != crate::public_key::Identities::Default && signed.verify()
            });
        if let Some(fit) = fits.get_mut(*place) {
            *fit = verdict;
        }
    }
    fits
}
