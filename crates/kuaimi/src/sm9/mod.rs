//! SM9: identity-based signatures, encryption, key encapsulation and key exchange from a pairing on
//! a Barreto–Naehrig curve (GB/T 38635.1–2-2020; ISO/IEC 14888-3:2018/Amd 1, 18033-5:2015/Amd 1,
//! 11770-3:2021), with SM3 and SM4.
//!
//! A user's identity is the public key: a mail address, a telephone number, a name. A *key
//! generation centre* has a master key and makes each user's private key from it. To verify or
//! encrypt, you need the master public key and the other user's identity, but no certificate.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm9::{EncryptionKey, MasterEncryptionKey, MasterSigningKey, VerifyingKey};
//!
//! // The key generation centre:
//! let (signing, encryption) = (MasterSigningKey::generate()?, MasterEncryptionKey::generate()?);
//! let alice = signing.extract("alice@example.com")?;
//! let bob = encryption.extract("bob@example.com")?;
//!
//! // Alice signs, and anyone verifies:
//! let signature = alice.sign(b"a message")?;
//! let verifier = VerifyingKey::new(signing.public_key(), "alice@example.com")?;
//! verifier.verify(b"a message", &signature)?;
//!
//! // Anyone encrypts for Bob:
//! let recipient = EncryptionKey::new(encryption.public_key(), "bob@example.com")?;
//! let ciphertext = recipient.encrypt(b"a secret")?;
//! assert_eq!(*bob.decrypt(&ciphertext)?, b"a secret");
//! # }
//! # Ok::<(), kuaimi::sm9::Error>(())
//! ```
//!
//! | to do | use |
//! | --- | --- |
//! | be the key generation centre | [`MasterSigningKey`], [`MasterEncryptionKey`] |
//! | sign, verify | [`SigningKey`], [`VerifyingKey`] |
//! | encrypt or encapsulate, decrypt or decapsulate | [`EncryptionKey`], [`DecryptionKey`] |
//! | encrypt and decrypt files of any size | `stream` |
//! | agree on a key | [`ExchangeKey`], [`exchange`] |
//! | do any of it often with one key | the same keys: they keep tables from their second use on ([`precompute`](crate::precompute)) |
//! | do much at once | [`batch`], and `IdentityCache` for signers that come back |
//! | read and write keys | [`encoding::sm9`](crate::encoding::sm9) |
//!
//! **Constant time.** All operations with a master key, a user's key, a nonce or a plaintext.
//! Verification, and computations with identities and other public values, run in variable time.
//!
//! **Limits.** An identity has at least one byte. An encrypted message has at least one byte and at
//! most [`MAX_MESSAGE_LEN`] bytes, a derived key at most [`MAX_KEY_LEN`] bytes.
//!
//! **The power of the master keys.** The holder of the encryption master key can decrypt every
//! user's messages, and the holder of the signing master key can sign for every user. This is so in
//! all identity-based cryptography. Protect these two keys best of all.

#[cfg(feature = "batch")]
pub mod batch;
mod ciphertext;
mod decrypt;
mod encapsulate;
mod encrypt;
mod encryption_key;
mod error;
pub mod exchange;
mod extract;
mod hash;
mod identity;
#[cfg(feature = "std")]
mod identity_cache;
mod layout;
mod master_encryption;
mod master_signing;
#[cfg(feature = "sm4")]
mod modes;
mod options;
mod point;
mod scalar;
mod sign;
mod signature;
mod signing_key;
mod stored_tables;
#[cfg(feature = "std")]
pub mod stream;
mod traits;
mod user_key;
mod verify;
mod verifying_key;

#[cfg(feature = "std")]
pub use crate::cache::CacheStats;
pub use ciphertext::Ciphertext;
pub use encapsulate::Encapsulated;
pub use encrypt::MAX_MESSAGE_LEN;
pub use encryption_key::EncryptionKey;
pub use error::Error;
pub use identity::{HID_ENCRYPT, HID_EXCHANGE, HID_SIGN, Identity};
#[cfg(feature = "std")]
pub use identity_cache::IdentityCache;
pub use master_encryption::{MasterEncryptionKey, MasterEncryptionPublicKey};
pub use master_signing::{MasterSigningKey, MasterSigningPublicKey};
pub use options::{DecryptOptions, EncryptOptions, Mac, Mode, UnknownName};
pub use point::G1Point;
pub use sign::{CheckedSigningKey, MessageHash};
pub use signature::Signature;
pub use signing_key::SigningKey;
#[cfg(all(feature = "pem", feature = "encryption"))]
pub(crate) use user_key::user_key_bytes;
pub use user_key::{DecryptionKey, ExchangeKey};
pub use verifying_key::VerifyingKey;

/// The longest derived key, in bytes: 32 bytes short of 128 GiB.
///
/// ```
/// assert!(kuaimi::sm9::MAX_KEY_LEN < 128 << 30);
/// ```
pub const MAX_KEY_LEN: u64 = crate::sm3::Kdf::MAX_LEN;

/// Bytes in hexadecimal, for `Debug` of what is public.
fn write_hex(f: &mut core::fmt::Formatter<'_>, bytes: &[u8]) -> core::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
