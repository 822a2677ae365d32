//! `kuaimi sm4`: files encrypted under a key or a password, and bare modes for other programs'
//! files.
//!
//! | room | what it does |
//! | --- | --- |
//! | `keygen`, `encrypt`, `decrypt` | the commands |
//! | `key` | keys from files and passwords |
//! | `header`, `chunks` | the format of encrypted files (docs/sm4-file.md) |
//! | `raw/` | GCM, CCM, CBC, CFB, CTR, ECB, OFB and XTS as they are, without a header |

mod chunks;
mod decrypt;
mod encrypt;
mod header;
mod key;
mod keygen;
mod raw;

use clap::Args;

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};

/// SM4: encrypt files under a key or a password.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm4 encrypt --out report.enc report.pdf                 asks for a password
  kuaimi sm4 decrypt --out report.pdf report.enc
  kuaimi sm4 keygen --out backup.key
  tar c docs | kuaimi sm4 encrypt --key-file backup.key > docs.enc
  kuaimi sm4 decrypt --raw cbc --key $K --iv $IV --out plain from-openssl.bin

`kuaimi help sm4 COMMAND` describes each command.")]
pub struct Sm4Command {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "sm4":
    "keygen" => Keygen(keygen::Keygen),
    "encrypt" => Encrypt(encrypt::Encrypt),
    "decrypt" => Decrypt(decrypt::Decrypt),
}

impl Sm4Command {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}

/// Fills `bytes` from the operating system's random generator.
fn random(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).map_err(|error| {
        Failure::usage(format!(
            "the operating system gives no random numbers: {error}; without them nothing is encrypted"
        ))
    })
}
