//! Many chains of certificates, verified together, and what was found of each.

use kuaimi::Threads;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Path, PeerName, Policy, Presented, Refusal, Rule};

use super::certificate::{kuaimi_certificate, kuaimi_identities};
use super::verifier::{
    KUAIMI_REFUSAL_MAX_LEN, kuaimi_purpose, kuaimi_revocation, kuaimi_verifier, policy, verifier,
};
use super::{at, owned, utf8};
use crate::buffer::kuaimi_bytes;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, handles, objects};
use crate::sm2::object;

/// What was found of one chain. Not changed by any function, so that threads may share it.
pub struct kuaimi_verdict {
    _opaque: [u8; 0],
}
objects!(kuaimi_verdict: Verdict);

pub(crate) struct Verdict(Result<Path, Refusal>);

options! {
    /// A rule that a certificate of a chain breaks.
    pub enum kuaimi_rule {
        /// None: the chain is accepted.
        KUAIMI_RULE_NONE = 0,
        /// A part of it is malformed.
        KUAIMI_RULE_MALFORMED = 1,
        /// It has extensions, but is not of version 3.
        KUAIMI_RULE_VERSION = 2,
        /// It has an extension twice.
        KUAIMI_RULE_REPEATED_EXTENSION = 3,
        /// It has a critical extension that is not known.
        KUAIMI_RULE_UNKNOWN_CRITICAL_EXTENSION = 4,
        /// It is not valid yet.
        KUAIMI_RULE_NOT_YET_VALID = 5,
        /// It expired.
        KUAIMI_RULE_EXPIRED = 6,
        /// There is no certificate of its issuer.
        KUAIMI_RULE_UNKNOWN_ISSUER = 7,
        /// It signed itself, and is not trusted.
        KUAIMI_RULE_SELF_SIGNED = 8,
        /// The name of its issuer is empty.
        KUAIMI_RULE_EMPTY_ISSUER = 9,
        /// Its signature does not fit its issuer's key.
        KUAIMI_RULE_SIGNATURE = 10,
        /// The algorithm of its signature, or of its issuer's key, is not supported.
        KUAIMI_RULE_ALGORITHM = 11,
        /// Its key is too short.
        KUAIMI_RULE_WEAK_KEY = 12,
        /// It is no authority's, and another certificate of the chain was signed with its key.
        KUAIMI_RULE_NOT_AN_AUTHORITY = 13,
        /// More authorities stand below it than it permits.
        KUAIMI_RULE_PATH_LENGTH = 14,
        /// The path would have too many certificates.
        KUAIMI_RULE_TOO_MANY_CERTIFICATES = 15,
        /// Its keyUsage does not permit what the key is used for.
        KUAIMI_RULE_KEY_USAGE = 16,
        /// Its extKeyUsage does not permit the purpose.
        KUAIMI_RULE_EXTENDED_KEY_USAGE = 17,
        /// It is not for the host, the address or the mailbox.
        KUAIMI_RULE_PEER_NAME = 18,
        /// It has a name that an authority above it may not name.
        KUAIMI_RULE_NAME_CONSTRAINTS = 19,
        /// Its name constraints have a form that is not supported.
        KUAIMI_RULE_UNSUPPORTED_CONSTRAINT = 20,
        /// No policy is valid for the whole path, but one is required.
        KUAIMI_RULE_POLICY = 21,
        /// It was revoked.
        KUAIMI_RULE_REVOKED = 22,
        /// Whether it was revoked is not known, but must be.
        KUAIMI_RULE_REVOCATION_UNKNOWN = 23,
        /// There is too much work to do.
        KUAIMI_RULE_LIMIT = 24,
        /// Another rule, which this enumeration has no number for.
        KUAIMI_RULE_OTHER = 25,
    }
}

fn number(rule: &Rule) -> kuaimi_rule {
    match rule {
        Rule::Malformed(_) => KUAIMI_RULE_MALFORMED,
        Rule::Version => KUAIMI_RULE_VERSION,
        Rule::RepeatedExtension(_) => KUAIMI_RULE_REPEATED_EXTENSION,
        Rule::UnknownCriticalExtension(_) => KUAIMI_RULE_UNKNOWN_CRITICAL_EXTENSION,
        Rule::NotYetValid(_) => KUAIMI_RULE_NOT_YET_VALID,
        Rule::Expired(_) => KUAIMI_RULE_EXPIRED,
        Rule::UnknownIssuer => KUAIMI_RULE_UNKNOWN_ISSUER,
        Rule::SelfSigned => KUAIMI_RULE_SELF_SIGNED,
        Rule::EmptyIssuer => KUAIMI_RULE_EMPTY_ISSUER,
        Rule::Signature => KUAIMI_RULE_SIGNATURE,
        Rule::Algorithm(_) => KUAIMI_RULE_ALGORITHM,
        Rule::WeakKey => KUAIMI_RULE_WEAK_KEY,
        Rule::NotAnAuthority => KUAIMI_RULE_NOT_AN_AUTHORITY,
        Rule::PathLength(_) => KUAIMI_RULE_PATH_LENGTH,
        Rule::TooManyCertificates(_) => KUAIMI_RULE_TOO_MANY_CERTIFICATES,
        Rule::KeyUsage(_) => KUAIMI_RULE_KEY_USAGE,
        Rule::ExtendedKeyUsage(_) => KUAIMI_RULE_EXTENDED_KEY_USAGE,
        Rule::PeerName(_) => KUAIMI_RULE_PEER_NAME,
        Rule::NameConstraints(_) => KUAIMI_RULE_NAME_CONSTRAINTS,
        Rule::UnsupportedConstraint(_) => KUAIMI_RULE_UNSUPPORTED_CONSTRAINT,
        Rule::Policy => KUAIMI_RULE_POLICY,
        Rule::Revoked(..) => KUAIMI_RULE_REVOKED,
        Rule::RevocationUnknown(_) => KUAIMI_RULE_REVOCATION_UNKNOWN,
        Rule::Limit(_) => KUAIMI_RULE_LIMIT,
        _ => KUAIMI_RULE_OTHER,
    }
}

/// One chain to be verified.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_chain_item {
    /// The end certificate.
    pub end: *const kuaimi_certificate,
    /// Certificates over which the path may lead, in any order.
    pub intermediates: *const *mut kuaimi_certificate,
    /// Their number.
    pub count: usize,
    /// Whom the end certificate must be for, in UTF-8: the name of a host, an address of IP, or a
    /// mailbox; with null `data` for anybody.
    pub peer: kuaimi_bytes,
}

/// Verifies many chains, each as `kuaimi_verifier_verify` does, with what was found at
/// `verdicts[0]` to `verdicts[count - 1]`; free each with `kuaimi_verdict_free`. The signatures are
/// verified together, and one that several chains have in common once. For one chain, too, if the
/// path is wanted.
///
/// `results` has one result for each chain: `KUAIMI_OK`, or `KUAIMI_ERROR_CERTIFICATE_REFUSED`, of
/// which the verdict says why. If the fields of an item are wrong, its result is another one, and
/// its verdict is null. The function returns the first result that is not `KUAIMI_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_verify_batch(
    verifier: *const kuaimi_verifier,
    items: *const kuaimi_chain_item,
    count: usize,
    purpose: kuaimi_purpose,
    revocation: kuaimi_revocation,
    identities: kuaimi_identities,
    time: u64,
    verdicts: *mut *mut kuaimi_verdict,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        verdicts = new_handles(verdicts, count),
        results = results(results, count),
        verifier = handle(verifier),
        items = items(items, count) => {
            let mut verdicts = verdicts;
            let common = policy(None, purpose, revocation, identities, time)?;
            let verifier = self::verifier(verifier)?;
            let (mut chains, mut places) = (Vec::new(), Vec::new());
            for (place, item) in items.iter().enumerate() {
                match Chain::read(item, &common) {
                    Ok(chain) => {
                        chains.push(chain);
                        places.push(place);
                    }
                    Err(error) => results[place] = error,
                }
            }
            let presented: Vec<_> = chains.iter().map(Chain::presented).collect();
            let found = verifier.verify_batch(&presented, &common, Threads::One);
            for (place, found) in places.into_iter().zip(found) {
                results[place] = match &found {
                    Ok(_) => Error::KUAIMI_OK,
                    Err(refusal) => refusal.kind().into(),
                };
                verdicts.put(place, Verdict(found));
            }
            match results.iter().find(|&&result| result != Error::KUAIMI_OK) {
                Some(&error) => Err(error),
                None => Ok(()),
            }
        }
    )
}

/// An item, with certificates of its own: the caller's list may change.
struct Chain {
    end: Certificate,
    intermediates: Vec<Certificate>,
    policy: Policy,
}

impl Chain {
    fn read(item: &kuaimi_chain_item, common: &Policy) -> Result<Self, Error> {
        let peer = match item.peer.get()? {
            [] if item.peer.data.is_null() => None,
            peer => Some(PeerName::new(utf8(&crate::buffer::once(peer))?)?),
        };
        // SAFETY: the structure is the caller's, who keeps the rules for handles at the head of
        // the header.
        let intermediates = unsafe { handles(item.intermediates, item.count) }?;
        Ok(Self {
            end: object(item.end)?.clone(),
            intermediates: owned(&intermediates),
            policy: match peer {
                Some(peer) => common.clone().peer(peer),
                None => common.clone(),
            },
        })
    }

    fn presented(&self) -> Presented<'_> {
        Presented::new(&self.end)
            .intermediates(&self.intermediates)
            .policy(&self.policy)
    }
}

/// Which rule is broken, at `rule`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_rule(
    verdict: *const kuaimi_verdict,
    rule: *mut kuaimi_rule,
) -> kuaimi_error {
    call!(verdict = handle(verdict), rule = place(rule) => {
        rule.put(match &verdict.0 {
            Ok(_) => KUAIMI_RULE_NONE,
            Err(refusal) => number(refusal.rule()),
        });
        Ok(())
    })
}

/// Which certificate breaks the rule, at `depth`: 0 is the end certificate, 1 its issuer. 0 for a
/// chain that is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_depth(
    verdict: *const kuaimi_verdict,
    depth: *mut u32,
) -> kuaimi_error {
    call!(verdict = handle(verdict), depth = place(depth) => {
        let place = verdict.0.as_ref().err().map_or(0, Refusal::depth);
        depth.put(u32::try_from(place).unwrap_or(u32::MAX));
        Ok(())
    })
}

/// The verdict as a sentence in English: see `kuaimi_verifier_explain`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_explain(
    verdict: *const kuaimi_verdict,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(verdict = handle(verdict), out = output(out, out_len) => {
        out.write_sentence(KUAIMI_REFUSAL_MAX_LEN, || {
            Ok(match &verdict.0 {
                Ok(_) => "the chain is accepted".to_owned(),
                Err(refusal) => refusal.to_string(),
            })
        })
    })
}

/// How many certificates are in the path that was found, at `count`: 0 for a chain that is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_certificate_count(
    verdict: *const kuaimi_verdict,
    count: *mut usize,
) -> kuaimi_error {
    call!(verdict = handle(verdict), count = place(count) => {
        count.put(path(verdict).len());
        Ok(())
    })
}

/// Certificate number `index` of the path, at `*out`: 0 is the end certificate, and the last one is
/// trusted. Free it with `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_certificate(
    verdict: *const kuaimi_verdict,
    index: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), verdict = handle(verdict) => {
        out.put(at(path(verdict), index)?.clone());
        Ok(())
    })
}

fn path(verdict: &Verdict) -> &[Certificate] {
    verdict.0.as_ref().map_or(&[], Path::certificates)
}

/// Frees a verdict. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verdict_free(verdict: *mut kuaimi_verdict) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(verdict) }
}
