//! Certificate policies (RFC 5280, clause 6.1, in the form of RFC 9618).
//!
//! RFC 5280 keeps a tree, which policy mappings can make grow exponentially. RFC 9618 keeps a graph
//! with at most one node for a policy at each depth; it gives the same answers.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::facts::Node;
use super::refusal::Rule;
use crate::ber::{self, Elements};
use crate::oid;

/// The most policies or mappings in one certificate.
const MAX_POLICIES: usize = 1000;

/// A policy's identifier: the content of the OBJECT IDENTIFIER.
type Policy<'a> = &'a [u8];

/// A policy of one certificate.
struct Entry<'a> {
    /// What a policy of the next certificate may be called to continue this one.
    expected: BTreeSet<Policy<'a>>,
    /// The policies of the certificate before that this one continues.
    parents: BTreeSet<Policy<'a>>,
}

/// The policies of one certificate.
type Level<'a> = BTreeMap<Policy<'a>, Entry<'a>>;

/// What the caller asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// The policies that are acceptable; none means any.
    pub(crate) policies: Vec<der::asn1::ObjectIdentifier>,
    pub(crate) explicit: bool,
    pub(crate) inhibit_mapping: bool,
    pub(crate) inhibit_any: bool,
}

/// Whether the path, which begins with the end certificate and ends with the trust anchor, has the
/// policies that are required.
pub(crate) fn check(path: &[&Node], wanted: &Wanted) -> Result<(), (usize, Rule)> {
    // Most paths have none of this, and no one asks for it.
    let below_anchor = path.get(..path.len().saturating_sub(1)).unwrap_or_default();
    let asks = |node: &&Node| {
        node.facts
            .as_ref()
            .is_ok_and(|facts| facts.require_explicit_policy.is_some())
    };
    if !wanted.explicit && !below_anchor.iter().any(asks) {
        // What is malformed is refused all the same.
        for (depth, node) in below_anchor.iter().enumerate() {
            well_formed(node).map_err(|rule| (depth, rule))?;
        }
        return Ok(());
    }
    Walk::new(below_anchor.len(), wanted).run(below_anchor)
}

fn well_formed(node: &Node) -> Result<(), Rule> {
    policies(node)?;
    mappings(node)?;
    Ok(())
}

struct Walk<'a, 'w> {
    wanted: &'w Wanted,
    /// The graph: a level for the anchor, then one for each certificate; none once it is empty.
    levels: Option<Vec<Level<'a>>>,
    explicit: u32,
    mapping: u32,
    any: u32,
}

impl<'a, 'w> Walk<'a, 'w> {
    fn new(length: usize, wanted: &'w Wanted) -> Self {
        let whole = u32::try_from(length).unwrap_or(u32::MAX).saturating_add(1);
        let count = |at_once: bool| if at_once { 0 } else { whole };
        let any = oid_bytes();
        let root = Entry {
            expected: BTreeSet::from([any]),
            parents: BTreeSet::new(),
        };
        Self {
            wanted,
            levels: Some(alloc::vec![BTreeMap::from([(any, root)])]),
            explicit: count(wanted.explicit),
            mapping: count(wanted.inhibit_mapping),
            any: count(wanted.inhibit_any),
        }
    }

    fn run(mut self, below_anchor: &[&'a Node]) -> Result<(), (usize, Rule)> {
        for (depth, node) in below_anchor.iter().enumerate().rev() {
            let at = |rule| (depth, rule);
            self.policies(node, depth == 0).map_err(at)?;
            if self.explicit == 0 && self.levels.is_none() {
                return Err((depth, Rule::Policy));
            }
            if depth > 0 {
                self.prepare(node).map_err(at)?;
            }
        }
        // Clause 6.1.5, steps (a), (b) and (g).
        self.explicit = self.explicit.saturating_sub(1);
        let required = below_anchor
            .first()
            .and_then(|node| node.facts.as_ref().ok()?.require_explicit_policy);
        if required == Some(0) {
            self.explicit = 0;
        }
        if self.explicit > 0 || self.is_acceptable() {
            Ok(())
        } else {
            Err((0, Rule::Policy))
        }
    }

    /// Clause 6.1.3, steps (d) and (e).
    fn policies(&mut self, node: &'a Node, is_end: bool) -> Result<(), Rule> {
        let any = oid_bytes();
        let Some(list) = policies(node)? else {
            self.levels = None;
            return Ok(());
        };
        let Some(levels) = &mut self.levels else {
            return Ok(());
        };
        let Some(above) = levels.last() else {
            return Ok(());
        };
        let mut continued: BTreeMap<Policy<'a>, BTreeSet<Policy<'a>>> = BTreeMap::new();
        for (policy, entry) in above {
            for expected in &entry.expected {
                continued.entry(expected).or_default().insert(policy);
            }
        }
        let mut level = Level::new();
        let mut add = |policy: Policy<'a>, parents: BTreeSet<Policy<'a>>| {
            let expected = BTreeSet::from([policy]);
            level.insert(policy, Entry { expected, parents });
        };
        for policy in list.iter().filter(|policy| **policy != any) {
            if let Some(parents) = continued.get(policy) {
                add(policy, parents.clone());
            } else if above.contains_key(any) {
                add(policy, BTreeSet::from([any]));
            }
        }
        if list.contains(&any) && (self.any > 0 || (!is_end && node.is_self_issued())) {
            for (policy, parents) in continued {
                if !level.contains_key(policy) {
                    let expected = BTreeSet::from([policy]);
                    level.insert(policy, Entry { expected, parents });
                }
            }
        }
        levels.push(level);
        self.prune();
        Ok(())
    }

    /// Clause 6.1.4, steps (a), (b), (h), (i) and (j).
    fn prepare(&mut self, node: &'a Node) -> Result<(), Rule> {
        self.map(node)?;
        if !node.is_self_issued() {
            self.explicit = self.explicit.saturating_sub(1);
            self.mapping = self.mapping.saturating_sub(1);
            self.any = self.any.saturating_sub(1);
        }
        if let Ok(facts) = &node.facts {
            let least = |now: u32, said: Option<u32>| said.map_or(now, |said| now.min(said));
            self.explicit = least(self.explicit, facts.require_explicit_policy);
            self.mapping = least(self.mapping, facts.inhibit_policy_mapping);
            self.any = least(self.any, facts.inhibit_any_policy);
        }
        Ok(())
    }

    fn map(&mut self, node: &'a Node) -> Result<(), Rule> {
        let any = oid_bytes();
        let mut mapped: BTreeMap<Policy<'a>, BTreeSet<Policy<'a>>> = BTreeMap::new();
        for (issuer, subject) in mappings(node)? {
            mapped.entry(issuer).or_default().insert(subject);
        }
        let Some(level) = self.levels.as_mut().and_then(|levels| levels.last_mut()) else {
            return Ok(());
        };
        for (policy, expected) in mapped {
            if self.mapping == 0 {
                level.remove(policy);
            } else if let Some(entry) = level.get_mut(policy) {
                entry.expected = expected;
            } else if level.contains_key(any) {
                let parents = BTreeSet::from([any]);
                level.insert(policy, Entry { expected, parents });
            }
        }
        self.prune();
        Ok(())
    }

    /// Removes what nothing in the last level continues.
    fn prune(&mut self) {
        let Some(levels) = &mut self.levels else {
            return;
        };
        let mut needed: Option<BTreeSet<Policy<'a>>> = None;
        for level in levels.iter_mut().rev() {
            if let Some(needed) = &needed {
                level.retain(|policy, _| needed.contains(policy));
            }
            let parents = level.values().flat_map(|entry| entry.parents.iter());
            needed = Some(parents.copied().collect());
        }
        if levels.last().is_none_or(BTreeMap::is_empty) {
            self.levels = None;
        }
    }

    /// Whether the policies that the authorities allow and those that the caller accepts have one
    /// in common (clause 6.1.5, step (g)).
    fn is_acceptable(&self) -> bool {
        let any = oid_bytes();
        let Some(levels) = &self.levels else {
            return false;
        };
        // Named by the authorities: first called something else than any policy. What is left of
        // the graph leads to the end certificate.
        let end_has_any = levels.last().is_some_and(|level| level.contains_key(any));
        let mut named = levels
            .iter()
            .flatten()
            .filter(|(policy, entry)| **policy != any && entry.parents.contains(any))
            .map(|(policy, _)| *policy);
        if self.wanted.policies.is_empty() || end_has_any {
            return end_has_any || named.next().is_some();
        }
        let wanted = |policy: Policy<'_>| {
            self.wanted
                .policies
                .iter()
                .any(|id| id.as_bytes() == policy)
        };
        named.any(wanted) || wanted(any) && levels.last().is_some_and(|level| !level.is_empty())
    }
}

fn oid_bytes() -> &'static [u8] {
    const ANY: &der::asn1::ObjectIdentifier = &oid::ANY_POLICY;
    ANY.as_bytes()
}

/// The policies of a certificate, each once.
fn policies(node: &Node) -> Result<Option<Vec<Policy<'_>>>, Rule> {
    let Some(content) = node.policies() else {
        return Ok(None);
    };
    let mut list = Elements::inside(content, ber::SEQUENCE, "certificatePolicies")?;
    let mut found = Vec::new();
    while !list.is_empty() {
        let mut fields = list.enter(ber::SEQUENCE)?;
        found.push(fields.take(ber::OID)?);
        // Qualifiers are for people.
        fields.optional(ber::SEQUENCE)?;
        fields.end()?;
    }
    if found.len() > MAX_POLICIES {
        return Err(Rule::Limit("the policies of a certificate"));
    }
    let distinct: BTreeSet<Policy<'_>> = found.iter().copied().collect();
    if distinct.len() != found.len() {
        return Err(list.malformed().into());
    }
    Ok(Some(found))
}

/// The mappings of a certificate: the issuer's policy, and the subject's that is the same.
fn mappings(node: &Node) -> Result<Vec<(Policy<'_>, Policy<'_>)>, Rule> {
    let Some(content) = node.policy_mappings() else {
        return Ok(Vec::new());
    };
    let mut list = Elements::inside(content, ber::SEQUENCE, "policyMappings")?;
    let mut found = Vec::new();
    while !list.is_empty() {
        let mut fields = list.enter(ber::SEQUENCE)?;
        found.push((fields.take(ber::OID)?, fields.take(ber::OID)?));
        fields.end()?;
    }
    if found.len() > MAX_POLICIES {
        return Err(Rule::Limit("the policy mappings of a certificate"));
    }
    let any = oid_bytes();
    if found
        .iter()
        .any(|(issuer, subject)| *issuer == any || *subject == any)
    {
        return Err(list.malformed().into());
    }
    Ok(found)
}
