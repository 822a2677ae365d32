//! What `sign` and `verify` of SM2 and SM9 have in common.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::Answer;
use crate::failure::Result;
use crate::input;
use crate::output::{OutputArgs, Secrecy, Target, verdict};
use crate::say::{say, show};
use crate::text::Encoding;

/// The options for what is signed and where the signature goes.
#[derive(Args, Debug)]
pub struct SignArgs {
    /// How the signature is written [default: binary, and base64 on a terminal].
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    output: OutputArgs,
    /// What to sign; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

impl SignArgs {
    /// Where the signature goes. `key` is the key's file.
    pub fn target(&self, key: &Path) -> Result<Target> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", key), ("FILE", &self.file)])?;
        Ok(target)
    }

    /// Writes the signature. Returns its encoding.
    pub fn write(&self, target: &Target, signature: &[u8]) -> Result<Encoding> {
        let encoding = target.encoding(self.encoding, Encoding::Base64);
        target.write(&encoding.encode(signature))?;
        Ok(encoding)
    }
}

/// The options for what is verified.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The signature.
    #[arg(long, short, value_name = "FILE")]
    signature: PathBuf,
    /// Print nothing; the exit status is the answer.
    #[arg(long, short)]
    quiet: bool,
    /// What was signed; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

impl VerifyArgs {
    /// Refuses standard input for two things. `key` is the key's file.
    pub fn check(&self, key: &Path) -> Result<()> {
        input::stdin_once(&[
            ("--key", key),
            ("--signature", &self.signature),
            ("FILE", &self.file),
        ])
    }

    /// The content of the signature's file.
    pub fn signature(&self) -> Result<Vec<u8>> {
        Ok(input::read_all(&self.signature, input::SMALL)?.to_vec())
    }

    /// The name of the signature's file.
    pub fn name(&self) -> String {
        show(&self.signature)
    }

    /// Says that a signature does not fit `what`.
    pub fn misfit(&self, what: &str) {
        if !self.quiet {
            say(format_args!(
                "{}: does not fit this {what}; check all of them",
                self.name()
            ));
        }
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub fn verdict(&self, valid: bool) -> Result<Answer> {
        verdict(valid, self.quiet)
    }
}
