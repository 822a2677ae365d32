//! `kuaimi sm9 decrypt`.

use clap::Args;
use kuaimi::encoding;
use kuaimi::sm9::stream::{self, Decryptor};
use kuaimi::sm9::{Error, HID_ENCRYPT, HID_EXCHANGE, Mode, UserEncryptionKey};

use super::encrypt::{CheckArgs, Form, mode_parser};
use super::identity::{self, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::encryption::{DecryptArgs, Input};
use crate::exit::{Answer, Failure, Result, show};
use crate::output::Target;
use crate::progress::Progress;

/// Decrypt a file of any size.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your encryption key, as `extract` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 decrypt --key bob-enc.pem --id bob@example.com --out report.pdf report.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --check hmac-sm3 from-gmssl.enc
  kuaimi sm9 decrypt --key bob-enc.pem --id bob --form raw --mode cbc report.raw

The name must be the one that the key was made for. Whether the ciphertext is binary, hexadecimal
or base64 is found by looking; of what is not DER the form and the mode must be given. Nothing is
written before the whole ciphertext is verified; on failure no file is left. The output file has
mode 0600.

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
        let key = self.key.user_encryption(context)?;
        let decryptor = Decryptor::new(&key, &id[..], self.check.check)
            .map_err(|error| Failure::file(show(&self.key.key), error))?;
        let Input {
            mut spool,
            length,
            encoding,
        } = self.decrypt.open()?;
        let progress = Progress::new("decrypting", Some(length));
        let reader = progress.reading(&mut spool);
        let mut sink = target.create()?;
        let result = match self.form {
            Form::Der => decryptor.decrypt(reader, &mut sink),
            Form::Raw => {
                let mode = self.mode.unwrap_or_default();
                let result = decryptor.decrypt_raw(mode, reader, &mut sink);
                result.map(|written| (written, mode))
            }
        };
        let (written, mode) = result.map_err(|error| match error {
            stream::Error::Sm9(Error::DecryptionFailed) => self.undecipherable(&key, &id),
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
                    .refused(&format_args!("is no SM9 ciphertext: {error}{advice}"))
            }
            error => self.decrypt.failure(target, error),
        }
    }

    /// What is known of why decryption failed: whose the key is, has nothing to do with the ciphertext.
    fn undecipherable(&self, key: &UserEncryptionKey, id: &[u8]) -> Failure {
        let mode = match self.form {
            Form::Der => "",
            Form::Raw => ", in another mode (--mode)",
        };
        let (name, file) = (identity::show(id), show(&self.key.key));
        match identity::hid_of(key, id) {
            Some(HID_ENCRYPT) => self.decrypt.refused(&format_args!(
                "decryption failed: it was encrypted for another name or centre, with another check value (--check){mode}, or altered"
            )),
            Some(HID_EXCHANGE) => self.decrypt.refused(&format_args!(
                "decryption failed: {file} is {name}'s key for key exchange; give the one for encryption, which `kuaimi sm9 extract` makes \
                 without --for-exchange"
            )),
            _ => self.decrypt.refused(&format_args!(
                "decryption failed: {file} is not the key of {name}; check --key and --id"
            )),
        }
    }
}
