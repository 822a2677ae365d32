//! Chains, verified.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{
    KeyUse, Path, PeerName, Policy, Presented, Purpose, Refusal, Revocation, Rule, Verifier,
};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::ocsp::Response;
use serde::Serialize;
use zeroize::Zeroizing;

use super::frame::{self, byte, flag, number, text};
use super::{certificates, identities, json, oid};
use crate::Result;
use crate::object::{Handle, Object};

/// Trust anchors, intermediates, lists of revoked certificates, and OCSP responses.
pub fn pki_verifier_new(
    roots: &[u8],
    intermediates: &[u8],
    lists: &[u8],
    responses: &[u8],
) -> Result<Object> {
    let lists = frame::items(lists)?;
    let lists: Vec<Crl> = lists
        .into_iter()
        .map(Crl::from_der)
        .collect::<core::result::Result<_, _>>()?;
    let responses = frame::items(responses)?;
    let responses: Vec<Response> = responses
        .into_iter()
        .map(Response::from_der)
        .collect::<core::result::Result<_, _>>()?;
    let verifier = Verifier::new(&certificates(roots)?)
        .with_intermediates(&certificates(intermediates)?)
        .with_crls(&lists)
        .with_responses(&responses);
    Ok(Arc::new(verifier).into())
}

fn policy(options: &[u8]) -> Result<Policy> {
    let options = frame::options(options)?;
    let time = options.iter().find(|(option, _)| *option == 0);
    let (_, time) = time.ok_or_else(|| argument!("there is no time"))?;
    let mut policy = Policy::at(number(time)?);
    let mut policies = Vec::new();
    for (option, value) in options {
        policy = match option {
            0 => policy,
            1 => policy.purpose(purpose(byte(value)?)?),
            2 => policy.peer(PeerName::new(text(value)?)?),
            3 => policy.revocation(revocation(byte(value)?)?),
            4 => policy.identities(identities(byte(value)?.into())),
            5 => policy.max_intermediates(byte(value)?.into()),
            6 => policy.key_use(match byte(value)? {
                0 => KeyUse::Signing,
                _ => KeyUse::Encryption,
            }),
            7 => policy.accept_common_name(flag(value)?),
            8 => policy.extended_key_usage(oid(value)?),
            9 => {
                policies.push(oid(value)?);
                policy
            }
            _ => return Err(frame::unknown()),
        };
    }
    Ok(match policies.as_slice() {
        [] => policy,
        policies => policy.certificate_policies(policies),
    })
}

fn purpose(number: u8) -> Result<Purpose> {
    Ok(match number {
        0 => Purpose::Any,
        1 => Purpose::Server,
        2 => Purpose::Client,
        3 => Purpose::MessageSigning,
        4 => Purpose::Encryption,
        5 => Purpose::CodeSigning,
        6 => Purpose::OcspSigning,
        _ => return Err(argument!("there is no such purpose")),
    })
}

fn revocation(number: u8) -> Result<Revocation> {
    Ok(match number {
        0 => Revocation::Off,
        1 => Revocation::IfPresent,
        2 => Revocation::RequiredForEnd,
        3 => Revocation::RequiredForAll,
        _ => return Err(argument!("there is no such choice for revocation")),
    })
}

#[derive(Serialize)]
struct RefusalFacts<'a> {
    rule: &'static str,
    depth: usize,
    subject: &'a str,
    message: String,
}

/// The paths of chains: of each chain its end certificate and what comes along. The result is a
/// list with a list for each: what is refused, as JSON, or nothing; and the path, or nothing.
/// `threads`: this one (0), or all.
pub fn pki_verifier_verify(
    verifier: &Handle,
    chains: &[u8],
    options: &[u8],
    threads: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let (verifier, policy) = (verifier.verifier()?, policy(options)?);
    let chains: Vec<Vec<Certificate>> = frame::items(chains)?
        .into_iter()
        .map(certificates)
        .collect::<Result<_>>()?;
    let presented: Vec<Presented<'_>> = chains
        .iter()
        .map(|chain| {
            let (end, others) = chain
                .split_first()
                .ok_or_else(|| argument!("a chain has a certificate"))?;
            Ok(Presented::new(end).intermediates(others))
        })
        .collect::<Result<_>>()?;
    let found = all(&verifier, &presented, &policy, threads);
    let found: Vec<Zeroizing<Vec<u8>>> = found.iter().map(written).collect::<Result<_>>()?;
    let found: Vec<&[u8]> = found.iter().map(|one| one.as_slice()).collect();
    frame::list(&found)
}

#[cfg(feature = "native")]
fn all(
    verifier: &Verifier,
    presented: &[Presented<'_>],
    policy: &Policy,
    threads: u32,
) -> Vec<core::result::Result<Path, Refusal>> {
    use kuaimi::Threads;

    match (presented, threads) {
        ([one], _) => Vec::from([verifier.verify_presented(one, policy)]),
        (all, 0) => verifier.verify_batch(all, policy, Threads::One),
        (all, _) => verifier.verify_batch(all, policy, Threads::Pool),
    }
}

/// One after another: a batch saves little without lanes and threads, and would be more code.
#[cfg(not(feature = "native"))]
fn all(
    verifier: &Verifier,
    presented: &[Presented<'_>],
    policy: &Policy,
    _threads: u32,
) -> Vec<core::result::Result<Path, Refusal>> {
    let each = presented.iter();
    each.map(|one| verifier.verify_presented(one, policy))
        .collect()
}

fn written(found: &core::result::Result<Path, Refusal>) -> Result<Zeroizing<Vec<u8>>> {
    match found {
        Ok(path) => {
            let path = path.certificates().iter().map(Certificate::as_der);
            frame::list(&core::iter::once(&[][..]).chain(path).collect::<Vec<_>>())
        }
        Err(refusal) => {
            let facts = json(&RefusalFacts {
                rule: name(refusal.rule()),
                depth: refusal.depth(),
                subject: refusal.subject(),
                message: refusal.to_string(),
            })?;
            frame::list(&[&facts])
        }
    }
}

/// The name that JavaScript's users compare with.
fn name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Malformed(_) => "malformed",
        Rule::Version => "version",
        Rule::RepeatedExtension(_) => "repeatedExtension",
        Rule::UnknownCriticalExtension(_) => "unknownCriticalExtension",
        Rule::NotYetValid(_) => "notYetValid",
        Rule::Expired(_) => "expired",
        Rule::UnknownIssuer => "unknownIssuer",
        Rule::SelfSigned => "selfSigned",
        Rule::EmptyIssuer => "emptyIssuer",
        Rule::Signature => "signature",
        Rule::Algorithm(_) => "algorithm",
        Rule::WeakKey => "weakKey",
        Rule::NotAnAuthority => "notAnAuthority",
        Rule::PathLength(_) => "pathLength",
        Rule::TooManyCertificates(_) => "tooManyCertificates",
        Rule::KeyUsage(_) => "keyUsage",
        Rule::ExtendedKeyUsage(_) => "extendedKeyUsage",
        Rule::PeerName(_) => "peerName",
        Rule::NameConstraints(_) => "nameConstraints",
        Rule::UnsupportedConstraint(_) => "unsupportedConstraint",
        Rule::Policy => "policy",
        Rule::Revoked(..) => "revoked",
        Rule::RevocationUnknown(_) => "revocationUnknown",
        Rule::Limit(_) => "limit",
        // The enumeration may grow; the message says more.
        _ => "other",
    }
}
