//! The signatures of chains: verified one at a time and not twice, or noted down for a batch.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::refusal::Rule;
use crate::public_key::{Identities, SignatureAlgorithm};
use crate::{Certificate, Error, PublicKey};

/// A signature that has to fit.
#[derive(Clone, Copy)]
pub(super) struct Signed<'a> {
    pub(super) key: &'a PublicKey,
    key_bytes: &'a [u8],
    pub(super) algorithm: SignatureAlgorithm,
    pub(super) message: &'a [u8],
    pub(super) signature: &'a [u8],
    pub(super) identities: Identities,
}

/// Everything that the verdict on a signature depends on.
pub(super) type Id<'a> = (
    &'a [u8],
    &'a [u8],
    &'a [u8],
    ObjectIdentifier,
    &'static str,
    bool,
);

impl<'a> Signed<'a> {
    /// The signature of `message` by the key of `signer`.
    pub(super) fn new(
        signer: &'a Certificate,
        algorithm: Result<SignatureAlgorithm, Error>,
        message: &'a [u8],
        signature: &'a [u8],
        identities: Identities,
    ) -> Result<Self, Rule> {
        let key = signer.public_key();
        let algorithm = match algorithm {
            Ok(algorithm) => algorithm,
            Err(Error::Algorithm(_, id)) => return Err(Rule::Algorithm(id)),
            Err(_) => return Err(Rule::Malformed("signature's algorithm")),
        };
        if let PublicKey::Other(id) = key {
            return Err(Rule::Algorithm(*id));
        }
        Ok(Self {
            key,
            key_bytes: signer.key_bits(),
            algorithm,
            message,
            signature,
            identities,
        })
    }

    /// The signature of `certificate` by the key of `issuer`.
    pub(super) fn of(
        certificate: &'a Certificate,
        issuer: &'a Certificate,
        identities: Identities,
    ) -> Result<Self, Rule> {
        Self::new(
            issuer,
            certificate.signature_algorithm(),
            certificate.tbs(),
            certificate.signature(),
            identities,
        )
    }

    pub(super) fn id(&self) -> Id<'a> {
        (
            self.signature,
            self.message,
            self.key_bytes,
            self.key.algorithm(),
            self.algorithm.name(),
            self.identities == Identities::Default,
        )
    }

    pub(super) fn verify(&self) -> bool {
        let verified = self.key.verify(
            self.algorithm,
            self.message,
            self.signature,
            self.identities,
        );
        verified.is_ok()
    }
}

/// The verdicts on the signatures of one end certificate's paths.
pub(super) struct Signatures<'a, 'k> {
    /// Verdicts from a batch.
    known: Option<&'k BTreeMap<Id<'a>, bool>>,
    found: Vec<(Id<'a>, bool)>,
    left: u32,
    /// What a batch has to verify; each is taken for good until then.
    noted: Option<Vec<Signed<'a>>>,
}

impl<'a, 'k> Signatures<'a, 'k> {
    /// Verifies at most `most` signatures, but for those that are `known`.
    pub(super) fn verifying(most: u32, known: Option<&'k BTreeMap<Id<'a>, bool>>) -> Self {
        Self {
            known,
            found: Vec::new(),
            left: most,
            noted: None,
        }
    }

    /// Notes at most `most` signatures down.
    pub(super) fn noting(most: u32) -> Self {
        Self {
            known: None,
            found: Vec::new(),
            left: most,
            noted: Some(Vec::new()),
        }
    }

    /// Whether the signature fits.
    pub(super) fn check(&mut self, signed: Signed<'a>) -> Result<(), Rule> {
        let id = signed.id();
        let known = self.known.and_then(|known| known.get(&id).copied());
        let found = || self.found.iter().find(|(other, _)| *other == id);
        let fits = match known.or_else(|| found().map(|(_, fits)| *fits)) {
            Some(fits) => fits,
            None => {
                self.left = self.left.checked_sub(1).ok_or(Rule::Limit("signatures"))?;
                match &mut self.noted {
                    Some(noted) => {
                        noted.push(signed);
                        return Ok(());
                    }
                    None => {
                        let fits = signed.verify();
                        self.found.push((id, fits));
                        fits
                    }
                }
            }
        };
        if fits { Ok(()) } else { Err(Rule::Signature) }
    }

    /// Whether a good verdict is final, and no note.
    pub(super) fn verifies(&self) -> bool {
        self.noted.is_none()
    }

    /// How many are noted down, for [`forget`](Self::forget).
    pub(super) fn mark(&self) -> usize {
        self.noted.as_ref().map_or(0, Vec::len)
    }

    /// Takes back what was noted down after `mark`, for a path that leads nowhere.
    pub(super) fn forget(&mut self, mark: usize) {
        if let Some(noted) = &mut self.noted {
            noted.truncate(mark);
        }
    }

    pub(super) fn into_noted(self) -> Vec<Signed<'a>> {
        self.noted.unwrap_or_default()
    }
}
