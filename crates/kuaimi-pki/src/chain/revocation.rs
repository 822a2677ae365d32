//! Whether the certificates of a path were revoked (RFC 5280, clause 6.3; RFC 6960).

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use once_cell::race::OnceBox;
use x509_cert::ext::pkix::CrlReason;

use super::distinguished_name::Canonical;
use super::facts::Node;
use super::policy::{Policy, Revocation};
use super::refusal::Rule;
use super::signatures::{Signatures, Signed};
use crate::crl::{Combined, Crl};
use crate::ocsp::{Responder, Response, Status};
use crate::public_key::Identities;

/// Lists and responses, as the caller gave them. What they are worth is found out when they are
/// used.
#[derive(Default)]
pub(super) struct Evidence {
    lists: BTreeMap<Canonical, Vec<List>>,
    responses: Vec<Response>,
}

/// A list. A long one takes a while to hash: so once a key was found to have signed it, this is
/// remembered.
struct List {
    list: Crl,
    signer: OnceBox<Signer>,
}

#[derive(PartialEq)]
struct Signer {
    algorithm: ObjectIdentifier,
    key: Vec<u8>,
    identities: Identities,
}

/// What is known of a certificate.
enum Known {
    Good,
    Revoked(u64, Option<CrlReason>),
    /// Nothing; the value says why.
    Nothing(&'static str),
}

const NOTHING: &str = "no list and no response is about it";

impl Evidence {
    pub(super) fn add_list(&mut self, list: &Crl) {
        // A name that cannot be read is no certificate's issuer.
        if let Ok(issuer) = Canonical::read(list.issuer_der()) {
            self.lists.entry(issuer).or_default().push(List {
                list: list.clone(),
                signer: OnceBox::new(),
            });
        }
    }

    pub(super) fn add_response(&mut self, response: &Response) {
        self.responses.push(response.clone());
    }
}

/// Checks the certificates of `path`, from the end certificate to the trust anchor.
pub(super) fn check<'a>(
    path: &[&'a Node],
    evidence: &'a Evidence,
    responses: &'a [Response],
    policy: &Policy,
    signatures: &mut Signatures<'a, '_>,
) -> Result<(), (usize, Rule)> {
    if policy.revocation == Revocation::Off {
        return Ok(());
    }
    for (depth, pair) in path.windows(2).enumerate() {
        let &[node, issuer] = pair else { continue };
        let required = match policy.revocation {
            Revocation::RequiredForAll => true,
            Revocation::RequiredForEnd => depth == 0,
            Revocation::Off | Revocation::IfPresent => false,
        };
        let mut asked = Asked {
            node,
            issuer,
            policy,
            signatures: &mut *signatures,
        };
        let at = |rule| (depth, rule);
        let by_lists = asked.lists(evidence).map_err(at)?;
        let by_responses = asked
            .responses(responses.iter().chain(&evidence.responses))
            .map_err(at)?;
        match (by_lists, by_responses) {
            (Known::Revoked(date, reason), _) | (_, Known::Revoked(date, reason)) => {
                return Err((depth, Rule::Revoked(date, reason)));
            }
            (Known::Good, _) | (_, Known::Good) => {}
            (Known::Nothing(why), Known::Nothing(other)) if required => {
                let why = if why == NOTHING { other } else { why };
                return Err((depth, Rule::RevocationUnknown(why)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A certificate that is asked about, and its issuer.
struct Asked<'a, 's, 'k> {
    node: &'a Node,
    issuer: &'a Node,
    policy: &'s Policy,
    signatures: &'s mut Signatures<'a, 'k>,
}

impl<'a> Asked<'a, '_, '_> {
    fn lists(&mut self, evidence: &'a Evidence) -> Result<Known, Rule> {
        let Some(lists) = evidence.lists.get(&self.node.issuer) else {
            return Ok(Known::Nothing(NOTHING));
        };
        let facts = self.node.facts.as_ref();
        let authority = facts.is_ok_and(|facts| facts.basic_constraints == Some(true));
        let points = self.node.crl_distribution_points();
        let mut known = Known::Nothing(NOTHING);
        for list in lists.iter().filter(|list| !list.list.is_delta()) {
            if !list.list.scope().covers(points, authority) {
                continue;
            }
            if let Some(why) = self.unfit(list)? {
                if matches!(known, Known::Nothing(_)) {
                    known = Known::Nothing(why);
                }
                continue;
            }
            let serial = self.node.certificate.serial();
            let delta = self.delta(lists, list)?;
            let entry = match &delta {
                Some(both) => both.find(serial),
                None => list.list.find(serial),
            };
            if let Some(entry) = entry {
                return Ok(Known::Revoked(entry.date(), entry.reason()));
            }
            if list.list.scope().some_reasons {
                if matches!(known, Known::Nothing(_)) {
                    known = Known::Nothing("the list is about some of the reasons only");
                }
            } else {
                known = Known::Good;
            }
        }
        Ok(known)
    }

    /// The newest changes to `base` that can be used.
    fn delta(&mut self, lists: &'a [List], base: &'a List) -> Result<Option<Combined<'a>>, Rule> {
        let mut newest: Option<(u64, Combined<'a>)> = None;
        for list in lists.iter().filter(|list| list.list.is_delta()) {
            let Ok(both) = Combined::new(&base.list, &list.list) else {
                continue;
            };
            let date = list.list.this_update();
            if newest.as_ref().is_none_or(|(other, _)| *other < date) && self.unfit(list)?.is_none()
            {
                newest = Some((date, both));
            }
        }
        Ok(newest.map(|(_, both)| both))
    }

    /// Why a list cannot be used.
    fn unfit(&mut self, list: &'a List) -> Result<Option<&'static str>, Rule> {
        if !list.list.is_current(self.policy.time) {
            return Ok(Some("the list is not in force at the given time"));
        }
        if !self.issuer.may_sign_lists() {
            return Ok(Some("its issuer may not sign lists"));
        }
        let (algorithm, key) = self.issuer.key();
        let identities = self.policy.identities;
        let known = list.signer.get();
        if known.is_some_and(|known| {
            known.key == key && known.algorithm == algorithm && known.identities == identities
        }) {
            return Ok(None);
        }
        let signed = Signed::new(
            &self.issuer.certificate,
            list.list.signature_algorithm(),
            list.list.tbs(),
            list.list.signature(),
            identities,
        );
        match signed.and_then(|signed| self.signatures.check(signed)) {
            Ok(()) => {
                if self.signatures.verifies() && known.is_none() {
                    let signer = Signer {
                        algorithm,
                        key: key.to_vec(),
                        identities,
                    };
                    // If another thread was first, its signer stays.
                    let _ = list.signer.set(Box::new(signer));
                }
                Ok(None)
            }
            Err(rule @ Rule::Limit(_)) => Err(rule),
            Err(_) => Ok(Some("its issuer did not sign the list")),
        }
    }

    fn responses(&mut self, responses: impl Iterator<Item = &'a Response>) -> Result<Known, Rule> {
        let (time, skew) = (self.policy.time, self.policy.skew);
        let issuer = &self.issuer.certificate;
        let serial = self.node.certificate.serial();
        let mut known = Known::Nothing(NOTHING);
        for response in responses {
            let Some(single) = response.single_of(issuer, serial, time, skew) else {
                continue;
            };
            if !self.is_signed(response)? {
                if matches!(known, Known::Nothing(_)) {
                    known = Known::Nothing("no authorised responder signed the response");
                }
                continue;
            }
            match single.status() {
                Status::Revoked(date, reason) => return Ok(Known::Revoked(date, reason)),
                Status::Good => known = Known::Good,
                Status::Unknown if matches!(known, Known::Nothing(_)) => {
                    known = Known::Nothing("the responder does not know it");
                }
                Status::Unknown => {}
            }
        }
        Ok(known)
    }

    fn is_signed(&mut self, response: &'a Response) -> Result<bool, Rule> {
        let issuer = &self.issuer.certificate;
        let identities = self.policy.identities;
        for responder in response.responders(issuer, &[], self.policy.time) {
            let signer = match responder {
                Responder::Issuer => issuer,
                Responder::Delegate(delegate) => delegate,
            };
            let mut verify = || {
                if let Responder::Delegate(delegate) = responder {
                    self.signatures
                        .check(Signed::of(delegate, issuer, identities)?)?;
                }
                let algorithm = response.signature_algorithm();
                let (tbs, signature) = (response.tbs(), response.signature());
                let signed = Signed::new(signer, algorithm, tbs, signature, identities)?;
                self.signatures.check(signed)
            };
            match verify() {
                Ok(()) => return Ok(true),
                Err(rule @ Rule::Limit(_)) => return Err(rule),
                Err(_) => {}
            }
        }
        Ok(false)
    }
}
