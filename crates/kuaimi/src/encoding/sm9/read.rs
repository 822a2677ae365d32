//! Keys in whatever form a file holds them: the form is detected.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use super::wrapped::{parts_of_gmssl, parts_of_pkcs8, parts_of_spki};
use super::{Key, Parts};
use crate::encoding::file_kind::FileKind;
use crate::encoding::pem::Blocks;
use crate::encoding::plain_text::PlainText;
use crate::encoding::tlv::{BIT_STRING, INTEGER, OCTET_STRING, Reader, Rules, SEQUENCE};
use crate::encoding::{Error, PasswordEncryption, TextEncoding, pbes2};

/// The form in which a key was found.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{EncodePublicKey, TextEncoding};
/// use kuaimi::encoding::sm9::{KeyStructure, read_key};
///
/// let key = kuaimi::sm9::MasterSigningKey::generate()?;
/// let (_, form) = read_key(key.public_key().to_public_key_der()?.as_bytes(), None)?;
/// assert_eq!((form.structure, form.encoding), (KeyStructure::Spki, TextEncoding::Binary));
/// assert_eq!(form.to_string(), "SubjectPublicKeyInfo, binary");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KeyForm {
    /// What the bytes mean.
    pub structure: KeyStructure,
    /// How the bytes are represented.
    pub encoding: TextEncoding,
}

/// The structures in which keys are stored.
///
/// ```
/// use kuaimi::encoding::sm9::KeyStructure;
///
/// assert_ne!(KeyStructure::Pkcs8, KeyStructure::Spki);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyStructure {
    /// PKCS#8.
    Pkcs8,
    /// Encrypted PKCS#8.
    EncryptedPkcs8(PasswordEncryption),
    /// SubjectPublicKeyInfo.
    Spki,
    /// GmSSL's form of a master public key.
    Gmssl,
}

impl fmt::Display for KeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.structure {
            KeyStructure::Pkcs8 => f.write_str("PKCS#8")?,
            KeyStructure::EncryptedPkcs8(encryption) => {
                write!(f, "encrypted PKCS#8 ({encryption})")?;
            }
            KeyStructure::Spki => f.write_str("SubjectPublicKeyInfo")?,
            KeyStructure::Gmssl => f.write_str("GmSSL's form")?,
        }
        write!(f, ", {}", self.encoding)
    }
}

/// What DER may hold.
#[derive(Clone, Copy)]
enum Shape {
    Pkcs8,
    EncryptedPkcs8,
    Spki,
    Gmssl { for_signatures: bool },
}

impl Shape {
    fn of_label(label: &str) -> Option<Self> {
        Some(match label {
            "PRIVATE KEY"
            | "SM9 SIGN MASTER KEY"
            | "SM9 SIGN PRIVATE KEY"
            | "SM9 ENC MASTER KEY"
            | "SM9 ENC PRIVATE KEY" => Self::Pkcs8,
            "ENCRYPTED PRIVATE KEY"
            | "ENCRYPTED SM9 SIGN MASTER KEY"
            | "ENCRYPTED SM9 SIGN PRIVATE KEY"
            | "ENCRYPTED SM9 ENC MASTER KEY"
            | "ENCRYPTED SM9 ENC PRIVATE KEY" => Self::EncryptedPkcs8,
            "PUBLIC KEY" => Self::Spki,
            "SM9 SIGN MASTER PUBLIC KEY" => Self::Gmssl {
                for_signatures: true,
            },
            "SM9 ENC MASTER PUBLIC KEY" => Self::Gmssl {
                for_signatures: false,
            },
            _ => return None,
        })
    }

    /// By the types of the first elements in the outermost sequence.
    fn of_der(bytes: &[u8]) -> Option<Self> {
        let mut outer = Reader::new(bytes, Rules::Strict);
        // What follows the sequence is an error for the one that reads the structure, not for this
        // one.
        let body = outer.value(SEQUENCE).ok()?;
        let first = *body.first()?;
        let mut reader = Reader::new(body, Rules::Strict);
        reader.value(first).ok()?;
        let second = body.get(body.len() - reader.remaining()).copied();
        match (first, second) {
            (INTEGER, Some(SEQUENCE)) => Some(Self::Pkcs8),
            (SEQUENCE, Some(OCTET_STRING)) => Some(Self::EncryptedPkcs8),
            (SEQUENCE, Some(BIT_STRING)) => Some(Self::Spki),
            // Points of G1 and G2 have different lengths, which tell what the key is for.
            (BIT_STRING, None) => Some(Self::Gmssl {
                for_signatures: body.len() > 100,
            }),
            _ => None,
        }
    }
}

/// The key in `bytes`, and the form in which it was found: PEM or DER, the latter also as
/// hexadecimal or Base64, of PKCS#8, encrypted PKCS#8, SubjectPublicKeyInfo or what GmSSL writes
/// for master public keys. In PEM, blocks of another kind may stand before it.
///
/// Encrypted PKCS#8 is decrypted with `password`; for a key that is not encrypted, it is not looked
/// at.
///
/// The point of a user's key is checked to be in its group. Whether it is the key of an identity is
/// checked when the identity is given: see [`UnboundSigningKey`](super::UnboundSigningKey) and
/// [`UnboundDecryptionKey`](super::UnboundDecryptionKey).
///
/// # Errors
/// [`Error::PasswordNeeded`] and [`Error::WrongPassword`]; [`Error::NotAnSm9Key`] where no form
/// fits and [`Error::NotSm9Algorithm`] where the key is another algorithm's;
/// [`Error::MasterPublicKeyMissing`]; and what is wrong with the form that was found.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::EncodePublicKey;
/// use kuaimi::encoding::sm9::{KeyKind, read_key};
/// use kuaimi::sm9::MasterSigningKey;
///
/// let public = MasterSigningKey::generate()?.public_key().clone();
/// let (key, form) = read_key(public.to_gmssl_pem()?.as_bytes(), None)?;
/// assert_eq!(key.kind(), KeyKind::MasterSigningPublic);
/// assert_eq!(form.to_string(), "GmSSL's form, PEM");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_key(bytes: &[u8], password: Option<&[u8]>) -> Result<(Key, KeyForm), Error> {
    match KeyFile::open(bytes)? {
        KeyFile::Key(key, form) => Ok((key, form)),
        KeyFile::Encrypted(key) => key.decrypt(password.ok_or(Error::PasswordNeeded)?),
    }
}

/// What a key's file holds, for programs that ask for a password only where one is needed.
/// If the password is already known, use [`read_key`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::sm9::{KeyFile, KeyKind};
/// use kuaimi::encoding::PasswordEncryption;
/// use kuaimi::sm9::MasterSigningKey;
///
/// let key = MasterSigningKey::generate()?;
/// let encryption = PasswordEncryption::AES.with_iterations(100_000);
/// let der = key.to_encrypted_pkcs8_der(b"password", encryption, &mut getrandom::SysRng)?;
/// let KeyFile::Encrypted(encrypted) = KeyFile::open(&der)? else {
///     panic!("it is encrypted");
/// };
/// assert_eq!(encrypted.decrypt(b"password")?.0.kind(), KeyKind::MasterSigning);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum KeyFile {
    /// The key, and the form in which it was.
    Key(Key, KeyForm),
    /// The key under a password.
    Encrypted(EncryptedKey),
}

/// A key under a password: see [`KeyFile`].
pub struct EncryptedKey {
    /// An `EncryptedPrivateKeyInfo`, whose parameters were read.
    der: Zeroizing<Vec<u8>>,
    encoding: TextEncoding,
}

impl KeyFile {
    /// Reads a file in any of the forms that [`read_key`] reads.
    ///
    /// # Errors
    /// As [`read_key`], but for those of passwords. A file that no password can decrypt is refused
    /// here.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let file = Opened::of(bytes)?;
        let Some((parts, structure)) = file.parts()? else {
            let Opened { der, encoding, .. } = file;
            return Ok(Self::Encrypted(EncryptedKey { der, encoding }));
        };
        let form = KeyForm {
            structure,
            encoding: file.encoding,
        };
        Ok(Self::Key(parts.key()?, form))
    }
}

/// The DER in a file.
pub(super) struct Opened {
    shape: Shape,
    pub(super) der: Zeroizing<Vec<u8>>,
    encoding: TextEncoding,
}

impl Opened {
    pub(super) fn of(bytes: &[u8]) -> Result<Self, Error> {
        let text = PlainText::of(bytes);
        let encoding = TextEncoding::of(&text);
        let (shape, der) = match encoding {
            TextEncoding::Pem => in_pem(&text)?,
            TextEncoding::PemInBase64 => in_pem(&TextEncoding::Base64.decode_plain(&text)?)?,
            _ => {
                let bytes = encoding.decode_plain(&text)?;
                let shape =
                    Shape::of_der(&bytes).ok_or_else(|| match FileKind::of_bytes(&bytes) {
                        Some(FileKind::Sm9Key) => Error::BareSm9Key,
                        Some(kind) => Error::Other(kind),
                        None => Error::NotAnSm9Key,
                    })?;
                (shape, bytes)
            }
        };
        Ok(Self {
            shape,
            der,
            encoding,
        })
    }

    /// What the DER holds, unless it is encrypted. A file that no password opens is refused before
    /// one is asked for.
    pub(super) fn parts(&self) -> Result<Option<(Parts, KeyStructure)>, Error> {
        let der = &self.der;
        Ok(Some(match self.shape {
            Shape::Pkcs8 => (parts_of_pkcs8(der)?, KeyStructure::Pkcs8),
            Shape::EncryptedPkcs8 => {
                pbes2::encryption_of(der)?;
                return Ok(None);
            }
            Shape::Spki => (parts_of_spki(der)?, KeyStructure::Spki),
            Shape::Gmssl { for_signatures } => {
                (parts_of_gmssl(der, for_signatures)?, KeyStructure::Gmssl)
            }
        }))
    }
}

impl EncryptedKey {
    /// The key, and the form in which it was.
    ///
    /// # Errors
    /// [`Error::WrongPassword`], and what is wrong with the key that the password opens.
    pub fn decrypt(&self, password: &[u8]) -> Result<(Key, KeyForm), Error> {
        let (info, encryption) = pbes2::decrypt(&self.der, password)?;
        let form = KeyForm {
            structure: KeyStructure::EncryptedPkcs8(encryption),
            encoding: self.encoding,
        };
        Ok((parts_of_pkcs8(&info)?.key()?, form))
    }
}

impl fmt::Debug for EncryptedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptedKey")
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}

/// The first block with a key.
fn in_pem(text: &[u8]) -> Result<(Shape, Zeroizing<Vec<u8>>), Error> {
    let mut other = None;
    for block in Blocks::new(text) {
        let block = block?;
        if let Some(shape) = Shape::of_label(block.label) {
            return Ok((shape, block.decode()?));
        }
        let kind = FileKind::of_label(block.label);
        other = other.or(kind.filter(|kind| *kind != FileKind::Sm9Key));
    }
    Err(other.map_or(Error::NotAnSm9Key, Error::Other))
}
