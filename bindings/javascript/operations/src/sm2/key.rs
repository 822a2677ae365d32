//! Keys: made, read, written.

use kuaimi::encoding::{
    EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding, PasswordEncryption,
    read_private_key, read_public_key,
};
use kuaimi::external::subtle::ConstantTimeEq;
use kuaimi::sm2::{
    DEFAULT_ID, PrivateKey, PublicKey, RecoveryId, SigningKey, VerifyingKey, identity_digest,
};
use zeroize::Zeroizing;

use super::form::SignatureReading;
use super::{prehash, verifier};
use crate::object::{Handle, Object};
use crate::random::Random;
use crate::{Failure, Result};

fn private(key: PrivateKey) -> Object {
    SigningKey::new(key).into()
}

fn public(key: PublicKey) -> Object {
    VerifyingKey::new(key).into()
}

/// A new private key.
pub fn sm2_generate() -> Result<Object> {
    Ok(private(PrivateKey::generate_with_rng(&mut Random)?))
}

/// The private key with this number: 32 bytes, most significant first.
pub fn sm2_private_of_bytes(data: &[u8]) -> Result<Object> {
    Ok(private(PrivateKey::from_slice(data)?))
}

/// A private key in any form that files have.
pub fn sm2_private_load(data: &[u8], password: Option<&[u8]>) -> Result<Object> {
    Ok(private(read_private_key(data, password)?.0))
}

/// A private key as the number (0), in PKCS#8 as PEM (1) or DER (2), with a password or without, or
/// in SEC 1's form as PEM (3) or DER (4).
pub fn sm2_private_write(
    key: &Handle,
    form: u32,
    password: Option<&[u8]>,
) -> Result<Zeroizing<Vec<u8>>> {
    let key = key.sm2_private()?;
    let key = key.private_key();
    let unwritable = |_| Failure::argument("this key cannot be written");
    if let Some(password) = password {
        if password.is_empty() {
            return Err(Failure::argument("the password is empty"));
        }
        let how = PasswordEncryption::SHANGMI;
        return Ok(Zeroizing::new(match form {
            1 => key
                .to_encrypted_pkcs8_pem(password, how, &mut Random)?
                .into_bytes(),
            2 => key.to_encrypted_pkcs8_der(password, how, &mut Random)?,
            _ => return Err(Failure::argument("a key is encrypted in PKCS#8 alone")),
        }));
    }
    Ok(match form {
        0 => Zeroizing::new(key.to_bytes().to_vec()),
        1 => bytes(&key.to_pkcs8_pem(LineEnding::LF).map_err(unwritable)?),
        2 => Zeroizing::new(key.to_pkcs8_der().map_err(unwritable)?.as_bytes().to_vec()),
        3 | 4 => {
            let unwritable = |_| Failure::argument("this key cannot be written");
            if form == 3 {
                bytes(&key.to_sec1_pem(LineEnding::LF).map_err(unwritable)?)
            } else {
                Zeroizing::new(key.to_sec1_der().map_err(unwritable)?.as_bytes().to_vec())
            }
        }
        _ => return Err(Failure::argument("this is no form of a private key")),
    })
}

fn bytes(text: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(text.as_bytes().to_vec())
}

/// Whether two private keys are the same. Constant time.
pub fn sm2_private_equal(a: &Handle, b: &Handle) -> Result<bool> {
    let (a, b) = (a.sm2_private()?, b.sm2_private()?);
    Ok(a.private_key().ct_eq(b.private_key()).into())
}

/// The public key of a private key.
pub fn sm2_public_of_private(key: &Handle) -> Result<Object> {
    Ok(key.sm2_private()?.verifying_key().clone().into())
}

/// The public key of a point: 33, 64 or 65 bytes.
pub fn sm2_public_of_bytes(data: &[u8]) -> Result<Object> {
    Ok(public(match <&[u8; 64]>::try_from(data) {
        Ok(xy) => PublicKey::from_xy_bytes(xy)?,
        Err(_) => PublicKey::from_sec1_bytes(data)?,
    }))
}

/// A public key in any form that files have, that of a certificate among them.
pub fn sm2_public_load(data: &[u8]) -> Result<Object> {
    Ok(public(read_public_key(data)?.0))
}

/// A public key as a point of 65 bytes (0) or 33 (5), as SubjectPublicKeyInfo in PEM (1) or DER
/// (2).
pub fn sm2_public_write(key: &Handle, form: u32) -> Result<Vec<u8>> {
    let key = key.sm2_public()?;
    let key = key.public_key();
    let unwritable = |_| Failure::argument("this key cannot be written");
    Ok(match form {
        0 => key.to_sec1_bytes().to_vec(),
        1 => key
            .to_public_key_pem(LineEnding::LF)
            .map_err(unwritable)?
            .into_bytes(),
        2 => key.to_public_key_der().map_err(unwritable)?.into_vec(),
        5 => key.to_compressed_bytes().to_vec(),
        _ => return Err(Failure::argument("this is no form of a public key")),
    })
}

/// Makes the key's table now.
pub fn sm2_public_prepare(key: &Handle) -> Result<()> {
    key.sm2_public()?.prepare();
    Ok(())
}

/// `Z` (GB/T 32918.2-2016, 5.5).
pub fn sm2_identity_digest(key: &Handle, id: Option<&[u8]>) -> Result<[u8; 32]> {
    let key = key.sm2_public()?;
    Ok(identity_digest(id.unwrap_or(DEFAULT_ID), key.public_key())?)
}

/// A hash that has taken in `Z`.
pub fn sm2_message_hash(key: &Handle, id: Option<&[u8]>) -> Result<Object> {
    Ok(verifier(key, id)?.message_hash().into())
}

/// The public key of a signature over a digest.
pub fn sm2_recover(digest: &[u8], signature: &[u8], recovery_id: u32, form: u32) -> Result<Object> {
    let id = u8::try_from(recovery_id).unwrap_or(u8::MAX);
    let id = RecoveryId::try_from(id)?;
    let signature = SignatureReading::of(form)?.read(signature)?;
    Ok(public(PublicKey::recover(
        &prehash(digest)?,
        &signature,
        id,
    )?))
}

/// The key for the holder of another: an enveloped key (GB/T 35276-2017, 7.4).
pub fn sm2_envelope(key: &Handle, recipient: &Handle) -> Result<Vec<u8>> {
    let (key, recipient) = (key.sm2_private()?, recipient.sm2_public()?);
    let key = key.private_key();
    Ok(key.to_enveloped_key(recipient.public_key(), &mut Random)?)
}

/// The key in an enveloped key that was made for this one.
pub fn sm2_open_envelope(key: &Handle, envelope: &[u8]) -> Result<Object> {
    let key = key.sm2_private()?;
    Ok(private(key.private_key().open_enveloped_key(envelope)?))
}
