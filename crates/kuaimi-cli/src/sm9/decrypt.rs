//! `kuaimi sm9 decrypt`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding;
use kuaimi::sm9::{Ciphertext, Error, Mode};

use super::encrypt::{CheckArgs, Form, LARGEST};
use super::identity::IdArgs;
use super::keys::KeyArgs;
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result, show};
use crate::input;
use crate::output::{OutputArgs, Secrecy};
use crate::text;

/// Decrypt a file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 decrypt --key bob-enc.pem --id bob@example.com --out report.pdf report.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --check hmac-sm3 from-gmssl.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --form raw --mode cbc report.raw

The name must be the one that the key was made for. Whether the ciphertext is binary, hexadecimal or
base64 is found by looking; of what is not DER the form and the mode must be given. Nothing is written
before the whole ciphertext is verified. The output file has mode 0600.

Exit status: 1 when the decryption fails, 2 when a file cannot be read.")]
pub struct Decrypt {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    check: CheckArgs,
    /// The structure of the ciphertext.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    /// The mode of a raw ciphertext, which does not say it: stream, ecb, cbc, ofb or cfb [default: stream].
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    #[command(flatten)]
    output: OutputArgs,
    /// What to decrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Decrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let id = self.id.bytes()?;
        if self.form == Form::Der && self.mode.is_some() {
            return Err(Failure::usage(
                "--mode: a ciphertext in DER says its mode; leave --mode out, or give --form raw",
            ));
        }
        let key = self.key.user_encryption(context)?;
        let content = input::read_all(&self.file, 2 * LARGEST)?;
        let (encoding, bytes) = text::decode(&content);
        let ciphertext = self.read(&bytes).map_err(|error| {
            let advice = match (&error, self.form) {
                (encoding::Error::UnexpectedTag { .. }, Form::Der) => {
                    "; if it is C1, C3, C2 without DER, give --form raw"
                }
                _ => "",
            };
            self.refused(&format_args!("is no SM9 ciphertext: {error}{advice}"))
        })?;
        let message = key
            .decrypt_with(&id[..], &ciphertext, self.check.check)
            .map_err(|error| match error {
                Error::DecryptionFailed => self.refused(
                    &"decryption failed: another key or name (--id) than it was encrypted for, another check value (--check), or an altered ciphertext",
                ),
                error => Failure::file(show(&self.file), error),
            })?;
        target.write(&message)?;
        context.note(format_args!(
            "{}: {} bytes decrypted, {}, {}, {}",
            show(&self.file),
            message.len(),
            ciphertext.mode(),
            self.form.name(),
            encoding.name(),
        ));
        Ok(Answer::Yes)
    }

    fn read(&self, bytes: &[u8]) -> Result<Ciphertext, encoding::Error> {
        match self.form {
            Form::Der => Ciphertext::from_der(bytes),
            Form::Raw => Ok(Ciphertext::from_bytes(
                self.mode.unwrap_or_default(),
                bytes,
            )?),
        }
    }

    fn refused(&self, what: &dyn std::fmt::Display) -> Failure {
        Failure::refused(show(&self.file), what)
    }
}
