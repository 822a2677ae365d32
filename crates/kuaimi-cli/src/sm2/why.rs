//! Why a ciphertext does not decrypt: the forms that people confuse, tried one after the other with the key that is there anyway.

use std::io::{self, Cursor};

use kuaimi::encoding::{FileKind, TextEncoding};
use kuaimi::sm2::{CiphertextForm, SecretKey, stream};
use zeroize::Zeroizing;

/// What the ciphertext is, if another reading of it decrypts. `form` is the form that was insisted on.
pub fn of_failure(
    secret: &SecretKey,
    content: &[u8],
    form: Option<CiphertextForm>,
) -> Option<String> {
    if let Some(found) = form_of(secret, content) {
        // Without `--form` all forms were tried before.
        return form.filter(|form| *form != found).map(|_| {
            format!("it decrypts in the form {found}; say --form {found}, or leave --form out")
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
fn form_of(secret: &SecretKey, content: &[u8]) -> Option<CiphertextForm> {
    stream::decrypt(secret, None, Cursor::new(content), io::sink())
        .ok()
        .map(|(_, form)| form)
}

/// The standard's form of an `ECCCipher` (GM/T 0018): x and y in 64 bytes each, C3, the length of C2 in four, and C2.
fn of_device(content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (numbers, rest) = content.split_at_checked(128)?;
    let (digest, rest) = rest.split_at_checked(32)?;
    let (_, data) = rest.split_at_checked(4)?;
    let parts = [&[4], &numbers[32..64], &numbers[96..], digest, data];
    Some(Zeroizing::new(parts.concat()))
}
