//! `kuaimi sm2 keygen`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi::sm2::SecretKey;
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::{Answer, Failure, Result};
use crate::keys::{Document, EncryptArgs, PrivateStructure};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::PasswordArgs;
use crate::text::Encoding;

/// Make a key pair.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 keygen --out alice.pem --pubout alice.pub
  kuaimi sm2 keygen --out alice.pem --encrypt                        asks for a password, twice
  kuaimi sm2 keygen --out alice.pem --encrypt --cipher sm4 --password-file secret.txt
  kuaimi sm2 keygen | kuaimi sm2 pubkey --key -

The private key's file has mode 0600. Without --out the private key goes to standard output.")]
pub struct Keygen {
    #[command(flatten)]
    output: OutputArgs,
    /// Write the public key to FILE: SubjectPublicKeyInfo (with --form hex, the point in hexadecimal).
    #[arg(long, value_name = "FILE")]
    pubout: Option<PathBuf>,
    /// The structure of the private key.
    #[arg(long, value_enum, default_value_t = Form::Pkcs8)]
    form: Form,
    /// Write DER in place of PEM.
    #[arg(long)]
    der: bool,
    /// Encrypt the private key under a password.
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    encryption: EncryptArgs,
    #[command(flatten)]
    password: PasswordArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// PKCS#8, which is what most programs read.
    Pkcs8,
    /// SEC 1, as `openssl ec` writes it.
    Sec1,
    /// The number itself, 64 hexadecimal digits.
    Hex,
}

impl Keygen {
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
        let structure = match (self.form, self.encrypt) {
            (Form::Pkcs8, false) => Some(PrivateStructure::Pkcs8),
            (Form::Pkcs8, true) => Some(PrivateStructure::EncryptedPkcs8(self.encryption.cipher)),
            (Form::Sec1, false) => Some(PrivateStructure::Sec1),
            (Form::Hex, false) => None,
            (_, true) => {
                return Err(Failure::usage(
                    "--encrypt: encrypted keys are PKCS#8; leave --form out, or --encrypt",
                ));
            }
        };
        if self.der && structure.is_none() {
            return Err(Failure::usage(
                "--der: --form hex is text; leave one of the two out",
            ));
        }
        if !self.encrypt
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

        let password = match self.encrypt {
            true => self.password.to_protect(&target.name())?,
            false => Zeroizing::default(),
        };
        let key = SecretKey::generate().map_err(|error| Failure::usage(error.to_string()))?;
        let (private, public) = match structure {
            Some(structure) => (
                Document::of_private(&key, structure, &password)?.to_pem_or_der(self.der)?,
                Document::of_public(key.public_key())?.to_pem_or_der(self.der)?,
            ),
            None => (
                Encoding::Hex.encode(key.to_bytes().as_ref()),
                Encoding::Hex.encode(&key.public_key().to_sec1_bytes()),
            ),
        };
        target.write(&private)?;
        if let Some(target) = public_target {
            target.write(&public)?;
            context.note(format_args!("{}: the public key", target.name()));
        }
        Ok(Answer::Yes)
    }
}
