//! Signatures that are verified before they are given out, for authorities.

use rand_core::TryCryptoRng;

use super::SigningKey;
use crate::precompute::Precompute;
use crate::sm2::{Error, Signature, VerifyingKey};

/// A [`SigningKey`] that verifies each signature before it gives it out.
///
/// A machine that errs (bits of memory that flip, a processor with a fault, an attacker who heats,
/// glitches or hammers it) can make a wrong signature, and some wrong signatures reveal the private
/// key to anyone who sees them. This key computes the digest again, verifies the signature with a
/// public key that was computed when the private key was read, and returns [`Error::SelfCheck`] if
/// the two do not agree.
///
/// It catches errors in the private key, in the values that signing derives from it, in the digest,
/// in the point `[k]G`, in the tables that this point is computed from, and in the arithmetic of
/// `r` and `s`. It does not catch an error that makes nonces predictable or repeated, since such
/// signatures are valid; one in the message before both digests; one in the signature after the
/// verification; a second error, in the verification, that hides the first; and a private key that
/// was wrong when it was read, with its public key. `docs/evidence.md` has what random flips of
/// bits gave.
///
/// The price: the time of a verification with a table and a second digest of the message, in all
/// about as long again as signing, and the memory of the table of a [`VerifyingKey`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::generate()?).verify_after_sign();
/// let signature = key.sign(b"a certificate")?;
/// key.key().verifying_key().verify(b"a certificate", &signature)?;
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CheckedSigningKey {
    key: SigningKey,
    verifying: VerifyingKey,
}

impl SigningKey {
    /// The same key, which verifies each signature before it gives it out.
    ///
    /// ```
    /// use kuaimi::sm2::{PrivateKey, SigningKey};
    ///
    /// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let checked = key.clone().verify_after_sign();
    /// assert_eq!(checked.sign_deterministic(b"a message")?, key.sign_deterministic(b"a message"));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn verify_after_sign(self) -> CheckedSigningKey {
        let verifying = self.verifying_key();
        CheckedSigningKey {
            verifying: verifying.with_precompute(Precompute::AtOnce),
            key: self,
        }
    }
}

impl CheckedSigningKey {
    /// The key without the check.
    pub fn key(&self) -> &SigningKey {
        &self.key
    }

    /// As [`SigningKey::sign`].
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SelfCheck`] if the signature is wrong.
    #[cfg(feature = "getrandom")]
    pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.checked(message, self.key.sign(message)?)
    }

    /// As [`SigningKey::sign_with_rng`].
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SelfCheck`] if the signature is wrong.
    pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.checked(message, self.key.sign_with_rng(rng, message)?)
    }

    /// As [`SigningKey::sign_deterministic`].
    ///
    /// # Errors
    /// [`Error::SelfCheck`] if the signature is wrong.
    pub fn sign_deterministic(&self, message: &[u8]) -> Result<Signature, Error> {
        self.checked(message, self.key.sign_deterministic(message))
    }

    /// As [`SigningKey::sign_digest_with_rng`]: the digest is the caller's, so that an error in it
    /// is not caught.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SelfCheck`] if the signature is wrong.
    pub fn sign_digest_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        e: &[u8; 32],
    ) -> Result<Signature, Error> {
        let signature = self.key.sign_digest_with_rng(rng, e)?;
        match self.verifying.verify_digest(e, &signature) {
            Ok(()) => Ok(signature),
            Err(_) => Err(Error::SelfCheck),
        }
    }

    fn checked(&self, message: &[u8], signature: Signature) -> Result<Signature, Error> {
        match self.verifying.verify(message, &signature) {
            Ok(()) => Ok(signature),
            Err(_) => Err(Error::SelfCheck),
        }
    }
}

#[cfg(test)]
mod tests {
    use kuaimi_testing::{Repeatable, rounds};

    use alloc::sync::Arc;

    use super::*;
    use crate::sm2::PrivateKey;
    use crate::sm2::sign::Inner;

    fn key(byte: u8) -> SigningKey {
        SigningKey::new(PrivateKey::from_bytes(&[byte; 32]).expect("in range"))
    }

    /// Each part of a signing key in turn is another key's: without the check, wrong signatures are
    /// given out.
    #[test]
    fn no_signature_of_a_damaged_key_is_given_out() {
        let (right, wrong) = (key(7), key(8));
        let damaged = |damage: fn(&mut Inner, &Inner)| {
            let mut parts = (*right.0).clone();
            damage(&mut parts, &wrong.0);
            let mut checked = right.clone().verify_after_sign();
            checked.key = SigningKey(Arc::new(parts));
            checked
        };
        let inverse = damaged(|parts, wrong| parts.inverse = wrong.inverse.clone());
        let secret = damaged(|parts, wrong| {
            parts.secret = wrong.secret.clone();
            parts.inverse = wrong.inverse.clone();
        });
        let identity = damaged(|parts, wrong| parts.verifying = wrong.verifying.clone());
        for damaged in [inverse, secret, identity] {
            let mut random = Repeatable(5);
            for i in 0..rounds(20) {
                let message = [i as u8; 40];
                let unchecked = damaged.key.sign_deterministic(&message);
                let valid = right.verifying_key().verify(&message, &unchecked);
                assert!(valid.is_err(), "the damage does not show");
                let refused = Err(Error::SelfCheck);
                assert_eq!(damaged.sign_deterministic(&message), refused);
                assert_eq!(damaged.sign_with_rng(&mut random, &message), refused);
            }
        }
        let whole = right.verify_after_sign();
        assert!(whole.sign_deterministic(b"a message").is_ok());
    }

    /// The point `[k]G` is another one: the signature is not valid.
    #[test]
    fn a_wrong_point_shows() {
        use crate::nonce::NonceSource as _;
        use kuaimi_math::sm2::group;

        let checked = key(7).verify_after_sign();
        let mut random = Repeatable(6);
        let e = [9; 32];
        for _ in 0..rounds(50) {
            let k = checked
                .key
                .nonce_key()
                .hedged(&e, &mut random)
                .next()
                .expect("numbers");
            let point = group::generator_mul(&k);
            let other = group::generator_mul(
                &checked
                    .key
                    .nonce_key()
                    .hedged(&e, &mut random)
                    .next()
                    .expect("numbers"),
            );
            let (signature, _) = checked
                .key
                .sign_with_point(&e, &k, &point)
                .expect("it serves");
            assert!(checked.verifying.verify_digest(&e, &signature).is_ok());
            let (signature, _) = checked
                .key
                .sign_with_point(&e, &k, &other)
                .expect("it serves");
            assert!(checked.verifying.verify_digest(&e, &signature).is_err());
        }
    }
}
