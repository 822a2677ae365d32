//! Decrypting a ciphertext whose form is not known.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::{Ciphertext, CiphertextForm, Error, PrivateKey};

impl PrivateKey {
    /// Decrypts a ciphertext in any of its forms, and says which form it was: those that
    /// [`CiphertextForm::detect`] finds are tried in turn. Constant time in the key and the
    /// plaintext, for each form that is tried.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{CiphertextForm, PrivateKey};
    ///
    /// let key = PrivateKey::generate()?;
    /// let bytes = key.public_key().encrypt(b"a secret")?.to_bytes(CiphertextForm::C1C2C3);
    /// let (plaintext, form) = key.decrypt_bytes(&bytes)?;
    /// assert_eq!((plaintext.as_slice(), form), (&b"a secret"[..], CiphertextForm::C1C2C3));
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`], whatever the reason.
    pub fn decrypt_bytes(
        &self,
        bytes: &[u8],
    ) -> Result<(Zeroizing<Vec<u8>>, CiphertextForm), Error> {
        CiphertextForm::detect(bytes)
            .into_iter()
            .find_map(|form| {
                let ciphertext = Ciphertext::from_bytes(form, bytes).ok()?;
                Some((self.decrypt(&ciphertext).ok()?, form))
            })
            .ok_or(Error::DecryptionFailed)
    }
}
