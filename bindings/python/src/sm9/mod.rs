//! SM9 (GB/T 38635-2020).

mod decryption;
mod encryption;
mod exchange;
mod form;
mod hash;
mod master;
mod signing;
mod stream;
mod user_key;
mod verifying;

use kuaimi::sm9::Identity;
use pyo3::prelude::*;

pub(crate) use decryption::{DecryptionKey, ExchangeKey};
pub(crate) use encryption::EncryptionKey;
pub(crate) use form::{Options, SignatureReading};
pub(crate) use master::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};
pub(crate) use signing::SigningKey;
pub(crate) use verifying::VerifyingKey;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MasterSigningKey>()?;
    module.add_class::<MasterSigningPublicKey>()?;
    module.add_class::<MasterEncryptionKey>()?;
    module.add_class::<MasterEncryptionPublicKey>()?;
    module.add_class::<SigningKey>()?;
    module.add_class::<VerifyingKey>()?;
    module.add_class::<EncryptionKey>()?;
    module.add_class::<DecryptionKey>()?;
    module.add_class::<ExchangeKey>()?;
    module.add_class::<exchange::Initiator>()?;
    module.add_class::<exchange::Responder>()?;
    module.add_class::<hash::MessageHash>()?;
    stream::add_to(module)
}

/// An identity with its function identifier, if one was given.
pub(crate) fn identity(id: &[u8], hid: Option<u8>) -> Identity<'_> {
    let identity = Identity::new(id);
    hid.map_or(identity, |hid| identity.with_hid(hid))
}

/// How an identity is shown: as text, where it is.
fn shown(id: &[u8]) -> String {
    match std::str::from_utf8(id) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("bytes.fromhex('{}')", crate::sm3::hex(id)),
    }
}
