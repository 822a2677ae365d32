//! A private key with its certificate and those above it, as far as the file has them.

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
    /// Its certificate, unless the file has none.
    pub certificate: Option<&'a Certificate>,
    /// The certificates above it, the issuer's first.
    pub chain: Vec<&'a Certificate>,
    /// The key's name, or else the certificate's.
    pub friendly_name: Option<&'a str>,
}

/// The most certificates in a chain. Real ones have three or four.
const MAX_CHAIN: usize = 16;

/// A certificate of a file.
struct Candidate<'a> {
    certificate: &'a Certificate,
    entry: &'a Entry,
    key_identifier: Option<Vec<u8>>,
}

/// Those of `entries`, in the order of the keys.
pub(super) fn identities(entries: &[Entry]) -> Vec<Identity<'_>> {
    let candidates: Vec<Candidate<'_>> = entries
        .iter()
        .filter_map(|entry| match &entry.content {
            Content::Certificate(certificate) => Some(Candidate {
                certificate,
                entry,
                key_identifier: certificate.subject_key_identifier().ok().flatten(),
            }),
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
        let belongs = |candidate: &&Candidate<'_>| {
            let by_key = key.belongs_to(candidate.certificate);
            by_key.unwrap_or_else(|| same_id(candidate.entry))
        };
        let mut found = None;
        for candidate in candidates.iter().filter(belongs) {
            let same = same_id(candidate.entry);
            if found.is_none() || same {
                found = Some(candidate);
            }
            if same {
                break;
            }
        }
        let names = [Some(entry), found.map(|it| it.entry)];
        let mut names = names.into_iter().flatten();
        let certificate = found.map(|it| it.certificate);
        all.push(Identity {
            key,
            certificate,
            chain: certificate.map_or(Vec::new(), |it| chain(it, &candidates)),
            friendly_name: names.find_map(|it| it.attributes.friendly_name.as_deref()),
        });
    }
    all
}

/// The certificates above `certificate`.
fn chain<'a>(certificate: &'a Certificate, all: &[Candidate<'a>]) -> Vec<&'a Certificate> {
    let mut chain: Vec<&Certificate> = Vec::new();
    let mut last = certificate;
    while last.issuer_der() != last.subject_der() && chain.len() < MAX_CHAIN {
        let authority = last.authority_key_identifier().ok().flatten();
        let issuer = all
            .iter()
            .filter(|issuer| issuer.certificate.subject_der() == last.issuer_der())
            .filter(|issuer| issuer.certificate != certificate)
            .filter(|issuer| !chain.contains(&issuer.certificate))
            .max_by_key(|issuer| authority.is_some() && issuer.key_identifier == authority);
        let Some(issuer) = issuer else {
            break;
        };
        chain.push(issuer.certificate);
        last = issuer.certificate;
    }
    chain
}
