//! Keys in their wrappers: PKCS#8 (RFC 5208), encrypted PKCS#8, SubjectPublicKeyInfo, and GmSSL's
//! own form of master public keys.
//!
//! PKCS#8 holds `SEQUENCE { INTEGER, BIT STRING }` for a master key and
//! `SEQUENCE { BIT STRING, BIT STRING }` for a user's, the second element being the master public
//! key; some write the first element alone.

use alloc::string::String;
use alloc::vec::Vec;

use der::Decode as _;
use der::asn1::{AnyRef, ObjectIdentifier};
use der::pem::LineEnding;
use pkcs8::{
    DecodePrivateKey, Document, EncodePrivateKey, EncodePublicKey, PrivateKeyInfoRef,
    SecretDocument,
};
use rand_core::TryCryptoRng;
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

use super::plain::{bit_string_of, integer_in, integer_of};
use super::{
    Key, KeyKind, Parts, UnboundDecryptionKey, UnboundSigningKey, bit_string, to_bit_string,
};
use crate::encoding::public_key::whole_bytes;
use crate::encoding::tlv::{
    OBJECT_IDENTIFIER, OCTET_STRING, Reader, Rules, SEQUENCE, element, integer,
};
use crate::encoding::{Error, PasswordEncryption, oid, pbes2};
use crate::sm9::{
    DecryptionKey, ExchangeKey, MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey,
    MasterSigningPublicKey, SigningKey,
};

/// What an algorithm identifier says that the key is: a master key, or a user's; for signatures, or
/// for encryption.
fn purpose(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(bool, bool), Error> {
    let for_signatures = |oid: ObjectIdentifier| match oid {
        oid::SM9_SIGN => Ok(true),
        // GmSSL has keys for exchange under encryption; the standard's own identifier is met as
        // well.
        oid::SM9_ENCRYPT | oid::SM9_EXCHANGE => Ok(false),
        other => Err(Error::NotSm9Algorithm(other)),
    };
    if algorithm.oid == oid::SM9 {
        let parameters = algorithm.parameters.ok_or(Error::ParametersMissing)?;
        return Ok((true, for_signatures(parameters.decode_as()?)?));
    }
    let purpose = for_signatures(algorithm.oid)?;
    if algorithm
        .parameters
        .is_some_and(|parameters: AnyRef<'_>| !parameters.is_null())
    {
        return Err(Error::Der(der::Tag::Null.value_error().into()));
    }
    Ok((false, purpose))
}

/// The key in a PKCS#8.
fn from_pkcs8_der(bytes: &[u8]) -> Result<Key, Error> {
    parts_of_pkcs8(bytes)?.key()
}

/// What a PKCS#8 holds.
pub(super) fn parts_of_pkcs8(bytes: &[u8]) -> Result<Parts, Error> {
    let info = PrivateKeyInfoRef::from_der(bytes)?;
    let (is_master, for_signatures) = purpose(&info.algorithm)?;
    let inner = info.private_key.as_bytes();
    if is_master {
        let (number, public) = master_parts(inner)?;
        let kind = match for_signatures {
            true => KeyKind::MasterSigning,
            false => KeyKind::MasterEncryption,
        };
        return Ok(Parts::new(kind, &number[..], public));
    }
    let (point, public) = user_parts(inner)?;
    let public = public.ok_or(Error::MasterPublicKeyMissing)?;
    let kind = match for_signatures {
        true => KeyKind::UserSigning,
        false => KeyKind::UserDecryption,
    };
    Ok(Parts::new(kind, point, Some(public)))
}

/// A reader of what is in `bytes`, or in the sequence that they are.
fn inside(bytes: &[u8]) -> Result<Reader<'_>, Error> {
    if bytes.first() != Some(&SEQUENCE) {
        return Ok(Reader::new(bytes, Rules::Strict));
    }
    let mut outer = Reader::new(bytes, Rules::Strict);
    let body = outer.value(SEQUENCE)?;
    outer.finish()?;
    Ok(Reader::new(body, Rules::Strict))
}

/// A master key's number, and the point that may follow it.
type MasterParts<'a> = (Zeroizing<[u8; 32]>, Option<&'a [u8]>);

fn master_parts(bytes: &[u8]) -> Result<MasterParts<'_>, Error> {
    let mut reader = inside(bytes)?;
    let number = integer_in(&mut reader)?;
    Ok((number, last_point(reader)?))
}

/// A point, and the point that may follow it.
fn user_parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Error> {
    let mut reader = inside(bytes)?;
    let point = bit_string(&mut reader)?;
    Ok((point, last_point(reader)?))
}

fn last_point(mut reader: Reader<'_>) -> Result<Option<&[u8]>, Error> {
    if reader.remaining() == 0 {
        return Ok(None);
    }
    let point = bit_string(&mut reader)?;
    reader.finish()?;
    Ok(Some(point))
}

/// What a SubjectPublicKeyInfo holds.
pub(super) fn parts_of_spki(bytes: &[u8]) -> Result<Parts, Error> {
    use der::{Reader as _, SliceReader};
    let mut reader = SliceReader::new(bytes)?;
    let info: SubjectPublicKeyInfoRef<'_> = reader.decode()?;
    reader.finish()?;
    public_parts(&info)
}

fn public_parts(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Parts, Error> {
    let (_, for_signatures) = purpose(&info.algorithm)?;
    let point = whole_bytes(&info.subject_public_key)?;
    Ok(public_key(point, for_signatures))
}

fn public_key(point: &[u8], for_signatures: bool) -> Parts {
    let kind = match for_signatures {
        true => KeyKind::MasterSigningPublic,
        false => KeyKind::MasterEncryptionPublic,
    };
    Parts::new(kind, point, None)
}

/// What GmSSL's form holds, `SEQUENCE { BIT STRING }`, or the `BIT STRING` alone, under a label
/// that says what it is.
pub(super) fn parts_of_gmssl(bytes: &[u8], for_signatures: bool) -> Result<Parts, Error> {
    let mut reader = inside(bytes)?;
    let point = bit_string(&mut reader)?;
    reader.finish()?;
    Ok(public_key(point, for_signatures))
}

/// `SEQUENCE { algorithm OBJECT IDENTIFIER, parameters }`.
pub(super) fn algorithm_of(kind: KeyKind) -> Vec<u8> {
    let (algorithm, parameter) = kind.algorithm();
    // A user's key has no parameters here: gmsm writes NULL, and reads both; GmSSL writes and reads
    // none.
    let parameter = match parameter {
        Some(parameter) => element(OBJECT_IDENTIFIER, &[parameter.as_bytes()]),
        None => Vec::new(),
    };
    let algorithm = element(OBJECT_IDENTIFIER, &[algorithm.as_bytes()]);
    element(SEQUENCE, &[&algorithm, &parameter])
}

/// A PKCS#8 around a key's two elements.
pub(super) fn to_pkcs8(kind: KeyKind, key: &[u8], public: &[u8]) -> Zeroizing<Vec<u8>> {
    let pair = Zeroizing::new(element(SEQUENCE, &[key, public]));
    let pair = Zeroizing::new(element(OCTET_STRING, &[&pair]));
    Zeroizing::new(element(
        SEQUENCE,
        &[&integer(0), &algorithm_of(kind), &pair],
    ))
}

macro_rules! private {
    ($key:ident, $kind:expr, $alice:literal, |$this:ident| $inner:expr, $public:expr) => {
        impl EncodePrivateKey for $key {
            /// As GmSSL and `emmansun/gmsm` read it.
            fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
                let $this = self;
                let der = to_pkcs8($kind, &$inner, &$public.to_der());
                Ok(SecretDocument::try_from(&der[..])?)
            }
        }

        impl $key {
            /// The DER of an encrypted PKCS#8 under `password`; salt and initialization vector come
            /// from `rng`. GmSSL reads [`PasswordEncryption::SHANGMI`].
            ///
            /// # Errors
            /// [`Error::Random`] if the generator fails; [`Error::IterationCount`] and
            /// [`Error::ScryptCost`] for parameters that a reader would refuse.
            ///
            /// ```
            /// # use kuaimi::encoding::{PasswordEncryption, sm9::read_key};
            /// # use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};
            #[doc = concat!("# let key = ", $alice, ";")]
            /// let (rng, encryption) = (&mut getrandom::SysRng, PasswordEncryption::SHANGMI);
            /// let der = key.to_encrypted_pkcs8_der(b"password", encryption, rng)?;
            /// let (again, _) = read_key(&der, Some(b"password"))?;
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn to_encrypted_pkcs8_der<R: TryCryptoRng + ?Sized>(
                &self,
                password: &[u8],
                encryption: PasswordEncryption,
                rng: &mut R,
            ) -> Result<Vec<u8>, Error> {
                let $this = self;
                let der = to_pkcs8($kind, &$inner, &$public.to_der());
                pbes2::encrypt(&der, password, encryption, rng)
            }

            /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der), in PEM.
            ///
            /// # Errors
            /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der).
            ///
            /// ```
            /// # use kuaimi::encoding::{PasswordEncryption, sm9::read_key};
            /// # use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};
            #[doc = concat!("# let key = ", $alice, ";")]
            /// let (rng, encryption) = (&mut getrandom::SysRng, PasswordEncryption::SHANGMI);
            /// let pem = key.to_encrypted_pkcs8_pem(b"password", encryption, rng)?;
            /// let (again, _) = read_key(pem.as_bytes(), Some(b"password"))?;
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn to_encrypted_pkcs8_pem<R: TryCryptoRng + ?Sized>(
                &self,
                password: &[u8],
                encryption: PasswordEncryption,
                rng: &mut R,
            ) -> Result<String, Error> {
                let der = self.to_encrypted_pkcs8_der(password, encryption, rng)?;
                let text = der::pem::encode_string("ENCRYPTED PRIVATE KEY", LineEnding::LF, &der);
                Ok(text.map_err(der::Error::from)?)
            }
        }
    };
}

private!(
    MasterSigningKey,
    KeyKind::MasterSigning,
    "MasterSigningKey::from_bytes(&[7; 32])?",
    |key| integer_of(&key.to_bytes()),
    key.public_key()
);
private!(
    MasterEncryptionKey,
    KeyKind::MasterEncryption,
    "MasterEncryptionKey::from_bytes(&[7; 32])?",
    |key| integer_of(&key.to_bytes()),
    key.public_key()
);
private!(
    SigningKey,
    KeyKind::UserSigning,
    "MasterSigningKey::from_bytes(&[7; 32])?.extract(\"alice\")?",
    |key| bit_string_of(key.to_bytes().as_ref()),
    key.master_public_key()
);
private!(
    DecryptionKey,
    KeyKind::UserDecryption,
    "MasterEncryptionKey::from_bytes(&[7; 32])?.extract(\"alice\")?",
    |key| bit_string_of(key.to_bytes().as_ref()),
    key.master_public_key()
);
private!(
    ExchangeKey,
    KeyKind::UserDecryption,
    "MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange(\"alice\")?",
    |key| bit_string_of(key.to_bytes().as_ref()),
    key.master_public_key()
);
private!(
    UnboundSigningKey,
    KeyKind::UserSigning,
    "kuaimi::encoding::sm9::UnboundSigningKey::try_from(read_key(kuaimi::encoding::EncodePrivateKey::to_pkcs8_der(&MasterSigningKey::from_bytes(&[7; 32])?.extract(\"alice\")?)?.as_bytes(), None)?.0)?",
    |key| bit_string_of(key.to_bytes().as_ref()),
    key.master_public_key()
);
private!(
    UnboundDecryptionKey,
    KeyKind::UserDecryption,
    "kuaimi::encoding::sm9::UnboundDecryptionKey::try_from(read_key(kuaimi::encoding::EncodePrivateKey::to_pkcs8_der(&MasterEncryptionKey::from_bytes(&[7; 32])?.extract(\"alice\")?)?.as_bytes(), None)?.0)?",
    |key| bit_string_of(key.to_bytes().as_ref()),
    key.master_public_key()
);

macro_rules! decode_private {
    ($($key:ident),*) => {$(
        impl DecodePrivateKey for $key {
            fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
                Ok(from_pkcs8_der(bytes)?.try_into()?)
            }

            fn from_pkcs8_encrypted_der(
                bytes: &[u8],
                password: impl AsRef<[u8]>,
            ) -> pkcs8::Result<Self> {
                let (info, _) = pbes2::decrypt(bytes, password.as_ref())?;
                Self::from_pkcs8_der(&info)
            }
        }
    )*};
}

decode_private!(
    MasterSigningKey,
    MasterEncryptionKey,
    UnboundSigningKey,
    UnboundDecryptionKey
);

macro_rules! public {
    ($key:ident, $kind:expr, $label:literal, $master:literal) => {
        /// By this, it has [`DecodePublicKey`](crate::encoding::DecodePublicKey).
        impl TryFrom<SubjectPublicKeyInfoRef<'_>> for $key {
            type Error = spki::Error;

            fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
                Ok(public_parts(&info)?.key()?.try_into()?)
            }
        }

        impl EncodePublicKey for $key {
            /// With the point uncompressed.
            fn to_public_key_der(&self) -> spki::Result<Document> {
                let point = to_bit_string(&self.to_sec1_bytes());
                let der = element(SEQUENCE, &[&algorithm_of($kind), &point]);
                Ok(Document::try_from(&der[..])?)
            }
        }

        impl $key {
            /// In PEM, in the form and under the label that GmSSL and `emmansun/gmsm` read: no
            /// algorithm is named in it.
            ///
            /// # Errors
            /// [`Error::Der`], which does not occur.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::", $master, ";")]
            #[doc = concat!("# let public = ", $master, "::from_bytes(&[7; 32])?.public_key().clone();")]
            #[doc = concat!("assert!(public.to_gmssl_pem()?.starts_with(\"-----BEGIN ", $label, "-----\"));")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn to_gmssl_pem(&self) -> Result<String, Error> {
                let point = to_bit_string(&self.to_sec1_bytes());
                let der = element(SEQUENCE, &[&point]);
                let text = der::pem::encode_string($label, LineEnding::LF, &der);
                Ok(text.map_err(der::Error::from)?)
            }
        }
    };
}

public!(
    MasterSigningPublicKey,
    KeyKind::MasterSigningPublic,
    "SM9 SIGN MASTER PUBLIC KEY",
    "MasterSigningKey"
);
public!(
    MasterEncryptionPublicKey,
    KeyKind::MasterEncryptionPublic,
    "SM9 ENC MASTER PUBLIC KEY",
    "MasterEncryptionKey"
);
