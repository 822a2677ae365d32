//! What the key files of SM2 and SM9 have in common: they are opened with a password, and written
//! as PEM or DER.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi::encoding::{self, FileKind, LineEnding, PasswordEncryption};
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::{Password, PasswordArgs};

/// Decrypts the key in the file `name` under a password, which is asked for where no option gives
/// it. The inner error says that it is a malformed key; the outer one, that the password is missing
/// or wrong.
pub fn decrypt<T>(
    name: &str,
    password: &PasswordArgs,
    decrypt: impl FnOnce(&[u8]) -> Result<T, encoding::Error>,
) -> Result<Result<T, encoding::Error>> {
    match decrypt(&password.to_open(name)?) {
        Err(error @ encoding::Error::WrongPassword) => Err(malformed(name, &error)),
        result => Ok(result),
    }
}

/// The beginning of the object identifiers of SM9's algorithms.
const SM9: &str = "1.2.156.10197.1.302";

/// The error line for a file that holds no such key, or a damaged one.
pub fn malformed(name: &str, error: &encoding::Error) -> Failure {
    let advice = match error {
        encoding::Error::Sm2(_) => "; the file is damaged, or it is not for SM2",
        encoding::Error::Sm9(_) => "; the file is damaged",
        encoding::Error::Truncated | encoding::Error::PemEnd => "; fetch it again",
        encoding::Error::Der(_) | encoding::Error::UnexpectedTag { .. } => {
            "; `openssl asn1parse` shows its structure"
        }
        encoding::Error::Base64 | encoding::Error::Hex | encoding::Error::OddHex(_) => {
            "; copy all of it again"
        }
        encoding::Error::Other(FileKind::Sm9Key) => "; use `kuaimi sm9`",
        encoding::Error::NotSm2Algorithm(oid) if oid.to_string().starts_with(SM9) => {
            "; use `kuaimi sm9`"
        }
        encoding::Error::NotSm9Algorithm(_) => "; if it is a key for SM2, use `kuaimi sm2`",
        _ => "",
    };
    Failure::file(name, format_args!("{error}{advice}"))
}

/// The error for a key that cannot be written.
pub fn unwritable(error: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("the key cannot be written: {error}"))
}

/// The algorithms that encrypt a private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cipher {
    /// AES-256-CBC and HMAC-SHA-256: read by OpenSSL and most others.
    Aes,
    /// SM4-CBC and HMAC-SM3: read by GmSSL, Tongsuo and gmsm.
    Sm4,
}

impl Cipher {
    pub fn encryption(self) -> PasswordEncryption {
        match self {
            Self::Aes => PasswordEncryption::AES,
            Self::Sm4 => PasswordEncryption::SHANGMI,
        }
    }
}

/// How a private key is written.
#[derive(Args, Debug, Clone)]
pub struct WriteArgs {
    /// Write DER instead of PEM.
    #[arg(long)]
    pub der: bool,
    /// Encrypt the private key with a password.
    #[arg(long)]
    pub encrypt: bool,
    /// The algorithms for an encrypted private key. GmSSL reads sm4.
    #[arg(long, value_enum, default_value_t = Cipher::Aes)]
    pub cipher: Cipher,
}

/// A key's structure in DER, and the label that it has in PEM.
pub struct Document {
    pub label: &'static str,
    pub der: Zeroizing<Vec<u8>>,
}

impl Document {
    pub fn private(der: Zeroizing<Vec<u8>>) -> Self {
        let label = "PRIVATE KEY";
        Self { label, der }
    }

    pub fn encrypted(der: Vec<u8>) -> Self {
        Self {
            label: "ENCRYPTED PRIVATE KEY",
            der: Zeroizing::new(der),
        }
    }

    pub fn to_pem(&self) -> Result<Zeroizing<Vec<u8>>> {
        pem_rfc7468::encode_string(self.label, LineEnding::LF, &self.der)
            .map(|text| Zeroizing::new(text.into_bytes()))
            .map_err(unwritable)
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

/// The options of commands that make a key pair.
#[derive(Args, Debug)]
pub struct NewKeyArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Write the public key to FILE.
    #[arg(long, value_name = "FILE")]
    pubout: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    password: PasswordArgs,
}

/// Where the two keys go.
pub struct NewKey {
    private: Target,
    public: Option<Target>,
    /// Of the private key's file, if it is encrypted.
    pub password: Password,
}

impl NewKeyArgs {
    /// Checks the options, and asks for the password if one is needed.
    pub fn prepare(&self) -> Result<NewKey> {
        let private = self.output.target(Secrecy::Secret);
        let public = self
            .pubout
            .as_deref()
            .map(|path| Target::new(Some(path), self.output.force, Secrecy::Public));
        let same = |(one, other): (&PathBuf, &PathBuf)| input::same_file(one, other);
        if self
            .pubout
            .as_ref()
            .zip(self.output.out.as_ref())
            .is_some_and(same)
        {
            return Err(Failure::usage(
                "--pubout: is the same file as --out; give each its own",
            ));
        }
        if !self.write.encrypt && self.password.is_given() {
            return Err(Failure::usage(
                "--password-file, --password-env: a password is for --encrypt; give that, too",
            ));
        }
        private.check()?;
        if let Some(public) = &public {
            public.check()?;
        }
        let password = match self.write.encrypt {
            true => self.password.to_protect(&private.name())?,
            false => Zeroizing::default(),
        };
        Ok(NewKey {
            private,
            public,
            password,
        })
    }
}

impl NewKey {
    pub fn write(self, private: &[u8], public: &[u8], context: Context) -> Result<Answer> {
        // Neither key appears without the other.
        let private = self.private.begin(private)?;
        let public = match &self.public {
            Some(target) => Some((target, target.begin(public)?)),
            None => None,
        };
        private.commit()?;
        if let Some((target, file)) = public {
            file.commit()?;
            context.note(format_args!("{}: the public key", target.name()));
        }
        Ok(Answer::Yes)
    }
}
