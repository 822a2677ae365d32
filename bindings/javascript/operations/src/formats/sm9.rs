//! Keys of SM9 in files. The curves are in another module: keys go in and out as their parts, which
//! that one checks.

use alloc::string::String;
use alloc::vec::Vec;

use kuaimi::encoding::PasswordEncryption;
use kuaimi::encoding::sm9::Parts;
use zeroize::Zeroizing;

use super::Secret;
use crate::random::Random;
use crate::{Failure, Result};

/// The parts of a key in any form that files have.
pub fn formats_sm9_read(data: &[u8], password: Option<&[u8]>) -> Result<Secret> {
    Ok(Parts::open(data, password)?.to_bytes())
}

fn read(parts: &[u8]) -> Result<Parts> {
    Parts::from_bytes(parts).ok_or_else(|| argument!("these are no parts of a key"))
}

fn pem(label: &str, der: &[u8]) -> Result<Vec<u8>> {
    Parts::pem(label, der)
        .map(String::into_bytes)
        .map_err(Failure::unwritable)
}

/// A private key in PKCS#8 as PEM (1) or DER (2), with a password or without.
pub fn formats_sm9_private_write(
    parts: &[u8],
    form: u32,
    password: Option<&[u8]>,
) -> Result<Secret> {
    let key = read(parts)?;
    if !matches!(form, 1 | 2) {
        return Err(match password {
            Some(_) => argument!("a key is encrypted in PKCS#8 alone"),
            None => argument!("this is no form of a private key"),
        });
    }
    let (label, der) = match password {
        None => ("PRIVATE KEY", key.to_pkcs8_der()),
        Some([]) => return Err(argument!("the password is empty")),
        Some(password) => {
            let how = PasswordEncryption::SHANGMI;
            let der = key.to_encrypted_pkcs8_der(password, how, &mut Random)?;
            ("ENCRYPTED PRIVATE KEY", Zeroizing::new(der))
        }
    };
    Ok(match form {
        1 => Zeroizing::new(pem(label, &der)?),
        _ => der,
    })
}

/// A master public key as SubjectPublicKeyInfo in PEM (1) or DER (2), or in GmSSL's PEM (4).
pub fn formats_sm9_public_write(parts: &[u8], form: u32) -> Result<Vec<u8>> {
    let key = read(parts)?;
    match form {
        1 => pem("PUBLIC KEY", &key.to_spki_der()),
        2 => Ok(key.to_spki_der()),
        4 => {
            let (label, der) = key.to_gmssl_der();
            pem(label, &der)
        }
        _ => Err(argument!("this is no form of a public key")),
    }
}
