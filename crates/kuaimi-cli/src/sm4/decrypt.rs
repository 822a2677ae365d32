//! `kuaimi sm4 decrypt`.

use std::io::{self, Read, Seek as _, SeekFrom};

use clap::Args;
use kuaimi::sm4::KEY_LEN;
use zeroize::Zeroizing;

use super::chunks::Error;
use super::header::{self, Header, Origin};
use super::key::{self, KeyArgs};
use super::raw::{Direction, RawArgs};
use crate::context::Context;
use crate::encryption::DecryptArgs;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::{Source, fill, unreadable};
use crate::output::{Secrecy, Target};
use crate::progress::Progress;
use crate::say::show;
use crate::spool::Spool;
use crate::text::{self, Decoder, Encoding};

/// Decrypt a file of any size.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm4 decrypt --out report.pdf report.enc                 asks for the password
  kuaimi sm4 decrypt --key-file backup.key --out report.pdf report.enc
  kuaimi sm4 decrypt --password-file pw docs.txt | tar x
  kuaimi sm4 decrypt --raw ctr --key $K --iv $IV --out m c       as openssl enc -d -sm4-ctr -K -iv

Whether the file is binary, hexadecimal or base64 is detected. Nothing is written before all of it
is verified: an output file appears when it is complete, and what goes to standard output is
verified first and then decrypted, which takes twice the time. On failure no file is left. The
output file has mode 0600. A wrong key, a wrong password and an altered file give the same error.

--raw reads the bare ciphertext of a mode, as for `kuaimi sm4 encrypt --raw`. It is NOT
AUTHENTICATED, except with gcm and ccm: what comes out may be altered, and a wrong key gives noise
instead of an error. Text of 16 or more characters that can be hexadecimal or base64 is decoded;
--encoding binary prevents that. gcm and ccm read what other programs wrote:

  kuaimi sm4 decrypt --raw gcm --key-file k --iv $NONCE --aad 'a header' --out m c
  kuaimi sm4 decrypt --raw gcm --key-file k --iv $NONCE --tag $TAG --encoding base64 --out m c

The tag follows the ciphertext (16 bytes, or --tag-length), or is given by --tag. It is checked
before anything is written. With cfb, ctr and ofb, standard output is written while the file is
decrypted.

Exit status: 1 when the decryption fails, 2 when a file cannot be read.")]
pub struct Decrypt {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    raw: RawArgs,
    /// How the ciphertext is written [default: detected].
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    decrypt: DecryptArgs,
}

/// A ciphertext in binary.
enum Input {
    /// For an output that appears whole: read once.
    Once(Box<dyn Read>),
    /// For one that does not: read twice, as all of it is verified first.
    Twice(Spool),
}

impl Decrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.decrypt.output.target(Secrecy::Secret);
        target.check()?;
        self.key
            .check(&self.decrypt.file, self.raw.associated_file())?;
        if let Some(raw) = self.raw.cipher(&self.key, Direction::Decrypt)? {
            return raw.run(&self.decrypt.file, &target, self.encoding, context);
        }
        let mut sink = target.create()?;
        let (mut input, length, encoding) = self.open(sink.appears_whole())?;
        let header = self.header(&mut input)?;
        let master = self.master(&header)?;
        let chunks = header.open(&master).ok_or_else(|| self.refused())?;

        let progress = Progress::new("decrypting", length);
        let failure = |error| self.failure(&target, error);
        let written = match input {
            Input::Once(reader) => chunks.decrypt(progress.reading(reader), &mut sink),
            Input::Twice(mut spool) => chunks
                .decrypt(&mut spool, io::sink())
                .and_then(|_| {
                    // Whatever happened to the file meanwhile, each chunk is verified again.
                    spool
                        .seek(SeekFrom::Start(header::LEN as u64))
                        .map_err(Error::Read)
                })
                .and_then(|_| chunks.decrypt(progress.reading(spool), &mut sink)),
        }
        .map_err(failure)?;
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes decrypted, SM4-GCM, {}",
            show(&self.decrypt.file),
            encoding.name()
        ));
        Ok(Answer::Yes)
    }

    /// The ciphertext, its length where it is known, and how it was written. It is read once where
    /// the message `appears_whole`.
    fn open(&self, appears_whole: bool) -> Result<(Input, Option<u64>, Encoding)> {
        let path = &self.decrypt.file;
        if !appears_whole {
            let find = |head: &[u8]| self.encoding.unwrap_or_else(|| text::sniff(head));
            let unreadable = |error: &io::Error| unreadable(path, error);
            let (mut spool, encoding) = Spool::open_as(path, find, unreadable, false)?;
            let length = spool.len().map_err(|error| unreadable(&error))?;
            return Ok((Input::Twice(spool), Some(length), encoding));
        }
        let mut source = Source::open(path)?;
        let length = source.len();
        let mut head = vec![0; header::LEN];
        let count = fill(&mut source, &mut head).map_err(|error| unreadable(path, &error))?;
        head.truncate(count);
        let encoding = self.encoding.unwrap_or_else(|| text::sniff(&head));
        let all = io::Cursor::new(head).chain(source);
        let reader: Box<dyn Read> = match encoding {
            Encoding::Binary => Box::new(all),
            text => Box::new(Decoder::new(all, text)),
        };
        Ok((Input::Once(reader), length, encoding))
    }

    fn header(&self, input: &mut Input) -> Result<Header> {
        let path = &self.decrypt.file;
        let mut bytes = [0; header::LEN];
        let count = match input {
            Input::Once(reader) => fill(reader, &mut bytes),
            Input::Twice(spool) => fill(spool, &mut bytes),
        }
        .map_err(|error| unreadable(path, &error))?;
        let refused = |what: String| Failure::refused(show(path), what);
        Header::parse(&bytes[..count]).map_err(|error| match error {
            header::Error::NotOurs => refused(
                "was not written by `kuaimi sm4 encrypt`; for the bare output of a cipher give --raw"
                    .to_owned(),
            ),
            header::Error::Version(version) => refused(format!(
                "has version {version} of the format, which this program does not know; use a newer one"
            )),
            header::Error::Malformed => self.refused(),
            header::Error::Cost => self.too_costly(),
        })
    }

    /// The master key, from the key file or the password.
    fn master(&self, header: &Header) -> Result<Zeroizing<Vec<u8>>> {
        let path = &self.decrypt.file;
        let refused = |what: &str| Failure::refused(show(path), what);
        match (header.origin, &self.key.key_file) {
            (Origin::Key, Some(path)) => key::from_file(path, KEY_LEN),
            (Origin::Key, None) => Err(refused(
                "is encrypted under a key, not a password; give --key-file",
            )),
            (Origin::Scrypt { .. } | Origin::Pbkdf2 { .. }, Some(_)) => Err(refused(
                "is encrypted under a password, not a key; leave --key-file out",
            )),
            (Origin::Scrypt { .. } | Origin::Pbkdf2 { .. }, None) => {
                let password = self.key.password.to_open_by(&show(path), key::OPTIONS)?;
                header.master_of(&password).map_err(|_| self.too_costly())
            }
        }
    }

    fn too_costly(&self) -> Failure {
        Failure::refused(
            show(&self.decrypt.file),
            "asks for more memory or time to make a key from a password than is accepted (256 MiB, 10 million iterations); \
             the file was altered, or another program wrote it",
        )
    }

    /// The one error for all that can be wrong with a key or a file.
    fn refused(&self) -> Failure {
        Failure::refused(
            show(&self.decrypt.file),
            "decryption failed: another key or password, or the file was altered or is not complete",
        )
    }

    fn failure(&self, target: &Target, error: Error) -> Failure {
        match error {
            Error::Read(error) => unreadable(&self.decrypt.file, &error),
            Error::Write(error) => target.cannot_write(&error),
            Error::Refused | Error::TooLong => self.refused(),
        }
    }
}
