//! Keys: read from whatever form a file has them in, and written in the form that is asked for.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use getrandom::SysRng;
use kuaimi::encoding::{
    self, EncodeEcPrivateKey as _, EncodePrivateKey as _, EncodePublicKey as _, LineEnding,
    PasswordEncryption, PrivateKeyForm,
};
use kuaimi::sm2::{PublicKey, SecretKey};
use zeroize::Zeroizing;

use crate::cli::Context;
use crate::exit::{Failure, Result, show};
use crate::input;
use crate::password::PasswordArgs;

/// The options of commands that need a private key.
#[derive(Args, Debug, Clone)]
pub struct PrivateKeyArgs {
    /// The private key: PEM, DER, hexadecimal or base64, encrypted or not.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PrivateKeyArgs {
    pub fn load(&self, context: Context) -> Result<SecretKey> {
        let (key, form) = private(&self.key, &self.password)?;
        context.note(format_args!("{}: private key, {form}", show(&self.key)));
        Ok(key)
    }
}

/// The options of commands that need a public key.
#[derive(Args, Debug, Clone)]
pub struct PublicKeyArgs {
    /// The public key: PEM, DER, hexadecimal or base64; a certificate or a private key serves too.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PublicKeyArgs {
    pub fn load(&self, context: Context) -> Result<PublicKey> {
        public_with(&self.key, &self.password, context)
    }
}

/// The private key in a file.
pub fn private(path: &Path, password: &PasswordArgs) -> Result<(SecretKey, PrivateKeyForm)> {
    let content = input::read_all(path, input::SMALL)?;
    private_in(&content, &show(path), password).map_err(|error| malformed(&show(path), &error))?
}

/// The private key in the content of the file `name`. The outer error says that it is none, or a malformed one; the
/// inner one, that the password is missing or wrong.
pub fn private_in(
    content: &[u8],
    name: &str,
    password: &PasswordArgs,
) -> Result<Result<(SecretKey, PrivateKeyForm)>, encoding::Error> {
    match encoding::read_private_key(content, None) {
        Err(encoding::Error::PasswordNeeded) => {}
        result => return result.map(Ok),
    }
    let password = match password.to_open(name) {
        Ok(password) => password,
        Err(failure) => return Ok(Err(failure)),
    };
    match encoding::read_private_key(content, Some(&password)) {
        Err(error @ encoding::Error::WrongPassword) => Ok(Err(malformed(name, &error))),
        result => result.map(Ok),
    }
}

/// The public key in a file, or that of the private key in it.
pub fn public(path: &Path, context: Context) -> Result<PublicKey> {
    public_with(path, &PasswordArgs::default(), context)
}

fn public_with(path: &Path, password: &PasswordArgs, context: Context) -> Result<PublicKey> {
    let name = show(path);
    let content = input::read_all(path, input::SMALL)?;
    match encoding::read_public_key(&content) {
        Ok((key, form)) => {
            context.note(format_args!("{name}: public key, {form}"));
            Ok(key)
        }
        // 32 bytes are no public key, and may be a private one.
        Err(encoding::Error::UnexpectedPrivateKey | encoding::Error::NotAKey) => {
            let (key, form) = private_in(&content, &name, password)
                .map_err(|error| malformed(&name, &error))??;
            context.note(format_args!(
                "{name}: private key, {form}; its public key is used"
            ));
            Ok(*key.public_key())
        }
        Err(error) => Err(malformed(&name, &error)),
    }
}

/// The beginning of what the algorithms of SM9's keys are.
const SM9: &str = "1.2.156.10197.1.302";

/// The error line for a file that holds no such key, or a damaged one.
pub fn malformed(name: &str, error: &encoding::Error) -> Failure {
    let advice = match error {
        encoding::Error::Sm2(_) => "; the file is damaged, or it is not for SM2",
        encoding::Error::Truncated | encoding::Error::PemEnd => "; fetch it again",
        encoding::Error::Der(_) | encoding::Error::UnexpectedTag { .. } => {
            "; see what `kuaimi sm2 inspect` or `openssl asn1parse` says of it"
        }
        encoding::Error::Base64 | encoding::Error::Hex => "; copy all of it again",
        encoding::Error::NotSm2Algorithm(oid) if oid.to_string().starts_with(SM9) => {
            ", which is SM9; use `kuaimi sm9`"
        }
        _ => "",
    };
    Failure::file(name, format_args!("{error}{advice}"))
}

/// What a private key's encryption under a password is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cipher {
    /// AES-256-CBC and HMAC-SHA-256: read by OpenSSL and most others.
    Aes,
    /// SM4-CBC and HMAC-SM3: read by GmSSL, Tongsuo and gmsm.
    Sm4,
}

/// The options for encrypting a private key.
#[derive(Args, Debug, Clone)]
pub struct EncryptArgs {
    /// The algorithms for an encrypted private key.
    #[arg(long, value_enum, default_value_t = Cipher::Aes)]
    pub cipher: Cipher,
}

/// A structure that a private key is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateStructure {
    Pkcs8,
    Sec1,
    EncryptedPkcs8(Cipher),
}

/// A key's structure in DER, and the label that it has in PEM.
pub struct Document {
    pub label: &'static str,
    pub der: Zeroizing<Vec<u8>>,
}

impl Document {
    /// Of a private key. `password` is looked at for encrypted PKCS#8 only.
    pub fn of_private(
        key: &SecretKey,
        structure: PrivateStructure,
        password: &[u8],
    ) -> Result<Self> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::usage(format!("the key cannot be written: {error}"))
        };
        let (label, der) = match structure {
            PrivateStructure::Pkcs8 => (
                "PRIVATE KEY",
                key.to_pkcs8_der()
                    .map_err(|error| failed(&error))?
                    .to_bytes(),
            ),
            PrivateStructure::Sec1 => (
                "EC PRIVATE KEY",
                key.to_sec1_der()
                    .map_err(|error| failed(&error))?
                    .to_bytes(),
            ),
            PrivateStructure::EncryptedPkcs8(cipher) => {
                let encryption = match cipher {
                    Cipher::Aes => PasswordEncryption::AES,
                    Cipher::Sm4 => PasswordEncryption::SHANGMI,
                };
                let der = key
                    .to_encrypted_pkcs8_der(password, encryption, &mut SysRng)
                    .map_err(|error| failed(&error))?;
                ("ENCRYPTED PRIVATE KEY", Zeroizing::new(der))
            }
        };
        Ok(Self { label, der })
    }

    /// Of a public key: SubjectPublicKeyInfo.
    pub fn of_public(key: &PublicKey) -> Result<Self> {
        let der = key
            .to_public_key_der()
            .map_err(|error| Failure::usage(format!("the key cannot be written: {error}")))?;
        Ok(Self {
            label: "PUBLIC KEY",
            der: Zeroizing::new(der.as_bytes().to_vec()),
        })
    }

    pub fn to_pem(&self) -> Result<Zeroizing<Vec<u8>>> {
        pem_rfc7468::encode_string(self.label, LineEnding::LF, &self.der)
            .map(|text| Zeroizing::new(text.into_bytes()))
            .map_err(|error| Failure::usage(format!("the key cannot be written: {error}")))
    }

    /// PEM, or the DER itself.
    pub fn to_pem_or_der(&self, der: bool) -> Result<Zeroizing<Vec<u8>>> {
        if der {
            Ok(self.der.clone())
        } else {
            self.to_pem()
        }
    }
}
