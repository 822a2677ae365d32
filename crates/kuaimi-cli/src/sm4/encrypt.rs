//! `kuaimi sm4 encrypt`.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use kuaimi::encoding::PasswordEncryption;
use kuaimi::sm4::KEY_LEN;

use super::chunks::Error;
use super::header::{Header, Origin, SALT_LEN};
use super::key::{self, KeyArgs};
use super::random;
use super::raw::{Direction, RawArgs};
use crate::context::Context;
use crate::encryption::EncryptArgs;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::{Source, unreadable};
use crate::output::{Secrecy, Target};
use crate::progress::Progress;
use crate::say::show;
use crate::text::{Encoder, Encoding};

/// Encrypt a file of any size with SM4-GCM, under a key or a password.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm4 encrypt --out report.enc report.pdf                 asks for a password
  kuaimi sm4 encrypt --key-file backup.key --out report.enc report.pdf
  tar c docs | kuaimi sm4 encrypt --password-file pw --encoding base64 > docs.txt
  kuaimi sm4 encrypt --raw cbc --key $K --iv $IV --out c m       as openssl enc -sm4-cbc -K -iv

Without --raw the file is encrypted and authenticated: any change is detected, and so is a wrong key.
The format is described in docs/sm4-file.md. A key file has 16 bytes or 32 hexadecimal digits, as
`kuaimi sm4 keygen` writes them. A password is stretched by scrypt with 128 MiB of memory unless
--kdf says otherwise.

--raw writes the bare ciphertext of a mode, for programs that require it: binary unless --encoding
says otherwise. It is NOT AUTHENTICATED, except with gcm and ccm: anyone who can write the file can
change the message undetected. Never use an IV twice with a key. gcm and ccm write the tag after the
ciphertext, but not the nonce. Every user of the machine can see the arguments of a command;
--key-file keeps the key out of them. XTS takes a key of 64 digits and cuts the file into sectors of
--sector-size bytes; --iv is the first one's number (a little-endian number of 16 bytes), which
counts up; a last sector may be shorter, of at least 16 bytes.")]
pub struct Encrypt {
    #[command(flatten)]
    key: KeyArgs,
    /// How a password becomes a key [default: scrypt].
    #[arg(long, value_enum, conflicts_with_all = ["key_file", "raw"])]
    kdf: Option<Kdf>,
    /// The cost of scrypt: the binary logarithm of N, from 14 (16 MiB) to 17 (128 MiB) [default:
    /// 17].
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["key_file", "raw"],
        value_parser = clap::value_parser!(u8).range(14..=17),
    )]
    log_n: Option<u8>,
    /// The iterations of PBKDF2, from 100000 to 10000000 [default: 600000].
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["key_file", "raw"],
        value_parser = clap::value_parser!(u32).range(100_000..=10_000_000),
    )]
    iterations: Option<u32>,
    #[command(flatten)]
    raw: RawArgs,
    #[command(flatten)]
    encrypt: EncryptArgs,
}

/// A function that makes a key from a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kdf {
    /// scrypt (RFC 7914), which takes much memory, so that special hardware helps little in
    /// guessing.
    Scrypt,
    /// PBKDF2 with HMAC-SM3 (RFC 8018; GM/T 0091-2020).
    Pbkdf2,
}

/// scrypt's `N` is two to this.
const LOG_N: u8 = 17;

impl Encrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.encrypt.output.target(Secrecy::Public);
        target.check()?;
        self.key
            .check(&self.encrypt.file, self.raw.associated_file())?;
        if let Some(raw) = self.raw.cipher(&self.key, Direction::Encrypt)? {
            let file = &self.encrypt.file;
            return raw.run(file, &target, self.encrypt.encoding, context);
        }
        let derivation = self.origin()?;
        let source = Source::open(&self.encrypt.file)?;
        let (header, chunks) = match &self.key.key_file {
            Some(path) => {
                let key = key::from_file(path, KEY_LEN)?;
                let mut header = new_header(Origin::Key)?;
                let chunks = header.seal(&key);
                (header, chunks)
            }
            None => {
                let name = match target.is_stdout() {
                    true => show(&self.encrypt.file),
                    false => target.name(),
                };
                let password = self.key.password.to_protect_by(&name, key::OPTIONS)?;
                let mut header = new_header(derivation)?;
                let master = header
                    .master_of(&password)
                    .map_err(|_| Failure::usage("the key cannot be made from the password"))?;
                let chunks = header.seal(&master);
                (header, chunks)
            }
        };

        let encoding = target.encoding(self.encrypt.encoding, Encoding::Base64);
        let progress = Progress::new("encrypting", source.len());
        let mut sink = target.create()?;
        let mut encoder = Encoder::new(&mut sink, encoding);
        let written = encoder
            .write_all(header.as_bytes())
            .map_err(Error::Write)
            .and_then(|()| chunks.encrypt(progress.reading(source), &mut encoder))
            .map_err(|error| self.failure(&target, error))?;
        encoder
            .finish()
            .map_err(|error| target.cannot_write(&error))?;
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes encrypted, SM4-GCM, {}, {}",
            show(&self.encrypt.file),
            match header.origin.derivation() {
                None => "a key".to_owned(),
                Some(derivation) => format!("a password by {derivation}"),
            },
            encoding.name()
        ));
        Ok(Answer::Yes)
    }

    /// What makes the key from a password.
    fn origin(&self) -> Result<Origin> {
        match (self.kdf, self.log_n, self.iterations) {
            (None | Some(Kdf::Scrypt), log_n, None) => Ok(Origin::Scrypt {
                log_n: log_n.unwrap_or(LOG_N),
                r: 8,
                p: 1,
            }),
            (Some(Kdf::Pbkdf2), None, iterations) => Ok(Origin::Pbkdf2 {
                iterations: iterations.unwrap_or(PasswordEncryption::DEFAULT_ITERATIONS),
            }),
            (_, _, Some(_)) => Err(Failure::usage(
                "--iterations: is for PBKDF2; give --kdf pbkdf2, too, or --log-n for scrypt",
            )),
            (_, Some(_), _) => Err(Failure::usage(
                "--log-n: is for scrypt; give --iterations for PBKDF2",
            )),
        }
    }

    fn failure(&self, target: &Target, error: Error) -> Failure {
        match error {
            Error::Read(error) => unreadable(&self.encrypt.file, &error),
            Error::Write(error) => target.cannot_write(&error),
            Error::Refused | Error::TooLong => Failure::file(
                show(&self.encrypt.file),
                "has more than 256 TiB, which is too much for one file; split it",
            ),
        }
    }
}

/// A header with a random salt.
fn new_header(origin: Origin) -> Result<Header> {
    let mut salt = [0; SALT_LEN];
    random(&mut salt)?;
    Ok(Header::new(origin, &salt))
}
