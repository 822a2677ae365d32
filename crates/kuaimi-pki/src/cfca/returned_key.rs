//! The key pair to encrypt with, as CFCA returns it: 64 digits, 16 digits with the length of what
//! follows, and Base64 with commas. Inside is `SEQUENCE { version INTEGER (1), key OCTET STRING }`
//! with an SM2 ciphertext, without its leading 04, of the 96 bytes `x ‖ y ‖ d`.

use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};
use kuaimi::encoding::TextEncoding;
use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey, PublicKey};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::key_file::lines;
use crate::Error;
use crate::ber::{Elements, OCTET_STRING, SEQUENCE, element, integer};

const WHAT: &str = "key returned by CFCA";
const PREFIX: &str = "0000000000000001000000000000000100000000000000000000000000000000";
const LENGTH_DIGITS: usize = 16;
/// The maximum length of the text in bytes. It has some 350.
const MAX_LEN: usize = 4096;

/// The key pair in the text that CFCA returned, which was made for the temporary key of the
/// request. The digits before the Base64 may be missing, and the ciphertext may be in any of its
/// forms. Constant time in the keys.
///
/// # Errors
/// [`Error::Decryption`] for another temporary key and for an altered text; [`Error::Der`],
/// [`Error::Structure`], [`Error::Encoding`] and [`Error::Limit`] for what is no such text.
pub fn open_returned_key(temporary: &PrivateKey, text: &[u8]) -> Result<PrivateKey, Error> {
    if text.len() > MAX_LEN {
        return Err(Error::Limit("a returned key of more than 4096 bytes"));
    }
    let text = text.trim_ascii();
    let letters = match text.strip_prefix(PREFIX.as_bytes()) {
        Some(rest) => {
            let malformed = Error::Structure(WHAT, "has another length than it says");
            let (length, letters) = rest
                .split_at_checked(LENGTH_DIGITS)
                .ok_or(malformed.clone())?;
            let length = core::str::from_utf8(length).ok();
            let digits = length.filter(|text| text.bytes().all(|c| c.is_ascii_digit()));
            if digits.and_then(|text| text.parse().ok()) != Some(letters.len()) {
                return Err(malformed);
            }
            letters
        }
        None => text,
    };
    let letters: Vec<u8> = letters.iter().copied().filter(|&c| c != b',').collect();
    let der = TextEncoding::Base64.decode(&letters)?;
    let mut fields = Elements::inside(&der, SEQUENCE, WHAT)?;
    if fields.value::<u8>()? != 1 {
        return Err(Error::Structure(WHAT, "has another version than 1"));
    }
    let encrypted = fields.octets()?;
    fields.end()?;

    for form in CiphertextForm::detect(encrypted) {
        let decrypted = Ciphertext::from_bytes(form, encrypted)
            .ok()
            .and_then(|ciphertext| temporary.decrypt(&ciphertext).ok());
        if let Some(pair) = decrypted {
            return read_pair(&pair).ok_or(Error::Decryption);
        }
    }
    Err(Error::Decryption)
}

/// The private key in `x ‖ y ‖ d`.
fn read_pair(pair: &[u8]) -> Option<PrivateKey> {
    let (xy, d) = pair.split_first_chunk::<64>()?;
    let private = PrivateKey::from_slice(d).ok()?;
    let public = PublicKey::from_xy_bytes(xy).ok()?;
    (*private.public_key() == public).then_some(private)
}

/// A key pair as CFCA returns it to the holder of a temporary key. The nonce comes from `rng`.
///
/// # Errors
/// [`Error::Random`] if the generator fails.
pub fn return_key<R: TryCryptoRng + ?Sized>(
    key: &PrivateKey,
    temporary: &PublicKey,
    rng: &mut R,
) -> Result<String, Error> {
    let mut pair = Zeroizing::new(Vec::with_capacity(96));
    pair.extend_from_slice(&key.public_key().to_xy_bytes());
    pair.extend_from_slice(key.to_bytes().as_ref());
    let ciphertext = temporary.encrypt_with_rng(rng, &pair)?;
    let encrypted = element(
        OCTET_STRING,
        &[&ciphertext.to_bytes(CiphertextForm::BareC1C3C2)],
    );
    let der = element(SEQUENCE, &[&integer(1), &encrypted]);
    let letters = lines(&Base64::encode_string(&der), ',');
    Ok(alloc::format!(
        "{PREFIX}{:0LENGTH_DIGITS$}{letters}",
        letters.len()
    ))
}
