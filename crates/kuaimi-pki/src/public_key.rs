//! Public keys in certificates, and the signatures that are verified with them.

#[cfg(feature = "other-algorithms")]
use alloc::boxed::Box;
use core::fmt;

use der::Encode;
use der::asn1::{AnyRef, ObjectIdentifier};
use kuaimi::sm2::{self, Signature, VerifyingKey};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

use crate::{Error, oid};

/// The public key of a certificate or a request.
#[derive(Clone)]
#[non_exhaustive]
pub enum PublicKey {
    /// A key of SM2, under the default identity.
    Sm2(VerifyingKey),
    /// A key on P-256.
    #[cfg(feature = "other-algorithms")]
    P256(Box<p256::ecdsa::VerifyingKey>),
    /// A key on P-384.
    #[cfg(feature = "other-algorithms")]
    P384(Box<p384::ecdsa::VerifyingKey>),
    /// A key of RSA.
    #[cfg(feature = "other-algorithms")]
    Rsa(Box<rsa::PublicKey>),
    /// A key of another algorithm, or on another curve, which is the value. It verifies nothing.
    Other(ObjectIdentifier),
}

/// The identities under which SM2's signatures of certificates and requests may be made.
///
/// GM/T 0015 has one, `1234567812345678`. Some authorities sign under the empty identity: a caller
/// who has to accept their certificates says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identities {
    /// The default identity alone.
    #[default]
    Default,
    /// The default identity, or else the empty one.
    DefaultOrEmpty,
}

/// How a certificate, a list or a message is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignatureAlgorithm {
    /// SM2 with SM3.
    Sm2,
    /// ECDSA with SHA-256.
    EcdsaSha256,
    /// ECDSA with SHA-384.
    EcdsaSha384,
    /// RSA with PKCS #1 padding and SHA-256.
    RsaSha256,
    /// RSA with PKCS #1 padding and SHA-384.
    RsaSha384,
    /// RSA with PKCS #1 padding and SHA-512.
    RsaSha512,
}

impl SignatureAlgorithm {
    /// The algorithm that `identifier` names. Its parameters may be absent or NULL.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for an algorithm that is not in this list, and [`Error::Structure`] for
    /// other parameters.
    pub fn read(identifier: &AlgorithmIdentifierOwned) -> Result<Self, Error> {
        let algorithm = match identifier.oid {
            oid::SM2_WITH_SM3 | oid::SM2_SIGN => Self::Sm2,
            oid::ECDSA_WITH_SHA256 => Self::EcdsaSha256,
            oid::ECDSA_WITH_SHA384 => Self::EcdsaSha384,
            oid::RSA_WITH_SHA256 => Self::RsaSha256,
            oid::RSA_WITH_SHA384 => Self::RsaSha384,
            oid::RSA_WITH_SHA512 => Self::RsaSha512,
            other => return Err(Error::Algorithm("a signature", other)),
        };
        match &identifier.parameters {
            None => Ok(algorithm),
            Some(parameters) if AnyRef::from(parameters).is_null() => Ok(algorithm),
            Some(_) => Err(Error::Structure(
                "signature's algorithm",
                "has parameters that do not belong to it",
            )),
        }
    }

    /// The algorithm's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm2 => "SM2 with SM3",
            Self::EcdsaSha256 => "ECDSA with SHA-256",
            Self::EcdsaSha384 => "ECDSA with SHA-384",
            Self::RsaSha256 => "RSA with SHA-256",
            Self::RsaSha384 => "RSA with SHA-384",
            Self::RsaSha512 => "RSA with SHA-512",
        }
    }
}

impl PublicKey {
    /// The key in a SubjectPublicKeyInfo. Keys of algorithms that are not supported are
    /// [`PublicKey::Other`].
    ///
    /// # Errors
    /// [`Error::Encoding`] for a key of SM2 that is no point of the curve, and [`Error::Structure`]
    /// for one on another curve.
    pub fn read(info: &SubjectPublicKeyInfoOwned) -> Result<Self, Error> {
        let algorithm = &info.algorithm;
        let curve = match &algorithm.parameters {
            Some(parameters) => parameters.decode_as::<ObjectIdentifier>().ok(),
            None => None,
        };
        match (algorithm.oid, curve) {
            (oid::EC_PUBLIC_KEY, Some(curve)) if curve != oid::SM2 => Self::on_curve(curve, info),
            (oid::EC_PUBLIC_KEY | oid::SM2 | oid::SM2_SIGN | oid::SM2_ENCRYPT, _) => {
                let der = info.to_der().map_err(kuaimi::encoding::Error::from)?;
                let (key, _) = kuaimi::encoding::read_public_key(&der)?;
                Ok(Self::Sm2(VerifyingKey::new(key)))
            }
            (oid::RSA, _) => Ok(Self::rsa(info)),
            (other, _) => Ok(Self::Other(other)),
        }
    }

    #[cfg(feature = "other-algorithms")]
    fn on_curve(curve: ObjectIdentifier, info: &SubjectPublicKeyInfoOwned) -> Result<Self, Error> {
        let malformed = |_| Error::Structure("public key", "is no point of its curve");
        let bits = &info.subject_public_key;
        let point = bits.as_bytes().unwrap_or_default();
        match curve {
            oid::P256 => Ok(Self::P256(Box::new(
                p256::ecdsa::VerifyingKey::from_sec1_bytes(point).map_err(malformed)?,
            ))),
            oid::P384 => Ok(Self::P384(Box::new(
                p384::ecdsa::VerifyingKey::from_sec1_bytes(point).map_err(malformed)?,
            ))),
            other => Ok(Self::Other(other)),
        }
    }

    #[cfg(not(feature = "other-algorithms"))]
    fn on_curve(curve: ObjectIdentifier, _: &SubjectPublicKeyInfoOwned) -> Result<Self, Error> {
        Ok(Self::Other(curve))
    }

    /// A key that is too short or too long to verify with does not keep the certificate from being
    /// read.
    #[cfg(feature = "other-algorithms")]
    fn rsa(info: &SubjectPublicKeyInfoOwned) -> Self {
        let der = info.to_der().unwrap_or_default();
        let key = <spki::SubjectPublicKeyInfoRef<'_> as der::Decode>::from_der(&der)
            .ok()
            .and_then(|info| rsa::PublicKey::try_from(info).ok());
        match key {
            Some(key) => Self::Rsa(Box::new(key)),
            None => Self::Other(info.algorithm.oid),
        }
    }

    #[cfg(not(feature = "other-algorithms"))]
    fn rsa(info: &SubjectPublicKeyInfoOwned) -> Self {
        Self::Other(info.algorithm.oid)
    }

    /// The key of SM2.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for a key of another algorithm.
    pub fn sm2(&self) -> Result<&VerifyingKey, Error> {
        match self {
            Self::Sm2(key) => Ok(key),
            other => Err(Error::Algorithm("an SM2 key", other.algorithm())),
        }
    }

    /// The key's algorithm, or its curve.
    pub fn algorithm(&self) -> ObjectIdentifier {
        match self {
            Self::Sm2(_) => oid::SM2,
            #[cfg(feature = "other-algorithms")]
            Self::P256(_) => oid::P256,
            #[cfg(feature = "other-algorithms")]
            Self::P384(_) => oid::P384,
            #[cfg(feature = "other-algorithms")]
            Self::Rsa(_) => oid::RSA,
            Self::Other(other) => *other,
        }
    }

    /// Verifies `signature`, which is in the form that certificates have, of `message`. Variable
    /// time.
    ///
    /// # Errors
    /// [`Error::Signature`] if it does not fit, is malformed, or is of another algorithm than the
    /// key; [`Error::Algorithm`] for an algorithm that is not supported.
    pub fn verify(
        &self,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
        identities: Identities,
    ) -> Result<(), Error> {
        match (self, algorithm) {
            (Self::Sm2(key), SignatureAlgorithm::Sm2) => {
                let signature = Signature::from_der(signature).map_err(|_| Error::Signature)?;
                match (key.verify(message, &signature), identities) {
                    (Err(sm2::Error::InvalidSignature), Identities::DefaultOrEmpty) => {
                        Ok(key.under_id(b"")?.verify(message, &signature)?)
                    }
                    (result, _) => Ok(result?),
                }
            }
            (Self::Other(oid), _) => Err(Error::Algorithm("a signature", *oid)),
            #[cfg(feature = "other-algorithms")]
            (other, algorithm) => other.verify_other(algorithm, message, signature),
            #[cfg(not(feature = "other-algorithms"))]
            _ => Err(Error::Signature),
        }
    }

    #[cfg(feature = "other-algorithms")]
    fn verify_other(
        &self,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        use SignatureAlgorithm::{EcdsaSha256, EcdsaSha384, RsaSha256, RsaSha384, RsaSha512};
        use p256::ecdsa::signature::hazmat::PrehashVerifier;
        use sha2::{Digest, Sha256, Sha384, Sha512};

        let no = |_| Error::Signature;
        match (self, algorithm) {
            (Self::P256(key), EcdsaSha256 | EcdsaSha384) => {
                let signature = p256::ecdsa::DerSignature::try_from(signature).map_err(no)?;
                match algorithm {
                    EcdsaSha256 => key.verify_prehash(&Sha256::digest(message), &signature),
                    _ => key.verify_prehash(&Sha384::digest(message), &signature),
                }
                .map_err(no)
            }
            (Self::P384(key), EcdsaSha256 | EcdsaSha384) => {
                let signature = p384::ecdsa::DerSignature::try_from(signature).map_err(no)?;
                match algorithm {
                    EcdsaSha256 => key.verify_prehash(&Sha256::digest(message), &signature),
                    _ => key.verify_prehash(&Sha384::digest(message), &signature),
                }
                .map_err(no)
            }
            (Self::Rsa(key), RsaSha256 | RsaSha384 | RsaSha512) => match algorithm {
                RsaSha256 => key.verify(
                    rsa::Pkcs1v15Sign::new::<Sha256>(),
                    &Sha256::digest(message),
                    signature,
                ),
                RsaSha384 => key.verify(
                    rsa::Pkcs1v15Sign::new::<Sha384>(),
                    &Sha384::digest(message),
                    signature,
                ),
                _ => key.verify(
                    rsa::Pkcs1v15Sign::new::<Sha512>(),
                    &Sha512::digest(message),
                    signature,
                ),
            }
            .map_err(|_| Error::Signature),
            _ => Err(Error::Signature),
        }
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm2(key) => f.debug_tuple("Sm2").field(key.public_key()).finish(),
            other => write!(f, "PublicKey({})", other.algorithm()),
        }
    }
}
