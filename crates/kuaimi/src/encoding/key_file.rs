//! Keys in whatever form a file holds them: the form is found by looking.

use alloc::vec::Vec;
use core::fmt;

use der::asn1::AnyRef;
use der::{Reader, SliceReader, Tag, Tagged};
use zeroize::Zeroizing;

use super::armor::{Block, Blocks};
use super::public_key::{check_curve, from_certificate_der, from_spki_der};
use super::{Armor, Error, PasswordEncryption, pbes2, private_key};
use crate::sm2::{PublicKey, SecretKey};

/// The form in which a private key was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrivateKeyForm {
    /// What the bytes mean.
    pub structure: PrivateKeyStructure,
    /// How they are written down.
    pub armor: Armor,
}

/// The structures in which private keys are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrivateKeyStructure {
    /// The 32 bytes of the integer.
    Raw,
    /// `ECPrivateKey` of SEC 1 (RFC 5915).
    Sec1,
    /// PKCS#8.
    Pkcs8,
    /// Encrypted PKCS#8.
    EncryptedPkcs8(PasswordEncryption),
}

/// The form in which a public key was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKeyForm {
    /// What the bytes mean.
    pub structure: PublicKeyStructure,
    /// How they are written down.
    pub armor: Armor,
}

/// The structures in which public keys are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PublicKeyStructure {
    /// The 64 bytes `x ‖ y`.
    Bare,
    /// The 65 bytes `04 ‖ x ‖ y`, or with the hybrid `06` or `07`.
    Uncompressed,
    /// The 33 bytes `02 ‖ x` or `03 ‖ x`.
    Compressed,
    /// SubjectPublicKeyInfo.
    Spki,
    /// An X.509 certificate.
    Certificate,
}

impl fmt::Display for PrivateKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.structure {
            PrivateKeyStructure::Raw => f.write_str("32 bytes")?,
            PrivateKeyStructure::Sec1 => f.write_str("SEC 1")?,
            PrivateKeyStructure::Pkcs8 => f.write_str("PKCS#8")?,
            PrivateKeyStructure::EncryptedPkcs8(encryption) => {
                write!(f, "encrypted PKCS#8 ({encryption})")?;
            }
        }
        write!(f, ", {}", self.armor)
    }
}

impl fmt::Display for PublicKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.structure {
            PublicKeyStructure::Bare => "64 bytes, x and y",
            PublicKeyStructure::Uncompressed => "65 bytes, uncompressed point",
            PublicKeyStructure::Compressed => "33 bytes, compressed point",
            PublicKeyStructure::Spki => "SubjectPublicKeyInfo",
            PublicKeyStructure::Certificate => "certificate",
        })?;
        write!(f, ", {}", self.armor)
    }
}

/// What DER holds, by the types of the first elements in its outermost sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Pkcs8,
    Sec1,
    EncryptedPkcs8,
    Spki,
    Certificate,
    EnvelopedKey,
    Other,
}

impl Shape {
    fn of(bytes: &[u8]) -> Self {
        Self::look(bytes).unwrap_or(Self::Other)
    }

    fn look(bytes: &[u8]) -> Result<Self, Error> {
        let mut tags = [Tag::Null; 4];
        let mut reader = SliceReader::new(bytes)?;
        // What follows the sequence is an error for the one that reads the structure, not for this one.
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

    const fn is_private(self) -> bool {
        matches!(self, Self::Pkcs8 | Self::Sec1 | Self::EncryptedPkcs8)
    }

    const fn is_public(self) -> bool {
        matches!(self, Self::Spki | Self::Certificate)
    }
}

/// The first block of PEM that `wanted` accepts, and its shape, if `bytes` have blocks at all. A block before it that
/// says which curve the key is on must say SM2's.
fn find_block<'a>(
    bytes: &'a [u8],
    wanted: fn(Shape) -> bool,
    instead: fn(Shape) -> Option<Error>,
) -> Option<Result<(Shape, Block<'a>), Error>> {
    let mut found_instead = None;
    let mut any = false;
    for block in Blocks::new(bytes) {
        any = true;
        let block = match block {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        let shape = Shape::of_label(block.label);
        if wanted(shape) {
            return Some(Ok((shape, block)));
        }
        if matches!(block.label, "EC PARAMETERS" | "SM2 PARAMETERS")
            && let Err(error) = check_parameters(&block)
        {
            return Some(Err(error));
        }
        found_instead = found_instead.or_else(|| instead(shape));
    }
    any.then(|| Err(found_instead.unwrap_or(Error::NotAKey)))
}

fn check_parameters(block: &Block<'_>) -> Result<(), Error> {
    let bytes = block.decode()?;
    let mut reader = SliceReader::new(&bytes)?;
    let parameters = reader.decode()?;
    reader.finish()?;
    check_curve(parameters)
}

/// How `bytes` are written down, and the structure in them that is, or may be, what `wanted` accepts.
fn open(
    bytes: &[u8],
    wanted: fn(Shape) -> bool,
    instead: fn(Shape) -> Option<Error>,
) -> Result<(Armor, Shape, Zeroizing<Vec<u8>>), Error> {
    if let Some(block) = find_block(bytes, wanted, instead) {
        let (shape, block) = block?;
        return Ok((Armor::Pem, shape, block.decode()?));
    }
    let armor = Armor::detect(bytes);
    let bytes = armor.decode(bytes)?;
    // No structure with a key in it is as short as a private key.
    let shape = match bytes.len() {
        32 => Shape::Other,
        _ => Shape::of(&bytes),
    };
    Ok((armor, shape, bytes))
}

/// The private key in `bytes`, and the form in which it was found: PEM, DER or 32 bytes, DER and bytes also as
/// hexadecimal or Base64. In PEM, blocks of another kind, such as certificates or parameters, may stand before it.
///
/// Encrypted PKCS#8 is decrypted with `password`; for a key that is not encrypted, it is not looked at.
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
/// [`Error::PasswordNeeded`] and [`Error::WrongPassword`]; [`Error::PublicKeyInstead`] and
/// [`Error::EnvelopedKeyInstead`]; [`Error::NotAKey`] where no form fits; and, of the form found, whatever is wrong with
/// it.
pub fn read_private_key(
    bytes: &[u8],
    password: Option<&[u8]>,
) -> Result<(SecretKey, PrivateKeyForm), Error> {
    let instead = |shape: Shape| match shape {
        Shape::EnvelopedKey => Some(Error::EnvelopedKeyInstead),
        shape => shape.is_public().then_some(Error::PublicKeyInstead),
    };
    let (armor, shape, bytes) = open(bytes, Shape::is_private, instead)?;
    let (key, structure) = match shape {
        Shape::Pkcs8 => (
            private_key::from_pkcs8_der(&bytes)?,
            PrivateKeyStructure::Pkcs8,
        ),
        Shape::Sec1 => (
            private_key::from_sec1_der(&bytes)?,
            PrivateKeyStructure::Sec1,
        ),
        Shape::EncryptedPkcs8 => {
            // A file that no password opens is refused before one is asked for.
            pbes2::encryption_of(&bytes)?;
            let password = password.ok_or(Error::PasswordNeeded)?;
            let (key, encryption) = pbes2::decrypt_key(&bytes, password)?;
            (key, PrivateKeyStructure::EncryptedPkcs8(encryption))
        }
        _ if bytes.len() == 32 => (SecretKey::from_slice(&bytes)?, PrivateKeyStructure::Raw),
        shape => return Err(instead(shape).unwrap_or(Error::NotAKey)),
    };
    Ok((key, PrivateKeyForm { structure, armor }))
}

/// The public key in `bytes`, and the form in which it was found: PEM or DER, of a SubjectPublicKeyInfo or a certificate,
/// or a point's 33, 64 or 65 bytes; DER and bytes also as hexadecimal or Base64.
///
/// Of a certificate, nothing but the key is looked at: whether to trust it is the caller's to decide.
///
/// # Errors
/// [`Error::PrivateKeyInstead`] and [`Error::EnvelopedKeyInstead`]; [`Error::NotAKey`] where no form fits; and, of the
/// form found, whatever is wrong with it.
pub fn read_public_key(bytes: &[u8]) -> Result<(PublicKey, PublicKeyForm), Error> {
    let instead = |shape: Shape| match shape {
        Shape::EnvelopedKey => Some(Error::EnvelopedKeyInstead),
        shape => shape.is_private().then_some(Error::PrivateKeyInstead),
    };
    let (armor, shape, bytes) = open(bytes, Shape::is_public, instead)?;
    let (key, structure) = match (shape, bytes.as_slice()) {
        (Shape::Spki, _) => (from_spki_der(&bytes)?, PublicKeyStructure::Spki),
        (Shape::Certificate, _) => (
            from_certificate_der(&bytes)?,
            PublicKeyStructure::Certificate,
        ),
        (_, [2 | 3, ..]) if bytes.len() == 33 => (
            PublicKey::from_sec1_bytes(&bytes)?,
            PublicKeyStructure::Compressed,
        ),
        (_, [4 | 6 | 7, ..]) if bytes.len() == 65 => (
            PublicKey::from_sec1_bytes(&bytes)?,
            PublicKeyStructure::Uncompressed,
        ),
        (shape, bytes) => match bytes.try_into() {
            Ok(xy) => (PublicKey::from_xy_bytes(xy)?, PublicKeyStructure::Bare),
            Err(_) => return Err(instead(shape).unwrap_or(Error::NotAKey)),
        },
    };
    Ok((key, PublicKeyForm { structure, armor }))
}
