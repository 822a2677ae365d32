//! Hints for people: why a signature does not fit, and why a ciphertext does not decrypt. They
//! change neither verdict nor status.
//!
//! For signatures the library looks (`kuaimi::sm2::explain`). For ciphertexts, the forms that
//! people confuse are tried with the key that is there anyway.

use std::io::{self, Cursor};

use kuaimi::encoding::{FileKind, TextEncoding};
use kuaimi::sm2::explain::{self, Explanation};
use kuaimi::sm2::{CiphertextForm, PrivateKey, Signature, stream};
use zeroize::Zeroizing;

use super::keys::PublicKeyFile;
use crate::text::hex;

/// What a signature does not fit.
pub enum Signed<'a> {
    Digest(&'a [u8; 32]),
    /// A message and an identity.
    Message(&'a [u8], &'a [u8]),
}

/// A message that is hashed piece by piece, as long as it is short.
#[derive(Default)]
pub struct Remembered {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Remembered {
    const LONGEST: usize = 4 << 20;

    pub fn add(&mut self, bytes: &[u8]) {
        self.too_long |= self.bytes.len() + bytes.len() > Self::LONGEST;
        if self.too_long {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// All of it, if it was short.
    pub fn all(&self) -> Option<&[u8]> {
        (!self.too_long).then_some(&self.bytes)
    }
}

/// What the signature fits, and the option for it. `file` is that of the key, in which there may be
/// others.
pub fn explain(file: &PublicKeyFile, signed: Signed<'_>, signature: &Signature) -> Option<String> {
    let keys = file.all_keys();
    match signed {
        Signed::Digest(e) => {
            explain::explain_digest(&keys, e, signature).map(|found| found.to_string())
        }
        Signed::Message(message, id) => {
            explain::explain(&keys, id, message, signature).map(|found| with_option(&found, id))
        }
    }
}

fn with_option(found: &Explanation, id: &[u8]) -> String {
    let Some(id) = found.identity(id) else {
        return found.to_string();
    };
    match str::from_utf8(&id) {
        Ok(text) if !text.contains(|letter: char| letter.is_control() || letter == '\'') => {
            format!("{found}: --id '{text}'")
        }
        _ => format!("{found}: --id-hex {}", hex(&id)),
    }
}

/// What the ciphertext is, if another reading of it decrypts. `form` is the form that was insisted
/// on.
pub fn of_failure(
    secret: &PrivateKey,
    content: &[u8],
    form: Option<CiphertextForm>,
) -> Option<String> {
    if let Some(found) = form_of(secret, content) {
        // Without `--form` all forms were tried before.
        return form.filter(|form| *form != found).map(|_| {
            format!("it decrypts in the form {found}; use --form {found}, or leave --form out")
        });
    }
    if let Some(inner) = of_device(content)
        && form_of(secret, &inner).is_some()
    {
        return Some(format!("it decrypts as {}", FileKind::SdfCiphertext));
    }
    let encoding = TextEncoding::detect(content);
    let inner = match encoding {
        TextEncoding::Binary => return None,
        text => text.decode(content).ok()?,
    };
    form_of(secret, &inner).map(|found| {
        format!("it decrypts as {encoding} of the form {found}: it was turned into text twice; decode it once before")
    })
}

/// The form in which the ciphertext decrypts.
fn form_of(secret: &PrivateKey, content: &[u8]) -> Option<CiphertextForm> {
    stream::decrypt(secret, None, Cursor::new(content), io::sink())
        .ok()
        .map(|(_, form)| form)
}

/// The standard's form of an `ECCCipher` (GM/T 0018): x and y in 64 bytes each, C3, the length of
/// C2 in four, and C2.
fn of_device(content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (numbers, rest) = content.split_at_checked(128)?;
    let (digest, rest) = rest.split_at_checked(32)?;
    let (_, data) = rest.split_at_checked(4)?;
    let parts = [&[4], &numbers[32..64], &numbers[96..], digest, data];
    Some(Zeroizing::new(parts.concat()))
}
