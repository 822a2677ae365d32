//! Master keys: those of the key generation centre, and what everybody knows of them.

use kuaimi::encoding::Error;
use kuaimi::encoding::sm9::{Key, Parts};
use kuaimi::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};

use super::{ENCRYPTION, SIGNATURES, no_purpose};
use crate::Result;
use crate::object::Object;
use crate::random::Random;

/// A new master key.
pub fn sm9_master_generate(purpose: u32) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => MasterSigningKey::generate_with_rng(&mut Random)?.into(),
        ENCRYPTION => MasterEncryptionKey::generate_with_rng(&mut Random)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// The master key with this number: 32 bytes, most significant first.
pub fn sm9_master_of_bytes(purpose: u32, data: &[u8]) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => MasterSigningKey::from_slice(data)?.into(),
        ENCRYPTION => MasterEncryptionKey::from_slice(data)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// A master key from what its file holds.
pub fn sm9_master_of_parts(purpose: u32, parts: &[u8]) -> Result<Object> {
    let key = key_of(parts)?;
    Ok(match purpose {
        SIGNATURES => MasterSigningKey::try_from(key)?.into(),
        ENCRYPTION => MasterEncryptionKey::try_from(key)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// A master key in the DER of GB/T 41389-2022 alone, which does not say whose it is.
pub fn sm9_master_of_der(purpose: u32, data: &[u8]) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => of_der(MasterSigningKey::from_der(data))?.into(),
        ENCRYPTION => of_der(MasterEncryptionKey::from_der(data))?.into(),
        _ => return Err(no_purpose()),
    })
}

/// The master public key of a point: `x ‖ y`, after the byte 04 or without it, or compressed.
pub fn sm9_master_public_of_bytes(purpose: u32, data: &[u8]) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => MasterSigningPublicKey::from_slice(data)?.into(),
        ENCRYPTION => MasterEncryptionPublicKey::from_slice(data)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// A master public key from what its file holds.
pub fn sm9_master_public_of_parts(purpose: u32, parts: &[u8]) -> Result<Object> {
    let key = key_of(parts)?;
    Ok(match purpose {
        SIGNATURES => MasterSigningPublicKey::try_from(key)?.into(),
        ENCRYPTION => MasterEncryptionPublicKey::try_from(key)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// A master public key in the DER of GB/T 41389-2022 alone.
pub fn sm9_master_public_of_der(purpose: u32, data: &[u8]) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => of_der(MasterSigningPublicKey::from_der(data))?.into(),
        ENCRYPTION => of_der(MasterEncryptionPublicKey::from_der(data))?.into(),
        _ => return Err(no_purpose()),
    })
}

/// The key that has these parts.
#[inline(never)]
pub(super) fn key_of(parts: &[u8]) -> Result<Key> {
    let parts = Parts::from_bytes(parts).ok_or_else(no_purpose)?;
    Ok(parts.key()?)
}

/// A key from DER alone. What is wrong with the DER is not said, as it may be a file of which more
/// is known.
pub(super) fn of_der<K>(read: core::result::Result<K, Error>) -> Result<K> {
    read.map_err(|error| match error {
        Error::Sm9(_) => error.into(),
        _ => Error::NotAnSm9Key.into(),
    })
}
