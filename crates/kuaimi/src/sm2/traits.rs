//! The traits of the `signature` and `zeroize` crates, for code written against them. `Signer` and
//! `PrehashSigner` draw random numbers, so they are implemented with the feature `getrandom` alone;
//! `SigningKey::sign_deterministic` needs none.

#[cfg(feature = "getrandom")]
use signature::Signer;
#[cfg(feature = "getrandom")]
use signature::hazmat::PrehashSigner;
use signature::hazmat::{PrehashVerifier, RandomizedPrehashSigner};
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
    type Repr = [u8; 64];
}

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_slice(bytes)
    }
}

impl From<Signature> for [u8; 64] {
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

#[cfg(feature = "getrandom")]
impl PrehashSigner<Signature> for SigningKey {
    fn sign_prehash(&self, prehash: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.sign_digest(digest(prehash)?)?)
    }
}

impl RandomizedPrehashSigner<Signature> for SigningKey {
    fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        prehash: &[u8],
    ) -> Result<Signature, signature::Error> {
        Ok(self.sign_digest_with_rng(rng, digest(prehash)?)?)
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(Self::verify(self, message, signature)?)
    }
}

impl PrehashVerifier<Signature> for VerifyingKey {
    fn verify_prehash(
        &self,
        prehash: &[u8],
        signature: &Signature,
    ) -> Result<(), signature::Error> {
        Ok(self.verify_digest(digest(prehash)?, signature)?)
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        Self::verifying_key(self).clone()
    }
}

fn digest(prehash: &[u8]) -> Result<&[u8; 32], signature::Error> {
    prehash.try_into().map_err(|_| signature::Error::new())
}
