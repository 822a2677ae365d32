//! Finding a path from the end certificate to a trust anchor, depth first, and checking it
//! (RFC 5280, clause 6; RFC 4158).

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::facts::Node;
use super::name_constraints::{self, Comparisons};
use super::policies;
use super::refusal::{Refusal, Rule};
use super::revocation;
use super::signatures::{Signatures, Signed};
use super::{Path, Policy, Verifier};
use crate::ocsp::Response;

/// How many issuers may be looked at for one end certificate.
const MAX_STEPS: u32 = 2000;

/// How far a path had led when it failed: more than another that is as long.
const NO_ISSUER: usize = 1;
const BAD_SIGNATURE: usize = 2;
const BROKEN_RULE: usize = 3;
const COMPLETE: usize = 4;

pub(super) struct Search<'a, 'k> {
    pub(super) verifier: &'a Verifier,
    pub(super) policy: &'a Policy,
    pub(super) intermediates: &'a [&'a Node],
    pub(super) responses: &'a [Response],
    pub(super) signatures: Signatures<'a, 'k>,
    purposes: Vec<ObjectIdentifier>,
    comparisons: Comparisons,
    steps: u32,
    path: Vec<&'a Node>,
    best: Option<Failure<'a>>,
}

/// Why a path failed.
struct Failure<'a> {
    progress: usize,
    depth: usize,
    rule: Rule,
    node: &'a Node,
}

/// A limit was reached.
struct Stopped;

/// A possible issuer: a certificate with the issuer's name, not checked yet.
struct Candidate<'a> {
    node: &'a Node,
    is_anchor: bool,
}

impl<'a, 'k> Search<'a, 'k> {
    pub(super) fn new(
        verifier: &'a Verifier,
        policy: &'a Policy,
        intermediates: &'a [&'a Node],
        responses: &'a [Response],
        signatures: Signatures<'a, 'k>,
    ) -> Self {
        Self {
            verifier,
            policy,
            intermediates,
            responses,
            signatures,
            purposes: policy.purposes(),
            comparisons: Comparisons::default(),
            steps: MAX_STEPS,
            path: Vec::new(),
            best: None,
        }
    }

    pub(super) fn run(&mut self, end: &'a Node) -> Result<Path, Refusal> {
        if let Err(rule) = end.check_end(self.policy) {
            return Err(Refusal::new(rule, 0, &end.certificate));
        }
        self.path.push(end);
        let mut anchors = self.verifier.anchors.named(&end.subject);
        let is_anchor = anchors.any(|anchor| anchor.certificate == end.certificate);
        let found = if is_anchor {
            self.complete()
        } else {
            self.extend()
        };
        match found {
            Ok(true) => Ok(Path(
                self.path
                    .iter()
                    .map(|node| node.certificate.clone())
                    .collect(),
            )),
            Ok(false) | Err(Stopped) => Err(match self.best.take() {
                Some(failure) => {
                    Refusal::new(failure.rule, failure.depth, &failure.node.certificate)
                }
                None => Refusal::new(Rule::UnknownIssuer, 0, &end.certificate),
            }),
        }
    }

    /// Continues the path to a trust anchor; false if none of the ways leads to one.
    fn extend(&mut self) -> Result<bool, Stopped> {
        let Some(&child) = self.path.last() else {
            return Ok(false);
        };
        let depth = self.path.len() - 1;
        let candidates = self.candidates(child);
        if candidates.is_empty() {
            let rule = if child.is_self_issued() {
                Rule::SelfSigned
            } else {
                Rule::UnknownIssuer
            };
            self.failed(NO_ISSUER, depth, rule, child);
        }
        for Candidate { node, is_anchor } in candidates {
            let Some(left) = self.steps.checked_sub(1) else {
                return Err(self.stopped(Rule::Limit("possible issuers"), depth, child));
            };
            self.steps = left;
            let mark = self.signatures.mark();
            if self.may_issue(child, node, is_anchor)? {
                self.path.push(node);
                let found = if is_anchor {
                    self.complete()?
                } else {
                    self.extend()?
                };
                if found {
                    return Ok(true);
                }
                self.path.pop();
            }
            self.signatures.forget(mark);
        }
        Ok(false)
    }

    /// The certificates with the issuer's name, the likely ones first. The identifiers of keys are
    /// only a hint, and so is the time.
    fn candidates(&self, child: &'a Node) -> Vec<Candidate<'a>> {
        let verifier = self.verifier;
        let given = self.intermediates.iter().copied();
        let given = given.filter(|node| node.subject == child.issuer);
        // The verifier's own first: they keep the tables of their keys from call to call.
        let own = verifier
            .anchors
            .named(&child.issuer)
            .map(|node| (node, true))
            .chain(
                verifier
                    .intermediates
                    .named(&child.issuer)
                    .map(|node| (node, false)),
            );
        let mut found: Vec<Candidate<'a>> = Vec::new();
        // An authority occurs once in a path: so nothing goes round in circles.
        let used = |node: &Node| {
            let mut path = self.path.iter();
            path.any(|other| other.subject == node.subject && other.key() == node.key())
        };
        let is_known = |found: &[Candidate<'a>], node: &Node| {
            let mut found = found.iter();
            found.any(|other| other.node.certificate == node.certificate)
        };
        for (node, is_anchor) in own {
            if !used(node) && !is_known(&found, node) {
                found.push(Candidate { node, is_anchor });
            }
        }
        // Of what comes along, no two are the same.
        let own = found.len();
        for node in given {
            if !used(node) && !is_known(found.get(..own).unwrap_or_default(), node) {
                found.push(Candidate {
                    node,
                    is_anchor: false,
                });
            }
        }
        if found.len() > 1 {
            let wanted = child.issuer_key_identifier();
            let time = self.policy.time;
            found.sort_by_cached_key(|candidate| {
                let node = candidate.node;
                let key = match (wanted, node.key_identifier()) {
                    (Some(wanted), Some(key)) if wanted == key => 0,
                    (Some(_), Some(_)) => 2,
                    _ => 1,
                };
                let valid = (node.not_before..=node.not_after).contains(&time);
                // One step from a trust anchor.
                let near = verifier.anchors.named(&node.issuer).next().is_some();
                (key, !valid, !candidate.is_anchor, !near)
            });
        }
        found
    }

    /// Whether `node` may be, and is, the issuer of `child`.
    fn may_issue(
        &mut self,
        child: &'a Node,
        node: &'a Node,
        is_anchor: bool,
    ) -> Result<bool, Stopped> {
        let depth = self.path.len();
        let intermediates = self.path.iter().skip(1);
        let below = intermediates.filter(|node| !node.is_self_issued()).count();
        if !is_anchor && depth > self.policy.max_intermediates {
            // Only a trust anchor may follow.
            let rule = Rule::TooManyCertificates(self.policy.max_intermediates + 2);
            self.failed(BROKEN_RULE, depth - 1, rule, child);
            return Ok(false);
        }
        if let Err(rule) = node.check_issuer(self.policy, &self.purposes, below, is_anchor) {
            self.failed(BROKEN_RULE, depth, rule, node);
            return Ok(false);
        }
        let identities = self.policy.identities;
        let signed = Signed::of(&child.certificate, &node.certificate, identities);
        match signed.and_then(|signed| self.signatures.check(signed)) {
            Ok(()) => Ok(true),
            Err(rule @ Rule::Limit(_)) => Err(self.stopped(rule, depth - 1, child)),
            Err(rule) => {
                self.failed(BAD_SIGNATURE, depth - 1, rule, child);
                Ok(false)
            }
        }
    }

    /// Checks what can be checked once the whole path is there.
    fn complete(&mut self) -> Result<bool, Stopped> {
        let path = &self.path;
        let policy = self.policy;
        let checked = name_constraints::check(path, policy.common_name, &mut self.comparisons)
            .and_then(|()| policies::check(path, &policy.wanted))
            .and_then(|()| {
                revocation::check(
                    path,
                    &self.verifier.evidence,
                    self.responses,
                    policy,
                    &mut self.signatures,
                )
            });
        match checked {
            Ok(()) => Ok(true),
            Err((depth, rule)) => {
                let Some(&node) = self.path.get(depth) else {
                    return Ok(false);
                };
                if matches!(rule, Rule::Limit(_)) {
                    return Err(self.stopped(rule, depth, node));
                }
                self.failed(COMPLETE, depth, rule, node);
                Ok(false)
            }
        }
    }

    fn failed(&mut self, stage: usize, depth: usize, rule: Rule, node: &'a Node) {
        let progress = self.path.len() * 10 + stage;
        if self
            .best
            .as_ref()
            .is_none_or(|best| best.progress < progress)
        {
            self.best = Some(Failure {
                progress,
                depth,
                rule,
                node,
            });
        }
    }

    /// Gives up: this is what is reported, whatever else was found.
    fn stopped(&mut self, rule: Rule, depth: usize, node: &'a Node) -> Stopped {
        self.best = Some(Failure {
            progress: usize::MAX,
            depth,
            rule,
            node,
        });
        Stopped
    }
}
