//! Decrypting (GB/T 38635.2-2020, clause 9.3).

use alloc::vec::Vec;

use kuaimi_math::sm9::group::Gt;
use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::encapsulate::key_stream;
#[cfg(feature = "sm4")]
use super::encrypt::k1_cipher;
use super::encrypt::{k2, mac};
#[cfg(feature = "sm4")]
use super::modes;
use super::{Ciphertext, DecryptOptions, DecryptionKey, Error, Mode};
#[cfg(feature = "sm4")]
use crate::sm4::Sm4;
use crate::stack::{PAIRING_WORDS, wiped_after};

/// Clause 9.3. A `Ciphertext` has `C1` in `G1` (B1).
///
/// The standard has the recipient refuse a `K1` that is all zero. Some senders refuse only a
/// `K1 ‖ K2` that is all zero, so that one message of a single byte in 256 would be lost. The
/// message authentication code authenticates it, and so only `K1 ‖ K2` of zeros is refused here,
/// too.
pub(super) fn decrypt(
    key: &DecryptionKey,
    ciphertext: &Ciphertext,
    options: DecryptOptions,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    // B2: w' = e(C1, de)
    wiped_after::<PAIRING_WORDS, _>(|| {
        decrypt_in(&key.0.pair(&ciphertext.c1), key.0.id(), ciphertext, options)
    })
}

/// The steps after B2, `w' = e(C1, de)`.
pub(super) fn decrypt_in(
    w: &Gt,
    id: &[u8],
    ciphertext: &Ciphertext,
    options: DecryptOptions,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let failed = |_| Error::DecryptionFailed;
    let Ciphertext { mode, c1, c3, c2 } = ciphertext;
    // B3: K1' ‖ K2' = KDF(C1 ‖ w' ‖ ID)
    let mut keys = key_stream(&c1.0, w, id);
    let message = match mode {
        Mode::Stream => {
            let mut data = Zeroizing::new(c2.clone());
            keys.xor_in_place(&mut data)
                .map_err(|_| Error::DecryptionFailed)?;
            Message::Decrypted(data)
        }
        #[cfg(feature = "sm4")]
        _ => Message::Encrypted(k1_cipher(&mut keys).map_err(failed)?),
    };
    // B4, B5: u = MAC(K2', C2) must be C3.
    let u = mac(options.mac(), &*k2(&mut keys).map_err(failed)?, c2);
    let valid = u.ct_eq(c3) & !keys.all_zero();
    // The error tells the result.
    if !declassify(valid) {
        return Err(Error::DecryptionFailed);
    }
    // An authentic message may still be padded wrongly, by an error of its sender.
    match message {
        Message::Decrypted(message) => Ok(message),
        #[cfg(feature = "sm4")]
        Message::Encrypted(cipher) => {
            modes::decrypt(*mode, cipher, c2).ok_or(Error::DecryptionFailed)
        }
    }
}

/// A message before its authenticity is known: the stream mode has decrypted it by then, and SM4's
/// modes have the key.
enum Message {
    Decrypted(Zeroizing<Vec<u8>>),
    #[cfg(feature = "sm4")]
    Encrypted(Sm4),
}

impl DecryptionKey {
    /// Decrypts `ciphertext`, whose message authentication code must be the standard's,
    /// [`Mac::Sm3`](super::Mac::Sm3).
    ///
    /// Constant time in the key and the plaintext; the plaintext is wiped when dropped.
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`], whatever the reason.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.extract("bob")?;
    /// let ciphertext = master.public_key().encryption_key("bob")?.encrypt(b"a secret")?;
    /// assert_eq!(*bob.decrypt(&ciphertext)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 9.3.
    pub fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.decrypt_with(ciphertext, DecryptOptions::default())
    }

    /// As [`decrypt`](Self::decrypt), with these options.
    ///
    /// # Errors
    /// As [`decrypt`](Self::decrypt).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{DecryptOptions, EncryptOptions, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.extract("bob")?;
    /// let encryption_key = master.public_key().encryption_key("bob")?;
    /// let from_gmssl = encryption_key.encrypt_with(b"a secret", EncryptOptions::GMSSL)?;
    /// assert_eq!(*bob.decrypt_with(&from_gmssl, DecryptOptions::GMSSL)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn decrypt_with(
        &self,
        ciphertext: &Ciphertext,
        options: DecryptOptions,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        decrypt(self, ciphertext, options)
    }
}
