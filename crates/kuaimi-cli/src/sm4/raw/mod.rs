//! `--raw`: a mode as it is, without a header, as `openssl enc -K -iv` and other programs read and
//! write it.

mod aead;
mod blocks;
mod sectors;

use std::fmt;
use std::io::{self, Cursor, Read, Seek as _, Write};
use std::path::Path;

use clap::{Args, ValueEnum};
use kuaimi::sm4::{self, BLOCK_LEN, KEY_LEN, Sm4, Sm4Cfb, Sm4Ctr, Sm4Ofb, Sm4Xts, XtsStandard};
use zeroize::Zeroizing;

use super::key::{self, KeyArgs};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result, reason};
use crate::input::{CHUNK, Source, fill, unreadable};
use crate::output::Target;
use crate::progress::Progress;
use crate::say::show;
use crate::spool::Spool;
use crate::text::{self, Decoder, Encoder, Encoding};
use aead::{Aead, AeadArgs};
use blocks::{Blocks, Chaining};
use sectors::Sectors;

/// The options for a bare mode.
#[derive(Args, Debug)]
pub struct RawArgs {
    /// Use a bare mode, without a header, for programs that require it: NOT AUTHENTICATED but for
    /// gcm and ccm.
    #[arg(long, value_enum, value_name = "MODE", conflicts_with_all = ["password_file", "password_env"])]
    raw: Option<Mode>,
    /// With --raw: the key, 32 hexadecimal digits (64 for xts); or give --key-file.
    #[arg(
        long,
        value_name = "HEX",
        requires = "raw",
        conflicts_with = "key_file"
    )]
    key: Option<String>,
    /// With --raw: the initialization vector, 32 hexadecimal digits; for xts, the first sector's
    /// number; for gcm and ccm, the nonce, usually of 24 digits.
    #[arg(long, value_name = "HEX", requires = "raw")]
    iv: Option<String>,
    /// With --raw cbc or ecb: no padding; the length must be a multiple of 16.
    #[arg(long, requires = "raw")]
    no_padding: bool,
    /// With --raw xts: bytes of a sector [default: 4096].
    #[arg(
        long,
        requires = "raw",
        value_name = "BYTES",
        value_parser = clap::value_parser!(u32).range(16..=sectors::MAX_SECTOR),
    )]
    sector_size: Option<u32>,
    /// With --raw xts: which standard's order of bits [default: gb].
    #[arg(long, requires = "raw", value_enum, value_name = "STANDARD")]
    xts_standard: Option<Standard>,
    #[command(flatten)]
    aead: AeadArgs,
}

/// A mode of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Cipher block chaining, with PKCS#7 padding.
    Cbc,
    /// Counter with CBC-MAC: authenticated. The tag follows the ciphertext, or is given by --tag.
    Ccm,
    /// Cipher feedback of whole blocks.
    Cfb,
    /// Counter mode.
    Ctr,
    /// Each block alone, with PKCS#7 padding; equal blocks stay equal.
    Ecb,
    /// Galois/counter mode: authenticated. The tag follows the ciphertext, or is given by --tag.
    Gcm,
    /// Output feedback.
    Ofb,
    /// For sectors of a disk.
    Xts,
}

/// The standard that says how the bits of XTS's tweaks are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Standard {
    /// GB/T 17964-2021: OpenSSL's default.
    Gb,
    /// IEEE 1619: Linux's dm-crypt.
    Ieee,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

/// Why a file was not encrypted or decrypted to its end.
#[derive(Debug)]
enum Error {
    Read(io::Error),
    Write(io::Error),
    /// The length is not a multiple of 16 bytes, and there is no padding.
    PartialBlock,
    /// The last sector has fewer than 16 bytes.
    ShortSector,
    /// The padding is wrong.
    Refused,
    /// The tag is wrong.
    NotAuthentic,
    /// The nonce or the message is none for this mode.
    Sm4(sm4::Error),
}

/// A mode with its key.
pub struct Raw {
    mode: Mode,
    direction: Direction,
    cipher: Cipher,
}

enum Cipher {
    Aead(Box<Aead>),
    Blocks(Blocks),
    Stream(Stream),
    Sectors(Sectors),
}

/// A mode for pieces of any lengths.
#[derive(Clone)]
enum Stream {
    Cfb(Sm4Cfb),
    Ctr(Sm4Ctr),
    Ofb(Sm4Ofb),
}

impl RawArgs {
    /// What `--raw` asks for, if it is given.
    pub fn cipher(&self, from: &KeyArgs, direction: Direction) -> Result<Option<Raw>> {
        let Some(mode) = self.raw else {
            return Ok(None);
        };
        self.check(mode)?;
        let length = match mode {
            Mode::Xts => 2 * KEY_LEN,
            _ => KEY_LEN,
        };
        let key = match (&self.key, &from.key_file) {
            (Some(digits), _) => from_argument("--key", digits, length)?,
            (None, Some(path)) => key::from_file(path, length)?,
            (None, None) => {
                return Err(Failure::usage(
                    "--raw: needs a key; give --key or --key-file",
                ));
            }
        };
        let iv = match mode {
            Mode::Gcm | Mode::Ccm => [0; BLOCK_LEN],
            _ => self.block(mode)?,
        };
        let refused = |error: sm4::Error| Failure::usage(format!("--key: {error}"));
        let cipher = || Sm4::from_slice(&key).map_err(refused);
        let blocks = |chaining| -> Result<Cipher> {
            let blocks = Blocks::new(chaining, &key, &iv, !self.no_padding).map_err(refused)?;
            Ok(Cipher::Blocks(blocks))
        };
        let cipher = match mode {
            Mode::Cbc => blocks(Chaining::Cbc)?,
            Mode::Ecb => blocks(Chaining::Ecb)?,
            Mode::Gcm | Mode::Ccm => {
                let nonce = self.iv.as_deref();
                Cipher::Aead(Box::new(self.aead.cipher(mode, &key, nonce, direction)?))
            }
            Mode::Cfb => Cipher::Stream(Stream::Cfb(Sm4Cfb::with_cipher(cipher()?, &iv))),
            Mode::Ctr => Cipher::Stream(Stream::Ctr(Sm4Ctr::with_cipher(cipher()?, &iv))),
            Mode::Ofb => Cipher::Stream(Stream::Ofb(Sm4Ofb::with_cipher(cipher()?, &iv))),
            Mode::Xts => {
                let standard = match self.xts_standard {
                    None | Some(Standard::Gb) => XtsStandard::Gb,
                    Some(Standard::Ieee) => XtsStandard::Ieee,
                };
                let cipher = Sm4Xts::from_slice(&key, standard).map_err(refused)?;
                let size = self.sector_size.unwrap_or(sectors::DEFAULT_SECTOR);
                let first = u128::from_le_bytes(iv);
                Cipher::Sectors(Sectors::new(cipher, first, size as usize))
            }
        };
        Ok(Some(Raw {
            mode,
            direction,
            cipher,
        }))
    }

    /// The file of associated data, which may be standard input.
    pub fn associated_file(&self) -> Option<&Path> {
        self.aead.file()
    }

    /// The initialization vector, for a mode that has one of a block.
    fn block(&self, mode: Mode) -> Result<[u8; BLOCK_LEN]> {
        let mut iv = [0; BLOCK_LEN];
        match &self.iv {
            Some(digits) => iv.copy_from_slice(&from_argument("--iv", digits, BLOCK_LEN)?),
            None if mode == Mode::Ecb => {}
            None => {
                return Err(Failure::usage(format!(
                    "--raw {mode}: needs an initialization vector; give --iv with 32 hexadecimal digits"
                )));
            }
        }
        Ok(iv)
    }

    /// Refuses options that mean nothing in this mode.
    fn check(&self, mode: Mode) -> Result<()> {
        let padded = matches!(mode, Mode::Cbc | Mode::Ecb);
        let of_others = [
            ("--iv", mode == Mode::Ecb && self.iv.is_some()),
            ("--no-padding", !padded && self.no_padding),
            (
                "--sector-size",
                mode != Mode::Xts && self.sector_size.is_some(),
            ),
            (
                "--xts-standard",
                mode != Mode::Xts && self.xts_standard.is_some(),
            ),
        ];
        let authenticated = matches!(mode, Mode::Gcm | Mode::Ccm);
        let of_aead = self
            .aead
            .given()
            .map(|(option, given)| (option, given && !authenticated));
        let mut meaningless = of_others.iter().chain(&of_aead);
        match meaningless.find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::usage(format!(
                "{option}: means nothing with --raw {mode}; leave it out"
            ))),
            None => Ok(()),
        }
    }
}

/// The bytes that an argument gives. The error does not repeat it, as it may be a key.
fn from_argument(option: &str, digits: &str, length: usize) -> Result<Zeroizing<Vec<u8>>> {
    key::from_hex(digits.as_bytes(), length).ok_or_else(|| {
        Failure::usage(format!(
            "{option}: must be {} hexadecimal digits",
            2 * length
        ))
    })
}

impl Raw {
    /// Encrypts or decrypts a file. `asked` is how the ciphertext is written, where that is said.
    pub fn run(
        &self,
        path: &Path,
        target: &Target,
        asked: Option<Encoding>,
        context: Context,
    ) -> Result<Answer> {
        let unreadable = |error: &io::Error| unreadable_as(path, asked, error);
        let failure = |error| match error {
            Error::Read(error) => unreadable(&error),
            error => failure(path, target, error),
        };
        let mut sink = target.create()?;
        let written = match self.direction {
            Direction::Encrypt => {
                let source = Source::open(path)?;
                let length = source.len();
                let progress = Progress::new("encrypting", length);
                let mut encoder = Encoder::new(&mut sink, asked.unwrap_or(Encoding::Binary));
                let written = self
                    .transform(length, progress.reading(source), &mut encoder)
                    .map_err(failure)?;
                encoder
                    .finish()
                    .map_err(|error| target.cannot_write(&error))?;
                written
            }
            Direction::Decrypt if self.fails_late() && !sink.appears_whole() => {
                // All of it is checked first. What is authenticated is copied, so that nobody can
                // change it after that.
                let private = matches!(self.cipher, Cipher::Aead(_));
                let find = |head: &[u8]| encoding(asked, head);
                let (mut spool, _) = Spool::open_as(path, find, unreadable, private)?;
                let length = spool.len().map_err(|error| unreadable(&error))?;
                self.transform(Some(length), &mut spool, io::sink())
                    .map_err(failure)?;
                spool.rewind().map_err(|error| unreadable(&error))?;
                let progress = Progress::new("decrypting", Some(length));
                self.transform(Some(length), progress.reading(spool), &mut sink)
                    .map_err(failure)?
            }
            Direction::Decrypt => {
                let mut source = Source::open(path)?;
                let length = source.len();
                let mut head = vec![0; if asked.is_some() { 0 } else { HEAD }];
                let count = fill(&mut source, &mut head).map_err(|error| unreadable(&error))?;
                head.truncate(count);
                let encoding = encoding(asked, &head);
                let progress = Progress::new("decrypting", length);
                let reader = progress.reading(Cursor::new(head).chain(source));
                self.transform(length, Decoder::new(reader, encoding), &mut sink)
                    .map_err(failure)?
            }
        };
        sink.commit()?;
        context.note(format_args!(
            "{}: {written} bytes written, SM4-{}{}",
            show(path),
            self.mode.to_string().to_uppercase(),
            match self.cipher {
                Cipher::Aead(_) => "",
                _ => ", not authenticated",
            }
        ));
        Ok(Answer::Yes)
    }

    /// Whether the end of a ciphertext can show that it is none.
    fn fails_late(&self) -> bool {
        !matches!(self.cipher, Cipher::Stream(_))
    }

    /// `expected` bytes are read, where that is known. Returns how many were written.
    fn transform(
        &self,
        expected: Option<u64>,
        reader: impl Read,
        writer: impl Write,
    ) -> Result<u64, Error> {
        match (&self.cipher, self.direction) {
            (Cipher::Aead(aead), direction) => aead.run(direction, expected, reader, writer),
            (Cipher::Blocks(blocks), Direction::Encrypt) => blocks.clone().encrypt(reader, writer),
            (Cipher::Blocks(blocks), Direction::Decrypt) => blocks.clone().decrypt(reader, writer),
            (Cipher::Stream(stream), direction) => stream.clone().run(direction, reader, writer),
            (Cipher::Sectors(sectors), direction) => sectors.clone().run(direction, reader, writer),
        }
    }
}

/// Bytes by which an encoding is detected.
const HEAD: usize = 4096;

/// How a bare ciphertext is written: as asked for, or as it is detected. It looks random, so that
/// so many letters do not happen: once in two thousand million times for those of base64.
fn encoding(asked: Option<Encoding>, head: &[u8]) -> Encoding {
    const LETTERS: usize = 16;
    asked.unwrap_or_else(|| text::sniff_from(head, LETTERS))
}

impl Stream {
    /// Returns how many bytes were written.
    fn run(
        mut self,
        direction: Direction,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<u64, Error> {
        let mut buffer = Zeroizing::new(vec![0; CHUNK]);
        let mut written = 0;
        loop {
            let count = match reader.read(&mut buffer) {
                Ok(0) => return Ok(written),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::Read(error)),
            };
            let data = &mut buffer[..count];
            match (&mut self, direction) {
                (Self::Cfb(state), Direction::Encrypt) => state.encrypt(data),
                (Self::Cfb(state), Direction::Decrypt) => state.decrypt(data),
                (Self::Ctr(stream), _) => stream.apply(data),
                (Self::Ofb(stream), _) => stream.apply(data),
            }
            writer.write_all(data).map_err(Error::Write)?;
            written += count as u64;
        }
    }
}

fn unreadable_as(path: &Path, asked: Option<Encoding>, error: &io::Error) -> Failure {
    // What was taken to be text is not, or it is damaged.
    if error.kind() == io::ErrorKind::InvalidData && asked.is_none() {
        return Failure::refused(
            show(path),
            format_args!(
                "cannot read: {}; if it only looks like text, give --encoding binary",
                reason(error)
            ),
        );
    }
    unreadable(path, error)
}

fn failure(path: &Path, target: &Target, error: Error) -> Failure {
    let name = show(path);
    match error {
        Error::Read(error) => unreadable(path, &error),
        Error::Write(error) => target.cannot_write(&error),
        Error::PartialBlock => Failure::file(
            name,
            "the length is not a multiple of 16 bytes, as it must be without padding; leave --no-padding out",
        ),
        Error::ShortSector => Failure::file(
            name,
            "the last sector has fewer than the 16 bytes that XTS needs; give another --sector-size, or pad the file",
        ),
        Error::Refused => Failure::refused(
            name,
            "decryption failed: another key or mode, no padding, or the file was altered or is not complete",
        ),
        Error::NotAuthentic => Failure::refused(
            name,
            "decryption failed: another key, nonce, tag or associated data, or the file was altered or is not complete",
        ),
        Error::Sm4(error) => Failure::file(name, error),
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cbc => "cbc",
            Self::Ccm => "ccm",
            Self::Cfb => "cfb",
            Self::Ctr => "ctr",
            Self::Ecb => "ecb",
            Self::Gcm => "gcm",
            Self::Ofb => "ofb",
            Self::Xts => "xts",
        })
    }
}
