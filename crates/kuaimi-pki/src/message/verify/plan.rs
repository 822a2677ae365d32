//! One signer's verification: what has to hold, and the signatures that then have to be computed.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use kuaimi::sm2::{Signature, VerifyingKey};

use super::super::attributes::{self, Attribute, Meaning};
use super::super::digests::{self, Digests};
use super::super::signer_info::SignerInfo;
use super::super::types::{Kind, same_type};
use super::{Refusal, SignerResult, VerifyOptions};
use crate::ber::{set_of, to_der};
use crate::oid::COUNTER_SIGNATURE;
use crate::public_key::{Identities, SignatureAlgorithm};
use crate::{Certificate, PublicKey, oid};

/// Certificates of one name that are tried.
const MAX_TRIED: usize = 4;
/// Counter-signatures of counter-signatures.
const MAX_COUNTER_DEPTH: usize = 3;
/// Counter-signatures that are looked at, a quarter of it for those of counter-signatures.
const MAX_COUNTERS: usize = 16;

/// What was signed.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub(crate) oid: ObjectIdentifier,
    pub(crate) digests: &'a Digests,
    /// The content itself, if it is in memory.
    pub(crate) bytes: Option<&'a [u8]>,
    /// Whether it is a signature, which a counter-signature signs.
    pub(crate) is_signature: bool,
}

/// A certificate, and the digests of which one must be what its key signed.
pub(crate) struct Try {
    certificate: Certificate,
    pub(crate) key: VerifyingKey,
    pub(crate) digests: Vec<[u8; 32]>,
}

/// A signer whose verdict may still lack the computation of SM2.
pub(crate) struct Plan {
    result: SignerResult,
    pub(crate) signature: Option<Signature>,
    pub(crate) tries: Vec<Try>,
}

impl Plan {
    /// Checks all but the signatures of SM2.
    pub(crate) fn new(
        signer: SignerInfo,
        content: Content<'_>,
        certificates: &[Certificate],
        options: &VerifyOptions,
        depth: usize,
    ) -> Self {
        let mut plan = Self {
            result: SignerResult {
                id: signer.id.clone(),
                certificate: None,
                verdict: Err(Refusal::Signature),
                signing_time: None,
                signed_attributes: None,
                counter_signatures: Vec::new(),
                unsigned_attributes: signer.unsigned.clone(),
                signature: signer.signature.clone(),
            },
            signature: None,
            tries: Vec::new(),
        };
        plan.result.counter_signatures = counter_signatures(&signer, certificates, options, depth);
        if let Err(why) = plan.fill(&signer, content, certificates, options) {
            plan.result.verdict = Err(why);
            plan.tries.clear();
        }
        plan.result.signed_attributes = signer.signed.map(|(attributes, _)| attributes);
        plan
    }

    fn fill(
        &mut self,
        signer: &SignerInfo,
        content: Content<'_>,
        certificates: &[Certificate],
        options: &VerifyOptions,
    ) -> Result<(), Refusal> {
        let named: Vec<&Certificate> = {
            let all = certificates.iter().chain(&options.certificates);
            let mut named: Vec<&Certificate> = Vec::new();
            for certificate in all.filter(|it| signer.id.names(it)) {
                if !named.contains(&certificate) && named.len() < MAX_TRIED {
                    named.push(certificate);
                }
            }
            named
        };
        self.result.certificate = named.first().map(|it| (*it).clone());
        let signed = match &signer.signed {
            Some((attributes, received)) => {
                self.check_attributes(attributes, signer.digest_algorithm, content)?;
                Some(encodings(attributes, received))
            }
            None if content.is_signature => None,
            None => {
                let data = Kind::from_oid(content.oid) == Some(Kind::Data);
                if !data || content.digests.like_attributes {
                    return Err(Refusal::Ambiguous);
                }
                None
            }
        };
        if named.is_empty() {
            return Err(Refusal::NoCertificate);
        }
        let mut why = Refusal::Signature;
        for certificate in named {
            match self.add_try(signer, certificate, signed.as_deref(), content, options) {
                Ok(true) => {
                    self.result.certificate = Some(certificate.clone());
                    self.result.verdict = Ok(());
                    return Ok(());
                }
                Ok(false) => {}
                Err(other) => why = other,
            }
        }
        match self.tries.is_empty() {
            true => Err(why),
            false => Ok(()),
        }
    }

    /// Compares the signed attributes with the content.
    fn check_attributes(
        &mut self,
        attributes: &[Attribute],
        algorithm: ObjectIdentifier,
        content: Content<'_>,
    ) -> Result<(), Refusal> {
        let Meaning {
            content_type,
            digest,
            time,
        } = attributes::meaning(attributes, content.is_signature).map_err(Refusal::Attributes)?;
        self.result.signing_time = time.map(|time| time.to_date_time());
        if !content.is_signature && !same_type(content_type, content.oid) {
            return Err(Refusal::Attributes(
                "the content type is another than the content's",
            ));
        }
        let computed = match content.digests.plain(algorithm) {
            Some(computed) => Some(computed.to_vec()),
            None => content
                .bytes
                .and_then(|bytes| digests::digest(algorithm, bytes)),
        };
        match computed {
            Some(computed) if computed == digest => Ok(()),
            Some(_) => Err(Refusal::Content),
            None => Err(Refusal::Algorithm(algorithm)),
        }
    }

    /// Adds what is to be computed for `certificate`, or computes it; then it says that it fits.
    fn add_try(
        &mut self,
        signer: &SignerInfo,
        certificate: &Certificate,
        signed: Option<&[Vec<u8>]>,
        content: Content<'_>,
        options: &VerifyOptions,
    ) -> Result<bool, Refusal> {
        let named = signer.signature_algorithm.oid;
        match certificate.public_key() {
            PublicKey::Sm2(key) => {
                // Some name the key's algorithm alone.
                if ![oid::SM2_SIGN, oid::SM2_WITH_SM3, oid::SM2].contains(&named) {
                    return Err(Refusal::Algorithm(named));
                }
                if signer.digest_algorithm != oid::SM3 {
                    return Err(Refusal::Algorithm(signer.digest_algorithm));
                }
                let signature = Signature::from_der(&signer.signature);
                self.signature = Some(signature.map_err(|_| Refusal::Signature)?);
                let digests = match (signed, content.bytes) {
                    (Some(encodings), _) => keyed(key, encodings, options.identities),
                    (None, Some(bytes)) => keyed(key, &[bytes], options.identities),
                    (None, None) => content
                        .digests
                        .keyed(key.public_key())
                        .ok_or(Refusal::CertificateNeededBefore)?
                        .to_vec(),
                };
                self.tries.push(Try {
                    certificate: certificate.clone(),
                    key: key.clone(),
                    digests,
                });
                Ok(false)
            }
            PublicKey::Other(oid) => Err(Refusal::Algorithm(*oid)),
            #[allow(
                unreachable_patterns,
                reason = "without other algorithms there is no other key"
            )]
            other => {
                let algorithm = match named {
                    oid::RSA => digests::rsa_with(signer.digest_algorithm),
                    _ => SignatureAlgorithm::read(&signer.signature_algorithm).ok(),
                };
                let algorithm = algorithm.filter(|it| *it != SignatureAlgorithm::Sm2);
                let algorithm = algorithm.ok_or(Refusal::Algorithm(named))?;
                let fits = |message: &[u8]| {
                    let identities = options.identities;
                    other
                        .verify(algorithm, message, &signer.signature, identities)
                        .is_ok()
                };
                match (signed, content.bytes) {
                    (Some(encodings), _) => Ok(encodings.iter().any(|it| fits(it))),
                    (None, Some(bytes)) => Ok(fits(bytes)),
                    // The library gives no access to a digest that is computed elsewhere.
                    (None, None) => Err(Refusal::Algorithm(named)),
                }
            }
        }
    }

    /// Computes what is left.
    pub(crate) fn settle(mut self) -> SignerResult {
        let Some(signature) = self.signature.take() else {
            return self.result;
        };
        let fitting = core::mem::take(&mut self.tries).into_iter().find(|it| {
            let mut digests = it.digests.iter();
            digests.any(|digest| it.key.verify_digest(digest, &signature).is_ok())
        });
        if let Some(fitting) = fitting {
            self.result.certificate = Some(fitting.certificate);
            self.result.verdict = Ok(());
        }
        self.result
    }

    /// As [`settle`](Self::settle), knowing that the first digest of the first try fits.
    pub(crate) fn settled(mut self) -> SignerResult {
        if let Some(first) = self.tries.into_iter().next() {
            self.result.certificate = Some(first.certificate);
            self.result.verdict = Ok(());
        }
        self.result
    }
}

/// The encodings of signed attributes that may have been signed: DER, whose sets are sorted (RFC
/// 5652, 5.4), and the order in which they came, which OpenSSL verifies.
fn encodings(attributes: &[Attribute], received: &[u8]) -> Vec<Vec<u8>> {
    let sorted = set_of(attributes.iter().map(Attribute::to_der).collect());
    let same = sorted == received;
    let mut all = Vec::from([sorted]);
    if !same {
        all.push(received.to_vec());
    }
    all
}

/// `SM3(Z ‖ message)` for each message and identity that may have been signed.
fn keyed<M: AsRef<[u8]>>(
    key: &VerifyingKey,
    messages: &[M],
    identities: Identities,
) -> Vec<[u8; 32]> {
    let empty = match identities {
        Identities::Default => None,
        Identities::DefaultOrEmpty => key.under_id(b"").ok(),
    };
    let mut all = Vec::new();
    for key in core::iter::once(key).chain(&empty) {
        for message in messages {
            let mut hash = key.message_hash();
            hash.update(message.as_ref());
            all.push(hash.finalize());
        }
    }
    all
}

/// The signatures of a signature (RFC 5652, 11.4). What is malformed is not listed; it stays among
/// the attributes.
fn counter_signatures(
    signer: &SignerInfo,
    certificates: &[Certificate],
    options: &VerifyOptions,
    depth: usize,
) -> Vec<SignerResult> {
    if depth >= MAX_COUNTER_DEPTH {
        return Vec::new();
    }
    let values = signer
        .unsigned
        .iter()
        .filter(|attribute| attribute.oid() == COUNTER_SIGNATURE)
        .flat_map(|attribute| attribute.values());
    let mut all = Vec::new();
    for value in values.take(MAX_COUNTERS >> (2 * depth)) {
        let Ok(counter) = to_der(value, "counter-signature").and_then(|der| SignerInfo::read(&der))
        else {
            continue;
        };
        let digests = Digests::of(&signer.signature, counter.digest_algorithm);
        let content = Content {
            oid: COUNTER_SIGNATURE,
            digests: &digests,
            bytes: Some(&signer.signature),
            is_signature: true,
        };
        all.push(Plan::new(counter, content, certificates, options, depth + 1).settle());
    }
    all
}
