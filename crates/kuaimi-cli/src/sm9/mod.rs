//! `kuaimi sm9`: one file a command.

mod decap;
mod decrypt;
mod encap;
mod encrypt;
mod exchange;
mod extract;
mod file_name;
mod identity;
mod inspect;
mod keys;
mod setup;
mod sign;
mod verify;

use clap::Args;

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exchange::ExchangeCommand;
use crate::exit::Answer;
use crate::failure::Result;

/// SM9: signatures, encryption and key exchange in which a user's name is the public key.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples. The key generation centre makes two master keys, and each user's keys from them:
  kuaimi sm9 setup --for sign --out sign.pem --pubout sign.pub
  kuaimi sm9 setup --for encrypt --out enc.pem --pubout enc.pub
  kuaimi sm9 extract --key sign.pem --id alice@example.com --out alice-sign.pem
  kuaimi sm9 extract --key enc.pem --id bob@example.com --out bob-enc.pem
Users need their own keys, the master public keys, and each other's names:
  kuaimi sm9 sign --key alice-sign.pem --id alice@example.com --out report.sig report.pdf
  kuaimi sm9 verify --key sign.pub --id alice@example.com --signature report.sig report.pdf
  kuaimi sm9 encrypt --key enc.pub --id bob@example.com --out report.enc report.pdf
  kuaimi sm9 decrypt --key bob-enc.pem --id bob@example.com --out report.pdf report.enc

Anyone who has a master key can sign and decrypt as any user: protect it accordingly.
`kuaimi help sm9 COMMAND` describes each command.")]
pub struct Sm9Command {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "sm9":
    "setup" => Setup(setup::Setup),
    "extract" => Extract(extract::Extract),
    "sign" => Sign(sign::Sign),
    "verify" => Verify(verify::Verify),
    "encrypt" => Encrypt(encrypt::Encrypt),
    "decrypt" => Decrypt(decrypt::Decrypt),
    "encap" => Encap(encap::Encap),
    "decap" => Decap(decap::Decap),
    "exchange" => Exchange(ExchangeCommand<exchange::Sm9>),
    "inspect" => Inspect(inspect::Inspect),
}

impl Sm9Command {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}
