//! How keys, signatures and ciphertexts are written as bytes and text: DER, PEM, PKCS#8, SEC 1, SubjectPublicKeyInfo.
//!
//! This is the edge of the library: nothing inside [`sm2`](crate::sm2) knows ASN.1, and what comes in here is checked
//! before it becomes a key, a signature or a ciphertext. Everything is strict (DER as X.690 has it: minimal, nothing
//! after it); what some vendors emit beside the rules is read by the functions named `…_lenient` only.

//!
//! | to do | use |
//! | --- | --- |
//! | read a key of any form | [`read_private_key`], [`read_public_key`] |
//! | read and write PKCS#8 | [`DecodePrivateKey`], [`EncodePrivateKey`] |
//! | encrypt a private key under a password | [`SecretKey::to_encrypted_pkcs8_pem`] |
//! | read and write SEC 1 private keys | [`DecodeEcPrivateKey`], [`EncodeEcPrivateKey`] |
//! | read and write SubjectPublicKeyInfo | [`DecodePublicKey`], [`EncodePublicKey`] |
//! | send a key pair to another key's holder | [`SecretKey::to_enveloped_key`] |
//! | read and write signatures | [`Signature::from_der`], [`Signature::to_der`] |
//! | read and write ciphertexts | [`Ciphertext::from_bytes`], [`Ciphertext::to_bytes`] |
//! | the same of SM9 | the module `sm9` |
//!
//! The traits are those of the `pkcs8`, `sec1` and `spki` crates, for [`SecretKey`], [`PublicKey`], [`SigningKey`] and
//! [`VerifyingKey`]. Their errors say less than [`Error`] does; where the reason matters, read with [`read_private_key`]
//! and [`read_public_key`].
//!
//! [`SecretKey`]: crate::sm2::SecretKey
//! [`SecretKey::to_encrypted_pkcs8_pem`]: crate::sm2::SecretKey::to_encrypted_pkcs8_pem
//! [`SecretKey::to_enveloped_key`]: crate::sm2::SecretKey::to_enveloped_key
//! [`PublicKey`]: crate::sm2::PublicKey
//! [`SigningKey`]: crate::sm2::SigningKey
//! [`VerifyingKey`]: crate::sm2::VerifyingKey
//! [`Signature::from_der`]: crate::sm2::Signature::from_der
//! [`Signature::to_der`]: crate::sm2::Signature::to_der
//! [`Ciphertext::from_bytes`]: crate::sm2::Ciphertext::from_bytes
//! [`Ciphertext::to_bytes`]: crate::sm2::Ciphertext::to_bytes

mod armor;
mod ciphertext;
mod enveloped;
mod error;
mod key_file;
mod oid;
mod password;
mod pbes2;
mod private_key;
mod public_key;
mod signature;
#[cfg(feature = "sm9")]
pub mod sm9;
pub(crate) mod tlv;

pub use armor::Armor;
#[cfg(feature = "std")]
pub(crate) use ciphertext::DerHeader;
pub use error::Error;
pub use key_file::{
    PrivateKeyForm, PrivateKeyStructure, PublicKeyForm, PublicKeyStructure, read_private_key,
    read_public_key,
};
pub use password::{Cipher, Derivation, PasswordEncryption, PasswordHash};
pub use pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
pub use sec1::{DecodeEcPrivateKey, EncodeEcPrivateKey};
pub use signature::{DerSignature, SignatureForm};
pub use spki::{DecodePublicKey, EncodePublicKey};
