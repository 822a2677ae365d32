//! `kuaimi sm9 encrypt`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kuaimi::sm9::{CheckValue, EncryptOptions, Error, Mode};
use zeroize::Zeroizing;

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result, show};
use crate::input;
use crate::output::{OutputArgs, Secrecy};
use crate::text::Encoding;

/// Encrypt a file for the holder of a name.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 encrypt --key enc.pub --id bob@example.com --out report.enc report.pdf
  kuaimi sm9 encrypt --key enc.pub --id bob --mode cbc --out report.enc report.pdf
  kuaimi sm9 encrypt --key enc.pub --id bob --check hmac-sm3 --out for-gmssl.enc note.txt

The recipient need not have a key yet. A ciphertext in DER says in which mode it is, a raw one does
not; neither says which check value it has. GmSSL 3 reads --check hmac-sm3, and messages of up to 255
bytes; gmsm reads sm3, which is the standard's. Files of up to 1 GiB are encrypted, in memory.")]
pub struct Encrypt {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    /// How the message is hidden: stream, ecb, cbc, ofb or cfb.
    #[arg(long, value_name = "MODE", default_value = "stream")]
    mode: Mode,
    #[command(flatten)]
    check: CheckArgs,
    /// The structure of the ciphertext.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    /// How the ciphertext is written [default: binary, and base64 on a terminal].
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    output: OutputArgs,
    /// What to encrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

/// How the check value is computed.
#[derive(Args, Debug, Clone, Copy)]
pub struct CheckArgs {
    /// The check value: sm3, as the standard has it, or hmac-sm3, as GmSSL 3 has it.
    #[arg(long, value_name = "KIND", default_value = "sm3")]
    pub check: CheckValue,
}

/// The structure of a ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// SEQUENCE { EnType, C1, C3, CipherText }: what GmSSL and gmsm write.
    Der,
    /// C1, C3, C2: 96 bytes more than the message.
    Raw,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Self::Der => "DER",
            Self::Raw => "raw",
        }
    }
}

/// What is encrypted or decrypted in memory.
pub const LARGEST: u64 = 1 << 30;

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let id = self.id.bytes()?;
        let key = self.key.encryption_public(context)?;
        let message = content(&self.file)?;
        let options = EncryptOptions {
            mode: self.mode,
            check_value: self.check.check,
        };
        let ciphertext = key
            .encrypt_with(identity::with_hid(&id, self.hid), &message, options)
            .map_err(|error| match error {
                Error::EmptyMessage => Failure::file(
                    show(&self.file),
                    "is empty, and SM9 encrypts at least one byte; check the name",
                ),
                error => Failure::file(show(&self.file), error),
            })?;
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if target.is_terminal() => Encoding::Base64,
            None => Encoding::Binary,
        };
        let bytes = match self.form {
            Form::Der => ciphertext.to_der(),
            Form::Raw => ciphertext.to_bytes(),
        };
        target.write(&encoding.encode(&bytes))?;
        context.note(format_args!(
            "{}: {} bytes encrypted, {}, {}, {}",
            show(&self.file),
            message.len(),
            self.mode,
            self.form.name(),
            encoding.name()
        ));
        Ok(Answer::Yes)
    }
}

/// A file that is small enough for memory.
fn content(path: &Path) -> Result<Zeroizing<Vec<u8>>> {
    let source = input::Source::open(path)?;
    if source.len().is_some_and(|length| length > LARGEST) {
        return Err(Failure::file(
            show(path),
            "is larger than 1 GiB; encrypt it with `kuaimi sm2 encrypt`, or under a key from `kuaimi sm9 encap`",
        ));
    }
    input::read_all(path, LARGEST)
}
