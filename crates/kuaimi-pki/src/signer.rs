//! Who signs: a private key in memory, or a device that holds one and is given a digest.

use kuaimi::sm2::{PublicKey, Signature, SigningKey};
use rand_core::TryCryptoRng;

use crate::Error;

/// A holder of an SM2 private key, which signs digests.
///
/// [`SigningKey`] is one. A program with a hardware module writes another: it sends the digest to
/// the module and gives `r` and `s` back. Everything in this crate that signs takes any of them.
///
/// ```
/// use kuaimi::sm2::{PublicKey, Signature, SigningKey};
/// use kuaimi_pki::{Error, Signer};
///
/// /// A module that is reached through a function.
/// struct Module<F>(PublicKey, F);
///
/// impl<F: Fn(&[u8; 32]) -> [u8; 64]> Signer for Module<F> {
///     fn public_key(&self) -> &PublicKey {
///         &self.0
///     }
///
///     fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, Error> {
///         Ok(Signature::from_bytes(&(self.1)(digest))?)
///     }
/// }
/// ```
pub trait Signer {
    /// The public key that the signatures are verified with.
    fn public_key(&self) -> &PublicKey;

    /// The signature of `digest`, which is `SM3(Z ‖ M)` of GB/T 32918.2. `Z` has the identity that
    /// the caller's protocol has: in this crate the default one.
    ///
    /// # Errors
    /// What the holder of the key reports, as an [`Error`].
    fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, Error>;
}

/// With hedged nonces from the operating system's random generator.
#[cfg(feature = "getrandom")]
impl Signer for SigningKey {
    fn public_key(&self) -> &PublicKey {
        self.public_key()
    }

    fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, Error> {
        Ok(self.sign_digest(digest)?)
    }
}

/// A private key that signs without a random generator: its nonces are derived from the key and the
/// digest (as in RFC 6979), for machines that have none.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_pki::signer::{Deterministic, Signer};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let signer = Deterministic(key);
/// assert_eq!(signer.sign_digest(&[1; 32])?, signer.sign_digest(&[1; 32])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deterministic(pub SigningKey);

impl Signer for Deterministic {
    fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }

    fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, Error> {
        Ok(self.0.sign_digest_deterministic(digest))
    }
}

/// `SM3(Z ‖ message)` for `key` under the default identity: what a [`Signer`] is given.
pub(crate) fn digest(key: &PublicKey, message: &[u8]) -> [u8; 32] {
    let mut hash = kuaimi::sm2::VerifyingKey::new(*key).message_hash();
    hash.update(message);
    hash.finalize()
}

/// Fills `bytes` from `rng`.
pub(crate) fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(bytes).map_err(|_| Error::Random)
}
