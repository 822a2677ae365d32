//! `kuaimi sm4 keygen`.

use clap::Args;
use kuaimi::sm4::KEY_LEN;
use zeroize::Zeroizing;

use super::random;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::{OutputArgs, Secrecy};
use crate::text::Encoding;

/// Make a random key of 16 bytes, as 32 hexadecimal digits.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm4 keygen --out backup.key
  kuaimi sm4 encrypt --key-file backup.key --out photos.tar.enc photos.tar

The file has mode 0600.")]
pub struct Keygen {
    #[command(flatten)]
    output: OutputArgs,
}

impl Keygen {
    pub fn run(self, _: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        let mut key = Zeroizing::new([0; KEY_LEN]);
        random(&mut *key)?;
        target.write(&Encoding::Hex.encode(&*key))?;
        Ok(Answer::Yes)
    }
}
