//! Signatures that are verified before they are given out, for those who sign for others.

use rand_core::TryCryptoRng;

use crate::precompute::Precompute;
use crate::sm9::{Error, MessageHash, Signature, SigningKey, VerifyingKey};

/// A [`SigningKey`] that verifies each signature before it gives it out.
///
/// A machine that errs, by chance or by an attacker's doing, can make a wrong signature, and wrong
/// signatures can tell of the key. This key hashes the message again, verifies the signature under
/// its identity, and returns [`Error::SelfCheck`] if it is not valid.
///
/// It catches errors in the private key, in its tables, in `g^r`, in the hash, and in `[l]ds`. It
/// does not catch an error that makes nonces predictable or repeated, since such signatures are
/// valid; one in the message before it is hashed; one in the signature after the verification; a
/// second error, in the verification, that hides the first; and an error in the identity or the
/// master public key when this key was made. `docs/evidence.md` has what random flips of bits gave.
///
/// The price: the time of a verification with tables, which is several times that of signing, and
/// the memory of the tables of a [`VerifyingKey`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterSigningKey;
///
/// let alice = MasterSigningKey::generate()?.extract("alice")?.verify_after_sign();
/// let signature = alice.sign(b"a contract")?;
/// alice.key().verifying_key().verify(b"a contract", &signature)?;
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
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
    /// use kuaimi::sm9::MasterSigningKey;
    ///
    /// let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let signature = alice.clone().verify_after_sign().sign(b"a message")?;
    /// alice.verifying_key().verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
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
        self.sign_with_rng(&mut getrandom::SysRng, message)
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
        let signature = self.key.sign_with_rng(rng, message)?;
        self.checked(&MessageHash::of(message), signature)
    }

    /// As [`SigningKey::sign_hash_with_rng`]: the hash is the caller's, so that an error in it is
    /// not caught.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::SelfCheck`] if the signature is wrong.
    pub fn sign_hash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &MessageHash,
    ) -> Result<Signature, Error> {
        let signature = self.key.sign_hash_with_rng(rng, message)?;
        self.checked(message, signature)
    }

    fn checked(&self, message: &MessageHash, signature: Signature) -> Result<Signature, Error> {
        match self.verifying.verify_hash(message, &signature) {
            Ok(()) => Ok(signature),
            Err(_) => Err(Error::SelfCheck),
        }
    }
}

#[cfg(test)]
mod tests {
    use kuaimi_testing::Repeatable;

    use super::*;
    use crate::sm9::MasterSigningKey;

    fn key(master: u8, id: &str) -> SigningKey {
        let master = MasterSigningKey::from_bytes(&[master; 32]).expect("in range");
        master.extract(id).expect("a key")
    }

    /// The key that signs is another than the one whose signatures are expected: another master's
    /// or another user's. Without the check, wrong signatures are given out.
    #[test]
    fn no_signature_of_a_damaged_key_is_given_out() {
        let right = key(7, "alice");
        for damaged in [key(8, "alice"), key(7, "bob")] {
            let mut checked = right.clone().verify_after_sign();
            checked.key = damaged;
            let mut random = Repeatable(5);
            let message = MessageHash::of(b"a message");
            for _ in 0..2 {
                let unchecked = checked
                    .key
                    .sign_hash_with_rng(&mut random, &message)
                    .expect("numbers");
                let valid = right.verifying_key().verify_hash(&message, &unchecked);
                assert!(valid.is_err(), "the damage does not show");
                let refused = Err(Error::SelfCheck);
                assert_eq!(checked.sign_hash_with_rng(&mut random, &message), refused);
                assert_eq!(checked.sign_with_rng(&mut random, b"a message"), refused);
            }
        }
        let whole = right.clone().verify_after_sign();
        let signature = whole
            .sign_with_rng(&mut Repeatable(6), b"a message")
            .expect("it is valid");
        assert_eq!(
            right.verifying_key().verify(b"a message", &signature),
            Ok(())
        );
    }
}
