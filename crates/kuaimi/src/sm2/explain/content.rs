//! What signers sign in place of the message.

use alloc::vec::Vec;
use core::fmt;

use crate::sm2::PublicKey;
use crate::sm3;

/// A content, as it follows from the message given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Given,
    WithLineFeed,
    WithCrlf,
    WithoutLineEnd,
    /// CR LF in place of LF, as on Windows.
    Crlf,
    /// LF in place of CR LF.
    LineFeeds,
    Trimmed,
    WithoutMark,
    Hex,
    UpperHex,
    FromHex,
    #[cfg(feature = "pem")]
    Base64,
    #[cfg(feature = "pem")]
    FromBase64,
    Sm3,
    Sm3Hex,
    #[cfg(feature = "encryption")]
    Sha256,
}

/// Of a longer message, only its end is changed.
const MAX_CHANGED: usize = 16 << 20;

impl Content {
    /// Those that are tried besides the given one, the most frequent first.
    pub(super) fn all(message: &[u8]) -> Vec<Self> {
        let all = [
            Self::WithLineFeed,
            Self::WithoutLineEnd,
            Self::WithCrlf,
            Self::Sm3,
            Self::Hex,
            Self::FromHex,
            #[cfg(feature = "pem")]
            Self::Base64,
            #[cfg(feature = "pem")]
            Self::FromBase64,
            Self::Crlf,
            Self::LineFeeds,
            Self::UpperHex,
            Self::Sm3Hex,
            #[cfg(feature = "encryption")]
            Self::Sha256,
            Self::Trimmed,
            Self::WithoutMark,
        ];
        if message.len() > MAX_CHANGED {
            return alloc::vec![Self::WithLineFeed, Self::WithoutLineEnd];
        }
        all.to_vec()
    }

    /// The bytes; nothing if the message cannot be changed so, or stays as it is.
    pub(super) fn of(self, message: &[u8]) -> Option<Vec<u8>> {
        self.changed(message).filter(|changed| changed != message)
    }

    fn changed(self, message: &[u8]) -> Option<Vec<u8>> {
        let without_end = || {
            let without = message.strip_suffix(b"\n")?;
            Some(without.strip_suffix(b"\r").unwrap_or(without))
        };
        Some(match self {
            Self::Given => message.to_vec(),
            Self::WithLineFeed => [message, b"\n"].concat(),
            Self::WithCrlf => [message, b"\r\n"].concat(),
            Self::WithoutLineEnd => without_end()?.to_vec(),
            Self::Crlf => crlf(message),
            Self::LineFeeds => line_feeds(message),
            Self::Trimmed => message.trim_ascii().to_vec(),
            Self::WithoutMark => message.strip_prefix(b"\xef\xbb\xbf")?.to_vec(),
            Self::Hex => hex_text(message),
            Self::UpperHex => hex_text(message).to_ascii_uppercase(),
            Self::FromHex => unhex(message)?,
            #[cfg(feature = "pem")]
            Self::Base64 => base64_text(message)?,
            #[cfg(feature = "pem")]
            Self::FromBase64 => unbase64(message)?,
            Self::Sm3 => sm3::digest(message).to_vec(),
            Self::Sm3Hex => hex_text(&sm3::digest(message)),
            #[cfg(feature = "encryption")]
            Self::Sha256 => sha256(&[message]).to_vec(),
        })
    }
}

impl fmt::Display for Content {
    /// With a space before it; nothing for the given one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "",
            Self::WithLineFeed => " the message with a line feed at its end",
            Self::WithCrlf => " the message with the line end CR LF after it",
            Self::WithoutLineEnd => " the message without the line end after it",
            Self::Crlf => " the message with line ends CR LF in place of LF",
            Self::LineFeeds => " the message with line ends LF in place of CR LF",
            Self::Trimmed => " the message without white space around it",
            Self::WithoutMark => " the message without its byte order mark",
            Self::Hex => " the message written in hexadecimal",
            Self::UpperHex => " the message written in hexadecimal, in upper case",
            Self::FromHex => " the bytes that the message is in hexadecimal",
            #[cfg(feature = "pem")]
            Self::Base64 => " the message written in Base64",
            #[cfg(feature = "pem")]
            Self::FromBase64 => " the bytes that the message is in Base64",
            Self::Sm3 => " the SM3 digest of the message: the signer hashed the message first",
            Self::Sm3Hex => " the SM3 digest of the message, written in hexadecimal",
            #[cfg(feature = "encryption")]
            Self::Sha256 => {
                " the SHA-256 digest of the message: the signer hashed the message first"
            }
        })
    }
}

/// A digest that is signed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digest {
    /// The message is the digest.
    Message,
    /// The message is the digest in hexadecimal.
    MessageFromHex,
    /// `SM3(M)`, without `Z`.
    Sm3,
    /// `SHA-256(M)`, without `Z`.
    #[cfg(feature = "encryption")]
    Sha256,
    /// `SHA-256(Z ‖ M)` with `Z` by SHA-256, as OpenSSL does under that digest.
    #[cfg(feature = "encryption")]
    Sha256WithZ,
}

impl Digest {
    pub(super) const ALL: &[Self] = &[
        Self::Sm3,
        Self::Message,
        Self::MessageFromHex,
        #[cfg(feature = "encryption")]
        Self::Sha256,
        #[cfg(feature = "encryption")]
        Self::Sha256WithZ,
    ];

    /// Whether it depends on the key.
    pub(super) fn is_of_key(self) -> bool {
        match self {
            #[cfg(feature = "encryption")]
            Self::Sha256WithZ => true,
            _ => false,
        }
    }

    pub(super) fn of(self, message: &[u8], id: &[u8], key: &PublicKey) -> Option<[u8; 32]> {
        let _ = (id, key);
        match self {
            Self::Message => message.try_into().ok(),
            Self::MessageFromHex => unhex(message)?.try_into().ok(),
            Self::Sm3 => Some(sm3::digest(message)),
            #[cfg(feature = "encryption")]
            Self::Sha256 => Some(sha256(&[message])),
            #[cfg(feature = "encryption")]
            Self::Sha256WithZ => {
                use crate::sm2::identity::{PARAMETERS, entl};
                if id.len() > crate::sm2::MAX_ID_LEN {
                    return None;
                }
                let z = sha256(&[&entl(id), id, &PARAMETERS, &key.to_xy_bytes()]);
                Some(sha256(&[&z, message]))
            }
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Message => "if the message is the digest e itself",
            Self::MessageFromHex => "if the message is the digest e itself, in hexadecimal",
            Self::Sm3 => {
                "the SM3 digest of the message without the identity: the signer left Z out"
            }
            #[cfg(feature = "encryption")]
            Self::Sha256 => "the SHA-256 digest of the message without the identity",
            #[cfg(feature = "encryption")]
            Self::Sha256WithZ => "with SHA-256 in place of SM3",
        })
    }
}

#[cfg(feature = "encryption")]
fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    use sha2::Digest as _;
    let mut hash = sha2::Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

fn crlf(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    let mut before = 0;
    for &byte in message {
        if byte == b'\n' && before != b'\r' {
            out.push(b'\r');
        }
        out.push(byte);
        before = byte;
    }
    out
}

fn line_feeds(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    for &byte in message {
        if byte == b'\n' && out.last() == Some(&b'\r') {
            out.pop();
        }
        out.push(byte);
    }
    out
}

pub(super) fn hex_text(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| {
            [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]
        })
        .collect()
}

/// The bytes that hexadecimal text stands for; it may have white space around it.
pub(super) fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let (pairs, rest) = text.as_chunks::<2>();
    if text.is_empty() || !rest.is_empty() {
        return None;
    }
    let digit = |letter: u8| char::from(letter).to_digit(16);
    pairs
        .iter()
        .map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8))
        .collect()
}

#[cfg(feature = "pem")]
fn base64_text(bytes: &[u8]) -> Option<Vec<u8>> {
    use base64ct::{Base64, Encoding};
    let mut out = alloc::vec![0; bytes.len().div_ceil(3) * 4];
    let length = Base64::encode(bytes, &mut out).ok()?.len();
    out.truncate(length);
    Some(out)
}

#[cfg(feature = "pem")]
fn unbase64(text: &[u8]) -> Option<Vec<u8>> {
    use base64ct::{Base64, Encoding};
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let mut out = alloc::vec![0; text.len().div_ceil(4) * 3];
    let length = Base64::decode(text, &mut out).ok()?.len();
    out.truncate(length);
    Some(out)
}
