//! SM2: digital signatures, public-key encryption and key exchange on an elliptic curve (GB/T
//! 32918-2016; ISO/IEC 14888-3:2018), with SM3.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::{PrivateKey, SigningKey};
//!
//! let secret = PrivateKey::generate()?;
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
//! | keep a private key, decrypt | [`PrivateKey`] |
//! | keep a public key, encrypt, recover a public key from a signature | [`PublicKey`] |
//! | sign under an identity | [`SigningKey`] |
//! | verify under an identity | [`VerifyingKey`] |
//! | agree on a key | [`exchange`]; for TLS, [`PrivateKey::diffie_hellman`] |
//! | encrypt files of any size | [`stream`] |
//!
//! **Constant time.** Key generation, signing, encryption, decryption and key exchange, as they use
//! private keys, nonces and plaintexts. Verification, recovery, decompression of points and the
//! reading of public values run in variable time, as they see public data only.
//!
//! **Limits.** An identity has at most [`MAX_ID_LEN`] bytes. An encrypted message has at least one
//! byte and at most [`MAX_MESSAGE_LEN`] bytes.

#[cfg(feature = "batch")]
pub mod batch;
mod ciphertext;
mod decrypt;
mod decrypt_bytes;
mod diffie_hellman;
mod encrypt;
mod encryption_key;
mod error;
pub mod exchange;
pub mod explain;
mod identity;
#[cfg(feature = "std")]
mod key_cache;
#[cfg(feature = "std")]
mod nonce_pool;
mod point_with_table;
mod private_key;
mod public_key;
mod recover;
mod scalar;
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
pub use encryption_key::EncryptionKey;
pub use error::Error;
pub use identity::{DEFAULT_ID, MAX_ID_LEN, TLS13_ID, identity_digest};
#[cfg(feature = "std")]
pub use key_cache::KeyCache;
#[cfg(feature = "std")]
pub use nonce_pool::{NoncePool, NoncePoolStats};
pub use private_key::PrivateKey;
pub use public_key::PublicKey;
pub use recover::RecoveryId;
pub use sign::{CheckedSigningKey, SigningKey};
pub use signature::Signature;
pub use verify::VerifyingKey;

pub mod parameters {
    //! The parameters of the recommended curve `y² = x³ + ax + b` (GB/T 32918.5-2017), 32 bytes
    //! each, most significant first.
    //!
    //! ```
    //! use kuaimi::sm2::{PublicKey, parameters};
    //!
    //! let generator = [parameters::gx(), parameters::gy()].concat();
    //! let xy: &[u8; 64] = generator[..].try_into().unwrap();
    //! assert!(PublicKey::from_xy_bytes(xy).is_ok(), "G is on the curve");
    //! ```

    use kuaimi_math::arith::Modulus;
    use kuaimi_math::sm2::curve::{N as Order, P as Prime, constants};

    /// The prime `p` of the field.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::p()[..4], [0xff, 0xff, 0xff, 0xfe]);
    /// ```
    pub fn p() -> [u8; 32] {
        Prime::MODULUS.to_be_bytes()
    }
    /// The coefficient `a = p − 3`.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::a()[31], parameters::p()[31] - 3);
    /// ```
    pub fn a() -> [u8; 32] {
        constants::A.to_be_bytes()
    }
    /// The coefficient `b`.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::b()[..4], [0x28, 0xe9, 0xfa, 0x9e]);
    /// ```
    pub fn b() -> [u8; 32] {
        constants::B.to_be_bytes()
    }
    /// The order `n` of the generator, a prime.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::n()[28..], [0x39, 0xd5, 0x41, 0x23]);
    /// ```
    pub fn n() -> [u8; 32] {
        Order::MODULUS.to_be_bytes()
    }
    /// The x-coordinate of the generator `G`.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::gx()[..4], [0x32, 0xc4, 0xae, 0x2c]);
    /// ```
    pub fn gx() -> [u8; 32] {
        constants::GX.to_be_bytes()
    }
    /// The y-coordinate of the generator `G`.
    ///
    /// ```
    /// use kuaimi::sm2::parameters;
    ///
    /// assert_eq!(parameters::gy()[..4], [0xbc, 0x37, 0x36, 0xa2]);
    /// ```
    pub fn gy() -> [u8; 32] {
        constants::GY.to_be_bytes()
    }
}
