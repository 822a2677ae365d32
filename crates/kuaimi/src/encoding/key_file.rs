//! SM2 keys in whatever form a file holds them: the form is detected.

use alloc::vec::Vec;
use der::{Reader, SliceReader, Tag};
use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::file_kind::{Elements, FileKind};
use super::openssl_text::{self, Part};
use super::pem::{Block, Blocks};
use super::plain_text::PlainText;
use super::public_key::{check_curve, from_certificate_der, from_spki_der};
use super::{Error, PublicKeyForm, PublicKeyStructure, TextEncoding};
use crate::sm2::PublicKey;
#[cfg(feature = "pkcs8")]
use {
    super::{PrivateKeyForm, PrivateKeyStructure, private_key},
    crate::sm2::PrivateKey,
};

/// The structures that a file may hold, told apart by the label of a PEM block, or by the types of
/// the first elements of the DER.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    Pkcs8,
    Sec1,
    EncryptedPkcs8,
    Spki,
    Certificate,
    EnvelopedKey,
    /// The digits in what `openssl -text` prints, decoded.
    OpensslText,
    Other,
}

impl Structure {
    /// Bytes after the sequence are an error for the function that reads the structure.
    fn of_der(bytes: &[u8]) -> Self {
        let Some(elements) = Elements::of_sequence(bytes) else {
            return Self::Other;
        };
        match elements.tags() {
            [Tag::Integer, Tag::Sequence, Tag::OctetString, ..] => Self::Pkcs8,
            [Tag::Integer, Tag::OctetString, ..] => Self::Sec1,
            [Tag::Sequence, Tag::OctetString, ..] => Self::EncryptedPkcs8,
            [Tag::Sequence, Tag::BitString, ..] => Self::Spki,
            [Tag::Sequence, Tag::Sequence, Tag::BitString, Tag::BitString] => Self::EnvelopedKey,
            // Requests and revocation lists begin with the same types.
            [Tag::Sequence, Tag::Sequence, Tag::BitString, ..]
                if FileKind::of_der(bytes).is_none() =>
            {
                Self::Certificate
            }
            _ => Self::Other,
        }
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
            Self::EnvelopedKey | Self::OpensslText | Self::Other => None,
        }
    }

    /// Why this structure is not what the caller wants.
    fn unexpected(self) -> Error {
        match self {
            Self::EnvelopedKey => Error::UnexpectedEnvelopedKey,
            Self::Pkcs8 | Self::Sec1 | Self::EncryptedPkcs8 => Error::UnexpectedPrivateKey,
            Self::Spki | Self::Certificate => Error::UnexpectedPublicKey,
            Self::OpensslText | Self::Other => Error::NotAKey,
        }
    }
}

/// What the caller wants to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Private,
    Public,
}

impl KeyKind {
    const fn part(self) -> Part {
        match self {
            Self::Private => Part::Private,
            Self::Public => Part::Public,
        }
    }
}

/// The first PEM block with a key of the kind `wanted`, or nothing if there are no blocks at all.
/// If a block before it names a curve, it must be SM2's.
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
        let found = match (structure, FileKind::of_label(block.label)) {
            (Structure::Other, Some(kind)) => Error::Other(kind),
            _ => structure.unexpected(),
        };
        // The first block that is a key of the other kind says more than one that is no key.
        if matches!(error, None | Some(Error::NotAKey | Error::Other(_))) {
            error = Some(found);
        }
    }
    error.map(Err)
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

/// What both readers begin with: finds the PEM block with a key of the kind `wanted`, or decodes
/// the whole input, and detects the structure.
fn open(bytes: &[u8], wanted: KeyKind) -> Result<Opened, Error> {
    let text = PlainText::of(bytes);
    let encoding = TextEncoding::of(&text);
    let block = match encoding {
        TextEncoding::Pem => find_block(&text, wanted).map(decode_block),
        TextEncoding::PemInBase64 => {
            let inner = TextEncoding::Base64.decode_plain(&text)?;
            find_block(&inner, wanted).map(decode_block)
        }
        _ => None,
    };
    if let Some(block) = block {
        let (structure, bytes) = block?;
        return Ok(Opened {
            encoding,
            structure,
            bytes,
        });
    }
    if let Some(bytes) = openssl_text::read(&text, wanted.part()) {
        return Ok(Opened {
            encoding: TextEncoding::Hex,
            structure: Structure::OpensslText,
            bytes: bytes?,
        });
    }
    let bytes = encoding.decode_plain(&text)?;
    // 32 bytes are a private key: no structure with a key in it is so short.
    let structure = match bytes.len() {
        32 | 33 => Structure::Other,
        _ => Structure::of_der(&bytes),
    };
    Ok(Opened {
        encoding,
        structure,
        bytes,
    })
}

/// The content of a block. Some programs write one structure of a private key under the label of
/// another: the content decides.
fn decode_block(
    found: Result<(Structure, Block<'_>), Error>,
) -> Result<(Structure, Zeroizing<Vec<u8>>), Error> {
    let (label, block) = found?;
    let bytes = block.decode()?;
    let content = Structure::of_der(&bytes);
    let structure = match content.kind() == label.kind() {
        true => content,
        false => label,
    };
    Ok((structure, bytes))
}

impl Opened {
    /// The error for what is no key of the kind `wanted`.
    fn unexpected(&self, wanted: KeyKind) -> Error {
        let bytes = self.bytes.as_slice();
        match (self.structure, FileKind::of_bytes(bytes)) {
            (Structure::Other, Some(kind)) => Error::Other(kind),
            (Structure::Other, None) => match wanted {
                KeyKind::Private
                    if openssl_text::read(bytes, Part::Public).is_some()
                        || point(bytes).is_some_and(|point| point.is_ok()) =>
                {
                    Error::UnexpectedPublicKey
                }
                KeyKind::Public if number(bytes).is_some() => Error::UnexpectedPrivateKey,
                _ => Error::NotAKey,
            },
            (structure, _) => structure.unexpected(),
        }
    }
}

/// The 32 bytes of a private key's number alone, by the length: 32 bytes, or 33 of which the first
/// is zero, as Java's `BigInteger.toByteArray` gives a number whose first bit is one.
pub(super) fn number(bytes: &[u8]) -> Option<&[u8]> {
    match bytes.split_first() {
        // That there is such a byte shows.
        Some((first, rest)) if rest.len() == 32 && declassify(first.ct_eq(&0)) => Some(rest),
        _ => (bytes.len() == 32).then_some(bytes),
    }
}

/// The point that these bytes are, by their number and the first of them.
fn point(bytes: &[u8]) -> Option<Result<(PublicKey, PublicKeyStructure), Error>> {
    let (structure, key) = match bytes {
        [2 | 3, ..] if bytes.len() == 33 => (
            PublicKeyStructure::Compressed,
            PublicKey::from_sec1_bytes(bytes),
        ),
        [4 | 6 | 7, ..] if bytes.len() == 65 => (
            PublicKeyStructure::Uncompressed,
            PublicKey::from_sec1_bytes(bytes),
        ),
        _ => (
            PublicKeyStructure::Raw,
            PublicKey::from_xy_bytes(bytes.try_into().ok()?),
        ),
    };
    Some(key.map(|key| (key, structure)).map_err(Error::from))
}

/// Reads a private key in any of its forms, and says which form it was: PEM, DER, 32 bytes, or what
/// `openssl pkey -text` prints; DER and the 32 bytes also as hexadecimal or Base64 (see
/// [`TextEncoding`]). In PEM, blocks of other kinds, such as certificates or parameters, may
/// precede the key. 33 bytes of which the first is zero are the key in the other 32.
///
/// Encrypted PKCS#8 is decrypted with `password`. The password is not used for a key that is not
/// encrypted.
///
/// Decoding of text is constant time in the key; the form, and the structure of the DER, show.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{EncodePrivateKey, LineEnding, PrivateKeyStructure, read_private_key};
/// use kuaimi::sm2::PrivateKey;
///
/// let pem = PrivateKey::generate()?.to_pkcs8_pem(LineEnding::LF)?;
/// let (key, form) = read_private_key(pem.as_bytes(), None)?;
/// assert_eq!(form.structure, PrivateKeyStructure::Pkcs8);
/// assert_eq!(form.to_string(), "PKCS#8, PEM");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::PasswordNeeded`] and [`Error::WrongPassword`]; [`Error::UnexpectedPublicKey`] and
/// [`Error::UnexpectedEnvelopedKey`]; [`Error::Other`] for a file of another kind;
/// [`Error::NotAKey`] if no form fits; [`Error::FeatureNeeded`] if the library was built without
/// the feature that the form needs; and the errors of the form that was found.
#[cfg(feature = "pkcs8")]
pub fn read_private_key(
    bytes: &[u8],
    password: Option<&[u8]>,
) -> Result<(PrivateKey, PrivateKeyForm), Error> {
    #[cfg(not(feature = "encryption"))]
    let _ = password;
    match PrivateKeyFile::open(bytes)? {
        PrivateKeyFile::Key(key, form) => Ok((key, form)),
        #[cfg(feature = "encryption")]
        PrivateKeyFile::Encrypted(key) => key.decrypt(password.ok_or(Error::PasswordNeeded)?),
    }
}

/// What a private key's file holds, for programs that ask for a password only where one is needed.
/// If the password is already known, use [`read_private_key`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{EncodePrivateKey, LineEnding, PasswordEncryption, PrivateKeyFile};
/// use kuaimi::sm2::PrivateKey;
///
/// let key = PrivateKey::generate()?;
/// let encryption = PasswordEncryption::AES.with_iterations(100_000);
/// let pem = key.to_encrypted_pkcs8_pem(b"password", encryption, &mut getrandom::SysRng)?;
/// let PrivateKeyFile::Encrypted(encrypted) = PrivateKeyFile::open(pem.as_bytes())? else {
///     panic!("it is encrypted");
/// };
/// let (read, form) = encrypted.decrypt(b"password")?;
/// assert_eq!(read.public_key(), key.public_key());
/// assert_eq!(form.to_string(), "encrypted PKCS#8 (AES-256-CBC, PBKDF2 with HMAC-SHA-256 and 100000 iterations), PEM");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "pkcs8")]
#[derive(Debug)]
pub enum PrivateKeyFile {
    /// The key, and the form in which it was.
    Key(PrivateKey, PrivateKeyForm),
    /// The key under a password.
    #[cfg(feature = "encryption")]
    Encrypted(EncryptedPrivateKey),
}

/// A private key under a password: see [`PrivateKeyFile`].
#[cfg(all(feature = "pkcs8", feature = "encryption"))]
pub struct EncryptedPrivateKey {
    /// An `EncryptedPrivateKeyInfo`, whose parameters were read.
    der: Zeroizing<Vec<u8>>,
    encoding: TextEncoding,
}

#[cfg(feature = "pkcs8")]
impl PrivateKeyFile {
    /// Reads a file in any of the forms that [`read_private_key`] reads.
    ///
    /// # Errors
    /// As [`read_private_key`], but for those of passwords. A file that no password can decrypt is
    /// refused here.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
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
            Structure::EncryptedPkcs8 => return Self::encrypted(opened),
            Structure::OpensslText => (
                private_key::from_number(bytes)?,
                PrivateKeyStructure::OpensslText,
            ),
            Structure::Other if number(bytes).is_some() => {
                (private_key::from_number(bytes)?, PrivateKeyStructure::Raw)
            }
            _ => return Err(opened.unexpected(KeyKind::Private)),
        };
        let encoding = opened.encoding;
        Ok(Self::Key(
            key,
            PrivateKeyForm {
                structure,
                encoding,
            },
        ))
    }

    #[cfg(feature = "encryption")]
    fn encrypted(opened: Opened) -> Result<Self, Error> {
        // A file that cannot be decrypted is refused before a password is asked for.
        super::pbes2::encryption_of(&opened.bytes)?;
        Ok(Self::Encrypted(EncryptedPrivateKey {
            der: opened.bytes,
            encoding: opened.encoding,
        }))
    }

    #[cfg(not(feature = "encryption"))]
    fn encrypted(_: Opened) -> Result<Self, Error> {
        Err(Error::FeatureNeeded("encryption"))
    }
}

#[cfg(all(feature = "pkcs8", feature = "encryption"))]
impl EncryptedPrivateKey {
    /// The key, and the form in which it was.
    ///
    /// # Errors
    /// [`Error::WrongPassword`], and what is wrong with the key that the password opens.
    pub fn decrypt(&self, password: &[u8]) -> Result<(PrivateKey, PrivateKeyForm), Error> {
        let (key, encryption) = super::encrypted_private_key::decrypt(&self.der, password)?;
        let structure = PrivateKeyStructure::EncryptedPkcs8(encryption);
        let encoding = self.encoding;
        Ok((
            key,
            PrivateKeyForm {
                structure,
                encoding,
            },
        ))
    }
}

#[cfg(all(feature = "pkcs8", feature = "encryption"))]
impl core::fmt::Debug for EncryptedPrivateKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EncryptedPrivateKey")
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}

/// Reads a public key in any of its forms, and says which form it was: PEM or DER, of a
/// SubjectPublicKeyInfo or a certificate; the 33, 64 or 65 bytes of a point; or what
/// `openssl pkey -text` prints. DER and points also as hexadecimal or Base64 (see
/// [`TextEncoding`]).
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
/// [`Error::UnexpectedPrivateKey`] and [`Error::UnexpectedEnvelopedKey`]; [`Error::Other`] for a
/// file of another kind; [`Error::NotAKey`] if no form fits; [`Error::FeatureNeeded`] if the
/// library was built without the feature that the form needs; and the errors of the form that was
/// found.
pub fn read_public_key(bytes: &[u8]) -> Result<(PublicKey, PublicKeyForm), Error> {
    let opened = open(bytes, KeyKind::Public)?;
    let bytes = opened.bytes.as_slice();
    let (key, structure) = match opened.structure {
        Structure::Spki => (from_spki_der(bytes)?, PublicKeyStructure::Spki),
        Structure::Certificate => (
            from_certificate_der(bytes)?,
            PublicKeyStructure::Certificate,
        ),
        Structure::OpensslText => (
            PublicKey::from_sec1_bytes(bytes)?,
            PublicKeyStructure::OpensslText,
        ),
        _ => point(bytes).unwrap_or_else(|| Err(opened.unexpected(KeyKind::Public)))?,
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
