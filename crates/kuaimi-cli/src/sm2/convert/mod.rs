//! `kuaimi sm2 convert`: any form into any other.

mod ciphertext;
mod forms;
mod key;
mod signature;

use std::path::PathBuf;

use clap::Args;

use self::forms::{Form, Kind, OutputEncoding};
use super::look::{self, Found};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::{self, Source, unreadable};
use crate::key_file::{Cipher, malformed};
use crate::output::OutputArgs;
use crate::password::PasswordArgs;
use crate::say::{say, show};
use crate::text;

const EXAMPLE: &str = "\
Examples:
  kuaimi sm2 convert --to der --from c1c2c3 --out new.enc old.enc     a ciphertext, for OpenSSL
  kuaimi sm2 convert --to c1c3c2 --key alice.pem --out new.enc old.enc
  kuaimi sm2 convert --to raw --encoding hex report.sig               a signature
  kuaimi sm2 convert --to der --lenient --out strict.sig vendor.sig
  kuaimi sm2 convert --to hex alice.pem                               a key
  kuaimi sm2 convert --to pkcs8 --out alice.pem alice.hex
  kuaimi sm2 convert --to encrypted-pkcs8 --cipher sm4 --out locked.pem alice.pem
  kuaimi sm2 convert --to enveloped --recipient bob.pub --out for-bob.env alice.pem
  kuaimi sm2 convert --to pkcs8 --key bob.pem --out alice.pem for-bob.env

What FILE contains is detected and printed on standard error; --from accepts only one form. The
order of a ciphertext, c1c3c2 or c1c2c3, cannot be detected: name it with --from, or give --key, and
the order that decrypts is used.

Keys:         pkcs8 encrypted-pkcs8 sec1 enveloped spki hex uncompressed compressed bare; also
              pem and der, which keep the structure, and raw for the 32 bytes of a private key
Signatures:   der raw
Ciphertexts:  c1c3c2 c1c2c3 bare-c1c3c2 bare-c1c2c3 der
All of them:  hex base64 binary for another encoding of the same form; see --encoding too

Exit status: 1 when --key does not decrypt the input, 2 when the input cannot be read.";

/// Convert a key, signature or ciphertext from any form to any other.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct Convert {
    /// The form to write.
    #[arg(long, value_parser = forms::to(), value_name = "FORM", hide_possible_values = true)]
    to: Form,
    /// Accept only this form of the input: a key's `pkcs8`, `sec1`, `spki` and so on, a signature's
    /// `raw` or `der`, a ciphertext's `c1c3c2`, `c1c2c3`, `bare-c1c3c2`, `bare-c1c2c3` or `der`.
    #[arg(long, value_parser = forms::from(), value_name = "FORM", hide_possible_values = true)]
    from: Option<Form>,
    /// What the input is, if more than one kind is possible.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// How it is written [default: PEM for the structures of keys, hex for their numbers, else as
    /// the input was].
    #[arg(long, value_enum)]
    encoding: Option<OutputEncoding>,
    /// Also read what some vendors write: bytes after the DER, padded or negative integers.
    #[arg(long)]
    lenient: bool,
    /// The private key that decrypts a ciphertext whose order is not known, or that opens an
    /// enveloped key.
    #[arg(long, short, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The public key for which `--to enveloped` encrypts a private key.
    #[arg(long, value_name = "FILE")]
    recipient: Option<PathBuf>,
    /// The algorithms of `--to encrypted-pkcs8`.
    #[arg(long, value_enum, default_value_t = Cipher::Aes)]
    cipher: Cipher,
    /// The password of an encrypted input.
    #[command(flatten)]
    password: PasswordArgs,
    /// Read the new password, for `--to encrypted-pkcs8`, from the first line of FILE.
    #[arg(long, value_name = "FILE", conflicts_with = "new_password_env")]
    new_password_file: Option<PathBuf>,
    /// Read the new password from the environment variable VAR.
    #[arg(long, value_name = "VAR")]
    new_password_env: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// What to convert; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Convert {
    pub fn run(self, context: Context) -> Result<Answer> {
        input::stdin_once(&[
            ("FILE", &self.file),
            ("--key", self.key.as_deref().unwrap_or("".as_ref())),
            (
                "--recipient",
                self.recipient.as_deref().unwrap_or("".as_ref()),
            ),
        ])?;
        let source = Source::open(&self.file)?;
        if source.len().is_some_and(|length| length > input::SMALL) {
            // Nothing but a ciphertext is that long.
            self.expect(Kind::Ciphertext)?;
            drop(source);
            return ciphertext::of_file(&self, context);
        }
        let content = source
            .read_at_most(input::SMALL)
            .map_err(|error| unreadable(&self.file, &error))?
            .ok_or_else(|| {
                self.wrong(
                    "standard input and pipes may have 16 MiB here; give the ciphertext as a file",
                )
            })?;
        match self.look(&content)? {
            Found::Private(key, form) => {
                self.found(format_args!("private key, {form}"));
                key::private(&self, &key, form.structure, context)
            }
            Found::Public(key, form) => {
                self.found(format_args!("public key, {form}"));
                key::public(&self, &key, form)
            }
            Found::Enveloped(der) => {
                self.found("enveloped key (GB/T 35276)");
                key::enveloped(&self, &der, context)
            }
            Found::Signature(found) => {
                self.found(format_args!("signature, {}", found.description()));
                signature::convert(&self, &found)
            }
            Found::Ciphertext(found) => ciphertext::of_bytes(&self, &found, context),
        }
    }

    /// What the input is, as far as it is not insisted on.
    fn look(&self, content: &[u8]) -> Result<Found> {
        let name = show(&self.file);
        let from = self.from;
        let kind = self.kind.or_else(|| from.and_then(Form::kind));
        if let (Some(kind), Some(from)) = (self.kind, from)
            && !from.can_be(kind)
        {
            return Err(Failure::usage(format!(
                "--from: {} is not a form of a {}; leave --kind out, or see --help",
                from.name(),
                kind.name()
            )));
        }
        let unfit = |kind: &str, error: &kuaimi::encoding::Error| {
            Failure::file(
                &name,
                format_args!("as a {kind}: {error}{}", look::hint(error)),
            )
        };
        let found = match kind {
            Some(Kind::Signature) => {
                look::signature(content, from.and_then(Form::signature), self.lenient)
                    .map(Found::Signature)
                    .map_err(|error| unfit("signature", &error))?
            }
            Some(Kind::Ciphertext) => {
                look::ciphertext(content, from.and_then(Form::ciphertext), self.lenient)
                    .map(Found::Ciphertext)
                    .map_err(|error| unfit("ciphertext", &error))?
            }
            // `raw` and `der` are signatures, ciphertexts and keys alike: whatever it is, it must
            // be that.
            Some(Kind::Key) | None => look::anything(content, &name, self.lenient, &self.password)?,
        };
        if kind == Some(Kind::Key) && matches!(found, Found::Signature(_) | Found::Ciphertext(_)) {
            return Err(malformed(&name, &kuaimi::encoding::Error::NotAKey));
        }
        if let Some(from) = from
            && !from.fits(&found)
        {
            return Err(self.wrong(&format!(
                "is not in the form {} that --from insists on; leave --from out to see what it is",
                from.name()
            )));
        }
        Ok(found)
    }

    /// Says what was found.
    fn found(&self, what: impl std::fmt::Display) {
        say(format_args!("{}: {what}", show(&self.file)));
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::file(show(&self.file), what)
    }

    /// Refuses a target that is no form of what was found.
    fn no_form_of(&self, kind: &str, forms: &str) -> Failure {
        Failure::usage(format!(
            "--to: {} is not a form of a {kind}; choose one of: {forms}",
            self.to.name()
        ))
    }

    /// Refuses an input of this kind where another is insisted on.
    fn expect(&self, kind: Kind) -> Result<()> {
        let insisted = self.kind.or_else(|| self.from.and_then(Form::kind));
        match insisted {
            Some(other) if other != kind => Err(self.wrong(&format!(
                "is too long for a {}; check the name",
                other.name()
            ))),
            _ => Ok(()),
        }
    }

    /// The encoding of what is not a key: as asked for, or as it was.
    fn encoding(&self, found: text::Encoding, terminal: bool) -> Result<text::Encoding> {
        let asked = self.to.encoding().or(self.encoding);
        match asked {
            None if terminal && found == text::Encoding::Binary => Ok(text::Encoding::Base64),
            None => Ok(found),
            Some(encoding) => encoding.without_pem().ok_or_else(|| {
                Failure::usage("--encoding: PEM is for keys; choose binary, hex or base64")
            }),
        }
    }
}
