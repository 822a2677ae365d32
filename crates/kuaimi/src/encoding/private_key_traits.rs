//! The traits of the `pkcs8` and `sec1` crates, for private keys.

use der::SecretDocument;
use pkcs8::{DecodePrivateKey, EncodePrivateKey};
use sec1::{DecodeEcPrivateKey, EncodeEcPrivateKey};

#[cfg(feature = "encryption")]
use super::encrypted_private_key;
#[cfg(feature = "pem")]
use super::key_file::{Structure, private_key_block};
use super::private_key::{self, CurveName};
use crate::sm2::{PrivateKey, SigningKey};

/// The content of the first block of `text` that holds a private key, which must have the structure
/// `wanted`.
#[cfg(feature = "pem")]
fn decode_pem(
    text: &str,
    wanted: Structure,
) -> Result<zeroize::Zeroizing<alloc::vec::Vec<u8>>, super::Error> {
    let (structure, block) = private_key_block(text.as_bytes())?;
    if structure != wanted {
        return Err(super::Error::NotAKey);
    }
    block.decode()
}

impl DecodePrivateKey for PrivateKey {
    fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
        Ok(private_key::from_pkcs8_der(bytes)?)
    }

    #[cfg(feature = "encryption")]
    fn from_pkcs8_encrypted_der(bytes: &[u8], password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        Ok(encrypted_private_key::decrypt(bytes, password.as_ref())?.0)
    }

    /// From PEM only. Blocks of other kinds, such as certificates, may precede the key.
    #[cfg(feature = "pem")]
    fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
        Self::from_pkcs8_der(&decode_pem(text, Structure::Pkcs8)?)
    }

    /// From PEM only. Blocks of other kinds, such as certificates, may precede the key.
    #[cfg(all(feature = "encryption", feature = "pem"))]
    fn from_pkcs8_encrypted_pem(text: &str, password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        Self::from_pkcs8_encrypted_der(&decode_pem(text, Structure::EncryptedPkcs8)?, password)
    }
}

impl EncodePrivateKey for PrivateKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        Ok(private_key::to_pkcs8_der(self)?)
    }
}

impl DecodeEcPrivateKey for PrivateKey {
    fn from_sec1_der(bytes: &[u8]) -> sec1::Result<Self> {
        Ok(private_key::from_sec1_der(bytes)?)
    }

    /// From PEM only. A block with the curve's parameters may precede the key, as `openssl ec`
    /// writes it.
    #[cfg(feature = "pem")]
    fn from_sec1_pem(text: &str) -> sec1::Result<Self> {
        Self::from_sec1_der(&decode_pem(text, Structure::Sec1)?)
    }
}

impl EncodeEcPrivateKey for PrivateKey {
    /// With the curve's name and the public key.
    fn to_sec1_der(&self) -> sec1::Result<SecretDocument> {
        Ok(private_key::to_sec1_der(self, CurveName::Written)?)
    }
}

/// With the default identity.
impl DecodePrivateKey for SigningKey {
    fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
        PrivateKey::from_pkcs8_der(bytes).map(Self::new)
    }

    #[cfg(feature = "encryption")]
    fn from_pkcs8_encrypted_der(bytes: &[u8], password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        PrivateKey::from_pkcs8_encrypted_der(bytes, password).map(Self::new)
    }

    #[cfg(feature = "pem")]
    fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
        PrivateKey::from_pkcs8_pem(text).map(Self::new)
    }

    #[cfg(all(feature = "encryption", feature = "pem"))]
    fn from_pkcs8_encrypted_pem(text: &str, password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        PrivateKey::from_pkcs8_encrypted_pem(text, password).map(Self::new)
    }
}
