//! `kuaimi cms`: one file a command.

mod decrypt;
mod encrypt;
mod input;
mod sign;
mod verify;

use clap::{Args, ValueEnum};
use kuaimi_pki::message::Dialect;

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;

/// Messages for people with certificates: sign, verify, encrypt, decrypt (CMS, PKCS #7, GM/T 0010).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cms sign --cert leaf.crt --key leaf.pem --out m.p7s m.txt
  kuaimi cms verify --ca ca.crt --out m.txt m.p7s
  kuaimi cms encrypt --cert leaf.crt --out m.p7m m.txt
  kuaimi cms decrypt --cert leaf.crt --key leaf.pem --out m.txt m.p7m

Files of any size are processed in constant memory. BER, DER and PEM are read, with the object
identifiers of CMS and of GM/T 0010; --form says which are written.

`kuaimi help cms COMMAND` describes each command.")]
pub struct CmsCommand {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "cms":
    "sign" => Sign(sign::Sign),
    "verify" => Verify(verify::Verify),
    "encrypt" => Encrypt(encrypt::Encrypt),
    "decrypt" => Decrypt(decrypt::Decrypt),
}

impl CmsCommand {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}

/// Whose object identifiers a message has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// CMS (RFC 5652): what OpenSSL reads.
    Cms,
    /// GM/T 0010 (GB/T 35275): what banks and authorities in China expect.
    Gm,
    /// The same with the names of algorithms that GmSSL has: for encryption.
    Gmssl,
}

impl From<Form> for Dialect {
    fn from(form: Form) -> Self {
        match form {
            Form::Cms => Self::Cms,
            Form::Gm => Self::Gm,
            Form::Gmssl => Self::GmSsl,
        }
    }
}
