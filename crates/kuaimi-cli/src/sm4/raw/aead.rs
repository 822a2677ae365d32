//! GCM and CCM of other programs (RFC 8998, GB/T 36624): a nonce, associated data and a tag, which
//! stands behind the ciphertext or apart.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi::external::subtle::ConstantTimeEq as _;
use kuaimi::sm4::{self, Sm4Ccm, Sm4Gcm, Sm4GcmStream};
use zeroize::Zeroizing;

use super::{Direction, Error, Mode};
use crate::failure::{Failure, Result};
use crate::input::{self, CHUNK, fill};
use crate::text::{decode_hex, text_or_hex};

/// The options for what is authenticated.
#[derive(Args, Debug)]
pub struct AeadArgs {
    /// With --raw gcm or ccm: the associated data, as text [default: none].
    #[arg(long, value_name = "TEXT", requires = "raw", conflicts_with_all = ["aad_hex", "aad_file"])]
    aad: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(
        long,
        value_name = "HEX",
        requires = "raw",
        conflicts_with = "aad_file"
    )]
    aad_hex: Option<String>,
    /// The same, as the content of FILE.
    #[arg(long, value_name = "FILE", requires = "raw")]
    aad_file: Option<PathBuf>,
    /// With --raw gcm or ccm: bytes of the tag [default: 16].
    #[arg(
        long,
        value_name = "BYTES",
        requires = "raw",
        value_parser = clap::value_parser!(u8).range(4..=16),
    )]
    tag_length: Option<u8>,
    /// To decrypt with --raw gcm or ccm: the tag in hexadecimal, where it does not stand behind the
    /// ciphertext.
    #[arg(
        long,
        value_name = "HEX",
        requires = "raw",
        conflicts_with = "tag_length"
    )]
    tag: Option<String>,
}

/// The longest message that is held in memory, as CCM needs all of it at once.
const LONGEST: u64 = 1 << 30;

/// GCM or CCM with all that a message needs.
pub struct Aead {
    cipher: Cipher,
    nonce: Vec<u8>,
    associated_data: Zeroizing<Vec<u8>>,
    tag_length: usize,
    /// The tag of what is decrypted, if it is not behind the ciphertext.
    tag: Option<Vec<u8>>,
}

enum Cipher {
    Gcm(Box<Sm4Gcm>),
    Ccm(Sm4Ccm),
}

impl AeadArgs {
    /// The options that were given, for modes in which they mean nothing.
    pub fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--aad", self.aad.is_some()),
            ("--aad-hex", self.aad_hex.is_some()),
            ("--aad-file", self.aad_file.is_some()),
            ("--tag-length", self.tag_length.is_some()),
            ("--tag", self.tag.is_some()),
        ]
    }

    pub fn file(&self) -> Option<&Path> {
        self.aad_file.as_deref()
    }

    pub fn cipher(
        &self,
        mode: Mode,
        key: &[u8],
        iv: Option<&str>,
        direction: Direction,
    ) -> Result<Aead> {
        let refused = |error: sm4::Error| Failure::usage(format!("--key: {error}"));
        let gcm = mode == Mode::Gcm;
        let cipher = match gcm {
            true => Cipher::Gcm(Box::new(Sm4Gcm::from_slice(key).map_err(refused)?)),
            false => Cipher::Ccm(Sm4Ccm::from_slice(key).map_err(refused)?),
        };
        let nonce = iv
            .and_then(|digits| decode_hex(digits.as_bytes()))
            .filter(|nonce| gcm && !nonce.is_empty() || (7..=13).contains(&nonce.len()))
            .ok_or_else(|| {
                Failure::usage(format!(
                    "--raw {mode}: needs a nonce; give --iv, usually of 24 hexadecimal digits{}. If the nonce comes before the ciphertext, cut it off",
                    if gcm { "" } else { ", and 14 to 26 at all" }
                ))
            })?
            .to_vec();
        let tag = match (&self.tag, direction) {
            (None, _) => None,
            (Some(_), Direction::Encrypt) => {
                return Err(Failure::usage(
                    "--tag: the tag is computed, and follows the ciphertext; leave it out",
                ));
            }
            (Some(digits), Direction::Decrypt) => {
                Some(decode_hex(digits.as_bytes()).unwrap_or_default().to_vec())
            }
        };
        let tag_length = match &tag {
            Some(tag) => tag.len(),
            None => self.tag_length.map_or(Sm4Gcm::TAG_LEN, usize::from),
        };
        let known = match gcm {
            true => matches!(tag_length, 4 | 8 | 12..=16),
            false => matches!(tag_length, 4 | 6 | 8 | 10 | 12 | 14 | 16),
        };
        if !known {
            return Err(Failure::usage(format!(
                "--tag, --tag-length: a tag of {mode} has {} bytes; give --tag in hexadecimal, or --tag-length",
                if gcm {
                    "4, 8 or 12 to 16"
                } else {
                    "4, 6, 8, 10, 12, 14 or 16"
                }
            )));
        }
        let associated_data = match &self.aad_file {
            Some(path) => input::read_all(path, input::SMALL)?,
            None => {
                let given = text_or_hex("--aad", self.aad.as_deref(), self.aad_hex.as_deref())?;
                Zeroizing::new(given.unwrap_or_default())
            }
        };
        Ok(Aead {
            cipher,
            nonce,
            associated_data,
            tag_length,
            tag,
        })
    }
}

impl Aead {
    /// Returns how many bytes were written. What `Decrypt` has written is good only if this
    /// succeeds.
    pub fn run(
        &self,
        direction: Direction,
        expected: Option<u64>,
        reader: impl Read,
        writer: impl Write,
    ) -> Result<u64, Error> {
        match (&self.cipher, direction) {
            (Cipher::Gcm(cipher), Direction::Encrypt) => self.encrypt_gcm(cipher, reader, writer),
            (Cipher::Gcm(cipher), Direction::Decrypt) => self.decrypt_gcm(cipher, reader, writer),
            (Cipher::Ccm(cipher), _) => self.ccm(cipher, direction, expected, reader, writer),
        }
    }

    fn gcm(&self, cipher: &Sm4Gcm) -> Result<Sm4GcmStream, Error> {
        let mut stream = Sm4GcmStream::new(cipher, &self.nonce).map_err(Error::Sm4)?;
        stream
            .associated_data(&self.associated_data)
            .map_err(Error::Sm4)?;
        Ok(stream)
    }

    fn encrypt_gcm(
        &self,
        cipher: &Sm4Gcm,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<u64, Error> {
        let mut stream = self.gcm(cipher)?;
        let mut buffer = Zeroizing::new(vec![0; CHUNK]);
        let mut written = 0;
        loop {
            let count = fill(&mut reader, &mut buffer).map_err(Error::Read)?;
            let piece = &mut buffer[..count];
            stream.encrypt(piece).map_err(Error::Sm4)?;
            writer.write_all(piece).map_err(Error::Write)?;
            written += count as u64;
            if count < CHUNK {
                let tag = &stream.tag()[..self.tag_length];
                writer.write_all(tag).map_err(Error::Write)?;
                return Ok(written + tag.len() as u64);
            }
        }
    }

    fn decrypt_gcm(
        &self,
        cipher: &Sm4Gcm,
        mut reader: impl Read,
        mut writer: impl Write,
    ) -> Result<u64, Error> {
        let mut stream = self.gcm(cipher)?;
        // The last bytes that were read are kept, as they may be the tag.
        let keep = match self.tag {
            Some(_) => 0,
            None => self.tag_length,
        };
        let mut buffer = Zeroizing::new(vec![0; CHUNK + keep]);
        let mut kept = 0;
        let mut written = 0;
        loop {
            let count = kept + fill(&mut reader, &mut buffer[kept..]).map_err(Error::Read)?;
            let now = count.checked_sub(keep).ok_or(Error::NotAuthentic)?;
            stream
                .decrypt_unverified(&mut buffer[..now])
                .map_err(|_| Error::NotAuthentic)?;
            writer.write_all(&buffer[..now]).map_err(Error::Write)?;
            written += now as u64;
            if count == buffer.len() {
                buffer.copy_within(now..count, 0);
                kept = keep;
                continue;
            }
            let found = self.tag.as_deref().unwrap_or(&buffer[now..count]);
            // An attacker could use the right one for a forged message.
            let right = Zeroizing::new(stream.tag());
            let fits: bool = right[..self.tag_length].ct_eq(found).into();
            return if fits {
                Ok(written)
            } else {
                Err(Error::NotAuthentic)
            };
        }
    }

    /// CCM begins with the length of the message, so all of it must be there.
    fn ccm(
        &self,
        cipher: &Sm4Ccm,
        direction: Direction,
        expected: Option<u64>,
        reader: impl Read,
        mut writer: impl Write,
    ) -> Result<u64, Error> {
        // With the right size from the start, no copy of a message is left behind by growing.
        let room = expected.unwrap_or(0).min(LONGEST) as usize + 64;
        let mut data = Zeroizing::new(Vec::with_capacity(room));
        let count = reader
            .take(LONGEST + 1)
            .read_to_end(&mut data)
            .map_err(Error::Read)?;
        if count as u64 > LONGEST {
            return Err(Error::Sm4(sm4::Error::TooLong));
        }
        match direction {
            Direction::Encrypt => {
                let mut tag = vec![0; self.tag_length];
                cipher
                    .seal_in_place(&self.nonce, &self.associated_data, &mut data, &mut tag)
                    .map_err(Error::Sm4)?;
                data.extend_from_slice(&tag);
            }
            Direction::Decrypt => {
                let tag = match &self.tag {
                    Some(tag) => tag.clone(),
                    None => {
                        let length = data.len().checked_sub(self.tag_length);
                        data.split_off(length.ok_or(Error::NotAuthentic)?)
                    }
                };
                cipher
                    .open_in_place(&self.nonce, &self.associated_data, &mut data, &tag)
                    .map_err(|_| Error::NotAuthentic)?;
            }
        }
        writer.write_all(&data).map_err(Error::Write)?;
        Ok(data.len() as u64)
    }
}
