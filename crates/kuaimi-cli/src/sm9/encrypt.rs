//! `kuaimi sm9 encrypt`.

use std::io::{Read, Seek as _, Write as _};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use getrandom::SysRng;
use kuaimi::sm9::stream::{self, Encryptor};
use kuaimi::sm9::{CheckValue, EncryptOptions, Error, Mode};

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exit::{Answer, Failure, Result, show};
use crate::input::{self, Source, unreadable};
use crate::output::{OutputArgs, Secrecy, Sink, Target};
use crate::progress::Progress;
use crate::spool::{self, Copy};
use crate::text::{Encoder, Encoding};

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
    /// How the message is hidden.
    #[arg(long, value_name = "MODE", value_parser = mode_parser(), default_value = "stream")]
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
    /// How the check value is computed.
    #[arg(long, value_name = "KIND", value_parser = check_parser(), default_value = "sm3")]
    pub check: CheckValue,
}

fn check_parser() -> impl TypedValueParser<Value = CheckValue> {
    let values = [
        PossibleValue::new(CheckValue::Sm3.name()).help("SM3(C2, K2): the standard's"),
        PossibleValue::new(CheckValue::HmacSm3.name()).help("HMAC-SM3(K2, C2): GmSSL 3's"),
    ];
    PossibleValuesParser::new(values).try_map(|name| name.parse::<CheckValue>())
}

/// Reads a mode's name.
pub fn mode_parser() -> impl TypedValueParser<Value = Mode> {
    let values = Mode::ALL.map(|mode| {
        PossibleValue::new(mode.name()).help(match mode {
            Mode::Stream => "A key stream as long as the message: what most programs do",
            Mode::Ecb => "SM4-ECB: shows which blocks of the message are equal",
            Mode::Cbc => "SM4-CBC",
            Mode::Ofb => "SM4-OFB",
            Mode::Cfb => "SM4-CFB",
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

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let id = self.id.bytes()?;
        let key = self.key.encryption_public(context)?;
        let options = EncryptOptions {
            mode: self.mode,
            check_value: self.check.check,
        };
        let encryptor = Encryptor::new(&key, identity::with_hid(&id, self.hid), options)
            .map_err(|error| Failure::file(show(&self.key.key), error))?;
        let source = Source::open(&self.file)?;
        let length = source.len();
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if target.is_terminal() => Encoding::Base64,
            None => Encoding::Binary,
        };
        let progress = Progress::new("encrypting", length);
        let reader = progress.reading(source);
        let mut sink = target.create()?;
        let failure = |error| self.failure(&target, error);
        let in_place = encoding == Encoding::Binary && sink.is_seekable();
        let written = match self.form {
            Form::Der if in_place && length.is_some() => encryptor
                .encrypt(&mut SysRng, reader, &mut sink, length)
                .map_err(failure)?,
            Form::Raw if in_place => encryptor
                .encrypt_raw(&mut SysRng, reader, &mut sink, length)
                .map_err(failure)?,
            _ => {
                self.by_way_of_a_spool(&encryptor, reader, length, &target, &mut sink, encoding)?
            }
        };
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes encrypted, {}, {}, {}",
            show(&self.file),
            self.mode,
            self.form.name(),
            encoding.name()
        ));
        Ok(Answer::Yes)
    }

    /// For what cannot seek, is to be text, or must know the length first: the ciphertext is made in one place, and
    /// rewritten from there.
    fn by_way_of_a_spool(
        &self,
        encryptor: &Encryptor<'_>,
        reader: impl Read,
        length: Option<u64>,
        target: &Target,
        sink: &mut Sink,
        encoding: Encoding,
    ) -> Result<u64> {
        let mut ciphertext = spool::empty();
        let written = encryptor
            .encrypt_raw(&mut SysRng, reader, &mut ciphertext, length)
            .map_err(|error| match error {
                stream::Error::Write(error) => spool::failed(&error),
                error => self.failure(target, error),
            })?;
        ciphertext.rewind().map_err(|error| spool::failed(&error))?;
        let mut encoder = Encoder::new(sink, encoding);
        match self.form {
            Form::Der => stream::raw_to_der(self.mode, &mut ciphertext, &mut encoder)
                .map(|_| ())
                .map_err(|error| match error {
                    stream::Error::Read(error) => spool::failed(&error),
                    error => self.failure(target, error),
                })?,
            Form::Raw => {
                spool::copy_all(&mut ciphertext, &mut encoder).map_err(|error| match error {
                    Copy::Read(error) => spool::failed(&error),
                    Copy::Write(error) => target.cannot_write(&error),
                })?;
            }
        }
        encoder
            .finish()
            .and_then(|sink| sink.flush())
            .map_err(|error| target.cannot_write(&error))?;
        Ok(written)
    }

    fn failure(&self, target: &Target, error: stream::Error) -> Failure {
        let name = show(&self.file);
        match error {
            stream::Error::Read(error) => unreadable(&self.file, &error),
            stream::Error::Write(error) => target.cannot_write(&error),
            stream::Error::Sm9(Error::EmptyMessage) => Failure::file(
                name,
                "is empty, and SM9 encrypts at least one byte; check the name",
            ),
            stream::Error::LengthNeeded => Failure::file(
                name,
                "is too long for --check hmac-sm3 in the stream mode, unless its length is known first; give a file and not a pipe, \
                 or another --mode (GmSSL itself reads messages of up to 255 bytes)",
            ),
            error => Failure::file(name, error),
        }
    }
}
