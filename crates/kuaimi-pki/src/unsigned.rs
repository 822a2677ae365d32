//! What is made in two steps: the bytes that are signed, and then the signature.
//!
//! A program whose key is in a module elsewhere takes the digest to it, and comes back with `r` and
//! `s`. Nothing is handed out before its signature was verified.

use alloc::vec::Vec;
use core::marker::PhantomData;

use der::Encode;
use der::asn1::{AnyRef, BitStringRef};
use kuaimi::sm2::{PublicKey, Signature, VerifyingKey};
use spki::AlgorithmIdentifierRef;

use crate::{Error, Signer, oid, signer};

/// SM2 with SM3, without parameters, as GM/T 0015 has it.
pub(crate) const SM2_WITH_SM3: AlgorithmIdentifierRef<'static> = AlgorithmIdentifierRef {
    oid: oid::SM2_WITH_SM3,
    parameters: None,
};

/// A structure of the type `T` that waits for its signature.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_pki::certificate::{CertificateBuilder, Validity};
/// use kuaimi_pki::name;
///
/// let key = SigningKey::new(PrivateKey::generate()?);
/// let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 365)?;
/// let unsigned = CertificateBuilder::new(name::parse("CN=Root")?, key.public_key(), validity)
///     .serial(&[1])?
///     .prepare_self_signed()?;
/// // This is what a module would do.
/// let signature = key.sign_digest(&unsigned.digest())?;
/// let certificate = unsigned.finish(&signature)?;
/// assert_eq!(certificate.serial(), [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Unsigned<T> {
    tbs: Vec<u8>,
    key: PublicKey,
    made: PhantomData<T>,
}

impl<T: FromSigned> Unsigned<T> {
    pub(crate) fn new(tbs: Vec<u8>, key: &PublicKey) -> Self {
        Self {
            tbs,
            key: *key,
            made: PhantomData,
        }
    }

    /// What is signed, in DER.
    pub fn tbs(&self) -> &[u8] {
        &self.tbs
    }

    /// The public key that the signature has to fit.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// `SM3(Z ‖ M)` for the signer's key under the default identity: what is signed with SM2.
    pub fn digest(&self) -> [u8; 32] {
        signer::digest(&self.key, &self.tbs)
    }

    /// The structure with `signature`.
    ///
    /// # Errors
    /// [`Error::Signature`] if the signature is not of [`digest`](Self::digest) by this key.
    pub fn finish(self, signature: &Signature) -> Result<T, Error> {
        VerifyingKey::new(self.key).verify_digest(&self.digest(), signature)?;
        T::from_signed(&signed(&self.tbs, signature.to_der().as_bytes())?)
    }

    pub(crate) fn sign(self, signer: &(impl Signer + ?Sized)) -> Result<T, Error> {
        let signature = signer.sign_digest(&self.digest())?;
        self.finish(&signature)
    }
}

/// What can be read from its own DER.
pub trait FromSigned: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// Those of the type's reader.
    fn from_signed(der: &[u8]) -> Result<Self, Error>;
}

/// `SEQUENCE { tbs, signatureAlgorithm, signatureValue }`.
pub(crate) fn signed(tbs: &[u8], signature: &[u8]) -> Result<Vec<u8>, Error> {
    #[derive(der::Sequence)]
    struct Signed<'a> {
        tbs: AnyRef<'a>,
        algorithm: AlgorithmIdentifierRef<'a>,
        signature: BitStringRef<'a>,
    }
    let encode = || {
        Signed {
            tbs: AnyRef::try_from(tbs)?,
            algorithm: SM2_WITH_SM3,
            signature: BitStringRef::from_bytes(signature)?,
        }
        .to_der()
    };
    encode().map_err(|error: der::Error| Error::Der("structure to be signed", error))
}
