//! Decrypting (GB/T 32918.4-2016, clause 7).

use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use super::encrypt::Session;
use super::{Ciphertext, Error, PrivateKey};
use crate::stack::{POINT_WORDS, wiped_after};
use kuaimi_platform::declassify;

impl PrivateKey {
    /// Decrypts `ciphertext`. The plaintext is wiped when dropped.
    ///
    /// Constant time in the key and the plaintext, whether it succeeds or fails; the length of the
    /// plaintext shows. For files, see [`stream`](super::stream). Source: GB/T 32918.4-2016, clause
    /// 7.1.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{Error, PrivateKey};
    ///
    /// let (key, other) = (PrivateKey::generate()?, PrivateKey::generate()?);
    /// let ciphertext = key.public_key().encrypt(b"a secret")?;
    /// assert_eq!(*key.decrypt(&ciphertext)?, b"a secret");
    /// assert_eq!(other.decrypt(&ciphertext), Err(Error::DecryptionFailed));
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`], whatever the reason.
    pub fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Zeroizing<Vec<u8>>, Error> {
        // B1: C₁ is on the curve and not at infinity, of which a PublicKey is proof. B2, with
        // cofactor 1, is the same. B3: (x₂, y₂) = [d]C₁
        wiped_after::<POINT_WORDS, _>(|| {
            Session::for_recipient(self, &ciphertext.c1).open(ciphertext)
        })
    }

    /// What `ciphertext` decrypts to, and whether that is right, as a value that nobody has
    /// branched on: for protocols that go on with something else where it is not (TLCP). For other
    /// crates of the library; no promise of stability.
    #[doc(hidden)]
    pub fn decrypt_with_verdict(&self, ciphertext: &Ciphertext) -> (Zeroizing<Vec<u8>>, Choice) {
        wiped_after::<POINT_WORDS, _>(|| {
            Session::for_recipient(self, &ciphertext.c1).unmasked(ciphertext)
        })
    }
}

impl Session {
    /// Steps B4 to B7 of clause 7.1.
    pub(super) fn open(self, ciphertext: &Ciphertext) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (message, valid) = self.unmasked(ciphertext);
        // B7: the plaintext M', or an error, which tells the verdict.
        if declassify(valid) {
            Ok(message)
        } else {
            Err(Error::DecryptionFailed)
        }
    }

    /// Steps B4 to B6: M', and whether it is the plaintext.
    fn unmasked(mut self, ciphertext: &Ciphertext) -> (Zeroizing<Vec<u8>>, Choice) {
        // B4, B5: t = KDF(x₂ ‖ y₂, klen), M' = C₂ ⊕ t
        let mut message = Zeroizing::new(ciphertext.c2.clone());
        let short_enough = self.decrypt(&mut message).is_ok();
        let zero_mask = self.mask_is_zero();
        // B6: u = SM3(x₂ ‖ M' ‖ y₂) must be C₃.
        let valid = self.finish().ct_eq(&ciphertext.c3) & !zero_mask;
        (message, valid & Choice::from(u8::from(short_enough)))
    }
}
