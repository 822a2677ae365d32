//! SM2 private keys in encrypted PKCS#8.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;

use super::{Error, PasswordEncryption, pbes2, private_key};
use crate::sm2::PrivateKey;

/// The key in the DER of an `EncryptedPrivateKeyInfo`, and how it was encrypted.
pub(super) fn decrypt(
    bytes: &[u8],
    password: &[u8],
) -> Result<(PrivateKey, PasswordEncryption), Error> {
    let (info, encryption) = pbes2::decrypt(bytes, password)?;
    Ok((private_key::from_pkcs8_der(&info)?, encryption))
}

impl PrivateKey {
    /// The DER of an encrypted PKCS#8 private key under `password`. The salt and the initialization
    /// vector come from `rng`.
    ///
    /// To read it, use `from_pkcs8_encrypted_der` of [`DecodePrivateKey`](super::DecodePrivateKey)
    /// or [`read_private_key`](super::read_private_key).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::encoding::{DecodePrivateKey, PasswordEncryption};
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let key = PrivateKey::generate()?;
    /// let mut rng = getrandom::SysRng;
    /// let encryption = PasswordEncryption::SHANGMI;
    /// let der = key.to_encrypted_pkcs8_der(b"password", encryption, &mut rng)?;
    /// let read = PrivateKey::from_pkcs8_encrypted_der(&der, "password")?;
    /// assert_eq!(read.public_key(), key.public_key());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::IterationCount`] and
    /// [`Error::ScryptCost`] for parameters that a reader would refuse.
    pub fn to_encrypted_pkcs8_der<R: TryCryptoRng + ?Sized>(
        &self,
        password: &[u8],
        encryption: PasswordEncryption,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let info = private_key::to_pkcs8_der(self)?;
        pbes2::encrypt(info.as_bytes(), password, encryption, rng)
    }

    /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der), in PEM with the label
    /// `ENCRYPTED PRIVATE KEY`.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::encoding::PasswordEncryption;
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let key = PrivateKey::generate()?;
    /// let encryption = PasswordEncryption::AES.with_iterations(100_000);
    /// let pem = key.to_encrypted_pkcs8_pem(b"password", encryption, &mut getrandom::SysRng)?;
    /// assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der).
    #[cfg(feature = "pem")]
    pub fn to_encrypted_pkcs8_pem<R: TryCryptoRng + ?Sized>(
        &self,
        password: &[u8],
        encryption: PasswordEncryption,
        rng: &mut R,
    ) -> Result<alloc::string::String, Error> {
        let der = self.to_encrypted_pkcs8_der(password, encryption, rng)?;
        super::pem::encode("ENCRYPTED PRIVATE KEY", &der)
    }
}
