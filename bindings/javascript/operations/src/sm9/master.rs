//! Master keys: those of the key generation centre, and what everybody knows of them.

use kuaimi::encoding::Error;
use kuaimi::encoding::sm9::{self, read_key};
use kuaimi::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};

use super::{ENCRYPTION, SIGNATURES, no_purpose};
use crate::object::Object;
use crate::random::Random;
use crate::{Failure, Result};

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

/// A master key in any form that files have.
pub fn sm9_master_load(purpose: u32, data: &[u8], password: Option<&[u8]>) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => loaded(data, password, MasterSigningKey::from_der)?.into(),
        ENCRYPTION => loaded(data, password, MasterEncryptionKey::from_der)?.into(),
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

/// A master public key in any form that files have.
pub fn sm9_master_public_load(purpose: u32, data: &[u8]) -> Result<Object> {
    Ok(match purpose {
        SIGNATURES => loaded(data, None, MasterSigningPublicKey::from_der)?.into(),
        ENCRYPTION => loaded(data, None, MasterEncryptionPublicKey::from_der)?.into(),
        _ => return Err(no_purpose()),
    })
}

/// A key in a file, or in the DER of GB/T 41389-2022 alone, which does not say whose it is:
/// `from_der` knows what is wanted.
fn loaded<K: TryFrom<sm9::Key, Error = Error>>(
    data: &[u8],
    password: Option<&[u8]>,
    from_der: impl FnOnce(&[u8]) -> core::result::Result<K, Error>,
) -> Result<K> {
    match read_key(data, password) {
        Ok((key, _)) => Ok(key.try_into()?),
        Err(why) => from_der(data).map_err(|error| why_not(why, error)),
    }
}

/// Why a key could not be read: by what is wrong with the key, where it was DER alone, and else by
/// what is wrong with the file.
pub(super) fn why_not(file: Error, der: Error) -> Failure {
    match der {
        Error::Sm9(_) => der.into(),
        _ => file.into(),
    }
}
