//! SM2 private keys in SEC 1's `ECPrivateKey` (RFC 5915) and in PKCS#8 (RFC 5208, RFC 5958), as
//! DER.

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Reader, SecretDocument, SliceReader, Tag, TagNumber};
use kuaimi_platform::declassify;
use pkcs8::{PrivateKeyInfo, PrivateKeyInfoRef};
use sec1::EcPrivateKey;
use spki::AlgorithmIdentifier;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::key_file::number;
use super::public_key::{check_algorithm, check_curve, whole_bytes};
use super::{Error, oid};
use crate::sm2::{PrivateKey, PublicKey};

/// From `SEQUENCE { version INTEGER (1), privateKey OCTET STRING, [0] ECParameters OPTIONAL, [1]
/// BIT STRING OPTIONAL }`.
///
/// The `sec1` crate's type reads named curves only. Here a curve that is given in another way is an
/// error of its own.
pub(super) fn from_sec1_der(bytes: &[u8]) -> Result<PrivateKey, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let key = reader.sequence(|fields| -> Result<_, Error> {
        if fields.decode::<u8>()? != 1 {
            return Err(Error::Der(Tag::Integer.value_error().into()));
        }
        let key = secret_key(fields.decode::<&OctetStringRef>()?.as_bytes())?;
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

/// The number in `privateKey`. RFC 5915 asks for 32 bytes; tjfoc/gmsm omits leading zeros, and one
/// key in 256 has one.
fn secret_key(bytes: &[u8]) -> Result<PrivateKey, Error> {
    let mut padded = Zeroizing::new([0; 32]);
    match 32_usize.checked_sub(bytes.len()) {
        Some(zeros @ 1..32) => {
            padded[zeros..].copy_from_slice(bytes);
            Ok(PrivateKey::from_slice(&padded[..])?)
        }
        _ => from_number(bytes),
    }
}

/// The number alone: see [`number`].
pub(super) fn from_number(bytes: &[u8]) -> Result<PrivateKey, Error> {
    Ok(PrivateKey::from_slice(number(bytes).unwrap_or(bytes))?)
}

/// The element in an optional field with an explicit context-specific tag.
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

fn check_public_key(key: &PrivateKey, public: &BitStringRef<'_>) -> Result<(), Error> {
    let public = PublicKey::from_sec1_bytes(whole_bytes(public)?)?;
    let same = public.to_xy_bytes().ct_eq(&key.public_key().to_xy_bytes());
    // Whether a file is consistent shows; its public key does anyway.
    if declassify(same) {
        Ok(())
    } else {
        Err(Error::PublicKeyMismatch)
    }
}

/// From a `PrivateKeyInfo` of PKCS#8, version 1 or 2. Attributes are ignored.
pub(super) fn from_pkcs8_der(bytes: &[u8]) -> Result<PrivateKey, Error> {
    let info = PrivateKeyInfoRef::from_der(bytes)?;
    check_algorithm(&info.algorithm)?;
    let key = from_sec1_der(info.private_key.as_bytes())?;
    if let Some(public) = &info.public_key {
        check_public_key(&key, public)?;
    }
    Ok(key)
}

/// Whether an `ECPrivateKey` names the curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CurveName {
    Written,
    Omitted,
}

/// For `make constant-time`: what is around the number in a decrypted `PrivateKeyInfo` shows when
/// it is read. All but the number is declared public.
#[cfg(feature = "memcheck")]
pub(super) fn declassify_structure(info: &mut [u8]) {
    use kuaimi_platform::memcheck::declassify;
    let mut copy = Zeroizing::new(info.to_vec());
    declassify(&mut copy);
    let place = PrivateKeyInfoRef::from_der(&copy)
        .and_then(|info| EcPrivateKey::from_der(info.private_key.as_bytes()))
        .map(|key| key.private_key.as_ptr_range());
    if let Ok(number) = place {
        let place = |end: *const u8| end.addr() - copy.as_ptr().addr();
        declassify(&mut info[..place(number.start)]);
        declassify(&mut info[place(number.end)..]);
    }
}

/// An `ECPrivateKey` with its public key.
pub(super) fn to_sec1_der(key: &PrivateKey, curve: CurveName) -> der::Result<SecretDocument> {
    SecretDocument::encode_msg(&EcPrivateKey {
        private_key: key.to_bytes().as_ref(),
        parameters: (curve == CurveName::Written).then_some(oid::SM2.into()),
        public_key: Some(&key.public_key().to_sec1_bytes()),
    })
}

/// A `PrivateKeyInfo` whose algorithm has the curve's name as its parameters. With `AnyRef` in its
/// place the encoder would look at a tag in memory, of which some bytes are not initialised and may
/// be what is left of a secret.
type NamedCurveKeyInfo<'a> = PrivateKeyInfo<ObjectIdentifier, &'a OctetStringRef, BitStringRef<'a>>;

/// A `PrivateKeyInfo`. The curve is named once, in the algorithm, as OpenSSL does it.
pub(super) fn to_pkcs8_der(key: &PrivateKey) -> der::Result<SecretDocument> {
    let inner = to_sec1_der(key, CurveName::Omitted)?;
    SecretDocument::encode_msg(&NamedCurveKeyInfo::new(
        AlgorithmIdentifier {
            oid: oid::EC_PUBLIC_KEY,
            parameters: Some(oid::SM2),
        },
        OctetStringRef::new(inner.as_bytes())?,
    ))
}
