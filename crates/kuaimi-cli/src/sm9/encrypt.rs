//! `kuaimi sm9 encrypt`.

use std::io::{Read, Seek, Write};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use getrandom::SysRng;
use kuaimi::sm9::{EncryptOptions, EncryptionKey, Mac, Mode, stream};

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::encryption::{self, EncryptArgs};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::say::show;
use crate::spool::copy_all;

/// Encrypt a file of any size for the holder of a name.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("The encryption master public key, or a key that holds it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 encrypt --key enc.pub --id bob@example.com --out report.enc report.pdf
  kuaimi sm9 encrypt --key enc.pub --id bob --mode cbc --out report.enc report.pdf
  kuaimi sm9 encrypt --key enc.pub --id bob --check hmac-sm3 --out for-gmssl.enc note.txt
  tar c docs | kuaimi sm9 encrypt --key enc.pub --id bob --encoding base64 > docs.txt

The recipient need not have a key yet. A ciphertext in DER says in which mode it is, a raw one
does not; neither says which check value it has. GmSSL 3 reads the stream mode with --check
hmac-sm3, and messages of up to 255 bytes; gmsm reads all modes, with --check sm3, the standard's.")]
pub struct Encrypt {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    /// How the message is encrypted.
    #[arg(long, value_name = "MODE", value_parser = mode_parser(), default_value = "stream")]
    mode: Mode,
    #[command(flatten)]
    check: CheckArgs,
    /// The structure of the ciphertext.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    #[command(flatten)]
    encrypt: EncryptArgs,
}

/// How the check value is computed.
#[derive(Args, Debug, Clone, Copy)]
pub struct CheckArgs {
    /// How the check value is computed.
    #[arg(long, value_name = "KIND", value_parser = check_parser(), default_value = "sm3")]
    pub check: Mac,
}

fn check_parser() -> impl TypedValueParser<Value = Mac> {
    let values = [
        PossibleValue::new(Mac::Sm3.name()).help("SM3(C2, K2): the standard's"),
        PossibleValue::new(Mac::HmacSm3.name()).help("HMAC-SM3(K2, C2): GmSSL 3's"),
    ];
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Mac>())
}

/// Reads a mode's name.
pub fn mode_parser() -> impl TypedValueParser<Value = Mode> {
    let values = Mode::ALL.iter().map(|mode| {
        PossibleValue::new(mode.name()).help(match mode {
            Mode::Stream => "A key stream as long as the message: what most programs do",
            Mode::Ecb => "SM4-ECB: shows which blocks of the message are equal",
            Mode::Cbc => "SM4-CBC",
            Mode::Ofb => "SM4-OFB",
            Mode::Cfb => "SM4-CFB",
            _ => "",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Mode>())
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

/// For an identity, in this mode and form.
struct How {
    key: EncryptionKey,
    options: EncryptOptions,
    form: Form,
}

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.encrypt.target(&self.key.key)?;
        let id = self.id.bytes()?;
        let key = self.key.encryption_public(context)?;
        let how = How {
            key: EncryptionKey::new(&key, identity::with_hid(&id, self.hid))
                .map_err(|error| Failure::file(show(&self.key.key), error))?,
            options: EncryptOptions::new()
                .with_mode(self.mode)
                .with_mac(self.check.check),
            form: self.form,
        };
        let (written, encoding) = self.encrypt.run(&target, &how)?;
        context.note(format_args!(
            "{}: {written} bytes encrypted, {}, {}, {}",
            show(&self.encrypt.file),
            self.mode,
            self.form.name(),
            encoding.name()
        ));
        Ok(Answer::Yes)
    }
}

impl encryption::Encrypt for How {
    fn needs_length(&self) -> bool {
        self.form == Form::Der
    }

    fn encrypt(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        length: Option<u64>,
    ) -> Result<u64, stream::Error> {
        match self.form {
            Form::Der => {
                stream::encrypt(&self.key, &mut SysRng, self.options, reader, writer, length)
            }
            Form::Raw => self.draft(reader, writer, length),
        }
    }

    fn draft(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        length: Option<u64>,
    ) -> Result<u64, stream::Error> {
        stream::encrypt_raw(&self.key, &mut SysRng, self.options, reader, writer, length)
    }

    fn rewrite(
        &self,
        mut draft: impl Read + Seek,
        mut writer: impl Write,
    ) -> Result<(), stream::Error> {
        match self.form {
            Form::Der => stream::raw_to_der(self.options.mode(), draft, writer).map(drop),
            Form::Raw => copy_all(&mut draft, &mut writer),
        }
    }
}
