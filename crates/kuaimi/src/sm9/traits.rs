//! The traits of the `signature` crate, for code that is written against them.

#[cfg(feature = "getrandom")]
use signature::Signer;
use signature::rand_core::TryCryptoRng;
use signature::{Keypair, RandomizedSigner, SignatureEncoding, Verifier};

use super::{Error, Signature, SigningKey, VerifyingKey};

impl From<Error> for signature::Error {
    /// Without the reason, as the trait's error has none by design. If you need the reason, use the
    /// methods.
    fn from(_: Error) -> Self {
        Self::new()
    }
}

impl SignatureEncoding for Signature {
    type Repr = [u8; 96];
}

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_slice(bytes)
    }
}

impl From<Signature> for [u8; 96] {
    fn from(signature: Signature) -> Self {
        signature.to_bytes()
    }
}

#[cfg(feature = "getrandom")]
impl Signer<Signature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.sign(message)?)
    }
}

impl RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, signature::Error> {
        Ok(self.sign_with_rng(rng, message)?)
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        Self::verifying_key(self).clone()
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(Self::verify(self, message, signature)?)
    }
}
