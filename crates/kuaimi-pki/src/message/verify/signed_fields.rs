//! The fields of signedData around its content, as they come: certificates, lists, signers.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::super::WHAT;
use super::super::digests::{Digests, Running};
use super::super::signer_info::{SignerInfo, elements_of_set};
use super::plan::{Content, Plan};
use super::{MAX_SIGNERS, Verification, VerifyOptions};
use crate::ber::{Elements, INTEGER, SEQUENCE, SET, Token, Tokens, context, to_der};
use crate::{Certificate, Error, oid};

/// The most certificates, and the most revocation lists, that a message may have.
const MAX_CERTIFICATES: usize = 1024;
/// The most algorithms of digests, of which a few are computed.
const MAX_DIGESTS: usize = 64;

/// The fields so far.
#[derive(Default)]
pub(crate) struct SignedFields {
    certificates: Option<Vec<Certificate>>,
    crls: Option<Vec<Vec<u8>>>,
    signers: Option<Vec<SignerInfo>>,
}

impl SignedFields {
    /// Takes `digestAlgorithms`, which comes before the content: these hashes will run.
    pub(crate) fn digest_algorithms(ber: &[u8], running: &mut Running) -> Result<(), Error> {
        for algorithm in elements_of_set(WHAT, &to_der(ber, WHAT)?, MAX_DIGESTS)? {
            let (oid, _) = Elements::new(&algorithm, WHAT).algorithm()?;
            running.add(oid);
        }
        // Some leave the set empty.
        running.add(oid::SM3);
        Ok(())
    }

    /// Whether there is no signer: a message that only carries certificates.
    pub(crate) fn is_without_signers(&self) -> bool {
        self.signers.as_ref().is_none_or(Vec::is_empty)
    }

    /// The certificates of the signers, as far as they are known.
    pub(crate) fn signers_certificates(&self, others: &[Certificate]) -> Vec<Certificate> {
        let all = self.certificates.iter().flatten().chain(others);
        let signers = self.signers.as_deref().unwrap_or_default();
        all.filter(|it| {
            let mut signers = signers.iter().filter(|signer| signer.signed.is_none());
            signers.any(|signer| signer.id.names(it))
        })
        .cloned()
        .collect()
    }

    /// Runs the hashes that the signers need.
    pub(crate) fn digests_of_signers(&self, running: &mut Running) {
        for signer in self.signers.iter().flatten() {
            running.add(signer.digest_algorithm);
        }
    }

    /// Takes a field that comes after the content.
    pub(crate) fn field(&mut self, tag: u8, ber: &[u8]) -> Result<(), Error> {
        let twice = Err(Error::Structure(
            WHAT,
            "has a field twice, or in a wrong place",
        ));
        match tag {
            _ if self.signers.is_some() => twice,
            SET => {
                let der = to_der(ber, WHAT)?;
                let signers = elements_of_set("signers of a message", &der, MAX_SIGNERS)?;
                let signers = signers.iter().map(|signer| SignerInfo::read(signer));
                self.signers = Some(signers.collect::<Result<_, _>>()?);
                Ok(())
            }
            _ if tag == context(0) && self.certificates.is_none() && self.crls.is_none() => {
                let mut all = Vec::new();
                for element in elements_in_ber(ber)? {
                    // The other tags are other kinds of certificates, which nobody uses.
                    if element.first() == Some(&SEQUENCE) {
                        // As it was signed, if that is DER.
                        let certificate = Certificate::from_der(&element)
                            .or_else(|_| Certificate::from_der(&to_der(&element, WHAT)?))?;
                        all.push(certificate);
                    }
                }
                self.certificates = Some(all);
                Ok(())
            }
            _ if tag == context(1) && self.crls.is_none() => {
                let mut all = elements_in_ber(ber)?;
                all.retain(|element| element.first() == Some(&SEQUENCE));
                self.crls = Some(all);
                Ok(())
            }
            _ => twice,
        }
    }

    /// Plans the verification of each signer.
    pub(crate) fn plan(
        self,
        oid: ObjectIdentifier,
        digests: &Digests,
        bytes: Option<&[u8]>,
        options: &VerifyOptions,
    ) -> Result<(Vec<Plan>, Verification), Error> {
        let signers = self
            .signers
            .ok_or(Error::Structure(WHAT, "has no place for signers"))?;
        let content = Content {
            oid,
            digests,
            bytes,
            is_signature: false,
        };
        let certificates = self.certificates.unwrap_or_default();
        let plans = signers
            .into_iter()
            .map(|signer| Plan::new(signer, content, &certificates, options, 0))
            .collect();
        let rest = Verification {
            content_type: oid,
            signers: Vec::new(),
            certificates,
            crls: self.crls.unwrap_or_default(),
        };
        Ok((plans, rest))
    }

    /// Verifies each signer.
    pub(crate) fn verify(
        self,
        oid: ObjectIdentifier,
        digests: &Digests,
        bytes: Option<&[u8]>,
        options: &VerifyOptions,
    ) -> Result<Verification, Error> {
        let (plans, mut verification) = self.plan(oid, digests, bytes, options)?;
        verification.signers = plans.into_iter().map(Plan::settle).collect();
        Ok(verification)
    }
}

/// The elements inside an element, each in its own BER.
fn elements_in_ber(ber: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let mut tokens = Tokens::default();
    let (mut rest, mut depth) = (ber, 0usize);
    let mut all: Vec<Vec<u8>> = Vec::new();
    while !tokens.is_finished() {
        let before = rest;
        let (count, token) = tokens.next(rest)?;
        rest = rest.get(count..).unwrap_or_default();
        let bytes = before.get(..count).unwrap_or_default();
        let start = matches!(token, Some(Token::Start { .. }));
        match token {
            None => return Err(Error::Structure(WHAT, "ends too early")),
            Some(Token::Start { .. }) => depth = depth.saturating_add(1),
            Some(Token::Bytes(_)) => {}
            Some(Token::End { .. }) => depth = depth.saturating_sub(1),
        }
        if start && depth == 2 {
            if all.len() >= MAX_CERTIFICATES {
                return Err(Error::Limit("more than 1,024 certificates in a message"));
            }
            all.push(Vec::new());
            tokens.opaque();
        }
        // The end of an element belongs to it; that of the outermost to none.
        let inside = depth >= 2 || (depth == 1 && !start);
        if inside && let Some(last) = all.last_mut() {
            last.extend_from_slice(bytes);
        }
    }
    Ok(all)
}

/// Takes a version: any is read, as the dialects disagree about it.
pub(crate) fn is_version(tag: u8, ber: &[u8]) -> Result<bool, Error> {
    if tag == INTEGER {
        Elements::new(&to_der(ber, WHAT)?, WHAT).version()?;
    }
    Ok(tag == INTEGER)
}
