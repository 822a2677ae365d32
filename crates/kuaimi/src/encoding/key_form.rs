//! The forms in which keys are found.

use core::fmt;

#[cfg(feature = "encryption")]
use super::PasswordEncryption;
use super::TextEncoding;

/// The form in which a private key was found. `Display` gives a text for people.
///
/// ```
/// use kuaimi::encoding::{PrivateKeyStructure, TextEncoding, read_private_key};
///
/// let (_, form) = read_private_key(&[3; 32], None)?;
/// assert_eq!(form.structure, PrivateKeyStructure::Raw);
/// assert_eq!(form.encoding, TextEncoding::Binary);
/// assert_eq!(form.to_string(), "32 bytes, binary");
/// # Ok::<(), kuaimi::encoding::Error>(())
/// ```
#[cfg(feature = "pkcs8")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PrivateKeyForm {
    /// The structure of the bytes.
    pub structure: PrivateKeyStructure,
    /// How the bytes are represented.
    pub encoding: TextEncoding,
}

/// The structures in which private keys are stored.
///
/// ```
/// use kuaimi::encoding::{PrivateKeyStructure, read_private_key};
///
/// let (_, form) = read_private_key(&[3; 32], None)?;
/// assert_eq!(form.structure, PrivateKeyStructure::Raw);
/// # Ok::<(), kuaimi::encoding::Error>(())
/// ```
#[cfg(feature = "pkcs8")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrivateKeyStructure {
    /// The integer alone: 32 bytes, most significant first.
    Raw,
    /// `ECPrivateKey` of SEC 1 (RFC 5915).
    Sec1,
    /// PKCS#8.
    Pkcs8,
    /// Encrypted PKCS#8.
    #[cfg(feature = "encryption")]
    EncryptedPkcs8(PasswordEncryption),
    /// What `openssl pkey -text` prints.
    OpensslText,
}

/// The form in which a public key was found. `Display` gives a text for people.
///
/// ```
/// use kuaimi::encoding::{PublicKeyStructure, TextEncoding, read_public_key};
/// use kuaimi::sm2::PrivateKey;
///
/// let key = *PrivateKey::from_bytes(&[3; 32])?.public_key();
/// let (_, form) = read_public_key(&key.to_compressed_bytes())?;
/// assert_eq!(form.structure, PublicKeyStructure::Compressed);
/// assert_eq!(form.encoding, TextEncoding::Binary);
/// assert_eq!(form.to_string(), "33 bytes, compressed point, binary");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PublicKeyForm {
    /// The structure of the bytes.
    pub structure: PublicKeyStructure,
    /// How the bytes are represented.
    pub encoding: TextEncoding,
}

/// The structures in which public keys are stored.
///
/// ```
/// use kuaimi::encoding::{PublicKeyStructure, read_public_key};
/// # use kuaimi::sm2::PrivateKey;
/// # let key = PrivateKey::from_bytes(&[3; 32])?;
///
/// let (_, form) = read_public_key(&key.public_key().to_xy_bytes())?;
/// assert_eq!(form.structure, PublicKeyStructure::Raw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PublicKeyStructure {
    /// The coordinates alone: the 64 bytes `x ‖ y`.
    Raw,
    /// The 65 bytes `04 ‖ x ‖ y` of SEC 1, or the hybrid form with `06` or `07`.
    Uncompressed,
    /// The 33 bytes `02 ‖ x` or `03 ‖ x` of SEC 1.
    Compressed,
    /// SubjectPublicKeyInfo.
    Spki,
    /// An X.509 certificate.
    Certificate,
    /// What `openssl pkey -text` or `openssl x509 -text` prints.
    OpensslText,
}

#[cfg(feature = "pkcs8")]
impl fmt::Display for PrivateKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.structure {
            PrivateKeyStructure::Raw => f.write_str("32 bytes")?,
            PrivateKeyStructure::Sec1 => f.write_str("SEC 1")?,
            PrivateKeyStructure::Pkcs8 => f.write_str("PKCS#8")?,
            #[cfg(feature = "encryption")]
            PrivateKeyStructure::EncryptedPkcs8(encryption) => {
                write!(f, "encrypted PKCS#8 ({encryption})")?;
            }
            PrivateKeyStructure::OpensslText => f.write_str(OPENSSL_TEXT)?,
        }
        write!(f, ", {}", self.encoding)
    }
}

impl fmt::Display for PublicKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.structure {
            PublicKeyStructure::Raw => "64 bytes, x and y",
            PublicKeyStructure::Uncompressed => "65 bytes, uncompressed point",
            PublicKeyStructure::Compressed => "33 bytes, compressed point",
            PublicKeyStructure::Spki => "SubjectPublicKeyInfo",
            PublicKeyStructure::Certificate => "certificate",
            PublicKeyStructure::OpensslText => OPENSSL_TEXT,
        })?;
        write!(f, ", {}", self.encoding)
    }
}

const OPENSSL_TEXT: &str = "what openssl -text prints";
