//! SM2 public keys in SubjectPublicKeyInfo (RFC 5280, clause 4.1; RFC 5480), alone or in a
//! certificate, as DER.

use der::asn1::{AnyRef, BitStringRef};
use der::{Decode as _, Document, Reader, SliceReader, Tag, TagNumber};
use spki::{
    AlgorithmIdentifier, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, EncodePublicKey,
    SubjectPublicKeyInfoRef,
};

use super::{Error, explicit_parameters, oid};
use crate::sm2::{PublicKey, VerifyingKey};

/// Whether an algorithm identifier belongs to an SM2 key: `id-ecPublicKey` with SM2's curve, or one
/// of SM2's own identifiers. The parameters of the latter are the curve, NULL, or absent: all three
/// occur.
pub(super) fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    let own = match algorithm.oid {
        oid::EC_PUBLIC_KEY => false,
        oid::SM2 | oid::SM2_SIGN | oid::SM2_ENCRYPT => true,
        other => return Err(Error::NotSm2Algorithm(other)),
    };
    match algorithm.parameters {
        None if own => Ok(()),
        None => Err(Error::ParametersMissing),
        Some(parameters) if own && parameters.is_null() => Ok(()),
        Some(parameters) => check_curve(parameters),
    }
}

/// Whether these are the DER of `ECParameters` (RFC 5480, 2.1.1) that name SM2's curve, or are all
/// of its parameters. Variable time.
///
/// ```
/// use kuaimi::encoding::is_sm2_curve;
///
/// let sm2 = [0x06, 0x08, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d];
/// assert!(is_sm2_curve(&sm2));
/// assert!(!is_sm2_curve(&sm2[..9]));
/// ```
pub fn is_sm2_curve(parameters: &[u8]) -> bool {
    AnyRef::from_der(parameters)
        .map_err(Error::from)
        .and_then(check_curve)
        .is_ok()
}

/// Whether `ECParameters` name SM2's curve, or are its parameters.
pub(super) fn check_curve(parameters: AnyRef<'_>) -> Result<(), Error> {
    if der::Tagged::tag(&parameters) == Tag::Sequence {
        return explicit_parameters::check(parameters);
    }
    match parameters.decode_as()? {
        oid::SM2 => Ok(()),
        other => Err(Error::NotSm2Curve(other)),
    }
}

/// The content of a BIT STRING whose number of bits is a multiple of eight.
pub(super) fn whole_bytes<'a>(bits: &BitStringRef<'a>) -> Result<&'a [u8], Error> {
    let malformed = || Error::Der(Tag::BitString.value_error().into());
    bits.as_bytes().ok_or_else(malformed)
}

fn from_spki(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
    check_algorithm(&info.algorithm)?;
    Ok(PublicKey::from_sec1_bytes(whole_bytes(
        &info.subject_public_key,
    )?)?)
}

/// From a SubjectPublicKeyInfo.
pub(super) fn from_spki_der(bytes: &[u8]) -> Result<PublicKey, Error> {
    from_spki(&SubjectPublicKeyInfoRef::from_der(bytes)?)
}

/// From an X.509 certificate. Its signature, its dates and its use are not checked.
pub(super) fn from_certificate_der(bytes: &[u8]) -> Result<PublicKey, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let info = reader.sequence(|certificate| -> Result<_, Error> {
        let info = certificate.sequence(|tbs| -> Result<_, Error> {
            let version = Tag::ContextSpecific {
                constructed: true,
                number: TagNumber(0),
            };
            if Tag::peek(tbs)? == version {
                tbs.tlv_bytes()?;
            }
            // serialNumber, signature, issuer, validity, subject
            for _ in 0..5 {
                tbs.tlv_bytes()?;
            }
            let info: SubjectPublicKeyInfoRef<'_> = tbs.decode()?;
            // issuerUniqueID, subjectUniqueID, extensions
            while !tbs.is_finished() {
                tbs.tlv_bytes()?;
            }
            Ok(info)
        })?;
        // signatureAlgorithm, signatureValue
        certificate.decode::<AlgorithmIdentifierRef<'_>>()?;
        certificate.decode::<BitStringRef<'_>>()?;
        Ok(info)
    })?;
    reader.finish()?;
    from_spki(&info)
}

/// This gives `PublicKey` the trait [`DecodePublicKey`](super::DecodePublicKey).
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
        Ok(from_spki(&info)?)
    }
}

/// With the default identity. This gives `VerifyingKey` the trait
/// [`DecodePublicKey`](super::DecodePublicKey).
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
        Ok(Self::new(from_spki(&info)?))
    }
}

/// `id-ecPublicKey` with SM2's curve, which all current software writes.
const ALGORITHM: AlgorithmIdentifier<der::asn1::ObjectIdentifier> = AlgorithmIdentifier {
    oid: oid::EC_PUBLIC_KEY,
    parameters: Some(oid::SM2),
};

impl AssociatedAlgorithmIdentifier for PublicKey {
    type Params = der::asn1::ObjectIdentifier;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
}

impl EncodePublicKey for PublicKey {
    /// With the point uncompressed.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let point = self.to_sec1_bytes();
        Ok(Document::encode_msg(&SubjectPublicKeyInfoRef {
            algorithm: AlgorithmIdentifier {
                oid: ALGORITHM.oid,
                parameters: Some(AnyRef::from(&oid::SM2)),
            },
            subject_public_key: BitStringRef::from_bytes(&point)?,
        })?)
    }
}

impl AssociatedAlgorithmIdentifier for VerifyingKey {
    type Params = der::asn1::ObjectIdentifier;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
}

impl EncodePublicKey for VerifyingKey {
    /// The key alone: this form has no field for an identity.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        self.public_key().to_public_key_der()
    }
}
