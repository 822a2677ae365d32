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

use clap::{Args, Subcommand};

pub use sign::Form;

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
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Keygen(keygen::Keygen),
    Pubkey(pubkey::Pubkey),
    Sign(sign::Sign),
    Verify(verify::Verify),
    Encrypt(encrypt::Encrypt),
    Decrypt(decrypt::Decrypt),
    Exchange(ExchangeCommand<exchange::Sm2>),
    Inspect(inspect::Inspect),
    Convert(convert::Convert),
}

impl Sm2Command {
    pub fn run(self, context: Context) -> Result<Answer> {
        match self.command {
            Command::Keygen(command) => command.run(context),
            Command::Pubkey(command) => command.run(context),
            Command::Sign(command) => command.run(context),
            Command::Verify(command) => command.run(context),
            Command::Encrypt(command) => command.run(context),
            Command::Decrypt(command) => command.run(context),
            Command::Exchange(command) => command.run(context),
            Command::Inspect(command) => command.run(context),
            Command::Convert(command) => command.run(context),
        }
    }
}
