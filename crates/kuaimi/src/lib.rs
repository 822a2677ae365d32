//! Kuaimi (快密): the ShangMi algorithms of the Chinese standards, constant time on secrets, and
//! fast.
//!
//! | module | what | standards |
//! | --- | --- | --- |
//! | [`sm2`] | signatures, encryption and key exchange on an elliptic curve | GB/T 32918, ISO/IEC 14888-3 |
//! | [`sm9`] | the same without certificates: a name is the public key | GB/T 38635, ISO/IEC 18033-5, 11770-3 |
//! | [`sm3`] | hash, HMAC, key derivation | GB/T 32905, ISO/IEC 10118-3 |
//! | [`sm4`] | block cipher: GCM, CCM, XTS, CTR, CBC, CFB, OFB | GB/T 32907, ISO/IEC 18033-3 |
//! | [`encoding`] | keys, signatures and ciphertexts in PEM and DER | GM/T 0009, GB/T 35276, GB/T 41389, RFC 5915, 5958 |
//!
//! # First use
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
//! # Which type for which job
//!
//! | job | SM2 | SM9 |
//! | --- | --- | --- |
//! | sign | [`sm2::SigningKey`] | the signing key in [`sm9`] |
//! | verify | [`sm2::VerifyingKey`] | the verifying key in [`sm9`] |
//! | encrypt | [`sm2::PublicKey`] | the master public key in [`sm9`] |
//! | decrypt | [`sm2::PrivateKey`] | the decryption key in [`sm9`] |
//! | many operations at once | [`sm2::batch`] | the `_batch` functions of [`sm9`] |
//! | the same key often | keys keep tables from their second use on: [`precompute`] | the same |
//! | many keys, some of them often | `sm2::KeyCache` | `sm9::IdentityCache` |
//! | files of any size, in little memory | `sm2::stream` | `sm9::stream` |
//! | agree on a key | [`sm2::exchange`] | [`sm9::exchange`] |
//! | sign with low latency | `sm2::NoncePool` | |
//!
//! # Errors
//! Each module has an error type whose variants are the causes, with what was found. Each error
//! also has a kind, from one enumeration for the whole library: [`ErrorKind`] lists them by what a
//! program can do. The other languages' errors are made of the kinds.
//!
//! ```
//! use kuaimi::ErrorKind;
//! use kuaimi::encoding::read_private_key;
//!
//! # fn ask() -> Vec<u8> { Vec::new() }
//! # let file = b"no key";
//! # let _key =
//! match read_private_key(file, None) {
//!     Err(error) if error.kind() == ErrorKind::PasswordNeeded => read_private_key(file, Some(&ask())),
//!     result => result,
//! }
//! # ;
//! ```
//!
//! # Constant time
//! No branch, no memory address and no division depends on a private key, a nonce or a plaintext.
//! Verification and the reading of public values run in variable time, as they see public data
//! only. Secrets are wiped when they are dropped.
//!
//! # Speed
//! The fastest implementation that the CPU can run is chosen at run time: [`backend`] reports it.
//! The build needs no compiler flags for the CPU, only an optimised profile such as `release`.
//!
//! # Features
//!
//! A feature adds functions and types. It changes nothing that is there without it.
//!
//! | feature | what it adds | default |
//! | --- | --- | --- |
//! | `std` | streams, caches, the pool of nonces, the variable `KUAIMI_BACKEND`; without `std`, the library needs `alloc` only | yes |
//! | `getrandom` | the operating system's random generator; part of `std` | yes |
//! | `batch` | [`sm2::batch`], `sm9::batch`, `sm3::digest_many`, `sm4::batch`: many operations at once | yes |
//! | `pem` | keys as PEM, Base64 and hexadecimal | yes |
//! | `pkcs8` | private keys in PKCS#8 and SEC 1's form | yes |
//! | `encryption` | private keys under a password; compiles PBKDF2, scrypt, AES, SHA-1 and SHA-2 | yes |
//! | `sm4` | [`sm4`], SM2's enveloped keys, and the modes of SM9's encryption that use SM4 | yes |
//! | `sm9` | [`sm9`] | yes |
//! | `rayon` | [`Threads`]`::Pool`: batches that are spread over threads, where the call says so | |
//! | `hazmat` | nonces chosen by the caller, for test vectors | |
//! | `fiat` | the backend `fiat`: machine-checked arithmetic for SM2, chosen by name only | |
//!
//! A program that only verifies SM2 signatures needs no more than this:
//!
//! ```toml
//! kuaimi = { version = "0.1", default-features = false, features = ["std", "pem"] }
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "std")]
mod cache;
pub mod encoding;
mod memory;
mod nonce;
pub mod precompute;
pub mod sm2;
pub mod sm3;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(feature = "sm9")]
pub mod sm9;
mod stack;
mod stored;
#[cfg(feature = "std")]
mod two_pass;

/// The crates whose traits and types are part of this library's interface, in the versions that it
/// uses.
///
/// ```
/// use kuaimi::external::digest::Digest;
/// use kuaimi::sm3::{self, Sm3};
///
/// assert_eq!(<Sm3 as Digest>::digest(b"abc").as_slice(), sm3::digest(b"abc"));
/// ```
pub mod external {
    #[cfg(feature = "sm4")]
    pub use cipher;
    #[cfg(feature = "getrandom")]
    pub use getrandom;
    pub use {der, digest, hmac, rand_core, signature, spki, subtle, zeroize};
    #[cfg(feature = "pkcs8")]
    pub use {pkcs8, sec1};
}

#[cfg(feature = "batch")]
pub use batch::Threads;
pub use kuaimi_platform::ErrorKind;
pub use kuaimi_platform::backend::{Report as Backend, UnknownBackend};

pub use stack::wipe_stack;

/// The selected backend of this process, and the implementation of each kind of operation.
///
/// The fastest that the CPU can run is chosen at the first operation. The environment variable
/// `KUAIMI_BACKEND` (feature `std`) or [`set_backend`] selects another of [`backends`]. Results are
/// the same with each.
///
/// ```
/// let backend = kuaimi::backend();
/// assert!(kuaimi::backends().any(|name| name == backend.name()));
/// println!("{backend}");
/// ```
pub fn backend() -> Backend {
    kuaimi_platform::backend::report()
}

/// The names of the backends that this machine can run, from slow to fast.
///
/// A backend that has no implementation of its own for an operation uses that of a backend before
/// it. [`set_backend`] also takes the name `portable`: it means `portable32` or `portable64`,
/// whichever fits the machine.
///
/// ```
/// let names: Vec<&str> = kuaimi::backends().collect();
/// assert!(names.iter().any(|name| name.starts_with("portable")));
/// ```
pub fn backends() -> impl Iterator<Item = &'static str> {
    kuaimi_platform::backend::names()
}

/// Selects a backend for the whole process, from the next operation on: for tests and measurements.
///
/// ```
/// kuaimi::set_backend("portable")?;
/// assert!(kuaimi::backend().name().starts_with("portable"));
/// assert!(kuaimi::set_backend("abacus").is_err());
/// # Ok::<(), kuaimi::UnknownBackend>(())
/// ```
///
/// # Errors
/// [`UnknownBackend`] for a name that is not among [`backends`].
pub fn set_backend(name: &str) -> Result<(), UnknownBackend> {
    kuaimi_platform::backend::select(name)
}

/// Checks that the environment variable `KUAIMI_BACKEND` is unset or names one of [`backends`].
///
/// The library itself ignores any other name, and prints nothing. A program should call this
/// function at its start and report the error.
///
/// ```
/// if let Err(error) = kuaimi::check_backend_variable() {
///     eprintln!("KUAIMI_BACKEND: {error}");
/// }
/// ```
///
/// # Errors
/// [`UnknownBackend`] for another name.
pub fn check_backend_variable() -> Result<(), UnknownBackend> {
    kuaimi_platform::backend::check_environment()
}
