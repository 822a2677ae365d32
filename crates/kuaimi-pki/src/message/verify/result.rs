//! What a verification found.

use alloc::vec::Vec;
use core::fmt;

use der::DateTime;
use der::asn1::ObjectIdentifier;

use super::super::attributes::Attribute;
use super::super::signer_info::CertificateId;
use crate::oid::TIME_STAMP;
use crate::{Certificate, Error};

/// Why a signature is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// The signer's certificate is neither in the message nor among those that were given.
    NoCertificate,
    /// The message has no signed attributes and came in pieces, and the signer's certificate was
    /// not given beforehand. Verify it again with [`Verification::certificates`] given.
    CertificateNeededBefore,
    /// The algorithm of the digest, of the signature or of the key is not supported, or they do not
    /// belong together.
    Algorithm(ObjectIdentifier),
    /// The signed attributes are not as they must be; the value says why.
    Attributes(&'static str),
    /// The digest in the signed attributes is another than the content's: it was altered.
    Content,
    /// There are no signed attributes, but the content is of another type than `data`, or looks
    /// like signed attributes itself.
    Ambiguous,
    /// The signature does not fit.
    Signature,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCertificate => f.write_str("the signer's certificate is not there"),
            Self::CertificateNeededBefore => f.write_str(
                "the message has no signed attributes: give the signer's certificate beforehand",
            ),
            Self::Algorithm(oid) => {
                write!(
                    f,
                    "the algorithm {oid} is not supported, or not with the others"
                )
            }
            Self::Attributes(why) => write!(f, "the signed attributes are wrong: {why}"),
            Self::Content => f.write_str("the content is not the one that was signed"),
            Self::Ambiguous => f.write_str(
                "without signed attributes, nothing says that this content was meant as such",
            ),
            Self::Signature => f.write_str("the signature does not fit"),
        }
    }
}

impl core::error::Error for Refusal {}

/// One signer of a message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignerResult {
    /// How the message names the certificate.
    pub id: CertificateId,
    /// The certificate, if there is one of this name. If the signature fits, this one's key fits.
    pub certificate: Option<Certificate>,
    /// Whether the signature is right, and of this content.
    pub verdict: Result<(), Refusal>,
    /// When the signer says that it signed.
    pub signing_time: Option<DateTime>,
    /// The signed attributes; nothing if there are none. Believe them if the verdict is good.
    pub signed_attributes: Option<Vec<Attribute>>,
    /// The attributes that nobody signed. What is in them has its own proof, or none.
    pub unsigned_attributes: Vec<Attribute>,
    /// The signatures of this signature, which are among the unsigned attributes.
    pub counter_signatures: Vec<SignerResult>,
    /// The signature, in DER for SM2: what time stamps and counter-signatures are of.
    pub signature: Vec<u8>,
}

impl SignerResult {
    /// The time stamps of the signature (RFC 3161), each a signed message: verify it with
    /// [`verify`](super::verify), and compare the digest in its content.
    pub fn time_stamps(&self) -> impl Iterator<Item = &[u8]> {
        self.unsigned_attributes
            .iter()
            .filter(|attribute| attribute.oid() == TIME_STAMP)
            .flat_map(|attribute| attribute.values().iter().map(Vec::as_slice))
    }
}

/// A message that was read to its end, with a verdict for each signer.
#[derive(Clone, Debug)]
#[must_use]
#[non_exhaustive]
pub struct Verification {
    /// The type of the content.
    pub content_type: ObjectIdentifier,
    /// The signers. There may be none, and their signatures may be wrong: see
    /// [`check`](Self::check).
    pub signers: Vec<SignerResult>,
    /// The certificates in the message. Nobody has vouched for them.
    pub certificates: Vec<Certificate>,
    /// The revocation lists in the message, in DER.
    pub crls: Vec<Vec<u8>>,
}

impl Verification {
    /// That there is a signer, and that every signature is right.
    ///
    /// # Errors
    /// [`Error::Structure`] if there is no signer, and [`Error::Signer`] for the first whose
    /// signature is not accepted.
    pub fn check(&self) -> Result<(), Error> {
        if self.signers.is_empty() {
            return Err(Error::Structure("signed message", "has no signer"));
        }
        for (place, signer) in self.signers.iter().enumerate() {
            signer.verdict.map_err(|why| Error::Signer(place, why))?;
        }
        Ok(())
    }
}
