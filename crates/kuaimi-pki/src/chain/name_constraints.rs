//! Name constraints (RFC 5280, clause 4.2.1.10): which names the certificates below an authority
//! may have.
//!
//! Each authority's subtrees are applied to each certificate below it. That is the same as to keep
//! the intersection of the permitted subtrees and the union of the excluded ones (clauses 6.1.3 and
//! 6.1.4), and needs no rule of how subtrees intersect.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};

use super::distinguished_name::Canonical;
use super::facts::Node;
use super::peer_name::{
    self, DIRECTORY, DNS, EMAIL, IP, URI, is_host, same_mailbox, split_mailbox,
};
use super::refusal::Rule;
use crate::ber::{self, Elements, Malformed};

/// The extension, as errors name it.
const WHAT: &str = "nameConstraints";

/// How many names may still be compared with subtrees. One count holds for all paths that are tried
/// for one end certificate, so that long lists times long lists stay affordable.
pub(crate) struct Comparisons(pub(crate) u32);

impl Default for Comparisons {
    fn default() -> Self {
        Self(250_000)
    }
}

/// An authority's constraints.
struct Constraints<'a> {
    permitted: Vec<Subtree<'a>>,
    excluded: Vec<Subtree<'a>>,
}

/// The names under a base.
struct Subtree<'a> {
    form: u8,
    base: &'a [u8],
    /// The base if it is a directoryName.
    name: Option<Canonical>,
}

/// A name of a certificate.
struct Name<'a> {
    form: u8,
    content: &'a [u8],
    name: Option<Canonical>,
}

/// Which certificate breaks which rule: its place in the path.
pub(crate) type Broken = (usize, Rule);

/// Checks a path, which begins with the end certificate. `common_name` says that its common name
/// may be taken for a host.
pub(crate) fn check(
    path: &[&Node],
    common_name: bool,
    comparisons: &mut Comparisons,
) -> Result<(), Broken> {
    // The names of the certificates, which are read when they are first needed.
    let mut names: Vec<Option<Vec<Name<'_>>>> = path.iter().map(|_| None).collect();
    for (depth, node) in path.iter().enumerate().skip(1).rev() {
        let Some(content) = node.name_constraints() else {
            continue;
        };
        let constraints = Constraints::read(content).map_err(|rule| (depth, rule))?;
        for (below, other) in path.iter().enumerate().take(depth) {
            // An authority may name itself again, as when its key changes.
            if below > 0 && other.is_self_issued() {
                continue;
            }
            let Some(slot) = names.get_mut(below) else {
                continue;
            };
            if slot.is_none() {
                let read = names_of(other, common_name && below == 0);
                *slot = Some(read.map_err(|malformed| (below, malformed.into()))?);
            }
            for name in slot.iter().flatten() {
                constraints
                    .permit(name, comparisons)
                    .map_err(|rule| (below, rule))?;
            }
        }
    }
    Ok(())
}

fn names_of(node: &Node, common_name: bool) -> Result<Vec<Name<'_>>, Malformed> {
    let mut names = Vec::new();
    let plain = |form, content| Name {
        form,
        content,
        name: None,
    };
    if !node.subject.is_empty() {
        names.push(Name {
            form: DIRECTORY,
            content: node.certificate.subject_der(),
            name: Some(node.subject.clone()),
        });
    }
    if let Some(content) = node.subject_alt_name() {
        let mut list = Elements::inside(content, ber::SEQUENCE, "name")?;
        while !list.is_empty() {
            let element = list.element()?;
            let name = match element.tag {
                DIRECTORY => Some(Canonical::read(element.content)?),
                _ => None,
            };
            names.push(Name {
                form: element.tag,
                content: element.content,
                name,
            });
        }
    } else if common_name {
        // What is taken for a host must be constrained as one.
        let subject = node.certificate.subject_der();
        let hosts = common_names(subject)?.into_iter();
        names.extend(hosts.map(|content| plain(DNS, content)));
    }
    if !names.iter().any(|name| name.form == EMAIL) {
        let mailboxes = peer_name::mailboxes_of_subject(node.certificate.subject_der())?;
        names.extend(mailboxes.into_iter().map(|content| plain(EMAIL, content)));
    }
    Ok(names)
}

fn common_names(subject: &[u8]) -> Result<Vec<&[u8]>, Malformed> {
    let mut found = Vec::new();
    let mut parts = Elements::inside(subject, ber::SEQUENCE, "name")?;
    while !parts.is_empty() {
        let mut attributes = parts.enter(ber::SET)?;
        while !attributes.is_empty() {
            let mut attribute = attributes.enter(ber::SEQUENCE)?;
            let kind = attribute.take(ber::OID)?;
            let value = attribute.element()?.content;
            let is_name = kind == crate::oid::COMMON_NAME.as_bytes();
            let host =
                core::str::from_utf8(value).map(|text| text.strip_prefix("*.").unwrap_or(text));
            if is_name && host.is_ok_and(is_host) {
                found.push(value);
            }
        }
    }
    Ok(found)
}

impl<'a> Constraints<'a> {
    fn read(content: &'a [u8]) -> Result<Self, Rule> {
        let mut fields = Elements::inside(content, ber::SEQUENCE, WHAT)?;
        let permitted = fields.enter_optional(ber::context(0))?;
        let excluded = fields.enter_optional(ber::context(1))?;
        fields.end()?;
        if permitted.is_none() && excluded.is_none() {
            return Err(fields.malformed().into());
        }
        Ok(Self {
            permitted: subtrees(permitted)?,
            excluded: subtrees(excluded)?,
        })
    }

    fn permit(&self, name: &Name<'_>, comparisons: &mut Comparisons) -> Result<(), Rule> {
        let mut constrained = false;
        let mut permitted = false;
        for subtree in &self.permitted {
            if !permitted && subtree.form == name.form {
                constrained = true;
                comparisons.spend()?;
                permitted = subtree.holds(name, false)?;
            }
        }
        if constrained && !permitted {
            return Err(Rule::NameConstraints(shown(name)));
        }
        for subtree in &self.excluded {
            if subtree.form == name.form {
                comparisons.spend()?;
                if subtree.holds(name, true)? {
                    return Err(Rule::NameConstraints(shown(name)));
                }
            }
        }
        Ok(())
    }
}

impl Comparisons {
    fn spend(&mut self) -> Result<(), Rule> {
        self.0 = self
            .0
            .checked_sub(1)
            .ok_or(Rule::Limit("names times name constraints"))?;
        Ok(())
    }
}

fn subtrees(list: Option<Elements<'_>>) -> Result<Vec<Subtree<'_>>, Rule> {
    let Some(mut list) = list else {
        return Ok(Vec::new());
    };
    if list.is_empty() {
        return Err(list.malformed().into());
    }
    let mut found = Vec::new();
    while !list.is_empty() {
        let mut fields = list.enter(ber::SEQUENCE)?;
        let base = fields.element()?;
        let minimum = fields.optional(ber::context_primitive(0))?;
        if !fields.is_empty() || minimum.is_some_and(|minimum| minimum != [0]) {
            return Err(Rule::UnsupportedConstraint("a minimum or a maximum"));
        }
        found.push(Subtree::read(base.tag, base.content)?);
    }
    Ok(found)
}

impl<'a> Subtree<'a> {
    fn read(form: u8, base: &'a [u8]) -> Result<Self, Malformed> {
        let mut name = None;
        let text = core::str::from_utf8(base).map_err(|_| Malformed::value(WHAT));
        let host = |text: &str| is_host(text.strip_prefix('.').unwrap_or(text));
        let well_formed = match form {
            DNS => {
                let text = text?;
                text.is_empty() || is_host(text)
            }
            URI => text.is_ok_and(host),
            EMAIL => {
                let text = text?;
                match text.rsplit_once('@') {
                    Some((local, domain)) => !local.is_empty() && is_host(domain),
                    None => host(text),
                }
            }
            IP => matches!(base.len(), 8 | 32) && is_prefix(base),
            DIRECTORY => {
                let read = Canonical::read(base);
                name = Some(read.map_err(|_| Malformed::value(WHAT))?);
                true
            }
            _ => true,
        };
        if !well_formed {
            return Err(Malformed::value(WHAT));
        }
        Ok(Self { form, base, name })
    }

    /// Whether `name` is in the subtree; for an excluded one, whether it may stand for a name that
    /// is.
    fn holds(&self, name: &Name<'_>, excluded: bool) -> Result<bool, Rule> {
        let malformed = || Rule::Malformed("name");
        match self.form {
            DIRECTORY => match (&name.name, &self.name) {
                (Some(name), Some(base)) => Ok(name.is_within(base)),
                _ => Err(malformed()),
            },
            DNS => dns_holds(name.content, self.base, excluded).ok_or_else(malformed),
            EMAIL => email_holds(name.content, self.base).ok_or_else(malformed),
            URI => uri_holds(name.content, self.base).ok_or_else(malformed),
            IP => ip_holds(name.content, self.base).ok_or_else(malformed),
            _ => Err(Rule::UnsupportedConstraint("a form of names")),
        }
    }
}

/// Whether the second half of `base` is ones, and then zeros.
fn is_prefix(base: &[u8]) -> bool {
    let (_, mask) = base.split_at(base.len() / 2);
    let ones: u32 = mask.iter().map(|byte| byte.leading_ones()).sum();
    let set: u32 = mask.iter().map(|byte| byte.count_ones()).sum();
    // A byte after the first one that is not full must be zero.
    let after = mask.iter().skip_while(|byte| **byte == 0xff).skip(1);
    ones == set && after.clone().all(|byte| *byte == 0)
}

fn ip_holds(address: &[u8], base: &[u8]) -> Option<bool> {
    if !matches!(address.len(), 4 | 16) {
        return None;
    }
    if base.len() != 2 * address.len() {
        return Some(false);
    }
    let (network, mask) = base.split_at_checked(address.len())?;
    let same = |((address, network), mask): ((&u8, &u8), &u8)| address & mask == network & mask;
    Some(address.iter().zip(network).zip(mask).all(same))
}

fn dns_holds(name: &[u8], base: &[u8], excluded: bool) -> Option<bool> {
    let name = core::str::from_utf8(name).ok()?;
    let wildcard = name.strip_prefix("*.");
    let name = wildcard.unwrap_or(name);
    if !is_host(name) {
        return None;
    }
    if ends_in_domain(name.as_bytes(), base) {
        return Some(true);
    }
    // `*.a.b` stands for `x.a.b`, too.
    let below = base.iter().position(|byte| *byte == b'.');
    let below = below.and_then(|dot| base.get(dot + 1..));
    let stands_for = below.is_some_and(|below| below.eq_ignore_ascii_case(name.as_bytes()));
    Some(excluded && wildcard.is_some() && stands_for)
}

/// Whether `host` is `domain` or lies below it.
fn ends_in_domain(host: &[u8], domain: &[u8]) -> bool {
    if domain.is_empty() {
        return true;
    }
    let Some(start) = host.len().checked_sub(domain.len()) else {
        return false;
    };
    let (front, end) = host.split_at(start);
    end.eq_ignore_ascii_case(domain) && front.last().is_none_or(|byte| *byte == b'.')
}

/// A base is a mailbox, a host, or a domain with a dot before it.
fn email_holds(mailbox: &[u8], base: &[u8]) -> Option<bool> {
    let (local, domain) = split_mailbox(mailbox)?;
    // An @ in the first part would have to stand in quotation marks. Nobody has such a mailbox.
    let odd = local.is_empty() || local.contains(&b'@');
    if odd || !core::str::from_utf8(domain).is_ok_and(is_host) {
        return None;
    }
    if base.contains(&b'@') {
        return Some(same_mailbox(mailbox, base));
    }
    Some(host_is(domain, base))
}

/// As for mailboxes and URIs: the host itself, or any below a domain with a dot before it.
fn host_is(host: &[u8], base: &[u8]) -> bool {
    match base.strip_prefix(b".") {
        Some(domain) => host.len() > domain.len() && ends_in_domain(host, domain),
        None => host.eq_ignore_ascii_case(base),
    }
}

/// The base holds for the host of the URI, which must have one with a name.
fn uri_holds(uri: &[u8], base: &[u8]) -> Option<bool> {
    let uri = core::str::from_utf8(uri).ok()?;
    let (_, rest) = uri.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?;
    if !is_host(host) {
        return None;
    }
    Some(host_is(host.as_bytes(), base))
}

/// The name as text, for people.
fn shown(name: &Name<'_>) -> String {
    match (name.form, name.content) {
        (IP, &[a, b, c, d]) => Ipv4Addr::new(a, b, c, d).to_string(),
        (IP, bytes) => match <[u8; 16]>::try_from(bytes) {
            Ok(octets) => Ipv6Addr::from(octets).to_string(),
            Err(_) => "(an address)".to_string(),
        },
        (DIRECTORY, bytes) => {
            let read = <x509_cert::name::Name as der::Decode>::from_der(bytes);
            let text = read.map(|name| name.to_string()).unwrap_or_default();
            text.chars().take(200).collect()
        }
        (DNS | EMAIL | URI, bytes) => {
            let text = String::from_utf8_lossy(bytes);
            text.chars()
                .take(200)
                .flat_map(char::escape_default)
                .collect()
        }
        _ => "(of another form)".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (name, base, excluded, holds) in [
            ("a.bank.example", "bank.example", false, Some(true)),
            ("bank.example", "BANK.example", false, Some(true)),
            ("otherbank.example", "bank.example", false, Some(false)),
            ("example", "bank.example", false, Some(false)),
            ("*.bank.example", "bank.example", false, Some(true)),
            ("*.bank.example", "www.bank.example", false, Some(false)),
            ("*.bank.example", "www.bank.example", true, Some(true)),
            ("*.bank.example", "a.www.bank.example", true, Some(false)),
            ("bank.example", "", false, Some(true)),
            ("bank..example", "example", false, None),
        ] {
            let found = dns_holds(name.as_bytes(), base.as_bytes(), excluded);
            assert_eq!(found, holds, "{name} {base}");
        }
    }

    #[test]
    fn mailboxes_and_uris() {
        for (name, base, holds) in [
            ("a@bank.example", "bank.example", Some(true)),
            ("a@x.bank.example", "bank.example", Some(false)),
            ("a@x.bank.example", ".bank.example", Some(true)),
            ("a@bank.example", ".bank.example", Some(false)),
            ("a@bank.example", "a@BANK.example", Some(true)),
            ("A@bank.example", "a@bank.example", Some(false)),
            ("bank.example", "bank.example", None),
            ("a@b@bank.example", "bank.example", None),
        ] {
            assert_eq!(
                email_holds(name.as_bytes(), base.as_bytes()),
                holds,
                "{name}"
            );
        }
        for (name, base, holds) in [
            ("https://bank.example/x@y", "bank.example", Some(true)),
            ("https://u@bank.example:8443?q", "bank.example", Some(true)),
            ("https://x.bank.example", "bank.example", Some(false)),
            ("https://x.bank.example", ".bank.example", Some(true)),
            ("https://192.0.2.1/", "bank.example", None),
            ("urn:x", "bank.example", None),
        ] {
            assert_eq!(uri_holds(name.as_bytes(), base.as_bytes()), holds, "{name}");
        }
    }

    #[test]
    fn masks_are_prefixes() {
        assert!(is_prefix(&[10, 0, 0, 0, 255, 128, 0, 0]));
        assert!(is_prefix(&[0; 8]));
        assert!(is_prefix(&[255; 8]));
        assert!(!is_prefix(&[10, 0, 0, 0, 255, 0, 255, 0]));
        assert!(!is_prefix(&[10, 0, 0, 0, 255, 129, 0, 0]));
        assert!(!is_prefix(&[10, 0, 0, 0, 128, 128, 0, 0]));
    }
}
