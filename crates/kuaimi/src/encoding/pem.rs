//! The blocks of a PEM file (RFC 7468).
//!
//! A block begins with `-----BEGIN label-----`, as the first thing on a line, and ends with
//! `-----END label-----` and the same label; Base64 is between them. Text before and after a block
//! is skipped. White space in the Base64 is ignored, so that lines may have any length.

use alloc::vec::Vec;

use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::Error;
use super::textual::decode_pem_base64;

/// A block.
pub(super) struct Block<'a> {
    /// What the first line says that the content is.
    pub(super) label: &'a str,
    /// All between the first line and the last.
    body: &'a [u8],
}

impl Block<'_> {
    /// The content.
    pub(super) fn decode(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        // Base64 has no colon: these are headers as in RFC 1421.
        if find(self.body, b":").is_some() {
            return Err(if find(self.body, b"ENCRYPTED").is_some() {
                Error::LegacyEncryption
            } else {
                Error::PemHeaders
            });
        }
        decode_pem_base64(self.body)
    }
}

/// The blocks of a file, in order. A block without an end is an error, and the last item.
pub(super) struct Blocks<'a> {
    rest: &'a [u8],
}

impl<'a> Blocks<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
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

/// Where the pattern stands, which may show; other bytes may be a key, and do not.
fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    let first = pattern.first()?;
    bytes.windows(pattern.len()).position(|window| {
        // Most bytes are none that a pattern begins with.
        declassify(window[0].ct_eq(first)) && declassify(window.ct_eq(pattern))
    })
}

/// PEM with lines of 64 characters that end in a line feed; for a secret content, keep it in a
/// `Zeroizing`.
#[cfg(all(feature = "pem", any(feature = "encryption", feature = "sm9")))]
pub(super) fn encode(label: &'static str, der: &[u8]) -> Result<alloc::string::String, Error> {
    der::pem::encode_string(label, der::pem::LineEnding::LF, der)
        .map_err(|error| der::Error::from(error).into())
}
