//! `kuaimi sm9 sign`.

use std::path::Path;

use clap::{Args, ValueEnum};
use kuaimi::sm9::MessageHash;

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::say::show;
use crate::signature::SignArgs;

/// Sign a file of any size.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your signing key, as `extract` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 sign --key alice-sign.pem --id alice@example.com --out report.sig report.pdf
  kuaimi sm9 sign --key alice-sign.pem --id alice --form raw --encoding hex report.pdf

The name must be the one that the key was made for, which the key file does not hold: this is
checked. To verify, one needs the signing master public key and the name.")]
pub struct Sign {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    /// The structure of the signature.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    #[command(flatten)]
    sign: SignArgs,
}

/// The structure of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// SEQUENCE { h OCTET STRING, S BIT STRING }, 104 bytes: what GmSSL and gmsm write.
    Der,
    /// h and S, 96 bytes.
    Raw,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Self::Der => "DER",
            Self::Raw => "raw",
        }
    }
}

impl Sign {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.sign.target(&self.key.key)?;
        let id = self.id.bytes()?;
        let key = self
            .key
            .signing(identity::with_hid(&id, self.hid), context)?;
        let signature = key
            .sign_hash(&message(&self.sign.file)?)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let bytes = match self.form {
            Form::Der => signature.to_der(),
            Form::Raw => signature.to_bytes().to_vec(),
        };
        let encoding = self.sign.write(&target, &bytes)?;
        context.note(format_args!(
            "{}: signed, {}, {}",
            show(&self.sign.file),
            self.form.name(),
            encoding.name(),
        ));
        Ok(Answer::Yes)
    }
}

/// A file's content, hashed for signing and verifying.
pub fn message(path: &Path) -> Result<MessageHash> {
    let mut hash = MessageHash::new();
    input::hash(path, |bytes| hash.update(bytes))?;
    Ok(hash)
}
