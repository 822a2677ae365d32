//! SM2: digital signatures, public-key encryption and key exchange on an elliptic curve (GB/T 32918-2016; ISO/IEC
//! 14888-3:2018), with SM3.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::{SecretKey, SigningKey};
//!
//! let secret = SecretKey::generate()?;
//! let signer = SigningKey::new(secret.clone());
//! let signature = signer.sign(b"a message")?;
//! signer.verifying_key().verify(b"a message", &signature)?;
//!
//! let ciphertext = secret.public_key().encrypt(b"a secret")?;
//! assert_eq!(*secret.decrypt(&ciphertext)?, b"a secret");
//! # }
//! # Ok::<(), kuaimi::sm2::Error>(())
//! ```
//!
//! | to do | use |
//! | --- | --- |
//! | hold a private key, decrypt | [`SecretKey`] |
//! | hold a public key, encrypt, recover from a signature | [`PublicKey`] |
//! | sign under an identity | [`SigningKey`] |
//! | verify under an identity | [`VerifyingKey`] |
//! | agree on a key | [`exchange`] |
//! | encrypt files of any size | [`stream`] |
//!
//! **Constant time.** Everything that touches a private key, a nonce or a plaintext: key generation, signing,
//! encryption, decryption, key exchange. Verification, recovery, decompression of points and the parsing of public
//! values run in variable time, as they see public data only.
//!
//! **Limits.** An identity has at most 8191 bytes. A ciphertext holds at least one byte and at most
//! [`MAX_MESSAGE_LEN`] bytes.

#[cfg(feature = "batch")]
pub mod batch;
mod ciphertext;
mod decrypt;
mod decrypt_bytes;
mod encrypt;
mod error;
pub mod exchange;
mod identity;
#[cfg(feature = "std")]
mod key_cache;
#[cfg(feature = "std")]
mod nonce_pool;
mod prepared;
mod public_key;
mod recover;
mod scalar;
mod secret_key;
mod sign;
mod signature;
#[cfg(feature = "std")]
pub mod stream;
mod traits;
mod verify;

#[cfg(feature = "std")]
pub use crate::cache::CacheStats;
pub(crate) use ciphertext::point_from_raw;
pub use ciphertext::{Ciphertext, CiphertextForm, MAX_MESSAGE_LEN, UnknownForm};
pub use error::Error;
pub use identity::{DEFAULT_ID, MAX_ID_LEN, TLS13_ID, identity_digest};
#[cfg(feature = "std")]
pub use key_cache::KeyCache;
#[cfg(feature = "std")]
pub use nonce_pool::{NoncePool, NoncePoolStats};
pub use prepared::{PreparedPublicKey, PreparedVerifyingKey};
pub use public_key::PublicKey;
pub use recover::RecoveryId;
pub use secret_key::SecretKey;
pub use sign::SigningKey;
pub use signature::Signature;
pub use verify::VerifyingKey;

pub mod parameters {
    //! The parameters of the recommended curve (GB/T 32918.5-2017), 32 bytes each, most significant first.

    use kuaimi_math::arith::Modulus;
    use kuaimi_math::sm2::curve::{N as Order, P as Prime, constants};

    /// The prime `p` of the field.
    pub fn p() -> [u8; 32] {
        Prime::MODULUS.to_be_bytes()
    }
    /// The coefficient `a = p − 3`.
    pub fn a() -> [u8; 32] {
        constants::A.to_be_bytes()
    }
    /// The coefficient `b`.
    pub fn b() -> [u8; 32] {
        constants::B.to_be_bytes()
    }
    /// The order `n` of the generator, a prime.
    pub fn n() -> [u8; 32] {
        Order::MODULUS.to_be_bytes()
    }
    /// The x-coordinate of the generator `G`.
    pub fn gx() -> [u8; 32] {
        constants::GX.to_be_bytes()
    }
    /// The y-coordinate of the generator `G`.
    pub fn gy() -> [u8; 32] {
        constants::GY.to_be_bytes()
    }
}
