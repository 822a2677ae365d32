//! Private keys as SEC 1 `ECPrivateKey` (RFC 5915) and PKCS#8 (RFC 5208, RFC 5958).

use der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use der::{Reader, SecretDocument, SliceReader, Tag, TagNumber};
use pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyInfoRef};
use sec1::{DecodeEcPrivateKey, EcPrivateKey, EncodeEcPrivateKey};
use spki::{AlgorithmIdentifier, AlgorithmIdentifierRef, SignatureAlgorithmIdentifier};

use super::public_key::{check_algorithm, check_curve, whole_bytes};
use super::{Armor, Error, PrivateKeyForm, PrivateKeyStructure, oid, read_private_key};
use crate::sm2::{PublicKey, SecretKey, SigningKey, VerifyingKey};

/// From the DER of an `ECPrivateKey`:
/// `SEQUENCE { version INTEGER (1), privateKey OCTET STRING, [0] ECParameters OPTIONAL, [1] BIT STRING OPTIONAL }`.
///
/// The type of the `sec1` crate reads named curves only; here another way to give the curve has an error of its own.
pub(super) fn from_sec1_der(bytes: &[u8]) -> Result<SecretKey, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let key = reader.sequence(|fields| -> Result<_, Error> {
        if fields.decode::<u8>()? != 1 {
            return Err(Error::Der(Tag::Integer.value_error().into()));
        }
        let key = SecretKey::from_slice(fields.decode::<&OctetStringRef>()?.as_bytes())?;
        if let Some(parameters) = explicit(fields, 0)? {
            check_curve(parameters)?;
        }
        if let Some(public) = explicit(fields, 1)? {
            check_public_key(&key, &public.decode_as()?)?;
        }
        Ok(key)
    })?;
    reader.finish()?;
    Ok(key)
}

/// The element in an optional context-specific field.
fn explicit<'a>(reader: &mut SliceReader<'a>, number: u32) -> Result<Option<AnyRef<'a>>, Error> {
    let tag = Tag::ContextSpecific {
        constructed: true,
        number: TagNumber(number),
    };
    if reader.is_finished() || Tag::peek(reader)? != tag {
        return Ok(None);
    }
    let field: AnyRef<'a> = reader.decode()?;
    let mut inner = SliceReader::new(field.value())?;
    let element = inner.decode()?;
    inner.finish()?;
    Ok(Some(element))
}

fn check_public_key(key: &SecretKey, public: &BitStringRef<'_>) -> Result<(), Error> {
    if PublicKey::from_sec1_bytes(whole_bytes(public)?)? == *key.public_key() {
        Ok(())
    } else {
        Err(Error::PublicKeyMismatch)
    }
}

pub(super) fn from_pkcs8(info: &PrivateKeyInfoRef<'_>) -> Result<SecretKey, Error> {
    check_algorithm(&info.algorithm)?;
    let key = from_sec1_der(info.private_key.as_bytes())?;
    if let Some(public) = &info.public_key {
        check_public_key(&key, public)?;
    }
    Ok(key)
}

/// From the DER of a `PrivateKeyInfo` (PKCS#8, versions 1 and 2; attributes are not looked at).
pub(super) fn from_pkcs8_der(bytes: &[u8]) -> Result<SecretKey, Error> {
    from_pkcs8(&parse_pkcs8(bytes)?)
}

/// The structure alone, whatever the key in it.
pub(super) fn parse_pkcs8(bytes: &[u8]) -> Result<PrivateKeyInfoRef<'_>, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let info = reader.decode()?;
    reader.finish()?;
    Ok(info)
}

/// An `ECPrivateKey` with its public key.
fn to_sec1_der(key: &SecretKey, parameters: bool) -> der::Result<SecretDocument> {
    SecretDocument::encode_msg(&EcPrivateKey {
        private_key: key.to_bytes().as_ref(),
        parameters: parameters.then_some(oid::SM2.into()),
        public_key: Some(&key.public_key().to_sec1_bytes()),
    })
}

/// A `PrivateKeyInfo`, in which the curve is named once, as OpenSSL writes it.
pub(super) fn to_pkcs8_der(key: &SecretKey) -> der::Result<SecretDocument> {
    let inner = to_sec1_der(key, false)?;
    SecretDocument::encode_msg(&PrivateKeyInfoRef::new(
        AlgorithmIdentifierRef {
            oid: oid::EC_PUBLIC_KEY,
            parameters: Some(AnyRef::from(&oid::SM2)),
        },
        OctetStringRef::new(inner.as_bytes())?,
    ))
}

/// From PEM that must be of the structure `accept` says.
fn read_pem(
    text: &str,
    password: Option<&[u8]>,
    accept: fn(PrivateKeyStructure) -> bool,
) -> Result<SecretKey, Error> {
    let (key, PrivateKeyForm { structure, armor }) = read_private_key(text.as_bytes(), password)?;
    if armor == Armor::Pem && accept(structure) {
        Ok(key)
    } else {
        Err(Error::NotAKey)
    }
}

impl DecodePrivateKey for SecretKey {
    fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
        Ok(from_pkcs8_der(bytes)?)
    }

    fn from_pkcs8_encrypted_der(bytes: &[u8], password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        Ok(super::pbes2::decrypt_key(bytes, password.as_ref())?.0)
    }

    fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
        Ok(read_pem(text, None, |structure| {
            structure == PrivateKeyStructure::Pkcs8
        })?)
    }

    fn from_pkcs8_encrypted_pem(text: &str, password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        Ok(read_pem(text, Some(password.as_ref()), |structure| {
            matches!(structure, PrivateKeyStructure::EncryptedPkcs8(_))
        })?)
    }
}

impl EncodePrivateKey for SecretKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        Ok(to_pkcs8_der(self)?)
    }
}

impl DecodeEcPrivateKey for SecretKey {
    fn from_sec1_der(bytes: &[u8]) -> sec1::Result<Self> {
        Ok(from_sec1_der(bytes)?)
    }

    /// Also from text in which a block of parameters precedes the key's, as `openssl ec` writes it.
    fn from_sec1_pem(text: &str) -> sec1::Result<Self> {
        Ok(read_pem(text, None, |structure| {
            structure == PrivateKeyStructure::Sec1
        })?)
    }
}

impl EncodeEcPrivateKey for SecretKey {
    /// With the curve's name and the public key.
    fn to_sec1_der(&self) -> sec1::Result<SecretDocument> {
        Ok(to_sec1_der(self, true)?)
    }
}

/// With the default identity.
impl DecodePrivateKey for SigningKey {
    fn from_pkcs8_der(bytes: &[u8]) -> pkcs8::Result<Self> {
        SecretKey::from_pkcs8_der(bytes).map(Self::new)
    }

    fn from_pkcs8_encrypted_der(bytes: &[u8], password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        SecretKey::from_pkcs8_encrypted_der(bytes, password).map(Self::new)
    }

    fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
        SecretKey::from_pkcs8_pem(text).map(Self::new)
    }

    fn from_pkcs8_encrypted_pem(text: &str, password: impl AsRef<[u8]>) -> pkcs8::Result<Self> {
        SecretKey::from_pkcs8_encrypted_pem(text, password).map(Self::new)
    }
}

/// SM2 with SM3 (GM/T 0006-2012), without parameters.
const SIGNATURE_ALGORITHM: AlgorithmIdentifier<AnyRef<'static>> = AlgorithmIdentifier {
    oid: oid::SM2_WITH_SM3,
    parameters: None,
};

impl SignatureAlgorithmIdentifier for SigningKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = SIGNATURE_ALGORITHM;
}

impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = SIGNATURE_ALGORITHM;
}
