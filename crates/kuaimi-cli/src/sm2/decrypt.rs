//! `kuaimi sm2 decrypt`.

use std::io::{Cursor, Read as _, Seek as _};

use clap::Args;
use kuaimi::sm2::{Ciphertext, CiphertextForm, Error, PrivateKey, stream};

use super::{form, look, why};
use crate::context::Context;
use crate::encryption::{DecryptArgs, Input};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::unreadable;
use crate::output::{Sink, Target};
use crate::progress::Progress;
use crate::say::{say, show};
use crate::sm2::keys::PrivateKeyArgs;
use crate::spool::{self, Spool};

/// Decrypt a file of any size.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 decrypt --key alice.pem --out report.pdf report.enc
  openssl pkeyutl -encrypt -pubin -inkey alice.pub -in note.txt | kuaimi sm2 decrypt --key alice.pem
  kuaimi sm2 decrypt --key alice.pem -v docs.txt | tar x

The form of the ciphertext, and whether it is binary, hexadecimal or base64, is detected; -v shows
it. Nothing is written before the whole ciphertext is verified; on failure no file is left. The
output file has mode 0600.

Exit status: 1 when the decryption fails, 2 when a file cannot be read.")]
pub struct Decrypt {
    #[command(flatten)]
    key: PrivateKeyArgs,
    /// Accept only this form of the ciphertext.
    #[arg(long, value_name = "FORM", value_parser = form::parser())]
    form: Option<CiphertextForm>,
    /// Also read what some vendors write: bytes after the DER, padded or negative integers.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    decrypt: DecryptArgs,
}

impl Decrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.decrypt.target(&self.key.key)?;
        let secret = self.key.load(context)?;
        let Input {
            mut spool,
            length,
            encoding,
        } = self.decrypt.open()?;
        let progress = Progress::new("decrypting", Some(length));
        let mut sink = target.create()?;
        let result = stream::decrypt(&secret, self.form, progress.reading(&mut spool), &mut sink);
        let (written, form, lenient) = match result {
            Ok((written, form)) => (written, form, ""),
            Err(stream::Error::Sm2(Error::DecryptionFailed)) => {
                let content = self.small(&mut spool, length)?;
                let written = self.leniently(&secret, &content, &mut sink, &target)?;
                (written, CiphertextForm::Der, " (not strict)")
            }
            Err(error) => return Err(self.failure(&target, error)),
        };
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes decrypted, {form}{lenient}, {}",
            show(&self.decrypt.file),
            encoding.name(),
        ));
        Ok(Answer::Yes)
    }

    /// All of a ciphertext that is small enough for a second look.
    fn small(&self, spool: &mut Spool, length: u64) -> Result<Vec<u8>> {
        let limit = if self.lenient {
            1 << 30
        } else {
            spool::IN_MEMORY as u64
        };
        if length > limit {
            return Err(self.decrypt.refused(&Error::DecryptionFailed));
        }
        let mut content = Vec::new();
        spool
            .rewind()
            .and_then(|()| spool.read_to_end(&mut content))
            .map_err(|error| unreadable(&self.decrypt.file, &error))?;
        Ok(content)
    }

    /// Decrypts DER that is not strict, where that is wanted; else says what is known of why
    /// decryption failed. Its structure is public, so that it does not fit gives nothing away.
    fn leniently(
        &self,
        secret: &PrivateKey,
        content: &[u8],
        sink: &mut Sink,
        target: &Target,
    ) -> Result<u64> {
        let der = matches!(self.form, None | Some(CiphertextForm::Der));
        if self.lenient
            && der
            && let Ok(ciphertext) = Ciphertext::from_der_lenient(content)
        {
            let strict = Cursor::new(ciphertext.to_bytes(CiphertextForm::C1C3C2));
            return stream::decrypt(secret, Some(CiphertextForm::C1C3C2), strict, sink)
                .map(|(written, _)| written)
                .map_err(|error| self.failure(target, error));
        }
        if let Some(hint) = why::of_failure(secret, content, self.form) {
            say(format_args!("{}: {hint}", show(&self.decrypt.file)));
        }
        match look::ciphertext_in_binary(content, self.form, false) {
            Ok(_) => Err(self.decrypt.refused(&Error::DecryptionFailed)),
            Err(error) => Err(self.decrypt.refused(&format_args!(
                "is not an SM2 ciphertext{}: {error}{}",
                self.form
                    .map(|form| format!(" in the form {form}"))
                    .unwrap_or_default(),
                look::hint(&error),
            ))),
        }
    }

    fn failure(&self, target: &Target, error: stream::Error) -> Failure {
        match error {
            stream::Error::Sm2(error @ Error::DecryptionFailed) => self.decrypt.refused(&error),
            error => self.decrypt.failure(target, error),
        }
    }
}
