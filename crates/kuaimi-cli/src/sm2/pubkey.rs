//! `kuaimi sm2 pubkey`.

use clap::{Args, ValueEnum};
use kuaimi::sm2::PublicKey;
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy};
use crate::sm2::keys::{PublicKeyArgs, public_document};
use crate::text::Encoding;

/// Extract the public key from a private key or a certificate.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 pubkey --key alice.pem --out alice.pub
  kuaimi sm2 pubkey --key alice.pem --form hex")]
pub struct Pubkey {
    #[command(flatten)]
    key: PublicKeyArgs,
    /// How the public key is written.
    #[arg(long, value_enum, default_value_t = Form::Spki)]
    form: Form,
    /// Write DER, or the point's bytes, instead of PEM or hexadecimal.
    #[arg(long)]
    der: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// SubjectPublicKeyInfo in PEM, which is what most programs read.
    Spki,
    /// The point in hexadecimal: 04, x, y.
    Hex,
    /// The compressed point in hexadecimal: 02 or 03, x.
    Compressed,
    /// The point in hexadecimal without a leading byte: x, y.
    Bare,
}

impl Pubkey {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let key = self.key.load(context)?;
        if self.der && target.is_terminal() {
            return Err(Failure::usage(
                "--der: a terminal shows no binary; give --out FILE, or leave --der out",
            ));
        }
        let content = match point(&key, self.form) {
            None => public_document(&key)?.to_pem_or_der(self.der)?,
            Some(point) if self.der => Zeroizing::new(point),
            Some(point) => Encoding::Hex.encode(&point),
        };
        target.write(&content)?;
        Ok(Answer::Yes)
    }
}

/// The bytes of the point, for the forms that are nothing else.
fn point(key: &PublicKey, form: Form) -> Option<Vec<u8>> {
    match form {
        Form::Spki => None,
        Form::Hex => Some(key.to_sec1_bytes().to_vec()),
        Form::Compressed => Some(key.to_compressed_bytes().to_vec()),
        Form::Bare => Some(key.to_xy_bytes().to_vec()),
    }
}
