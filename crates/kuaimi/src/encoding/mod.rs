//! How keys, signatures and ciphertexts are written as bytes and text: DER, PEM, PKCS#8, SEC 1,
//! SubjectPublicKeyInfo.
//!
//! What is read here is checked before it becomes a key, a signature or a ciphertext. Reading is
//! strict: DER must be minimal, with nothing after it (X.690). The functions named `…_lenient` also
//! accept what some vendors write against the rules.
//!
//! | to do | use | feature |
//! | --- | --- | --- |
//! | read a public key in any form | [`read_public_key`] | |
//! | read and write SubjectPublicKeyInfo | [`DecodePublicKey`], [`EncodePublicKey`] | |
//! | read and write signatures | [`Signature::from_der`], [`Signature::to_der`] | |
//! | read and write ciphertexts | [`Ciphertext::from_bytes`], [`Ciphertext::to_bytes`] | |
//! | read a private key in any form | [`read_private_key`], [`PrivateKeyFile`] | `pkcs8` |
//! | read and write PKCS#8 | [`DecodePrivateKey`], [`EncodePrivateKey`] | `pkcs8` |
//! | read and write SEC 1 private keys | [`DecodeEcPrivateKey`], [`EncodeEcPrivateKey`] | `pkcs8` |
//! | encrypt a private key under a password | [`PrivateKey::to_encrypted_pkcs8_pem`] | `encryption` |
//! | send a key pair to the holder of another key | [`PrivateKey::to_enveloped_key`] | `sm4` |
//! | read and write keys as PEM, Base64 or hexadecimal | all of these | `pem` |
//! | the same for SM9 | the module `sm9` | `sm9` |
//!
//! The traits are those of the crates `pkcs8`, `sec1` and `spki`, for [`PrivateKey`],
//! [`PublicKey`], [`SigningKey`] and [`VerifyingKey`]. Their errors say less than [`Error`] does.
//! If the reason matters, read with [`read_private_key`] and [`read_public_key`].
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::encoding::{DecodePublicKey, EncodePublicKey, LineEnding};
//! use kuaimi::sm2::{PublicKey, PrivateKey, Signature, SigningKey};
//!
//! let signer = SigningKey::new(PrivateKey::generate()?);
//! let pem = signer.public_key().to_public_key_pem(LineEnding::LF)?;
//! let der = signer.sign(b"message")?.to_der();
//!
//! let key = kuaimi::sm2::VerifyingKey::new(PublicKey::from_public_key_pem(&pem)?);
//! key.verify(b"message", &Signature::from_der(der.as_bytes())?)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`PrivateKey`]: crate::sm2::PrivateKey
//! [`PrivateKey::to_encrypted_pkcs8_pem`]: crate::sm2::PrivateKey::to_encrypted_pkcs8_pem
//! [`PrivateKey::to_enveloped_key`]: crate::sm2::PrivateKey::to_enveloped_key
//! [`PublicKey`]: crate::sm2::PublicKey
//! [`SigningKey`]: crate::sm2::SigningKey
//! [`VerifyingKey`]: crate::sm2::VerifyingKey
//! [`Signature::from_der`]: crate::sm2::Signature::from_der
//! [`Signature::to_der`]: crate::sm2::Signature::to_der
//! [`Ciphertext::from_bytes`]: crate::sm2::Ciphertext::from_bytes
//! [`Ciphertext::to_bytes`]: crate::sm2::Ciphertext::to_bytes

mod ciphertext;
#[cfg(feature = "encryption")]
mod encrypted_private_key;
#[cfg(feature = "sm4")]
mod enveloped_key;
mod error;
mod explicit_parameters;
mod file_kind;
mod key_file;
mod key_form;
mod names;
#[cfg_attr(
    not(all(feature = "pem", feature = "encryption")),
    allow(dead_code, unused_imports, reason = "SM9's readers use all of it")
)]
mod oid;
mod openssl_text;
#[cfg(feature = "encryption")]
mod pbes2;
#[cfg_attr(
    not(all(feature = "pem", feature = "encryption")),
    allow(dead_code, unused_imports, reason = "SM9's readers use all of it")
)]
mod pem;
mod plain_text;
#[cfg(feature = "pkcs8")]
mod private_key;
#[cfg(feature = "pkcs8")]
mod private_key_traits;
mod public_key;
mod signature;
#[cfg(feature = "sm9")]
pub mod sm9;
mod textual;
#[cfg_attr(
    not(all(feature = "pem", feature = "encryption")),
    allow(dead_code, unused_imports, reason = "SM9's readers use all of it")
)]
pub(crate) mod tlv;

#[cfg(feature = "std")]
pub(crate) use ciphertext::DerHeader;
#[cfg(feature = "pem")]
pub use der::pem::LineEnding;
pub use error::Error;
pub use file_kind::FileKind;
#[cfg(all(feature = "pkcs8", feature = "encryption"))]
pub use key_file::EncryptedPrivateKey;
pub use key_file::read_public_key;
pub use key_form::{PublicKeyForm, PublicKeyStructure};
#[cfg(feature = "encryption")]
pub use pbes2::{Cipher, KeyDerivation, PasswordEncryption, Prf, SaltedKeyDerivation};
pub use public_key::is_sm2_curve;
pub use signature::{DerSignature, SignatureForm};
pub use spki::{DecodePublicKey, EncodePublicKey};
pub use textual::TextEncoding;
#[cfg(feature = "pkcs8")]
pub use {
    key_file::{PrivateKeyFile, read_private_key},
    key_form::{PrivateKeyForm, PrivateKeyStructure},
    pkcs8::{DecodePrivateKey, EncodePrivateKey},
    sec1::{DecodeEcPrivateKey, EncodeEcPrivateKey},
};
