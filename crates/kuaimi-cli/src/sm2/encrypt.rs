//! `kuaimi sm2 encrypt`.

use std::io::{Read, Seek, Write};
use std::path::PathBuf;

use clap::Args;
use getrandom::SysRng;
use kuaimi::sm2::{CiphertextForm, Error, PublicKey, stream};

use super::form;
use crate::context::Context;
use crate::exit::{Answer, Failure, Result, show};
use crate::input::{self, Source, unreadable};
use crate::keys::PublicKeyArgs;
use crate::output::{OutputArgs, Secrecy, Sink, Target};
use crate::progress::Progress;
use crate::spool;
use crate::text::{Encoder, Encoding};

/// Encrypt a file of any size for the holder of a private key.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 encrypt --key alice.pub --out report.enc report.pdf
  kuaimi sm2 encrypt --key alice.crt --form der --out report.enc report.pdf
  openssl pkeyutl -decrypt -inkey alice.pem -in report.enc            opens --form der
  tar c docs | kuaimi sm2 encrypt --key alice.pub --encoding base64 > docs.txt")]
pub struct Encrypt {
    #[command(flatten)]
    key: PublicKeyArgs,
    /// The form of the ciphertext.
    #[arg(long, value_name = "FORM", value_parser = form::parser(), default_value = "c1c3c2")]
    form: CiphertextForm,
    /// How the ciphertext is written [default: binary, and base64 on a terminal].
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    output: OutputArgs,
    /// What to encrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let key = self.key.load(context)?;
        let source = Source::open(&self.file)?;
        let length = source.len();
        let progress = Progress::new("encrypting", length);
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if target.is_terminal() => Encoding::Base64,
            None => Encoding::Binary,
        };
        let mut sink = target.create()?;
        let written = if encoding == Encoding::Binary
            && sink.is_seekable()
            && (length.is_some() || self.form != CiphertextForm::Der)
        {
            stream::encrypt(
                &key,
                &mut SysRng,
                self.form,
                progress.reading(source),
                &mut sink,
                length,
            )
            .map_err(|error| self.failure(&target, error))?
        } else {
            self.by_way_of_a_spool(&key, progress.reading(source), &target, &mut sink, encoding)?
        };
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes encrypted, {}, {}",
            show(&self.file),
            self.form,
            encoding.name()
        ));
        Ok(Answer::Yes)
    }

    /// For what cannot seek, is to be text, or must know the length first: the ciphertext is made in one place, and
    /// rewritten from there.
    fn by_way_of_a_spool(
        &self,
        key: &PublicKey,
        reader: impl Read,
        target: &Target,
        sink: &mut Sink,
        encoding: Encoding,
    ) -> Result<u64> {
        let mut ciphertext = spool::empty();
        let written = stream::encrypt(
            key,
            &mut SysRng,
            CiphertextForm::C1C3C2,
            reader,
            &mut ciphertext,
            None,
        )
        .map_err(|error| match error {
            stream::Error::Write(error) => spool::failed(&error),
            error => self.failure(target, error),
        })?;
        ciphertext.rewind().map_err(|error| spool::failed(&error))?;
        let mut encoder = Encoder::new(sink, encoding);
        stream::convert(
            &mut ciphertext,
            CiphertextForm::C1C3C2,
            &mut encoder,
            self.form,
        )
        .map_err(|error| match error {
            stream::Error::Read(error) => spool::failed(&error),
            error => self.failure(target, error),
        })?;
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
            stream::Error::Sm2(Error::EmptyMessage) => Failure::file(
                name,
                "is empty, and SM2 encrypts at least one byte; check the name",
            ),
            error => Failure::file(name, error),
        }
    }
}
