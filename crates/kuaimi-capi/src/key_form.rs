//! How keys are written, for SM2 and SM9 alike, and how private keys are encrypted under a
//! password.

use getrandom::SysRng;
use kuaimi::encoding::{self, Cipher, KeyDerivation, PasswordEncryption, Prf};

use crate::buffer::Output;
use crate::error::Error;

options! {
    /// A form in which a key is written. Each function says which of them it takes.
    pub enum kuaimi_key_form {
        /// The number or the coordinates alone, most significant byte first.
        KUAIMI_KEY_RAW = 1,
        /// PKCS#8 in PEM.
        KUAIMI_KEY_PKCS8_PEM = 2,
        /// PKCS#8 in DER (RFC 5958).
        KUAIMI_KEY_PKCS8_DER = 3,
        /// `ECPrivateKey` in PEM.
        KUAIMI_KEY_SEC1_PEM = 4,
        /// `ECPrivateKey` in DER (RFC 5915).
        KUAIMI_KEY_SEC1_DER = 5,
        /// SubjectPublicKeyInfo in PEM.
        KUAIMI_KEY_SPKI_PEM = 6,
        /// SubjectPublicKeyInfo in DER.
        KUAIMI_KEY_SPKI_DER = 7,
        /// A point with the first byte 04 (SEC 1).
        KUAIMI_KEY_UNCOMPRESSED = 8,
        /// A point's x-coordinate after the byte 02 or 03 (SEC 1).
        KUAIMI_KEY_COMPRESSED = 9,
        /// SM9: the number or point of GB/T 41389 in DER.
        KUAIMI_KEY_DER = 10,
        /// SM9: a master public key in PEM as GmSSL writes it.
        KUAIMI_KEY_GMSSL_PEM = 11,
    }
}

options! {
    /// A cipher for private keys under a password.
    pub enum kuaimi_password_cipher {
        /// SM4-CBC.
        KUAIMI_CIPHER_SM4_CBC = 1,
        /// AES-128-CBC.
        KUAIMI_CIPHER_AES128_CBC = 2,
        /// AES-192-CBC.
        KUAIMI_CIPHER_AES192_CBC = 3,
        /// AES-256-CBC.
        KUAIMI_CIPHER_AES256_CBC = 4,
    }
}

options! {
    /// A function that derives a key from a password.
    pub enum kuaimi_password_kdf {
        /// PBKDF2 with HMAC-SM3.
        KUAIMI_PBKDF2_HMAC_SM3 = 1,
        /// PBKDF2 with HMAC-SHA-1.
        KUAIMI_PBKDF2_HMAC_SHA1 = 2,
        /// PBKDF2 with HMAC-SHA-224.
        KUAIMI_PBKDF2_HMAC_SHA224 = 3,
        /// PBKDF2 with HMAC-SHA-256.
        KUAIMI_PBKDF2_HMAC_SHA256 = 4,
        /// PBKDF2 with HMAC-SHA-384.
        KUAIMI_PBKDF2_HMAC_SHA384 = 5,
        /// PBKDF2 with HMAC-SHA-512.
        KUAIMI_PBKDF2_HMAC_SHA512 = 6,
        /// scrypt.
        KUAIMI_SCRYPT = 7,
    }
}

/// How a private key is encrypted under a password (PBES2, RFC 8018). Where a function takes a
/// pointer to it, null means SM4-CBC and PBKDF2 with HMAC-SM3 and 600000 iterations.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_password_encryption {
    /// The cipher.
    pub cipher: kuaimi_password_cipher,
    /// The function that derives its key.
    pub kdf: kuaimi_password_kdf,
    /// PBKDF2: the number of iterations, 1 to 10 million. Ignored for scrypt.
    pub iterations: u32,
    /// scrypt: the binary logarithm of the cost. Ignored for PBKDF2, as are the next two.
    pub scrypt_log_n: u32,
    /// scrypt: the block size.
    pub scrypt_r: u32,
    /// scrypt: the parallelization.
    pub scrypt_p: u32,
}

impl TryFrom<&kuaimi_password_encryption> for PasswordEncryption {
    type Error = Error;

    fn try_from(encryption: &kuaimi_password_encryption) -> Result<Self, Error> {
        let cipher = match encryption.cipher {
            KUAIMI_CIPHER_SM4_CBC => Cipher::Sm4Cbc,
            KUAIMI_CIPHER_AES128_CBC => Cipher::Aes128Cbc,
            KUAIMI_CIPHER_AES192_CBC => Cipher::Aes192Cbc,
            KUAIMI_CIPHER_AES256_CBC => Cipher::Aes256Cbc,
            _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        };
        let prf = match encryption.kdf {
            KUAIMI_PBKDF2_HMAC_SM3 => Some(Prf::HmacSm3),
            KUAIMI_PBKDF2_HMAC_SHA1 => Some(Prf::HmacSha1),
            KUAIMI_PBKDF2_HMAC_SHA224 => Some(Prf::HmacSha224),
            KUAIMI_PBKDF2_HMAC_SHA256 => Some(Prf::HmacSha256),
            KUAIMI_PBKDF2_HMAC_SHA384 => Some(Prf::HmacSha384),
            KUAIMI_PBKDF2_HMAC_SHA512 => Some(Prf::HmacSha512),
            KUAIMI_SCRYPT => None,
            _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        };
        let key_derivation = match prf {
            Some(prf) => KeyDerivation::Pbkdf2 {
                prf,
                iterations: encryption.iterations,
            },
            None => KeyDerivation::Scrypt {
                log_n: encryption
                    .scrypt_log_n
                    .try_into()
                    .map_err(|_| Error::KUAIMI_ERROR_ENCRYPTION_COST)?,
                r: encryption.scrypt_r,
                p: encryption.scrypt_p,
            },
        };
        Ok(Self::SHANGMI
            .with_cipher(cipher)
            .with_key_derivation(key_derivation))
    }
}

/// A private key that can be encrypted under a password.
pub(crate) trait Encrypt {
    fn der(&self, password: &[u8], how: PasswordEncryption) -> Result<Vec<u8>, encoding::Error>;
    fn pem(&self, password: &[u8], how: PasswordEncryption) -> Result<String, encoding::Error>;
}

macro_rules! encrypt {
    ($($key:ty),*) => {$(
        impl Encrypt for $key {
            fn der(&self, password: &[u8], how: PasswordEncryption) -> Result<Vec<u8>, encoding::Error> {
                self.to_encrypted_pkcs8_der(password, how, &mut SysRng)
            }
            fn pem(&self, password: &[u8], how: PasswordEncryption) -> Result<String, encoding::Error> {
                self.to_encrypted_pkcs8_pem(password, how, &mut SysRng)
            }
        }
    )*};
}
encrypt!(
    kuaimi::sm2::PrivateKey,
    kuaimi::sm9::MasterSigningKey,
    kuaimi::sm9::MasterEncryptionKey,
    kuaimi::sm9::SigningKey,
    kuaimi::sm9::DecryptionKey,
    kuaimi::sm9::ExchangeKey
);

/// The most bytes that an encrypted private key takes, in either form.
pub const KUAIMI_ENCRYPTED_KEY_MAX_LEN: usize = 1024;

/// Writes a private key under a password.
pub(crate) fn write_encrypted(
    key: &impl Encrypt,
    password: &[u8],
    encryption: Option<&kuaimi_password_encryption>,
    form: kuaimi_key_form,
    out: Output,
) -> Result<(), Error> {
    let how = encryption.map_or(Ok(PasswordEncryption::SHANGMI), TryInto::try_into)?;
    // Deriving the key takes long, so it is not done where only the size is asked for.
    let bound = KUAIMI_ENCRYPTED_KEY_MAX_LEN;
    match form {
        KUAIMI_KEY_PKCS8_DER => out.write(bound, || Ok(key.der(password, how)?)),
        KUAIMI_KEY_PKCS8_PEM => out.write(bound, || Ok(key.pem(password, how)?)),
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// Writes a private key of SM9, not encrypted: a macro, as the keys are of different types with the
/// same functions.
macro_rules! write_sm9_private {
    ($key:expr, $form:expr, $out:expr) => {{
        use $crate::key_form::*;
        match $form {
            KUAIMI_KEY_RAW => $out.write_bytes($key.to_bytes().as_slice()),
            KUAIMI_KEY_DER => $out.write_bytes($key.to_der().as_slice()),
            KUAIMI_KEY_PKCS8_PEM => $out.write_bytes($key.to_pkcs8_pem(LineEnding::LF)?.as_bytes()),
            KUAIMI_KEY_PKCS8_DER => $out.write_bytes($key.to_pkcs8_der()?.as_bytes()),
            _ => Err($crate::error::Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    }};
}
pub(crate) use write_sm9_private;
