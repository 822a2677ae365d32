//! `kuaimi sm9 decrypt`.

use clap::Args;
use kuaimi::encoding;
use kuaimi::sm9::{DecryptOptions, Error, Mode, stream};

use super::encrypt::{CheckArgs, Form, mode_parser};
use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::encryption::{DecryptArgs, Input};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::Target;
use crate::progress::Progress;
use crate::say::show;

/// Decrypt a file of any size.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your encryption key, as `extract` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 decrypt --key bob-enc.pem --id bob@example.com --out report.pdf report.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --check hmac-sm3 from-gmssl.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --form raw --mode cbc report.raw

The name must be the one that the key was made for. Whether the ciphertext is binary, hexadecimal or
base64 is detected; for a raw ciphertext, --form and --mode must be given. Nothing is written before
the whole ciphertext is verified; on failure no file is left. The output file has mode 0600.

Exit status: 1 when the decryption fails, 2 when a file cannot be read.")]
pub struct Decrypt {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    #[command(flatten)]
    check: CheckArgs,
    /// The structure of the ciphertext.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    /// The mode of a raw ciphertext, which does not say it [default: stream].
    #[arg(long, value_name = "MODE", value_parser = mode_parser())]
    mode: Option<Mode>,
    #[command(flatten)]
    decrypt: DecryptArgs,
}

impl Decrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.decrypt.target(&self.key.key)?;
        let id = self.id.bytes()?;
        if self.form == Form::Der && self.mode.is_some() {
            return Err(Failure::usage(
                "--mode: a ciphertext in DER says its mode; leave --mode out, or give --form raw",
            ));
        }
        let key = self
            .key
            .decryption(identity::with_hid(&id, self.hid), context)?;
        let options = DecryptOptions::new().with_mac(self.check.check);
        let Input {
            mut spool,
            length,
            encoding,
        } = self.decrypt.open()?;
        let progress = Progress::new("decrypting", Some(length));
        let reader = progress.reading(&mut spool);
        let mut sink = target.create()?;
        let result = match self.form {
            Form::Der => stream::decrypt(&key, options, reader, &mut sink),
            Form::Raw => {
                let mode = self.mode.unwrap_or_default();
                let result = stream::decrypt_raw(&key, mode, options, reader, &mut sink);
                result.map(|written| (written, mode))
            }
        };
        let (written, mode) = result.map_err(|error| match error {
            stream::Error::Sm9(Error::DecryptionFailed) => self.undecipherable(),
            error => self.failure(&target, error),
        })?;
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes decrypted, {mode}, {}, {}",
            show(&self.decrypt.file),
            self.form.name(),
            encoding.name(),
        ));
        Ok(Answer::Yes)
    }

    fn failure(&self, target: &Target, error: stream::Error) -> Failure {
        match error {
            stream::Error::Malformed(error) => {
                let advice = match (&error, self.form) {
                    (encoding::Error::UnexpectedTag { .. }, Form::Der) => {
                        "; if it is C1, C3, C2 without DER, give --form raw"
                    }
                    (encoding::Error::Sm9(_), Form::Raw) => "; if it is in DER, leave --form out",
                    _ => "",
                };
                self.decrypt
                    .refused(&format_args!("is not an SM9 ciphertext: {error}{advice}"))
            }
            error => self.decrypt.failure(target, error),
        }
    }

    /// Why decryption may have failed, with the key of the name.
    fn undecipherable(&self) -> Failure {
        let mode = match self.form {
            Form::Der => "",
            Form::Raw => ", in another mode (--mode)",
        };
        self.decrypt.refused(&format_args!(
            "decryption failed: it was encrypted for another name or centre, with another check value (--check){mode}, or altered"
        ))
    }
}
