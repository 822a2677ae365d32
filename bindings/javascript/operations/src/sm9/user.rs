//! Users' keys: an identity under a master key.

use alloc::vec::Vec;

use kuaimi::encoding::sm9::{UnboundDecryptionKey, UnboundSigningKey};
use kuaimi::sm9::{
    DecryptionKey, Error, ExchangeKey, MasterEncryptionPublicKey, MasterSigningPublicKey,
    SigningKey,
};

use super::master::{key_of, of_der};
use super::{ENCRYPTION, EXCHANGE, Key, SIGNATURES, identity, no_purpose};
use crate::Result;
use crate::object::{Handle, Object, other};

/// The key of a user, by the master key (GB/T 38635.2-2020, clauses 6.1 and 7.1).
pub fn sm9_extract(master: &Handle, purpose: u32, id: &[u8], hid: u32) -> Result<Object> {
    let identity = identity(id, hid)?;
    Ok(match (purpose, master.sm9()?) {
        (SIGNATURES, Key::MasterSigning(master)) => master.extract(identity)?.into(),
        (ENCRYPTION, Key::MasterEncryption(master)) => master.extract(identity)?.into(),
        (EXCHANGE, Key::MasterEncryption(master)) => master.extract_exchange(identity)?.into(),
        _ => return Err(other()),
    })
}

/// The key of a user from its point, of which it is checked that it is that user's.
pub fn sm9_user_of_bytes(
    purpose: u32,
    data: &[u8],
    id: &[u8],
    hid: u32,
    master: &Handle,
) -> Result<Object> {
    let identity = identity(id, hid)?;
    Ok(match (purpose, master.sm9()?) {
        (SIGNATURES, Key::MasterSigningPublic(master)) => {
            SigningKey::from_slice(data, identity, &master)?.into()
        }
        (ENCRYPTION, Key::MasterEncryptionPublic(master)) => {
            DecryptionKey::from_slice(data, identity, &master)?.into()
        }
        (EXCHANGE, Key::MasterEncryptionPublic(master)) => {
            ExchangeKey::from_slice(data, identity, &master)?.into()
        }
        _ => return Err(other()),
    })
}

/// The key of a user from what its file holds. That has its own master public key: if there is
/// another one, the key is not the one that is asked for.
pub fn sm9_user_of_parts(
    purpose: u32,
    parts: &[u8],
    id: &[u8],
    hid: u32,
    master: Option<&[u8]>,
) -> Result<Object> {
    let (key, identity) = (key_of(parts)?, identity(id, hid)?);
    macro_rules! of_parts {
        ($unbound:ident, $bind:ident, $master:ident) => {{
            let key = $unbound::try_from(key)?.$bind(identity)?;
            let master = master.map($master::from_slice).transpose()?;
            if master.is_some_and(|master| master != *key.master_public_key()) {
                return Err(Error::UserKeyMismatch.into());
            }
            key.into()
        }};
    }
    Ok(match purpose {
        SIGNATURES => of_parts!(UnboundSigningKey, signing_key, MasterSigningPublicKey),
        ENCRYPTION => of_parts!(
            UnboundDecryptionKey,
            decryption_key,
            MasterEncryptionPublicKey
        ),
        EXCHANGE => of_parts!(
            UnboundDecryptionKey,
            exchange_key,
            MasterEncryptionPublicKey
        ),
        _ => return Err(no_purpose()),
    })
}

/// The key of a user in the DER of GB/T 41389-2022 alone, under the master public key of these
/// bytes.
pub fn sm9_user_of_der(
    purpose: u32,
    data: &[u8],
    id: &[u8],
    hid: u32,
    master: &[u8],
) -> Result<Object> {
    let identity = identity(id, hid)?;
    macro_rules! load {
        ($key:ident, $master:ident) => {
            of_der($key::from_der(
                data,
                identity,
                &$master::from_slice(master)?,
            ))?
            .into()
        };
    }
    Ok(match purpose {
        SIGNATURES => load!(SigningKey, MasterSigningPublicKey),
        ENCRYPTION => load!(DecryptionKey, MasterEncryptionPublicKey),
        EXCHANGE => load!(ExchangeKey, MasterEncryptionPublicKey),
        _ => return Err(no_purpose()),
    })
}

/// What verifies a user's signatures, or encrypts for a user, by the master public key.
pub fn sm9_user_public(master: &Handle, id: &[u8], hid: u32) -> Result<Object> {
    let identity = identity(id, hid)?;
    Ok(match master.sm9()? {
        Key::MasterSigningPublic(master) => master.verifying_key(identity)?.into(),
        Key::MasterEncryptionPublic(master) => master.encryption_key(identity)?.into(),
        _ => return Err(other()),
    })
}

macro_rules! of_users {
    ($(#[$doc:meta] $name:ident: $result:ty = |$key:ident| $value:expr;)*) => {$(
        #[$doc]
        pub fn $name(key: &Handle) -> Result<$result> {
            Ok(match key.sm9()? {
                Key::Signing($key) => $value,
                Key::Verifying($key) => $value,
                Key::Encryption($key) => $value,
                Key::Decryption($key) => $value,
                Key::Exchange($key) => $value,
                _ => return Err(other()),
            })
        }
    )*};
}
of_users! {
    /// The master public key that a user's key belongs to.
    sm9_master_public_key: Object = |key| key.master_public_key().clone().into();
    /// The identity of a user's key.
    sm9_identity: Vec<u8> = |key| key.identity().id().to_vec();
    /// The function identifier of a user's key.
    sm9_hid: u32 = |key| key.hid().into();
}
