//! `kuaimi sm2 keygen`.

use clap::{Args, ValueEnum};
use kuaimi::sm2::PrivateKey;

use super::keys::{PrivateStructure, private_document, public_document};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::key_file::NewKeyArgs;
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
    /// The structure of the private key.
    #[arg(long, value_enum, default_value_t = Form::Pkcs8)]
    form: Form,
    #[command(flatten)]
    new: NewKeyArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// PKCS#8, which is what most programs read.
    Pkcs8,
    /// SEC 1, as `openssl ec` writes it.
    Sec1,
    /// The number itself, 64 hexadecimal digits; the public key is its point in hexadecimal.
    Hex,
}

impl Keygen {
    pub fn run(self, context: Context) -> Result<Answer> {
        let write = &self.new.write;
        let structure = match (self.form, write.encrypt) {
            (Form::Pkcs8, false) => Some(PrivateStructure::Pkcs8),
            (Form::Pkcs8, true) => Some(PrivateStructure::EncryptedPkcs8(write.cipher)),
            (Form::Sec1, false) => Some(PrivateStructure::Sec1),
            (Form::Hex, false) => None,
            (_, true) => {
                return Err(Failure::usage(
                    "--encrypt: encrypted keys are PKCS#8; leave --form out, or --encrypt",
                ));
            }
        };
        if write.der && structure.is_none() {
            return Err(Failure::usage(
                "--der: --form hex is text; leave one of the two out",
            ));
        }
        let new = self.new.prepare()?;
        let key = PrivateKey::generate().map_err(|error| Failure::usage(error.to_string()))?;
        let (private, public) = match structure {
            Some(structure) => (
                private_document(&key, structure, &new.password)?.to_pem_or_der(write.der)?,
                public_document(key.public_key())?.to_pem_or_der(write.der)?,
            ),
            None => (
                Encoding::Hex.encode(key.to_bytes().as_ref()),
                Encoding::Hex.encode(&key.public_key().to_sec1_bytes()),
            ),
        };
        new.write(&private, &public, context)
    }
}
