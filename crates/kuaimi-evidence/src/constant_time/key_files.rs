//! Private keys in files: the number is secret, and a password; the structure around the number is
//! public, and so is where white space stands in text.

use anyhow::{Result, anyhow, ensure};
use kuaimi::encoding::{
    Cipher, EncodePrivateKey as _, KeyDerivation, LineEnding, PasswordEncryption, Prf,
    TextEncoding, read_private_key,
};
use kuaimi::sm2::PrivateKey;
use kuaimi_platform::memcheck::{classify, declassify};

use super::{Checks, same, secret};

/// A decoder's verdict on all of the text, and what base64ct does to see whether the last four
/// characters are as it would write them. Code that looks at each character would be reported a
/// hundred times and more.
const PEM_VERDICTS: usize = 2;
/// The same of hexadecimal, which has no rest of a group of characters.
const HEXADECIMAL_VERDICTS: usize = 1;

/// The number that the files hold.
const SEED: u8 = 90;

fn number() -> [u8; 32] {
    secret(SEED)
}

/// The DER of a PKCS#8 whose number alone is secret.
fn pkcs8() -> Result<Vec<u8>> {
    let mut number = number();
    declassify(&mut number);
    let key = PrivateKey::from_bytes(&number)?;
    let mut der = key
        .to_pkcs8_der()
        .map_err(|e| anyhow!("{e}"))?
        .as_bytes()
        .to_vec();
    let place = der.windows(32).position(|bytes| bytes == number);
    let place = place.ok_or_else(|| anyhow!("the number is not in the file"))?;
    classify(&mut der[place..place + 32]);
    Ok(der)
}

fn read(file: &[u8], password: Option<&[u8]>) -> Result<()> {
    let (key, _) = read_private_key(file, password).map_err(|e| anyhow!("it is not read: {e}"))?;
    ensure!(same(key.to_bytes().as_ref(), &number())?, "the same number");
    Ok(())
}

pub(super) fn key_files(checks: &mut Checks) -> Result<()> {
    let der = pkcs8()?;
    checks.check("private key in PKCS#8, with its public key", || {
        read(&der, None)
    })?;

    let mut plain = der.clone();
    declassify(&mut plain);
    let pem = PrivateKey::from_bytes(&{
        let mut number = number();
        declassify(&mut number);
        number
    })?
    .to_pkcs8_pem(LineEnding::LF)
    .map_err(|e| anyhow!("{e}"))?;
    let mut pem = pem.as_bytes().to_vec();
    // All characters between the first line and the last but the ends of the lines.
    let last = pem.len() - "-----END PRIVATE KEY-----\n".len();
    for byte in &mut pem["-----BEGIN PRIVATE KEY-----\n".len()..last] {
        if *byte != b'\n' {
            classify(std::slice::from_mut(byte));
        }
    }
    let mut content =
        checks.check_verdicts("private key in PEM: the text", PEM_VERDICTS, || {
            TextEncoding::Pem.decode(&pem)
        })?;
    ensure!(same(&content, &der)?, "the content of the PEM");
    // Its structure is public, as before.
    content.copy_from_slice(&der);
    checks.check("private key in PEM: the key", || read(&content, None))?;

    let text: String = plain.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut hexadecimal = text.into_bytes();
    classify(&mut hexadecimal[..]);
    let content =
        checks.check_verdicts("private key in hexadecimal", HEXADECIMAL_VERDICTS, || {
            // The prefix, or that there is none, is public.
            declassify(&mut hexadecimal[..2]);
            TextEncoding::Hex.decode(&hexadecimal)
        })?;
    ensure!(same(&content, &der)?, "the content of the hexadecimal");

    let encryptions = [
        ("SM4-CBC, HMAC-SM3", Cipher::Sm4Cbc, Prf::HmacSm3),
        ("SM4-CBC, HMAC-SHA-256", Cipher::Sm4Cbc, Prf::HmacSha256),
        (
            "AES-256-CBC, HMAC-SHA-512",
            Cipher::Aes256Cbc,
            Prf::HmacSha512,
        ),
    ];
    for (name, cipher, prf) in encryptions {
        let mut encryption = PasswordEncryption::SHANGMI;
        encryption.cipher = cipher;
        encryption.key_derivation = KeyDerivation::Pbkdf2 { prf, iterations: 3 };
        let mut password = secret(91);
        let key = PrivateKey::from_bytes(&number())?;
        let mut file = checks.check(
            &format!("private key under a password: writing, {name}"),
            || key.to_encrypted_pkcs8_der(&password, encryption, &mut super::Secrets(92)),
        )?;
        // What is written is public, with its salt and initialization vector.
        declassify(&mut file);
        checks.check(
            &format!("private key under a password: reading, {name}"),
            || read(&file, Some(&password)),
        )?;
        password[0] ^= 1;
        checks.check(
            &format!("private key under a wrong password, {name}"),
            || {
                ensure!(
                    read_private_key(&file, Some(&password)).is_err(),
                    "a wrong password"
                );
                Ok(())
            },
        )?;
    }
    Ok(())
}
