//! `kuaimi sm9 setup`.

use clap::{Args, ValueEnum};
use kuaimi::encoding::{self, EncodePublicKey, LineEnding};
use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};

use super::keys;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::key_file::{NewKeyArgs, unwritable};

/// Make a master key: the first step of a key generation centre.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 setup --for sign --out sign.pem --pubout sign.pub
  kuaimi sm9 setup --for encrypt --out enc.pem --pubout enc.pub --encrypt    asks for a password, twice
  kuaimi sm9 setup --for encrypt --out enc.pem --pubout enc.pub --pub-form spki

A centre has one master key for signatures and another for encryption and key exchange. Their
public keys are for everyone: to verify or to encrypt, one needs only them and a name. The master
key's file has mode 0600. Without --out the master key goes to standard output.")]
pub struct Setup {
    /// What the master key is for.
    #[arg(long = "for", value_enum, value_name = "USE")]
    purpose: Purpose,
    /// The structure of the public key.
    #[arg(long, value_enum, default_value_t = PublicForm::Gmssl)]
    pub_form: PublicForm,
    #[command(flatten)]
    new: NewKeyArgs,
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
        let new = self.new.prepare()?;
        let (write, password) = (&self.new.write, &new.password);
        let no_key = |error: kuaimi::sm9::Error| Failure::usage(error.to_string());
        let (private, public) = match self.purpose {
            Purpose::Sign => {
                let key = MasterSigningKey::generate().map_err(no_key)?;
                let file = keys::file_of_master_signing(&key, write, password)?;
                let public = key.public_key();
                (file, self.public_file(public.to_gmssl_pem(), public)?)
            }
            Purpose::Encrypt => {
                let key = MasterEncryptionKey::generate().map_err(no_key)?;
                let file = keys::file_of_master_encryption(&key, write, password)?;
                let public = key.public_key();
                (file, self.public_file(public.to_gmssl_pem(), public)?)
            }
        };
        new.write(&private, &public, context)
    }

    /// The master public key's file.
    fn public_file(
        &self,
        gmssl: Result<String, encoding::Error>,
        key: &impl EncodePublicKey,
    ) -> Result<Vec<u8>> {
        Ok(match (self.pub_form, self.new.write.der) {
            (PublicForm::Gmssl, false) => gmssl.map_err(unwritable)?.into_bytes(),
            (PublicForm::Gmssl, true) => {
                let der = gmssl.and_then(|pem| without_pem(&pem));
                der.map_err(unwritable)?
            }
            (PublicForm::Spki, false) => {
                let pem = key.to_public_key_pem(LineEnding::LF);
                pem.map_err(unwritable)?.into_bytes()
            }
            (PublicForm::Spki, true) => key.to_public_key_der().map_err(unwritable)?.into_vec(),
        })
    }
}

/// The DER in a block of PEM.
fn without_pem(text: &str) -> Result<Vec<u8>, encoding::Error> {
    Ok(encoding::TextEncoding::Pem
        .decode(text.as_bytes())?
        .to_vec())
}
