//! SM9's keys, signatures and ciphertexts as DER and PEM: GB/T 41389-2022 has the structures, and
//! PKCS#8 and SubjectPublicKeyInfo the wrappers, as GmSSL 3 and `emmansun/gmsm` write them.
//!
//! | what | structure | wrapped |
//! | --- | --- | --- |
//! | master key | `INTEGER` | PKCS#8, algorithm SM9 with signing or encryption as its parameter; inside, the public key follows |
//! | master public key | `BIT STRING` | SubjectPublicKeyInfo, algorithm as above; GmSSL's own, a `SEQUENCE` around the `BIT STRING` |
//! | user's key | `BIT STRING` | PKCS#8, algorithm SM9 signing or SM9 encryption; inside, the master public key follows, and no identity |
//! | signature | `SEQUENCE { h OCTET STRING, S BIT STRING }` | |
//! | ciphertext | `SEQUENCE { EnType INTEGER, C1 BIT STRING, C3 OCTET STRING, CipherText OCTET STRING }` | |
//! | key package | `SEQUENCE { K OCTET STRING, C BIT STRING }` | |
//!
//! Points are written as `04 ‖ x ‖ y`, and are also read compressed. All of it is strict DER:
//! minimal, and without bytes after it.
//!
//! Keys have the traits of the `pkcs8` and `spki` crates: [`EncodePrivateKey`],
//! [`DecodePrivateKey`], [`EncodePublicKey`] and [`DecodePublicKey`]. A user's key is read as an
//! [`UnboundSigningKey`] or [`UnboundDecryptionKey`], which becomes a key when its identity is
//! given.
//!
//! [`EncodePrivateKey`]: super::EncodePrivateKey
//! [`DecodePrivateKey`]: super::DecodePrivateKey
//! [`EncodePublicKey`]: super::EncodePublicKey
//! [`DecodePublicKey`]: super::DecodePublicKey
//!
//! [`read_key`] takes a key from any of the wrapped forms, in PEM (also under GmSSL's labels) or
//! DER, encrypted under a password or not:
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::encoding::{EncodePrivateKey, LineEnding};
//! use kuaimi::encoding::sm9::{UnboundSigningKey, read_key};
//! use kuaimi::sm9::MasterSigningKey;
//!
//! let pem = MasterSigningKey::generate()?.extract("alice")?.to_pkcs8_pem(LineEnding::LF)?;
//! let (key, form) = read_key(pem.as_bytes(), None)?;
//! assert_eq!(form.to_string(), "PKCS#8, PEM");
//! let alice = UnboundSigningKey::try_from(key)?.signing_key("alice")?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ciphertext;
#[cfg_attr(
    not(all(feature = "pem", feature = "encryption")),
    allow(dead_code, unused_imports, reason = "SM9's readers use all of it")
)]
mod key;
mod key_package;
#[cfg(all(feature = "pem", feature = "encryption"))]
mod parts;
mod plain;
#[cfg(all(feature = "pem", feature = "encryption"))]
mod read;
mod signature;
mod unbound;
#[cfg(all(feature = "pem", feature = "encryption"))]
mod wrapped;

#[cfg(feature = "std")]
pub(crate) use ciphertext::DerHeader;
pub use key::{Key, KeyKind};
pub use key_package::KeyPackage;
#[cfg(all(feature = "pem", feature = "encryption"))]
pub use parts::Parts;
#[cfg(all(feature = "pem", feature = "encryption"))]
pub use read::{EncryptedKey, KeyFile, KeyForm, KeyStructure, read_key};
pub use unbound::{UnboundDecryptionKey, UnboundSigningKey};

use super::Error;
use super::tlv::{BIT_STRING, Reader, element};
use alloc::vec::Vec;

/// The content of a BIT STRING of whole bytes.
fn bit_string<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    match reader.value(BIT_STRING)?.split_first() {
        Some((0, bytes)) => Ok(bytes),
        None => Err(Error::Truncated),
        // Bits left over, which no point has.
        Some(_) => Err(Error::Der(der::Tag::BitString.value_error().into())),
    }
}

/// A BIT STRING of whole bytes.
fn to_bit_string(bytes: &[u8]) -> Vec<u8> {
    element(BIT_STRING, &[&[0], bytes])
}
