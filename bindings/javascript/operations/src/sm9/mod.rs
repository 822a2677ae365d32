//! SM9 (GB/T 38635-2020).
//!
//! A key is of one of nine kinds; what all kinds have, such as being written, is one operation.

mod exchange;
mod form;
mod master;
mod user;

pub use exchange::{
    sm9_exchange_answer, sm9_exchange_confirm, sm9_exchange_finish, sm9_exchange_point,
    sm9_exchange_respond, sm9_exchange_start,
};
pub use form::{sm9_parts, sm9_private_write, sm9_public_write};
pub use master::{
    sm9_master_generate, sm9_master_of_bytes, sm9_master_of_der, sm9_master_of_parts,
    sm9_master_public_of_bytes, sm9_master_public_of_der, sm9_master_public_of_parts,
};
pub use user::{
    sm9_extract, sm9_hid, sm9_identity, sm9_master_public_key, sm9_user_of_bytes, sm9_user_of_der,
    sm9_user_of_parts, sm9_user_public,
};

use alloc::vec::Vec;

use kuaimi::sm9::{G1Point, Identity};
use zeroize::Zeroizing;

use self::form::{Reading, options, written_signature};
use crate::object::{Handle, Object, other};
use crate::random::Random;
use crate::{Failure, Result};

/// What a key is made for: numbers that name the kinds of keys that can be read.
const SIGNATURES: u32 = 0;
const ENCRYPTION: u32 = 1;
const EXCHANGE: u32 = 2;

fn no_purpose() -> Failure {
    argument!("there is no key of SM9 for this")
}

macro_rules! keys {
    ($($kind:ident($type:ident),)*) => {
        /// A key of any kind.
        #[allow(missing_docs, reason = "the types say it")]
        #[derive(Clone)]
        pub enum Key {
            $($kind(kuaimi::sm9::$type),)*
        }

        $(impl From<kuaimi::sm9::$type> for Object {
            fn from(key: kuaimi::sm9::$type) -> Self {
                Self::Sm9(Key::$kind(key))
            }
        })*

        /// Whether two keys are the same, in constant time where they are secret. The identity and
        /// the master public key of a user's key count, too.
        pub fn sm9_equal(a: &Handle, b: &Handle) -> Result<bool> {
            Ok(match (a.sm9()?, b.sm9()?) {
                $((Key::$kind(a), Key::$kind(b)) => a == b,)*
                _ => false,
            })
        }
    };
}
keys! {
    MasterSigning(MasterSigningKey),
    MasterSigningPublic(MasterSigningPublicKey),
    MasterEncryption(MasterEncryptionKey),
    MasterEncryptionPublic(MasterEncryptionPublicKey),
    Signing(SigningKey),
    Verifying(VerifyingKey),
    Encryption(EncryptionKey),
    Decryption(DecryptionKey),
    Exchange(ExchangeKey),
}

/// Makes the key's tables now.
pub fn sm9_prepare(key: &Handle) -> Result<()> {
    match key.sm9()? {
        Key::MasterSigningPublic(key) => key.prepare(),
        Key::MasterEncryptionPublic(key) => key.prepare(),
        Key::Signing(key) => key.prepare(),
        Key::Verifying(key) => key.prepare(),
        Key::Encryption(key) => key.prepare(),
        Key::Decryption(key) => key.prepare(),
        Key::Exchange(key) => key.prepare(),
        Key::MasterSigning(_) | Key::MasterEncryption(_) => return Err(other()),
    }
    Ok(())
}

/// An identity with its function identifier.
fn identity(id: &[u8], hid: u32) -> Result<Identity<'_>> {
    let hid = u8::try_from(hid).map_err(|_| argument!("hid is one byte"))?;
    Ok(Identity::new(id).with_hid(hid))
}

/// The public key that belongs to a private one: a master's, or a user's for signatures or
/// encryption.
pub fn sm9_public_key(key: &Handle) -> Result<Object> {
    Ok(match key.sm9()? {
        Key::MasterSigning(key) => key.public_key().clone().into(),
        Key::MasterEncryption(key) => key.public_key().clone().into(),
        Key::Signing(key) => key.verifying_key().clone().into(),
        Key::Decryption(key) => key.encryption_key().clone().into(),
        _ => return Err(other()),
    })
}

/// Signs a message (GB/T 38635.2-2020, clause 6.2).
pub fn sm9_sign(key: &Handle, message: &[u8], form: u32) -> Result<Vec<u8>> {
    let Key::Signing(key) = key.sm9()? else {
        return Err(other());
    };
    written_signature(&key.sign_with_rng(&mut Random, message)?, form)
}

/// Whether a signature is the user's over a message (clause 6.3). What is no signature is not.
pub fn sm9_verify(key: &Handle, signature: &[u8], message: &[u8], form: u32) -> Result<bool> {
    let Key::Verifying(key) = key.sm9()? else {
        return Err(other());
    };
    Ok(match Reading::of(form)?.signature(signature) {
        Ok(signature) => key.verify(message, &signature).is_ok(),
        Err(_) => false,
    })
}

/// Encrypts a message (clause 9.2).
pub fn sm9_encrypt(
    key: &Handle,
    message: &[u8],
    mode: u32,
    mac: u32,
    form: u32,
) -> Result<Vec<u8>> {
    let Key::Encryption(key) = key.sm9()? else {
        return Err(other());
    };
    let (is_der, (mode, mac)) = (form::is_der(form)?, options(mode, mac)?);
    let how = kuaimi::sm9::EncryptOptions::new()
        .with_mode(mode)
        .with_mac(mac);
    let ciphertext = key.encrypt_with_rng(&mut Random, message, how)?;
    Ok(if is_der {
        ciphertext.to_der()
    } else {
        ciphertext.to_bytes()
    })
}

/// Decrypts a ciphertext (clause 9.3). The mode is that of a raw one: DER names its own. One
/// failure, whatever is wrong.
pub fn sm9_decrypt(
    key: &Handle,
    ciphertext: &[u8],
    mode: u32,
    mac: u32,
    form: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let Key::Decryption(key) = key.sm9()? else {
        return Err(other());
    };
    let (reading, (mode, mac)) = (Reading::of(form)?, options(mode, mac)?);
    let how = kuaimi::sm9::DecryptOptions::new().with_mac(mac);
    reading
        .ciphertext(mode, ciphertext)
        .and_then(|ciphertext| key.decrypt_with(&ciphertext, how).ok())
        .ok_or_else(Failure::decryption)
}

/// A new key of `length` bytes, and behind it its encapsulation, a point of 64 bytes (clause 8.2).
pub fn sm9_encapsulate(key: &Handle, length: u32) -> Result<Zeroizing<Vec<u8>>> {
    let Key::Encryption(key) = key.sm9()? else {
        return Err(other());
    };
    let (secret, point) = key.encapsulate_with_rng(&mut Random, length as usize)?;
    Ok(Zeroizing::new([&secret[..], &point.to_bytes()].concat()))
}

/// The key of `length` bytes in an encapsulation (clause 8.3).
pub fn sm9_decapsulate(
    key: &Handle,
    encapsulated: &[u8],
    length: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let Key::Decryption(key) = key.sm9()? else {
        return Err(other());
    };
    let point = G1Point::from_slice(encapsulated).map_err(|_| Failure::decryption())?;
    Ok(key.decapsulate(&point, length as usize)?)
}
