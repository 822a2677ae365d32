//! What `encrypt` and `decrypt` of SM2 and SM9 have in common.

use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi::sm2::stream::Error;
use kuaimi::{sm2, sm9};

use crate::failure::{Failure, Result};
use crate::input::{self, Source, unreadable};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::progress::Progress;
use crate::say::show;
use crate::spool::{self, Spool};
use crate::text::{Encoder, Encoding};

/// The options for what is encrypted and where to.
#[derive(Args, Debug)]
pub struct EncryptArgs {
    /// How the ciphertext is written [default: binary, and base64 on a terminal].
    #[arg(long, value_enum)]
    pub encoding: Option<Encoding>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// What to encrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

/// A way to encrypt.
pub trait Encrypt {
    /// Whether the length of the message must be known to encrypt to a file at once.
    fn needs_length(&self) -> bool;

    /// Encrypts in the form that is asked for. Returns the length of the message.
    fn encrypt(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        length: Option<u64>,
    ) -> Result<u64, Error>;

    /// Encrypts in a form that needs no length.
    fn draft(
        &self,
        reader: impl Read,
        writer: impl Write + Seek,
        length: Option<u64>,
    ) -> Result<u64, Error>;

    /// Writes a draft in the form that is asked for.
    fn rewrite(&self, draft: impl Read + Seek, writer: impl Write) -> Result<(), Error>;
}

impl EncryptArgs {
    /// Where the ciphertext goes. `key` is the key's file.
    pub fn target(&self, key: &Path) -> Result<Target> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", key), ("FILE", &self.file)])?;
        Ok(target)
    }

    /// Encrypts the file. Returns the length of the message, and the encoding.
    pub fn run(&self, target: &Target, how: &impl Encrypt) -> Result<(u64, Encoding)> {
        let source = Source::open(&self.file)?;
        let length = source.len();
        let encoding = target.encoding(self.encoding, Encoding::Base64);
        let progress = Progress::new("encrypting", length);
        let reader = progress.reading(source);
        let mut sink = target.create()?;
        let failure = |error| failure(&self.file, target, error);
        let at_once = encoding == Encoding::Binary
            && sink.appears_whole()
            && (length.is_some() || !how.needs_length());
        let written = if at_once {
            how.encrypt(reader, &mut sink, length).map_err(failure)?
        } else {
            // What cannot seek, is text, or begins with the message's length is made in a temporary
            // file first.
            let mut draft = spool::empty();
            let written = how
                .draft(reader, &mut draft, length)
                .map_err(|error| match error {
                    Error::Write(error) => spool::failed(&error),
                    error => failure(error),
                })?;
            draft.rewind().map_err(|error| spool::failed(&error))?;
            let mut encoder = Encoder::new(&mut sink, encoding);
            how.rewrite(draft, &mut encoder)
                .map_err(|error| match error {
                    Error::Read(error) => spool::failed(&error),
                    error => failure(error),
                })?;
            encoder
                .finish()
                .map_err(|error| target.cannot_write(&error))?;
            written
        };
        sink.commit()?;
        Ok((written, encoding))
    }
}

/// The options for what is decrypted and where to.
#[derive(Args, Debug)]
pub struct DecryptArgs {
    #[command(flatten)]
    pub output: OutputArgs,
    /// What to decrypt; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

/// A ciphertext that can be read more than once.
pub struct Input {
    pub spool: Spool,
    pub length: u64,
    /// How it was written.
    pub encoding: Encoding,
}

impl DecryptArgs {
    /// Where the message goes. `key` is the key's file.
    pub fn target(&self, key: &Path) -> Result<Target> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        input::stdin_once(&[("--key", key), ("FILE", &self.file)])?;
        Ok(target)
    }

    pub fn open(&self) -> Result<Input> {
        let (mut spool, encoding) = Spool::open(&self.file)?;
        let length = spool
            .len()
            .map_err(|error| unreadable(&self.file, &error))?;
        Ok(Input {
            spool,
            length,
            encoding,
        })
    }

    /// The failure to decrypt the file.
    pub fn failure(&self, target: &Target, error: Error) -> Failure {
        failure(&self.file, target, error)
    }

    /// The failure of which the ciphertext is the reason.
    pub fn refused(&self, what: &dyn std::fmt::Display) -> Failure {
        Failure::refused(show(&self.file), what)
    }
}

/// The failure of encrypting, decrypting or converting a file.
pub fn failure(file: &Path, target: &Target, error: Error) -> Failure {
    let name = show(file);
    let empty =
        |scheme| format!("is empty, and {scheme} encrypts at least one byte; check the name");
    match error {
        Error::Read(error) => unreadable(file, &error),
        Error::Write(error) => target.cannot_write(&error),
        Error::Sm2(sm2::Error::EmptyMessage) => Failure::file(name, empty("SM2")),
        Error::Sm9(sm9::Error::EmptyMessage) => Failure::file(name, empty("SM9")),
        Error::LengthNeeded => Failure::file(
            name,
            "is too long for --check hmac-sm3 in the stream mode, unless its length is known first; give a file and not a pipe, \
             or another --mode (GmSSL itself reads messages of up to 255 bytes)",
        ),
        error => Failure::file(name, error),
    }
}
