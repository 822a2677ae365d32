//! `kuaimi sm2`: one file a command.

mod convert;
mod curve;
mod decrypt;
mod encrypt;
mod exchange;
mod form;
pub mod identity;
mod inspect;
mod keygen;
pub mod keys;
mod look;
mod pubkey;
mod sign;
pub mod store;
mod verify;
mod why;

use clap::Args;

pub use sign::Form;

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exchange::ExchangeCommand;
use crate::exit::Answer;
use crate::failure::Result;

/// SM2 keys, signatures, encryption and key exchange.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 keygen --out alice.pem --pubout alice.pub
  kuaimi sm2 sign --key alice.pem --out report.sig report.pdf
  kuaimi sm2 verify --key alice.pub --signature report.sig report.pdf
  kuaimi sm2 encrypt --key alice.pub --out report.enc report.pdf
  kuaimi sm2 decrypt --key alice.pem --out report.pdf report.enc
  kuaimi sm2 inspect report.enc
  kuaimi sm2 convert --to der --key alice.pem --out for-openssl.enc report.enc

`kuaimi help sm2 COMMAND` describes each command.")]
pub struct Sm2Command {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "sm2":
    "keygen" => Keygen(keygen::Keygen),
    "pubkey" => Pubkey(pubkey::Pubkey),
    "sign" => Sign(sign::Sign),
    "verify" => Verify(verify::Verify),
    "encrypt" => Encrypt(encrypt::Encrypt),
    "decrypt" => Decrypt(decrypt::Decrypt),
    "exchange" => Exchange(ExchangeCommand<exchange::Sm2>),
    "inspect" => Inspect(inspect::Inspect),
    "convert" => Convert(convert::Convert),
}

impl Sm2Command {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}
