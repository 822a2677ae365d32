//! Keys, signatures and ciphertexts in their forms (GB/T 41389-2022).

use alloc::vec::Vec;

use kuaimi::encoding::{EncodePrivateKey, EncodePublicKey, Error, LineEnding, PasswordEncryption};
use kuaimi::sm9::{Ciphertext, Mac, Mode, Signature};
use zeroize::Zeroizing;

use super::Key;
use crate::object::{Handle, other};
use crate::random::Random;
use crate::{Failure, Result};

/// How a signature or a ciphertext is read.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    Any,
    Der,
    Raw,
}

impl Reading {
    pub(super) fn of(form: u32) -> Result<Self> {
        Ok(match form {
            0 => Self::Any,
            form if is_der(form)? => Self::Der,
            _ => Self::Raw,
        })
    }

    pub(super) fn signature(self, bytes: &[u8]) -> core::result::Result<Signature, Error> {
        match self {
            // In DER, it is longer.
            Self::Any if bytes.len() != Signature::LEN => Signature::from_der(bytes),
            Self::Der => Signature::from_der(bytes),
            Self::Any | Self::Raw => Ok(Signature::from_slice(bytes)?),
        }
    }

    /// DER begins with 30, and so may a point: DER is tried first.
    pub(super) fn ciphertext(self, mode: Mode, bytes: &[u8]) -> Option<Ciphertext> {
        let der = match self {
            Self::Raw => None,
            Self::Any | Self::Der => Ciphertext::from_der(bytes).ok(),
        };
        match self {
            Self::Der => der,
            Self::Any | Self::Raw => der.or_else(|| Ciphertext::from_bytes(mode, bytes).ok()),
        }
    }
}

/// Whether a form is DER (1), and not the parts one after another (2).
pub(super) fn is_der(form: u32) -> Result<bool> {
    match form {
        1 => Ok(true),
        2 => Ok(false),
        _ => Err(Failure::argument("this is no form of SM9")),
    }
}

/// A signature in a form.
pub(super) fn written_signature(signature: &Signature, form: u32) -> Result<Vec<u8>> {
    Ok(if is_der(form)? {
        signature.to_der()
    } else {
        signature.to_bytes().to_vec()
    })
}

/// A mode and a kind of code, by their places in the library's lists.
pub(super) fn options(mode: u32, mac: u32) -> Result<(Mode, Mac)> {
    let mode = Mode::ALL.get(mode as usize).copied();
    let mac = Mac::ALL.get(mac as usize).copied();
    mode.zip(mac)
        .ok_or_else(|| Failure::argument("this is no mode or no code of SM9's encryption"))
}

fn bytes(text: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(text.as_bytes().to_vec())
}

/// A private key as its number or its point (0), in PKCS#8 as PEM (1) or DER (2), with a password
/// or without, or in the DER of GB/T 41389-2022 alone (3).
pub fn sm9_private_write(
    key: &Handle,
    form: u32,
    password: Option<&[u8]>,
) -> Result<Zeroizing<Vec<u8>>> {
    if password.is_some_and(<[u8]>::is_empty) {
        return Err(Failure::argument("the password is empty"));
    }
    let how = PasswordEncryption::SHANGMI;
    macro_rules! write {
        ($key:ident) => {
            match (form, password) {
                (0, None) => Zeroizing::new($key.to_bytes().to_vec()),
                (1, None) => bytes(
                    &$key
                        .to_pkcs8_pem(LineEnding::LF)
                        .map_err(Failure::unwritable)?,
                ),
                (2, None) => {
                    let document = $key.to_pkcs8_der().map_err(Failure::unwritable)?;
                    Zeroizing::new(document.as_bytes().to_vec())
                }
                (3, None) => $key.to_der(),
                (1, Some(password)) => Zeroizing::new(
                    $key.to_encrypted_pkcs8_pem(password, how, &mut Random)?
                        .into_bytes(),
                ),
                (2, Some(password)) => {
                    Zeroizing::new($key.to_encrypted_pkcs8_der(password, how, &mut Random)?)
                }
                (_, Some(_)) => {
                    return Err(Failure::argument("a key is encrypted in PKCS#8 alone"));
                }
                _ => return Err(Failure::argument("this is no form of a private key")),
            }
        };
    }
    Ok(match key.sm9()? {
        Key::MasterSigning(key) => write!(key),
        Key::MasterEncryption(key) => write!(key),
        Key::Signing(key) => write!(key),
        Key::Decryption(key) => write!(key),
        Key::Exchange(key) => write!(key),
        _ => return Err(other()),
    })
}

/// A master public key as its point after the byte 04 (0), as SubjectPublicKeyInfo in PEM (1) or
/// DER (2), in the DER of GB/T 41389-2022 alone (3), or in GmSSL's PEM (4).
pub fn sm9_public_write(key: &Handle, form: u32) -> Result<Vec<u8>> {
    macro_rules! write {
        ($key:ident) => {
            match form {
                0 => $key.to_sec1_bytes().to_vec(),
                1 => $key
                    .to_public_key_pem(LineEnding::LF)
                    .map_err(Failure::unwritable)?
                    .into_bytes(),
                2 => $key
                    .to_public_key_der()
                    .map_err(Failure::unwritable)?
                    .into_vec(),
                3 => $key.to_der(),
                4 => $key.to_gmssl_pem()?.into_bytes(),
                _ => return Err(Failure::argument("this is no form of a public key")),
            }
        };
    }
    Ok(match key.sm9()? {
        Key::MasterSigningPublic(key) => write!(key),
        Key::MasterEncryptionPublic(key) => write!(key),
        _ => return Err(other()),
    })
}
