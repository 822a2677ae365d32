//! Bytes as text: hexadecimal, Base64, and the blocks of PEM (RFC 7468), whose content may be secret: decoding is
//! constant time in the content but for where white space stands, and what it leaves behind is wiped. Detecting is not: text
//! without PEM's lines is searched for its first letter that is no hexadecimal digit, and for letters that are none of
//! Base64's.

use alloc::vec::Vec;
use core::fmt;

use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

use super::Error;

/// How bytes were written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Armor {
    /// As they are.
    Binary,
    /// PEM: Base64 between two lines that name the content.
    Pem,
    /// Hexadecimal digits, two a byte, in either case, perhaps after `0x`; white space anywhere.
    Hex,
    /// Base64 with padding; white space anywhere.
    Base64,
}

impl fmt::Display for Armor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary",
            Self::Pem => "PEM",
            Self::Hex => "hexadecimal",
            Self::Base64 => "Base64",
        })
    }
}

impl Armor {
    /// What `bytes` look like: PEM where a line `-----BEGIN …-----` is in them, then hexadecimal, then Base64, and binary
    /// where they are none of these.
    pub fn detect(bytes: &[u8]) -> Self {
        if Blocks::new(bytes).next().is_some() {
            return Self::Pem;
        }
        // Not copied before it is known to be text: binary input may be large.
        let is_text = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/= \t\r\n".contains(byte);
        if !bytes.iter().all(is_text) {
            return Self::Binary;
        }
        let (hex, base64) = (hex_digits(bytes), without_space(bytes));
        if !hex.is_empty() && hex.len() % 2 == 0 && hex.iter().all(u8::is_ascii_hexdigit) {
            Self::Hex
        } else if !base64.is_empty() && base64.len() % 4 == 0 {
            Self::Base64
        } else {
            Self::Binary
        }
    }

    /// The bytes that were written down as `bytes`; of PEM, those of the first block, whatever its label.
    ///
    /// # Errors
    /// [`Error::Hex`], [`Error::Base64`], [`Error::PemEnd`], [`Error::PemHeaders`], [`Error::LegacyEncryption`].
    pub fn decode(self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Binary => Ok(Zeroizing::new(bytes.to_vec())),
            Self::Pem => Blocks::new(bytes).next().ok_or(Error::PemEnd)??.decode(),
            Self::Hex => {
                let digits = hex_digits(bytes);
                let mut out = Zeroizing::new(alloc::vec![0; digits.len() / 2]);
                base16ct::mixed::decode(digits.as_slice(), &mut out).map_err(|_| Error::Hex)?;
                Ok(out)
            }
            Self::Base64 => decode_base64(bytes),
        }
    }
}

fn without_space(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    // Allocated whole at once: a growing buffer would leave copies behind.
    let mut out = Zeroizing::new(Vec::with_capacity(bytes.len()));
    out.extend(bytes.iter().filter(|byte| !byte.is_ascii_whitespace()));
    out
}

fn hex_digits(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let bytes = bytes.trim_ascii_start();
    without_space(
        bytes
            .strip_prefix(b"0x")
            .or_else(|| bytes.strip_prefix(b"0X"))
            .unwrap_or(bytes),
    )
}

fn decode_base64(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let text = without_space(bytes);
    let mut out = Zeroizing::new(alloc::vec![0; text.len() / 4 * 3]);
    let length = Base64::decode(text.as_slice(), &mut out)
        .map_err(|_| Error::Base64)?
        .len();
    out.truncate(length);
    Ok(out)
}

/// A block of PEM.
pub(crate) struct Block<'a> {
    /// What the first line calls it.
    pub(crate) label: &'a str,
    body: &'a [u8],
}

impl Block<'_> {
    pub(crate) fn decode(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        // Base64 has no colon: there are headers as of RFC 1421.
        if self.body.contains(&b':') {
            return Err(if find(self.body, b"ENCRYPTED").is_some() {
                Error::LegacyEncryption
            } else {
                Error::PemHeaders
            });
        }
        decode_base64(self.body)
    }
}

/// The blocks of PEM in a file, in order; an error, and then nothing more, where one has no end.
pub(crate) struct Blocks<'a> {
    rest: &'a [u8],
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = after_begin(self.rest)?;
        self.rest = &[];
        let Some((label, rest)) = split(rest, DASHES) else {
            return Some(Err(Error::PemEnd));
        };
        let label = core::str::from_utf8(label)
            .ok()
            .filter(|label| label.len() <= 64 && !label.contains(char::is_control));
        let block = label
            .zip(split(rest, END))
            .and_then(|(label, (body, end))| {
                let rest = end.strip_prefix(label.as_bytes())?.strip_prefix(DASHES)?;
                Some((Block { label, body }, rest))
            });
        let Some((block, rest)) = block else {
            return Some(Err(Error::PemEnd));
        };
        self.rest = rest;
        Some(Ok(block))
    }
}

/// What follows the first `-----BEGIN ` that is the first thing on its line.
fn after_begin(bytes: &[u8]) -> Option<&[u8]> {
    let mut from = 0;
    loop {
        let at = from + find(&bytes[from..], BEGIN)?;
        from = at + BEGIN.len();
        let mut before = bytes[..at].iter().rev();
        if before
            .find(|byte| !matches!(byte, b' ' | b'\t'))
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
        {
            return Some(&bytes[from..]);
        }
    }
}

/// What comes before and after the first `separator`.
fn split<'a>(bytes: &'a [u8], separator: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = find(bytes, separator)?;
    Some((&bytes[..at], &bytes[at + separator.len()..]))
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes
        .windows(pattern.len())
        .position(|window| window == pattern)
}
