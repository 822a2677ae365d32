//! A private key with its certificate, and the certificates above it.

use alloc::vec::Vec;

use super::entry::{Content, Entry, Key};
use crate::Certificate;

/// A private key of a file, its certificate and the chain above it, as far as the file has it.
///
/// The chain is put together by names. Whether the signatures are right, and whether anyone trusts
/// its end, is for the module `chain`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity<'a> {
    /// The private key.
    pub key: &'a Key,
    /// Its certificate.
    pub certificate: &'a Certificate,
    /// The certificates above it, the issuer's first.
    pub chain: Vec<&'a Certificate>,
    /// The key's name, or else the certificate's.
    pub friendly_name: Option<&'a str>,
}

/// Those of `entries`, in the order of the keys. Keys without a certificate are left out.
pub(super) fn identities(entries: &[Entry]) -> Vec<Identity<'_>> {
    let certificates: Vec<(&Certificate, &Entry)> = entries
        .iter()
        .filter_map(|entry| match &entry.content {
            Content::Certificate(certificate) => Some((certificate, entry)),
            _ => None,
        })
        .collect();
    let mut all = Vec::new();
    for entry in entries {
        let Content::Key(key) = &entry.content else {
            continue;
        };
        let id = entry.attributes.local_key_id.as_ref();
        let same_id = |other: &Entry| id.is_some() && other.attributes.local_key_id.as_ref() == id;
        // The public key decides. Where the key does not say it, the identifier does, and it
        // decides between certificates of one key.
        let belongs = |(certificate, other): &&(&Certificate, &Entry)| {
            key.belongs_to(certificate)
                .unwrap_or_else(|| same_id(other))
        };
        let found = certificates
            .iter()
            .filter(belongs)
            .max_by_key(|(_, other)| same_id(other));
        let Some((certificate, other)) = found else {
            continue;
        };
        let name = &entry.attributes.friendly_name;
        all.push(Identity {
            key,
            certificate,
            chain: chain(certificate, &certificates),
            friendly_name: name
                .as_deref()
                .or(other.attributes.friendly_name.as_deref()),
        });
    }
    all
}

/// The certificates above `certificate`.
fn chain<'a>(
    certificate: &'a Certificate,
    all: &[(&'a Certificate, &Entry)],
) -> Vec<&'a Certificate> {
    let mut chain: Vec<&Certificate> = Vec::new();
    let mut last = certificate;
    while last.issuer_der() != last.subject_der() {
        let authority = last.authority_key_identifier().ok().flatten();
        let fits = |issuer: &Certificate| {
            let id = issuer.subject_key_identifier().ok().flatten();
            id.is_some() && id == authority
        };
        let issuer = all
            .iter()
            .map(|(issuer, _)| *issuer)
            .filter(|issuer| issuer.subject_der() == last.issuer_der())
            .filter(|issuer| *issuer != certificate && !chain.contains(issuer))
            .max_by_key(|issuer| fits(issuer));
        let Some(issuer) = issuer else {
            break;
        };
        chain.push(issuer);
        last = issuer;
    }
    chain
}
