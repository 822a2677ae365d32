//! `.sm2` files: Base64 of `SEQUENCE { version INTEGER (1), SEQUENCE { contentType, algorithm
//! OBJECT IDENTIFIER, key OCTET STRING }, SEQUENCE { contentType, certificate OCTET STRING } }`.
//!
//! The key's bytes are encrypted with SM4 in CBC mode. Key and initialization vector are SM3's key
//! derivation function of the password alone, without a salt and without iterations. An
//! attacker who has the file can try hundreds of millions of passwords a second. Only a password
//! with 128 bits of entropy protects it.

use alloc::string::String;

use base64ct::{Base64, Encoding};
use kuaimi::encoding::{Cipher, Error as EncodingError, TextEncoding};
use kuaimi::sm2::PrivateKey;
use zeroize::Zeroizing;

use crate::ber::{self, Elements, OCTET_STRING, SEQUENCE, element, identifier, integer};
use crate::oid::{GM_DATA, SM4, SM4_CBC};
use crate::{Certificate, Error};

const WHAT: &str = "key file of CFCA";
/// The maximum length of a file in bytes. A certificate has thousands.
const MAX_LEN: usize = 1 << 20;
/// The letters of Base64 in one line.
const LINE_LEN: usize = 64;

/// The private key and the certificate in the `.sm2` file `bytes`, which is Base64, PEM or DER.
///
/// # Errors
/// [`Error::Encoding`] with `WrongPassword` for another password, and if the key is not the
/// certificate's; [`Error::Der`], [`Error::Structure`], [`Error::Algorithm`] and
/// [`Error::Encoding`] for what is no such file; [`Error::Limit`] for more than 1 MiB.
///
/// ```
/// # let (key, certificate) = {
/// #     use kuaimi::sm2::{PrivateKey, SigningKey};
/// #     use kuaimi_pki::certificate::{CertificateBuilder, Validity};
/// #     let key = PrivateKey::from_bytes(&[7; 32])?;
/// #     let validity = Validity::days("2026-01-01T00:00:00Z".parse()?, 365)?;
/// #     let name = kuaimi_pki::name::parse("CN=holder")?;
/// #     let builder = CertificateBuilder::new(name, key.public_key(), validity).serial(&[1])?;
/// #     let signer = kuaimi_pki::signer::Deterministic(SigningKey::new(key.clone()));
/// #     (key, builder.self_sign(&signer)?)
/// # };
/// use kuaimi_pki::cfca::{open_key_file, write_key_file};
///
/// let text = write_key_file(&key, &certificate, "密码")?;
/// assert_eq!(open_key_file(text.as_bytes(), "密码")?, (key, certificate));
/// assert!(open_key_file(text.as_bytes(), "123456").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_key_file(bytes: &[u8], password: &str) -> Result<(PrivateKey, Certificate), Error> {
    if bytes.len() > MAX_LEN {
        return Err(Error::Limit("a key file of CFCA of more than 1 MiB"));
    }
    let decoded = TextEncoding::detect(bytes).decode(bytes)?;
    let der = ber::to_der(&decoded, WHAT)?;
    let mut fields = Elements::inside(&der, SEQUENCE, WHAT)?;
    if fields.value::<u8>()? != 1 {
        return Err(Error::Structure(WHAT, "has another version than 1"));
    }
    let mut key = fields.enter(SEQUENCE)?;
    let mut certificate = fields.enter(SEQUENCE)?;
    fields.end()?;

    for found in [key.oid()?, certificate.oid()?] {
        if found != GM_DATA {
            return Err(Error::Algorithm("a part of a key file of CFCA", found));
        }
    }
    let algorithm = key.oid()?;
    // SM4 without a mode means CBC here.
    if ![SM4, SM4_CBC].contains(&algorithm) {
        return Err(Error::Algorithm("the key in a key file of CFCA", algorithm));
    }
    let encrypted = key.octets()?;
    key.end()?;
    let content = certificate.octets()?;
    certificate.end()?;
    let certificate = Certificate::from_der(content)?;

    let wrong = Error::Encoding(EncodingError::WrongPassword);
    let holder = certificate.public_key().sm2()?;
    let (cipher_key, iv) = derive(password)?;
    let number = Cipher::Sm4Cbc
        .decrypt_padded(cipher_key.as_ref(), &iv, encrypted)
        .ok_or_else(|| wrong.clone())?;
    let private = private_key(&number).ok_or_else(|| wrong.clone())?;
    // Whatever is wrong with the key, it looks like another password.
    if private.public_key() == holder.public_key() {
        Ok((private, certificate))
    } else {
        Err(wrong)
    }
}

/// The `.sm2` file with this private key and its certificate, as lines of Base64. The same each
/// time: the password alone decides how the key is encrypted.
///
/// # Errors
/// [`Error::Argument`] if the certificate is of another key.
pub fn write_key_file(
    key: &PrivateKey,
    certificate: &Certificate,
    password: &str,
) -> Result<String, Error> {
    if certificate.public_key().sm2()?.public_key() != key.public_key() {
        return Err(Error::Argument("the certificate is of another key"));
    }
    let (cipher_key, iv) = derive(password)?;
    let encrypted = Cipher::Sm4Cbc
        .encrypt_padded(cipher_key.as_ref(), &iv, key.to_bytes().as_ref())
        .ok_or(Error::Argument("the private key cannot be encrypted"))?;
    let (data, algorithm) = (ber::oid(GM_DATA), ber::oid(SM4));
    let encrypted = element(OCTET_STRING, &[&encrypted]);
    let key = element(SEQUENCE, &[&data, &algorithm, &encrypted]);
    let certificate = identifier(GM_DATA, &element(OCTET_STRING, &[certificate.as_der()]));
    let file = element(SEQUENCE, &[&integer(1), &key, &certificate]);
    Ok(lines(&Base64::encode_string(&file), '\n'))
}

/// `letters` with `end` after each line.
pub(super) fn lines(letters: &str, end: char) -> String {
    let mut out = String::with_capacity(letters.len() + letters.len() / LINE_LEN + 1);
    for (index, letter) in letters.chars().enumerate() {
        if index != 0 && index % LINE_LEN == 0 {
            out.push(end);
        }
        out.push(letter);
    }
    out.push(end);
    out
}

type CipherKey = Zeroizing<[u8; 16]>;

/// SM4's key, and the initialization vector, which comes first.
fn derive(password: &str) -> Result<(CipherKey, [u8; 16]), Error> {
    let mut both = Zeroizing::new([0; 32]);
    kuaimi::sm3::kdf(password.as_bytes(), both.as_mut())
        .map_err(|_| Error::Argument("the password is too long"))?;
    let (halves, _) = both.as_chunks::<16>();
    match halves {
        [iv, key] => Ok((Zeroizing::new(*key), *iv)),
        _ => Err(Error::Argument("the password is too long")),
    }
}

/// The key with this number. Some write it without its leading zero bytes, some with one more, as
/// Java does.
fn private_key(number: &[u8]) -> Option<PrivateKey> {
    let number = match number {
        [0, rest @ ..] if rest.len() == 32 => rest,
        number => number,
    };
    let mut padded = Zeroizing::new([0; 32]);
    let zeros = padded.len().checked_sub(number.len())?;
    padded.get_mut(zeros..)?.copy_from_slice(number);
    PrivateKey::from_bytes(&padded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_lengths() {
        let key = |bytes: &[u8]| private_key(bytes).map(|key| *key.to_bytes());
        let mut small = [7; 32];
        small[0] = 0;
        assert_eq!(key(&small), Some(small));
        assert_eq!(key(&small[1..]), Some(small));
        assert_eq!(key(&[&[0], &small[..]].concat()), Some(small));
        assert_eq!(key(&[&[1], &small[..]].concat()), None);
        assert_eq!(key(&[]), None);
        assert_eq!(key(&[0; 32]), None);
        assert_eq!(key(&[0xff; 32]), None);
    }

    #[test]
    fn lines_end() {
        let letters = ["a"; 65];
        assert_eq!(
            lines(&letters.concat(), ','),
            letters[..64].concat() + ",a,"
        );
        assert_eq!(
            lines(&letters[..64].concat(), ','),
            letters[..64].concat() + ","
        );
    }
}
