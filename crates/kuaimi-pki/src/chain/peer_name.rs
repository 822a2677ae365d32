//! Whether a certificate is for a host, an address or a mailbox (RFC 9525; RFC 5280, clause
//! 4.2.1.6).

use alloc::string::{String, ToString};
use core::fmt;
use core::net::IpAddr;

use super::facts::Node;
use super::refusal::Rule;
use crate::ber::{self, Elements, Malformed};
use crate::{Error, oid};

/// rfc822Name.
pub(crate) const EMAIL: u8 = ber::context_primitive(1);
/// dNSName.
pub(crate) const DNS: u8 = ber::context_primitive(2);
/// directoryName.
pub(crate) const DIRECTORY: u8 = ber::context(4);
/// uniformResourceIdentifier.
pub(crate) const URI: u8 = ber::context_primitive(6);
/// iPAddress.
pub(crate) const IP: u8 = ber::context_primitive(7);

/// Whom the end certificate has to be for.
///
/// ```
/// use kuaimi_pki::chain::PeerName;
///
/// assert_eq!(PeerName::new("Bank.Example.")?, PeerName::new("bank.example")?);
/// assert!(matches!(PeerName::new("192.0.2.1")?, PeerName::Ip(_)));
/// assert!(matches!(PeerName::new("desk@bank.example")?, PeerName::Email(_)));
/// assert!(PeerName::new("*.bank.example").is_err());
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PeerName {
    /// A host's name, in small letters and without a dot at its end.
    Dns(String),
    /// An address of IP.
    Ip(IpAddr),
    /// A mailbox. The part after the @ is in small letters.
    Email(String),
}

impl PeerName {
    /// An address of IP, a mailbox (with an @) or a host's name. International names have to be in
    /// their ASCII form (`xn--…`).
    ///
    /// # Errors
    /// [`Error::Argument`] for what is none of these.
    pub fn new(text: &str) -> Result<Self, Error> {
        if let Ok(address) = text.parse() {
            return Ok(Self::Ip(address));
        }
        if let Some((local, domain)) = text.rsplit_once('@') {
            let domain = domain.to_ascii_lowercase();
            if !is_host(&domain) || local.is_empty() || !local.bytes().all(|b| b.is_ascii_graphic())
            {
                return Err(Error::Argument("this is no mailbox"));
            }
            return Ok(Self::Email(alloc::format!("{local}@{domain}")));
        }
        let host = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        if !is_host(&host) {
            return Err(Error::Argument("this is no name of a host"));
        }
        Ok(Self::Dns(host))
    }

    /// Whether `node` is for this peer. The common name counts only if `common_name` is set, the
    /// peer is a host, and the certificate has no subjectAltName.
    pub(crate) fn check(&self, node: &Node, common_name: bool) -> Result<(), Rule> {
        let refused = || Rule::PeerName(self.to_string());
        let Some(names) = node.subject_alt_name() else {
            if common_name && let Self::Dns(host) = self {
                let found = node.certificate.fields().subject().common_name();
                let found = found.ok().flatten().map(|name| name.value().to_string());
                if found.is_some_and(|name| host_matches(name.as_bytes(), host)) {
                    return Ok(());
                }
            }
            return Err(refused());
        };
        match self.is_among(names)? {
            true => Ok(()),
            false => Err(refused()),
        }
    }

    fn is_among(&self, names: &[u8]) -> Result<bool, Malformed> {
        let mut names = Elements::inside(names, ber::SEQUENCE, "subjectAltName")?;
        let mut found = false;
        while !names.is_empty() {
            let name = names.element()?;
            found |= match (self, name.tag) {
                (Self::Dns(host), DNS) => host_matches(name.content, host),
                (Self::Ip(IpAddr::V4(address)), IP) => name.content == address.octets(),
                (Self::Ip(IpAddr::V6(address)), IP) => name.content == address.octets(),
                (Self::Email(mailbox), EMAIL) => same_mailbox(name.content, mailbox.as_bytes()),
                _ => false,
            };
        }
        Ok(found)
    }
}

impl fmt::Display for PeerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dns(name) | Self::Email(name) => f.write_str(name),
            Self::Ip(address) => address.fmt(f),
        }
    }
}

/// Whether `name` is a host's: labels of 1 to 63 letters, digits, hyphens and underscores, between
/// dots, 253 characters at most, and the last not of digits alone.
pub(crate) fn is_host(name: &str) -> bool {
    let label = |label: &str| {
        matches!(label.len(), 1..=63)
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    name.len() <= 253
        && name.split('.').all(label)
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a dNSName is for `host`. A wildcard is the whole first label, stands for one label, and
/// two labels or more follow it.
fn host_matches(pattern: &[u8], host: &str) -> bool {
    let Ok(pattern) = core::str::from_utf8(pattern) else {
        return false;
    };
    if let Some(base) = pattern.strip_prefix("*.") {
        let Some((_, below)) = host.split_once('.') else {
            return false;
        };
        return is_host(base) && base.contains('.') && base.eq_ignore_ascii_case(below);
    }
    is_host(pattern) && pattern.eq_ignore_ascii_case(host)
}

/// Mailboxes are the same if what is before the @ is the same, and what is after it is the same but
/// for case (RFC 5280, clause 7.5).
pub(crate) fn same_mailbox(one: &[u8], other: &[u8]) -> bool {
    match (split_mailbox(one), split_mailbox(other)) {
        (Some((local, domain)), Some((other, host))) => {
            local == other && domain.eq_ignore_ascii_case(host)
        }
        _ => false,
    }
}

/// What is before and after the last @.
pub(crate) fn split_mailbox(mailbox: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = mailbox.iter().rposition(|byte| *byte == b'@')?;
    Some((mailbox.get(..at)?, mailbox.get(at + 1..)?))
}

/// The e-mail addresses in a subject's name, which name constraints hold for if there are no
/// others.
pub(crate) fn mailboxes_of_subject(subject: &[u8]) -> Result<alloc::vec::Vec<&[u8]>, Malformed> {
    let mut found = alloc::vec::Vec::new();
    let mut parts = Elements::inside(subject, ber::SEQUENCE, "name")?;
    while !parts.is_empty() {
        let mut attributes = parts.enter(ber::SET)?;
        while !attributes.is_empty() {
            let mut attribute = attributes.enter(ber::SEQUENCE)?;
            if attribute.take(ber::OID)? == oid::EMAIL_ADDRESS.as_bytes() {
                found.push(attribute.element()?.content);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (pattern, host, matches) in [
            ("bank.example", "bank.example", true),
            ("BANK.example", "bank.example", true),
            ("*.bank.example", "www.bank.example", true),
            ("*.bank.example", "bank.example", false),
            ("*.bank.example", "a.b.bank.example", false),
            ("w*.bank.example", "www.bank.example", false),
            ("*w.bank.example", "www.bank.example", false),
            ("www.*.example", "www.bank.example", false),
            ("*.*.example", "www.bank.example", false),
            ("*.example", "bank.example", false),
            ("*", "bank.example", false),
            ("*.", "bank.example", false),
            (".bank.example", "www.bank.example", false),
            ("bank.example.", "bank.example", false),
            ("bank.example\0.other.example", "bank.example", false),
            ("", "bank.example", false),
        ] {
            assert_eq!(
                host_matches(pattern.as_bytes(), host),
                matches,
                "{pattern} {host}"
            );
        }
    }

    #[test]
    fn names_that_are_none() {
        for text in [
            "",
            ".",
            "a..b",
            "-a.b",
            "a b",
            "*.a.b",
            "a.1",
            "@a.b",
            "a@",
            "银行.中国",
        ] {
            assert!(PeerName::new(text).is_err(), "{text}");
        }
        assert!(PeerName::new("::1").is_ok());
    }
}
