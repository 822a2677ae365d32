//! Chains of certificates, verified (RFC 5280).

use std::sync::Arc;

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{PeerName, Policy, Purpose, Refusal, Revocation, Verifier};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::ocsp::Response;

use super::certificate::{accepted, kuaimi_certificate, kuaimi_identities};
use super::{found, owned, utf8};
use crate::buffer::with_copy;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::state::State;

/// The certificates that are trusted, others that are known, lists of revoked certificates, and
/// OCSP responses.
/// Threads may share it: chains are verified side by side.
pub struct kuaimi_verifier {
    _opaque: [u8; 0],
}
objects!(kuaimi_verifier: State<Store>);

options! {
    /// What the end certificate of a chain is used for.
    pub enum kuaimi_purpose {
        /// Anything: its keyUsage and extKeyUsage are not looked at.
        KUAIMI_PURPOSE_ANY = 1,
        /// A server of TLS or TLCP.
        KUAIMI_PURPOSE_SERVER = 2,
        /// A client of TLS or TLCP.
        KUAIMI_PURPOSE_CLIENT = 3,
        /// Signing messages and documents: the signing certificate of a pair (GM/T 0015).
        KUAIMI_PURPOSE_SIGNING = 4,
        /// Receiving encrypted messages: the encrypting certificate of a pair (GM/T 0015).
        KUAIMI_PURPOSE_ENCRYPTION = 5,
        /// Signing programs.
        KUAIMI_PURPOSE_CODE = 6,
        /// Signing OCSP responses.
        KUAIMI_PURPOSE_OCSP = 7,
    }
}

options! {
    /// What must be known of the revocation of the certificates of a chain.
    pub enum kuaimi_revocation {
        /// Nothing: lists and responses are not looked at.
        KUAIMI_REVOCATION_OFF = 1,
        /// A certificate that was revoked is refused; one of which nothing is known is accepted.
        KUAIMI_REVOCATION_IF_GIVEN = 2,
        /// As before, and it must be known that the end certificate is not revoked.
        KUAIMI_REVOCATION_END = 3,
        /// It must be known of each certificate but the trusted one that it is not revoked.
        KUAIMI_REVOCATION_ALL = 4,
    }
}

/// The most bytes that `kuaimi_verifier_explain` writes.
pub const KUAIMI_REFUSAL_MAX_LEN: usize = 2048;

/// What was added, and the verifier of it, which is made when it is needed. It is used outside of
/// the lock.
#[derive(Default)]
pub(crate) struct Store {
    anchors: Vec<Certificate>,
    intermediates: Vec<Certificate>,
    lists: Vec<Crl>,
    responses: Vec<Response>,
    made: Option<Arc<Verifier>>,
}

impl Store {
    fn verifier(&mut self) -> Arc<Verifier> {
        let made = self.made.take().unwrap_or_else(|| {
            let verifier = Verifier::new(&self.anchors)
                .with_intermediates(&self.intermediates)
                .with_crls(&self.lists)
                .with_responses(&self.responses);
            Arc::new(verifier)
        });
        Arc::clone(self.made.insert(made))
    }
}

/// Adds to a store, whose verifier then has to be made again.
fn add(store: &State<Store>, add: impl FnOnce(&mut Store)) -> Result<(), Error> {
    store.with(|store| {
        store.made = None;
        add(store);
    })
}

pub(super) fn add_response(store: &State<Store>, response: Response) -> Result<(), Error> {
    add(store, |store| store.responses.push(response))
}

/// The verifier of what was added.
pub(super) fn verifier(store: &State<Store>) -> Result<Arc<Verifier>, Error> {
    store.with(Store::verifier)
}

/// A verifier that trusts nobody yet, at `*out`. Free it with `kuaimi_verifier_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_new(out: *mut *mut kuaimi_verifier) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(State::new(Store::default()));
        Ok(())
    })
}

/// Trusts a certificate, which need not have signed itself. It may be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_add_anchor(
    verifier: *mut kuaimi_verifier,
    certificate: *const kuaimi_certificate,
) -> kuaimi_error {
    call!(verifier = handle(verifier), certificate = handle(certificate) => {
        add(verifier, |store| store.anchors.push(certificate.clone()))
    })
}

/// Adds a certificate over which paths may lead. It is not trusted. It may be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_add_intermediate(
    verifier: *mut kuaimi_verifier,
    certificate: *const kuaimi_certificate,
) -> kuaimi_error {
    call!(verifier = handle(verifier), certificate = handle(certificate) => {
        add(verifier, |store| store.intermediates.push(certificate.clone()))
    })
}

/// Adds lists of revoked certificates, complete ones and deltas: one in DER, or any number in PEM.
/// They are not trusted: a list counts once its signature was verified.
///
/// `KUAIMI_ERROR_TEXT`: there is no list in the text. `KUAIMI_ERROR_DER`: it is malformed, or has a
/// critical extension that is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_add_crl(
    verifier: *mut kuaimi_verifier,
    bytes: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(verifier = handle(verifier), #[once] bytes = input(bytes, len) => {
        let mut lists = found(Crl::read_all(bytes))?;
        add(verifier, |store| store.lists.append(&mut lists))
    })
}

/// Verifies the chain of the certificate `end`: that a path leads over `intermediates`, in any
/// order, and those that were added, to a certificate that is trusted, and that all of them may be
/// used as they are. Signatures, dates, basicConstraints, keyUsage, extKeyUsage, name constraints,
/// policies and revocation are checked, of the trusted certificate, too (RFC 5280). The work is
/// limited, however many certificates there are.
///
/// `peer`: whom the end certificate must be for, in UTF-8: the name of a host, an address of IP, or
/// a mailbox, of which alternative names alone are looked at; null for anybody. `time`: when all
/// must be valid, in seconds since 1970-01-01 00:00:00 UTC: `(uint64_t)time(NULL)`, for example.
///
/// `KUAIMI_ERROR_CERTIFICATE_REFUSED`: the chain is refused; `kuaimi_verifier_explain` says why.
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: `peer` is none of these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_verify(
    verifier: *const kuaimi_verifier,
    end: *const kuaimi_certificate,
    intermediates: *const *mut kuaimi_certificate,
    count: usize,
    peer: *const u8,
    peer_len: usize,
    purpose: kuaimi_purpose,
    revocation: kuaimi_revocation,
    identities: kuaimi_identities,
    time: u64,
) -> kuaimi_error {
    call!(
        verifier = handle(verifier),
        end = handle(end),
        intermediates = handles(intermediates, count),
        peer = optional_input(peer, peer_len) => {
            let policy = policy(peer, purpose, revocation, identities, time)?;
            let verified = verify(verifier, end, &intermediates, &policy)?;
            verified.map_err(|refusal| refusal.kind().into())
        }
    )
}

/// Why `kuaimi_verifier_verify` with the same arguments refuses a chain, as a sentence in English
/// at `out`, which names the certificate and the rule that it breaks: "the certificate of CN=leaf
/// expired on 2026-01-01 00:00:00 UTC". There is a sentence always, also for a chain that is
/// accepted. It is in UTF-8, has no zero byte at its end, and names that others chose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_explain(
    verifier: *const kuaimi_verifier,
    end: *const kuaimi_certificate,
    intermediates: *const *mut kuaimi_certificate,
    count: usize,
    peer: *const u8,
    peer_len: usize,
    purpose: kuaimi_purpose,
    revocation: kuaimi_revocation,
    identities: kuaimi_identities,
    time: u64,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        verifier = handle(verifier),
        end = handle(end),
        intermediates = handles(intermediates, count),
        peer = optional_input(peer, peer_len),
        out = output(out, out_len) => {
            let policy = policy(peer, purpose, revocation, identities, time)?;
            out.write_sentence(KUAIMI_REFUSAL_MAX_LEN, || {
                Ok(match verify(verifier, end, &intermediates, &policy)? {
                    Ok(()) => "the chain is accepted".to_owned(),
                    Err(refusal) => refusal.to_string(),
                })
            })
        }
    )
}

/// Frees a verifier. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_verifier_free(verifier: *mut kuaimi_verifier) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(verifier) }
}

pub(super) fn policy(
    peer: Option<&[u8]>,
    purpose: kuaimi_purpose,
    revocation: kuaimi_revocation,
    identities: kuaimi_identities,
    time: u64,
) -> Result<Policy, Error> {
    let purpose = match purpose {
        KUAIMI_PURPOSE_ANY => Purpose::Any,
        KUAIMI_PURPOSE_SERVER => Purpose::Server,
        KUAIMI_PURPOSE_CLIENT => Purpose::Client,
        KUAIMI_PURPOSE_SIGNING => Purpose::MessageSigning,
        KUAIMI_PURPOSE_ENCRYPTION => Purpose::Encryption,
        KUAIMI_PURPOSE_CODE => Purpose::CodeSigning,
        KUAIMI_PURPOSE_OCSP => Purpose::OcspSigning,
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    };
    let policy = Policy::at(time)
        .purpose(purpose)
        .revocation(revocation_of(revocation)?)
        .identities(accepted(identities)?);
    match peer {
        None => Ok(policy),
        Some(peer) => {
            let peer = with_copy(peer, |peer| Ok::<_, Error>(PeerName::new(utf8(peer)?)?))?;
            Ok(policy.peer(peer))
        }
    }
}

pub(crate) fn revocation_of(revocation: kuaimi_revocation) -> Result<Revocation, Error> {
    Ok(match revocation {
        KUAIMI_REVOCATION_OFF => Revocation::Off,
        KUAIMI_REVOCATION_IF_GIVEN => Revocation::IfPresent,
        KUAIMI_REVOCATION_END => Revocation::RequiredForEnd,
        KUAIMI_REVOCATION_ALL => Revocation::RequiredForAll,
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    })
}

fn verify(
    store: &State<Store>,
    end: &Certificate,
    intermediates: &[&Certificate],
    policy: &Policy,
) -> Result<Result<(), Refusal>, Error> {
    Ok(verifier(store)?
        .verify(end, &owned(intermediates), policy)
        .map(|_path| ()))
}
