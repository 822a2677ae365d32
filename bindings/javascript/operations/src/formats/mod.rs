//! Files: keys in PEM and DER, under passwords, in certificates; what bytes are; what a signature
//! that does not verify fits.
//!
//! In WebAssembly this is a module of its own, as it is larger than all of SM2. Keys go in and out
//! as numbers of 32 bytes and points of 65.

mod describe;
mod sm9;

pub use self::describe::formats_describe;
pub use self::sm9::{formats_sm9_private_write, formats_sm9_public_write, formats_sm9_read};

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kuaimi::encoding::{
    EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding, PasswordEncryption,
    read_private_key, read_public_key,
};
use kuaimi::sm2::explain::explain;
use kuaimi::sm2::{DEFAULT_ID, PrivateKey, PublicKey};
use zeroize::Zeroizing;

use crate::random::Random;
use crate::signature_form::SignatureReading;
use crate::{Failure, Result};

type Secret = Zeroizing<Vec<u8>>;

/// The number of a private key in any form that files have.
pub fn formats_private_read(data: &[u8], password: Option<&[u8]>) -> Result<Secret> {
    let (key, _) = read_private_key(data, password)?;
    Ok(bytes(&key.to_bytes()[..]))
}

fn bytes(secret: impl AsRef<[u8]>) -> Secret {
    Zeroizing::new(secret.as_ref().to_vec())
}

/// A private key in PKCS#8 as PEM (1) or DER (2), with a password or without, or in SEC 1's form as
/// PEM (3) or DER (4).
pub fn formats_private_write(key: &[u8], form: u32, password: Option<&[u8]>) -> Result<Secret> {
    let key = PrivateKey::from_slice(key)?;
    if let Some(password) = password {
        if password.is_empty() {
            return Err(argument!("the password is empty"));
        }
        let how = PasswordEncryption::SHANGMI;
        return Ok(Zeroizing::new(match form {
            1 => key
                .to_encrypted_pkcs8_pem(password, how, &mut Random)?
                .into_bytes(),
            2 => key.to_encrypted_pkcs8_der(password, how, &mut Random)?,
            _ => return Err(argument!("a key is encrypted in PKCS#8 alone")),
        }));
    }
    Ok(match form {
        1 => bytes(
            key.to_pkcs8_pem(LineEnding::LF)
                .map_err(Failure::unwritable)?
                .as_bytes(),
        ),
        2 => bytes(key.to_pkcs8_der().map_err(Failure::unwritable)?.as_bytes()),
        3 => bytes(
            key.to_sec1_pem(LineEnding::LF)
                .map_err(Failure::unwritable)?
                .as_bytes(),
        ),
        4 => bytes(key.to_sec1_der().map_err(Failure::unwritable)?.as_bytes()),
        _ => return Err(argument!("this is no form of a private key")),
    })
}

/// The point of a public key in any form that files have, that of a certificate among them.
pub fn formats_public_read(data: &[u8]) -> Result<[u8; 65]> {
    Ok(read_public_key(data)?.0.to_sec1_bytes())
}

/// A public key as SubjectPublicKeyInfo in PEM (1) or DER (2).
pub fn formats_public_write(point: &[u8], form: u32) -> Result<Vec<u8>> {
    let key = PublicKey::from_sec1_bytes(point)?;
    Ok(match form {
        1 => key
            .to_public_key_pem(LineEnding::LF)
            .map_err(Failure::unwritable)?
            .into_bytes(),
        2 => key
            .to_public_key_der()
            .map_err(Failure::unwritable)?
            .into_vec(),
        _ => return Err(argument!("this is no form of a public key")),
    })
}

/// A private key for the holder of another: an enveloped key (GB/T 35276-2017, 7.4).
pub fn formats_envelope(key: &[u8], recipient: &[u8]) -> Result<Vec<u8>> {
    let (key, recipient) = (
        PrivateKey::from_slice(key)?,
        PublicKey::from_sec1_bytes(recipient)?,
    );
    Ok(key.to_enveloped_key(&recipient, &mut Random)?)
}

/// The number of the key in an enveloped key that was made for this one.
pub fn formats_open_envelope(key: &[u8], envelope: &[u8]) -> Result<Secret> {
    let key = PrivateKey::from_slice(key)?;
    Ok(bytes(&key.open_enveloped_key(envelope)?.to_bytes()[..]))
}

/// What a signature that does not verify fits: a sentence, or nothing.
pub fn formats_explain(
    point: &[u8],
    signature: &[u8],
    message: &[u8],
    id: Option<&[u8]>,
    form: u32,
) -> Result<Vec<u8>> {
    let key = PublicKey::from_sec1_bytes(point)?;
    let signature = match SignatureReading::of(form)?.read(signature) {
        Ok(signature) => signature,
        Err(error) => return Ok(error.to_string().into_bytes()),
    };
    let found = explain(&[key], id.unwrap_or(DEFAULT_ID), message, &signature);
    Ok(found
        .map_or_else(String::new, |found| found.to_string())
        .into_bytes())
}
