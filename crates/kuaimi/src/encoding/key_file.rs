//! SM2 keys in whatever form a file holds them: the form is detected.

use alloc::vec::Vec;
use core::fmt;

use der::asn1::AnyRef;
use der::{Reader, SliceReader, Tag, Tagged};
use zeroize::Zeroizing;

#[cfg(feature = "encryption")]
use super::PasswordEncryption;
use super::pem::{Block, Blocks};
use super::public_key::{check_curve, from_certificate_der, from_spki_der};
use super::{Error, TextEncoding};
use crate::sm2::PublicKey;
#[cfg(feature = "pkcs8")]
use {super::private_key, crate::sm2::SecretKey};

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
}

/// The form in which a public key was found. `Display` gives a text for people.
///
/// ```
/// use kuaimi::encoding::{PublicKeyStructure, TextEncoding, read_public_key};
/// use kuaimi::sm2::SecretKey;
///
/// let key = *SecretKey::from_bytes(&[3; 32])?.public_key();
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
/// # use kuaimi::sm2::SecretKey;
/// # let key = SecretKey::from_bytes(&[3; 32])?;
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
        })?;
        write!(f, ", {}", self.encoding)
    }
}

/// The structures that a file may hold, told apart by the label of a PEM block, or by the types of the first elements of
/// the DER.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    Pkcs8,
    Sec1,
    EncryptedPkcs8,
    Spki,
    Certificate,
    EnvelopedKey,
    Other,
}

impl Structure {
    fn of_der(bytes: &[u8]) -> Self {
        Self::of_sequence(bytes).unwrap_or(Self::Other)
    }

    fn of_sequence(bytes: &[u8]) -> Result<Self, Error> {
        let mut tags = [Tag::Null; 4];
        let mut reader = SliceReader::new(bytes)?;
        // Bytes after the sequence are an error for the function that reads the structure.
        let sequence: AnyRef<'_> = reader.decode()?;
        sequence.tag().assert_eq(Tag::Sequence)?;
        let mut fields = SliceReader::new(sequence.value())?;
        for tag in &mut tags {
            if fields.is_finished() {
                break;
            }
            *tag = Tag::peek(&fields)?;
            fields.tlv_bytes()?;
        }
        Ok(match tags {
            [Tag::Integer, Tag::Sequence, ..] => Self::Pkcs8,
            [Tag::Integer, Tag::OctetString, ..] => Self::Sec1,
            [Tag::Sequence, Tag::OctetString, ..] => Self::EncryptedPkcs8,
            [Tag::Sequence, Tag::BitString, ..] => Self::Spki,
            [Tag::Sequence, Tag::Sequence, Tag::BitString, Tag::BitString] => Self::EnvelopedKey,
            [Tag::Sequence, Tag::Sequence, Tag::BitString, ..] => Self::Certificate,
            _ => Self::Other,
        })
    }

    fn of_label(label: &str) -> Self {
        match label {
            "PRIVATE KEY" => Self::Pkcs8,
            "ENCRYPTED PRIVATE KEY" => Self::EncryptedPkcs8,
            "EC PRIVATE KEY" | "SM2 PRIVATE KEY" => Self::Sec1,
            "PUBLIC KEY" => Self::Spki,
            "CERTIFICATE" | "X509 CERTIFICATE" => Self::Certificate,
            _ => Self::Other,
        }
    }

    const fn kind(self) -> Option<KeyKind> {
        match self {
            Self::Pkcs8 | Self::Sec1 | Self::EncryptedPkcs8 => Some(KeyKind::Private),
            Self::Spki | Self::Certificate => Some(KeyKind::Public),
            Self::EnvelopedKey | Self::Other => None,
        }
    }

    /// Why this structure is not what the caller wants.
    fn unexpected(self) -> Error {
        match self {
            Self::EnvelopedKey => Error::UnexpectedEnvelopedKey,
            Self::Pkcs8 | Self::Sec1 | Self::EncryptedPkcs8 => Error::UnexpectedPrivateKey,
            Self::Spki | Self::Certificate => Error::UnexpectedPublicKey,
            Self::Other => Error::NotAKey,
        }
    }
}

/// What the caller wants to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Private,
    Public,
}

/// The first PEM block with a key of the kind `wanted`, or nothing if there are no blocks at all. If a block before it names a
/// curve, it must be SM2's.
fn find_block(bytes: &[u8], wanted: KeyKind) -> Option<Result<(Structure, Block<'_>), Error>> {
    let mut error = None;
    for block in Blocks::new(bytes) {
        let block = match block {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        let structure = Structure::of_label(block.label);
        if structure.kind() == Some(wanted) {
            return Some(Ok((structure, block)));
        }
        if matches!(block.label, "EC PARAMETERS" | "SM2 PARAMETERS")
            && let Err(error) = check_parameters(&block)
        {
            return Some(Err(error));
        }
        // The first block that is a key of the other kind says more than one that is no key.
        if error.is_none_or(|error| error == Structure::Other) {
            error = Some(structure);
        }
    }
    error.map(|structure| Err(structure.unexpected()))
}

fn check_parameters(block: &Block<'_>) -> Result<(), Error> {
    let bytes = block.decode()?;
    let mut reader = SliceReader::new(&bytes)?;
    let parameters = reader.decode()?;
    reader.finish()?;
    check_curve(parameters)
}

/// The first PEM block with a private key.
#[cfg(all(feature = "pem", feature = "pkcs8"))]
pub(super) fn private_key_block(bytes: &[u8]) -> Result<(Structure, Block<'_>), Error> {
    find_block(bytes, KeyKind::Private).unwrap_or(Err(Error::NotAKey))
}

/// A file without its text encoding.
struct Opened {
    encoding: TextEncoding,
    structure: Structure,
    bytes: Zeroizing<Vec<u8>>,
}

/// What both readers begin with: finds the PEM block with a key of the kind `wanted`, or decodes the whole input, and detects the
/// structure.
fn open(bytes: &[u8], wanted: KeyKind) -> Result<Opened, Error> {
    if let Some(block) = find_block(bytes, wanted) {
        let (structure, block) = block?;
        return Ok(Opened {
            encoding: TextEncoding::Pem,
            structure,
            bytes: block.decode()?,
        });
    }
    let encoding = TextEncoding::detect(bytes);
    let bytes = encoding.decode(bytes)?;
    // 32 bytes are a private key: no structure with a key in it is so short.
    let structure = match bytes.len() {
        32 => Structure::Other,
        _ => Structure::of_der(&bytes),
    };
    Ok(Opened {
        encoding,
        structure,
        bytes,
    })
}

/// Reads a private key in any of its forms, and says which form it was: PEM, DER or 32 bytes; DER and the 32 bytes also as
/// hexadecimal or Base64. In PEM, blocks of other kinds, such as certificates or parameters, may precede the key.
///
/// Encrypted PKCS#8 is decrypted with `password`. The password is not used for a key that is not encrypted.
///
/// Decoding of text is constant time in the key; the form, and the structure of the DER, show.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{EncodePrivateKey, LineEnding, PrivateKeyStructure, read_private_key};
/// use kuaimi::sm2::SecretKey;
///
/// let pem = SecretKey::generate()?.to_pkcs8_pem(LineEnding::LF)?;
/// let (key, form) = read_private_key(pem.as_bytes(), None)?;
/// assert_eq!(form.structure, PrivateKeyStructure::Pkcs8);
/// assert_eq!(form.to_string(), "PKCS#8, PEM");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::PasswordNeeded`] and [`Error::WrongPassword`]; [`Error::UnexpectedPublicKey`] and
/// [`Error::UnexpectedEnvelopedKey`]; [`Error::NotAKey`] if no form fits; [`Error::FeatureNeeded`] if the library was built without
/// the feature that the form needs; and the errors of the form that was found.
#[cfg(feature = "pkcs8")]
pub fn read_private_key(
    bytes: &[u8],
    password: Option<&[u8]>,
) -> Result<(SecretKey, PrivateKeyForm), Error> {
    let opened = open(bytes, KeyKind::Private)?;
    let bytes = opened.bytes.as_slice();
    let (key, structure) = match opened.structure {
        Structure::Pkcs8 => (
            private_key::from_pkcs8_der(bytes)?,
            PrivateKeyStructure::Pkcs8,
        ),
        Structure::Sec1 => (
            private_key::from_sec1_der(bytes)?,
            PrivateKeyStructure::Sec1,
        ),
        Structure::EncryptedPkcs8 => read_encrypted(bytes, password)?,
        _ if bytes.len() == 32 => (SecretKey::from_slice(bytes)?, PrivateKeyStructure::Raw),
        structure => return Err(structure.unexpected()),
    };
    let encoding = opened.encoding;
    Ok((
        key,
        PrivateKeyForm {
            structure,
            encoding,
        },
    ))
}

#[cfg(feature = "encryption")]
fn read_encrypted(
    bytes: &[u8],
    password: Option<&[u8]>,
) -> Result<(SecretKey, PrivateKeyStructure), Error> {
    // A file that cannot be decrypted is refused before a password is asked for.
    super::pbes2::encryption_of(bytes)?;
    let password = password.ok_or(Error::PasswordNeeded)?;
    let (key, encryption) = super::encrypted_private_key::decrypt(bytes, password)?;
    Ok((key, PrivateKeyStructure::EncryptedPkcs8(encryption)))
}

#[cfg(all(feature = "pkcs8", not(feature = "encryption")))]
fn read_encrypted(_: &[u8], _: Option<&[u8]>) -> Result<(SecretKey, PrivateKeyStructure), Error> {
    Err(Error::FeatureNeeded("encryption"))
}

/// Reads a public key in any of its forms, and says which form it was: PEM or DER, of a SubjectPublicKeyInfo or a certificate; or the
/// 33, 64 or 65 bytes of a point. DER and points also as hexadecimal or Base64.
///
/// Only the key is read from a certificate: its signature, its dates and its use are not checked.
///
/// ```
/// use kuaimi::encoding::read_public_key;
///
/// let (key, form) = read_public_key(
///     b"0x09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020\
///         ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13",
/// )?;
/// assert_eq!(form.to_string(), "64 bytes, x and y, hexadecimal");
/// # Ok::<(), kuaimi::encoding::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnexpectedPrivateKey`] and [`Error::UnexpectedEnvelopedKey`]; [`Error::NotAKey`] if no form fits;
/// [`Error::FeatureNeeded`] if the library was built without the feature that the form needs; and the errors of the form that was
/// found.
pub fn read_public_key(bytes: &[u8]) -> Result<(PublicKey, PublicKeyForm), Error> {
    let opened = open(bytes, KeyKind::Public)?;
    let (key, structure) = match (opened.structure, opened.bytes.as_slice()) {
        (Structure::Spki, bytes) => (from_spki_der(bytes)?, PublicKeyStructure::Spki),
        (Structure::Certificate, bytes) => (
            from_certificate_der(bytes)?,
            PublicKeyStructure::Certificate,
        ),
        (_, bytes @ [2 | 3, ..]) if bytes.len() == 33 => (
            PublicKey::from_sec1_bytes(bytes)?,
            PublicKeyStructure::Compressed,
        ),
        (_, bytes @ [4 | 6 | 7, ..]) if bytes.len() == 65 => (
            PublicKey::from_sec1_bytes(bytes)?,
            PublicKeyStructure::Uncompressed,
        ),
        (structure, bytes) => match bytes.try_into() {
            Ok(xy) => (PublicKey::from_xy_bytes(xy)?, PublicKeyStructure::Raw),
            Err(_) => return Err(structure.unexpected()),
        },
    };
    let encoding = opened.encoding;
    Ok((
        key,
        PublicKeyForm {
            structure,
            encoding,
        },
    ))
}
