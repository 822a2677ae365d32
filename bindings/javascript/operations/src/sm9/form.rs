//! Keys, signatures and ciphertexts in their forms (GB/T 41389-2022).

use alloc::vec::Vec;

use kuaimi::encoding::Error;
use kuaimi::encoding::sm9::{KeyKind, Parts};
use kuaimi::sm9::{Ciphertext, Mac, Mode, Signature};
use zeroize::Zeroizing;

use super::Key;
use crate::Result;
use crate::object::{Handle, other};

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
        _ => Err(argument!("this is no form of SM9")),
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
        .ok_or_else(|| argument!("this is no mode or no code of SM9's encryption"))
}

/// A private key as its number or its point (0), or in the DER of GB/T 41389-2022 alone (3).
pub fn sm9_private_write(key: &Handle, form: u32) -> Result<Zeroizing<Vec<u8>>> {
    macro_rules! write {
        ($key:ident) => {
            match form {
                0 => Zeroizing::new($key.to_bytes().to_vec()),
                3 => $key.to_der(),
                _ => return Err(argument!("this is no form of a private key")),
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

/// A master public key as its point after the byte 04 (0), or in the DER of GB/T 41389-2022 alone
/// (3).
pub fn sm9_public_write(key: &Handle, form: u32) -> Result<Vec<u8>> {
    macro_rules! write {
        ($key:ident) => {
            match form {
                0 => $key.to_sec1_bytes().to_vec(),
                3 => $key.to_der(),
                _ => return Err(argument!("this is no form of a public key")),
            }
        };
    }
    Ok(match key.sm9()? {
        Key::MasterSigningPublic(key) => write!(key),
        Key::MasterEncryptionPublic(key) => write!(key),
        _ => return Err(other()),
    })
}

/// The parts of a key, of which `formats` makes a file.
pub fn sm9_parts(key: &Handle) -> Result<Zeroizing<Vec<u8>>> {
    macro_rules! parts {
        ($kind:ident, $key:expr, $public:expr) => {
            Parts {
                kind: KeyKind::$kind,
                key: Zeroizing::new($key.to_vec()),
                public: $public,
            }
        };
        ($kind:ident, $key:ident of $public:ident) => {
            parts!(
                $kind,
                $key.to_bytes(),
                Some($key.$public().to_sec1_bytes().to_vec())
            )
        };
    }
    let parts = match key.sm9()? {
        Key::MasterSigning(key) => parts!(MasterSigning, key of public_key),
        Key::MasterEncryption(key) => parts!(MasterEncryption, key of public_key),
        Key::Signing(key) => parts!(UserSigning, key of master_public_key),
        Key::Decryption(key) => parts!(UserDecryption, key of master_public_key),
        Key::Exchange(key) => parts!(UserDecryption, key of master_public_key),
        Key::MasterSigningPublic(key) => parts!(MasterSigningPublic, key.to_sec1_bytes(), None),
        Key::MasterEncryptionPublic(key) => {
            parts!(MasterEncryptionPublic, key.to_sec1_bytes(), None)
        }
        _ => return Err(other()),
    };
    Ok(parts.to_bytes())
}
