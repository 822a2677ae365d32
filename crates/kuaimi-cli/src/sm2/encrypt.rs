//! `kuaimi sm2 encrypt`.

use std::io::{Read, Seek, Write};

use clap::Args;
use getrandom::SysRng;
use kuaimi::sm2::{CiphertextForm, PublicKey, stream};

use super::form;
use super::keys::PublicKeyArgs;
use crate::context::Context;
use crate::encryption::{self, EncryptArgs};
use crate::exit::Answer;
use crate::failure::Result;
use crate::say::show;

/// Encrypt a file of any size for the holder of a private key.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 encrypt --key alice.pub --out report.enc report.pdf
  kuaimi sm2 encrypt --key alice.crt --form der --out report.enc report.pdf
  openssl pkeyutl -decrypt -inkey alice.pem -in report.enc            decrypts --form der
  tar c docs | kuaimi sm2 encrypt --key alice.pub --encoding base64 > docs.txt")]
pub struct Encrypt {
    #[command(flatten)]
    key: PublicKeyArgs,
    /// The form of the ciphertext.
    #[arg(long, value_name = "FORM", value_parser = form::parser(), default_value = "c1c3c2")]
    form: CiphertextForm,
    #[command(flatten)]
    encrypt: EncryptArgs,
}

/// To this key, in this form.
struct How {
    key: PublicKey,
    form: CiphertextForm,
}

/// The form of a draft: nothing in it depends on what comes later.
const DRAFT: CiphertextForm = CiphertextForm::C1C3C2;

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.encrypt.target(&self.key.key)?;
        let how = How {
            key: self.key.load(context)?,
            form: self.form,
        };
        let (written, encoding) = self.encrypt.run(&target, &how)?;
        context.note(format_args!(
            "{}: {written} bytes encrypted, {}, {}",
            show(&self.encrypt.file),
            self.form,
            encoding.name()
        ));
        Ok(Answer::Yes)
    }
}

impl encryption::Encrypt for How {
    fn needs_length(&self) -> bool {
        self.form == CiphertextForm::Der
    }

    fn encrypt(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        length: Option<u64>,
    ) -> Result<u64, stream::Error> {
        stream::encrypt(&self.key, &mut SysRng, self.form, reader, writer, length)
    }

    fn draft(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        _: Option<u64>,
    ) -> Result<u64, stream::Error> {
        stream::encrypt(&self.key, &mut SysRng, DRAFT, reader, writer, None)
    }

    fn rewrite(&self, draft: impl Read + Seek, writer: impl Write) -> Result<(), stream::Error> {
        stream::convert(draft, DRAFT, writer, self.form).map(drop)
    }
}
