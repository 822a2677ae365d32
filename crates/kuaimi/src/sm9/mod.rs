//! SM9: identity-based signatures, encryption, key encapsulation and key exchange from a pairing on a Barreto–Naehrig curve
//! (GB/T 38635.1–2-2020; ISO/IEC 14888-3:2018/Amd 1, 18033-5:2015/Amd 1, 11770-3:2021), with SM3 and SM4.
//!
//! A user's public key is the user's name. A *key generation centre* has a master key and makes each user's private key from it; who
//! verifies or encrypts needs the master public key and the other's identity, and no certificate.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};
//!
//! // The key generation centre:
//! let (signing, encryption) = (MasterSigningKey::generate()?, MasterEncryptionKey::generate()?);
//! let alice = signing.user_key("alice@example.com")?;
//! let bob = encryption.user_key("bob@example.com")?;
//!
//! // Alice signs, and anyone verifies:
//! let signature = alice.sign(b"a message")?;
//! signing.public_key().verify("alice@example.com", b"a message", &signature)?;
//!
//! // Anyone encrypts for Bob:
//! let ciphertext = encryption.public_key().encrypt("bob@example.com", b"a secret")?;
//! assert_eq!(*bob.decrypt("bob@example.com", &ciphertext)?, b"a secret");
//! # }
//! # Ok::<(), kuaimi::sm9::Error>(())
//! ```
//!
//! | to do | use |
//! | --- | --- |
//! | be the key generation centre | [`MasterSigningKey`], [`MasterEncryptionKey`] |
//! | sign, verify | [`UserSigningKey`], [`MasterSigningPublicKey`] |
//! | encrypt or encapsulate, and the reverse | [`MasterEncryptionPublicKey`], [`UserEncryptionKey`] |
//! | encrypt and decrypt files of any size | `stream` |
//! | agree on a key | [`exchange`] |
//! | do any of it often | `prepare()` of these: [`PreparedSigningKey`], [`PreparedVerifier`], [`PreparedSender`], [`PreparedDecryptionKey`] |
//! | verify many signatures | [`PreparedVerifier::verify_batch`], and `IdentityCache`, which remembers |
//! | read and write keys | [`encoding::sm9`](crate::encoding::sm9) |
//!
//! **Constant time.** Everything that touches a master key, a user's key, a nonce or a plaintext. Verification, and what is computed of
//! identities and other public values, runs in variable time.
//!
//! **Limits.** An identity has one byte at least. A ciphertext holds at least one byte and at most [`MAX_MESSAGE_LEN`] bytes, a derived
//! key at most [`MAX_KEY_LEN`].
//!
//! **Who can decrypt.** The holder of the encryption master key can read everything that is sent to anyone, and that of the signing
//! master key sign for anyone: that is in the nature of the scheme, and these two keys are worth a safe of their own.

mod batch;
mod ciphertext;
mod encapsulate;
mod encrypt;
mod error;
pub mod exchange;
mod hash;
mod identity;
#[cfg(feature = "std")]
mod identity_cache;
mod master;
mod master_encryption;
mod master_signing;
mod modes;
mod point;
mod prepared;
mod scalar;
mod shared;
mod sign;
mod signature;
#[cfg(feature = "std")]
pub mod stream;
mod user_encryption;
mod user_signing;
mod verify;

pub(crate) use kuaimi_math::sm9::group as points;

#[cfg(feature = "std")]
pub use crate::cache::CacheStats;
pub use batch::{SignatureInput, VerifyItem};
pub use ciphertext::{CheckValue, Ciphertext, Mode, UnknownName};
pub use encrypt::{EncryptOptions, MAX_MESSAGE_LEN};
pub use error::Error;
pub use identity::{HID_ENCRYPT, HID_EXCHANGE, HID_SIGN, Identity};
#[cfg(feature = "std")]
pub use identity_cache::IdentityCache;
pub use master_encryption::{MasterEncryptionKey, MasterEncryptionPublicKey};
pub use master_signing::{MasterSigningKey, MasterSigningPublicKey};
pub use point::G1Point;
pub use prepared::{
    PreparedDecryptionKey, PreparedIdentity, PreparedRecipient, PreparedSender, PreparedSigningKey,
    PreparedVerifier,
};
pub use sign::MessageHash;
pub use signature::Signature;
pub use user_encryption::UserEncryptionKey;
pub use user_signing::UserSigningKey;

/// The longest derived key, in bytes.
pub const MAX_KEY_LEN: u64 = crate::sm3::Kdf::MAX_LEN;

/// Bytes in hexadecimal, for `Debug` of what is public.
fn write_hex(f: &mut core::fmt::Formatter<'_>, bytes: &[u8]) -> core::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
