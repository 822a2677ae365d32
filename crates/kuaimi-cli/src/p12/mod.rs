//! `kuaimi p12`: one file a command.

mod create;
mod extract;
mod show;

use clap::Args;

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;

/// Private keys with their certificates in one file under a password: PKCS #12, and CFCA's .sm2.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi p12 create --cert leaf.crt --key leaf.pem --ca ca.crt --out leaf.p12     asks for a password
  kuaimi p12 show leaf.p12
  kuaimi p12 extract --key-out leaf.pem --cert-out leaf.crt leaf.p12

Commands that need a private key take such a file as it is: kuaimi sm2 sign --key leaf.p12 …

`kuaimi help p12 COMMAND` describes each command.")]
pub struct P12Command {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "p12":
    "create" => Create(create::Create),
    "show" => Show(show::Show),
    "extract" => Extract(extract::Extract),
}

impl P12Command {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}
