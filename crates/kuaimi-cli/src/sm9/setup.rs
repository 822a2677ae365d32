//! `kuaimi sm9 setup`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi::encoding;
use kuaimi::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};
use zeroize::Zeroizing;

use super::keys::{self, WriteArgs};
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::PasswordArgs;

/// Make a master key: the first step of a key generation centre.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 setup --for sign --out sign.pem --pubout sign.pub
  kuaimi sm9 setup --for encrypt --out enc.pem --pubout enc.pub --encrypt    asks for a password, twice
  kuaimi sm9 setup --for encrypt --out enc.pem --pubout enc.pub --pub-form spki

A centre has one master key for signatures and another for encryption and key exchange. Their
public keys are for everyone: who verifies or encrypts needs nothing else but a name. The master
key's file has mode 0600. Without --out the master key goes to standard output.")]
pub struct Setup {
    /// What the master key is for.
    #[arg(long = "for", value_enum, value_name = "USE")]
    purpose: Purpose,
    #[command(flatten)]
    output: OutputArgs,
    /// Write the master public key to FILE.
    #[arg(long, value_name = "FILE")]
    pubout: Option<PathBuf>,
    /// The structure of the public key.
    #[arg(long, value_enum, default_value_t = PublicForm::Gmssl)]
    pub_form: PublicForm,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    password: PasswordArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Purpose {
    /// Signatures.
    Sign,
    /// Encryption, encapsulation and key exchange.
    Encrypt,
}

/// The structure of a master public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PublicForm {
    /// What GmSSL and gmsm read.
    Gmssl,
    /// SubjectPublicKeyInfo.
    Spki,
}

impl Setup {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        let public_target = self
            .pubout
            .as_deref()
            .map(|path| Target::new(Some(path), self.output.force, Secrecy::Public));
        if self.pubout.is_some() && self.pubout == self.output.out {
            return Err(Failure::usage(
                "--pubout: is the same file as --out; give each its own",
            ));
        }
        if !self.write.encrypt
            && (self.password.password_file.is_some() || self.password.password_env.is_some())
        {
            return Err(Failure::usage(
                "--password-file, --password-env: a password is for --encrypt; give that too",
            ));
        }
        target.check()?;
        if let Some(target) = &public_target {
            target.check()?;
        }
        let password = match self.write.encrypt {
            true => self.password.to_protect(&target.name())?,
            false => Zeroizing::default(),
        };
        let written = self.write.written();
        let no_key = |error: kuaimi::sm9::Error| Failure::usage(error.to_string());
        let (private, public) = match self.purpose {
            Purpose::Sign => {
                let key = MasterSigningKey::generate().map_err(no_key)?;
                let file = keys::file_of_master_signing(&key, written, &password)?;
                (file, self.public_signing(key.public_key()))
            }
            Purpose::Encrypt => {
                let key = MasterEncryptionKey::generate().map_err(no_key)?;
                let file = keys::file_of_master_encryption(&key, written, &password)?;
                (file, self.public_encryption(key.public_key()))
            }
        };
        let public = public
            .map_err(|error| Failure::usage(format!("the key cannot be written: {error}")))?;
        target.write(&private)?;
        if let Some(target) = public_target {
            target.write(&public)?;
            context.note(format_args!("{}: the master public key", target.name()));
        }
        Ok(Answer::Yes)
    }

    fn public_signing(&self, key: &MasterSigningPublicKey) -> Result<Vec<u8>, encoding::Error> {
        Ok(match (self.pub_form, self.write.der) {
            (PublicForm::Gmssl, false) => key.to_gmssl_pem()?.into_bytes(),
            (PublicForm::Gmssl, true) => without_pem(&key.to_gmssl_pem()?)?,
            (PublicForm::Spki, false) => key.to_public_key_pem()?.into_bytes(),
            (PublicForm::Spki, true) => key.to_public_key_der(),
        })
    }

    fn public_encryption(
        &self,
        key: &MasterEncryptionPublicKey,
    ) -> Result<Vec<u8>, encoding::Error> {
        Ok(match (self.pub_form, self.write.der) {
            (PublicForm::Gmssl, false) => key.to_gmssl_pem()?.into_bytes(),
            (PublicForm::Gmssl, true) => without_pem(&key.to_gmssl_pem()?)?,
            (PublicForm::Spki, false) => key.to_public_key_pem()?.into_bytes(),
            (PublicForm::Spki, true) => key.to_public_key_der(),
        })
    }
}

/// The DER in a block of PEM.
fn without_pem(text: &str) -> Result<Vec<u8>, encoding::Error> {
    Ok(encoding::TextEncoding::Pem
        .decode(text.as_bytes())?
        .to_vec())
}
