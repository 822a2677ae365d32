//! Keys: made, from bytes, to bytes.

use alloc::vec::Vec;

use kuaimi::external::subtle::ConstantTimeEq;
use kuaimi::sm2::{
    DEFAULT_ID, PrivateKey, PublicKey, RecoveryId, SigningKey, VerifyingKey, identity_digest,
};
use zeroize::Zeroizing;

use super::{prehash, verifier};
use crate::Result;
use crate::object::{Handle, Object};
use crate::random::Random;
use crate::signature_form::SignatureReading;

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

/// The number of a private key.
pub fn sm2_private_to_bytes(key: &Handle) -> Result<Zeroizing<[u8; 32]>> {
    Ok(key.sm2_private()?.private_key().to_bytes())
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

/// A public key as a point of 65 bytes (0) or 33 (1).
pub fn sm2_public_to_bytes(key: &Handle, compressed: u32) -> Result<Vec<u8>> {
    let key = key.sm2_public()?;
    let key = key.public_key();
    Ok(match compressed {
        0 => key.to_sec1_bytes().to_vec(),
        _ => key.to_compressed_bytes().to_vec(),
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
