//! `kuaimi sm9 encap`.

use clap::Args;
use kuaimi::encoding::sm9::KeyPackage;
use kuaimi::sm9::G1Point;

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exchange::message::Point as _;
use crate::exchange::{KeyOutput, SharedKeyArgs};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{check_stdout, print};
use crate::text::hex;

/// Make a fresh secret key that the holder of a name can make again: writes the key, and prints C
/// to send.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("The encryption master public key, or a key that holds it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Example:
  kuaimi sm9 encap --key enc.pub --id bob@example.com --length 32 --out key.bin > to-bob.txt
  kuaimi sm9 decap --key bob-enc.pem --id bob@example.com --length 32 --message to-bob.txt --out key.bin

The line C is not secret, and does not prove who made it. With --package, key and C are written
together, SEQUENCE { K, C }, as gmsm does it: that file is a secret.")]
pub struct Encap {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Write a key package in DER instead of the key alone.
    #[arg(long)]
    package: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl Encap {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        if target.is_stdout() {
            return Err(Failure::usage(
                "--out: standard output is for C; give a file for the key",
            ));
        }
        target.check()?;
        check_stdout()?;
        let id = self.id.bytes()?;
        let master = self.key.encryption_public(context)?;
        let (key, c) = master
            .encryption_key(identity::with_hid(&id, self.hid))
            .and_then(|recipient| recipient.encapsulate(self.shared.length()))
            .map_err(|error| Failure::usage(error.to_string()))?;
        let content = match self.package {
            true => KeyPackage { key, c }.to_der(),
            false => key,
        };
        // The key is of no use where the line was lost.
        let key = target.begin(&self.key_output.encode(&content))?;
        print(line(&c))?;
        key.commit()?;
        Ok(Answer::Yes)
    }
}

/// What is sent.
fn line(c: &G1Point) -> String {
    format!("C {}\n", hex(c.uncompressed()))
}
