//! Users' keys: an identity under a master key.

use alloc::vec::Vec;

use kuaimi::encoding::sm9::{UnboundDecryptionKey, UnboundSigningKey, read_key};
use kuaimi::sm9::{
    DecryptionKey, Error, ExchangeKey, MasterEncryptionPublicKey, MasterSigningPublicKey,
    SigningKey,
};

use super::master::why_not;
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

/// The key of a user in a file, or, under the master public key of these bytes, in the DER of GB/T
/// 41389-2022 alone. A file holds its own master public key: if there is another one, the key is
/// not the one that is asked for.
pub fn sm9_user_load(
    purpose: u32,
    data: &[u8],
    id: &[u8],
    hid: u32,
    password: Option<&[u8]>,
    master: Option<&[u8]>,
) -> Result<Object> {
    let identity = identity(id, hid)?;
    macro_rules! load {
        ($unbound:ident, $bind:ident, $key:ident, $master:ident) => {{
            let master = master.map($master::from_slice).transpose()?;
            match (read_key(data, password), master) {
                (Ok((key, _)), master) => {
                    let key = $unbound::try_from(key)?.$bind(identity)?;
                    if master.is_some_and(|master| master != *key.master_public_key()) {
                        return Err(Error::UserKeyMismatch.into());
                    }
                    key.into()
                }
                (Err(why), None) => return Err(why.into()),
                (Err(why), Some(master)) => $key::from_der(data, identity, &master)
                    .map_err(|error| why_not(why, error))?
                    .into(),
            }
        }};
    }
    Ok(match purpose {
        SIGNATURES => load!(
            UnboundSigningKey,
            signing_key,
            SigningKey,
            MasterSigningPublicKey
        ),
        ENCRYPTION => load!(
            UnboundDecryptionKey,
            decryption_key,
            DecryptionKey,
            MasterEncryptionPublicKey
        ),
        EXCHANGE => load!(
            UnboundDecryptionKey,
            exchange_key,
            ExchangeKey,
            MasterEncryptionPublicKey
        ),
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
