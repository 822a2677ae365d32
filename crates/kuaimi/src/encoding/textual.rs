//! Bytes as text: hexadecimal, Base64 (RFC 4648) and PEM (RFC 7468), detected and decoded. This is
//! the one detector of text for keys: what programs put around a text is removed first
//! (`plain_text`).
//!
//! What is decoded may be a private key. Decoding is constant time in the content, but for the
//! positions of white space, and wipes the copies that it makes. Detection is not constant time: in
//! text that is not PEM it looks for the first letter that is no hexadecimal digit, and for the
//! first that Base64 does not have.

use alloc::vec::Vec;
use core::fmt;

use kuaimi_platform::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use super::Error;
use super::pem::Blocks;
use super::plain_text::PlainText;

/// How bytes are represented: as they are, or as text.
///
/// ```
/// use kuaimi::encoding::TextEncoding;
///
/// assert_eq!(TextEncoding::detect(b"0xc0ffee"), TextEncoding::Hex);
/// assert_eq!(*TextEncoding::Hex.decode(b"0xc0ffee")?, [0xc0, 0xff, 0xee]);
/// assert_eq!(TextEncoding::Hex.to_string(), "hexadecimal");
/// # Ok::<(), kuaimi::encoding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextEncoding {
    /// No text: the bytes as they are.
    Binary,
    /// PEM: Base64 between two lines that name the content.
    Pem,
    /// Hexadecimal digits, two a byte, in upper or lower case, perhaps after `0x`. White space may
    /// stand anywhere, and a colon between two bytes.
    Hex,
    /// Base64 in the usual alphabet or that for URLs, with padding or without it. White space may
    /// stand anywhere.
    Base64,
    /// Hexadecimal digits in Base64.
    HexInBase64,
    /// PEM in Base64, as in the secrets of Kubernetes.
    PemInBase64,
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary",
            Self::Pem => "PEM",
            Self::Hex => "hexadecimal",
            Self::Base64 => "Base64",
            Self::HexInBase64 => "hexadecimal in Base64",
            Self::PemInBase64 => "PEM in Base64",
        })
    }
}

impl TextEncoding {
    /// The encoding that `bytes` appear to have: PEM if a line starts with `-----BEGIN `; else
    /// hexadecimal, else Base64, if all characters and their number fit; else binary. Text of 16 or
    /// more hexadecimal digits is hexadecimal, even if their number is odd:
    /// [`decode`](Self::decode) then says so.
    ///
    /// A byte order mark, UTF-16, quotes around the text, and `\n` for its line ends are allowed.
    ///
    /// Variable time: see [`decode`](Self::decode) for what is constant time.
    ///
    /// ```
    /// use kuaimi::encoding::TextEncoding;
    ///
    /// assert_eq!(TextEncoding::detect(b"c0 ff ee"), TextEncoding::Hex);
    /// assert_eq!(TextEncoding::detect(b"c0:ff:ee"), TextEncoding::Hex);
    /// assert_eq!(TextEncoding::detect(b"wP/u"), TextEncoding::Base64);
    /// assert_eq!(TextEncoding::detect(b"\xc0\xff\xee"), TextEncoding::Binary);
    /// ```
    pub fn detect(bytes: &[u8]) -> Self {
        Self::of(&PlainText::of(bytes))
    }

    /// As [`detect`](Self::detect), for text that has nothing around it.
    pub(super) fn of(text: &[u8]) -> Self {
        if Blocks::new(text).next().is_some() {
            return Self::Pem;
        }
        // Binary input may be large: it is not copied.
        let is_text = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=: \t\r\n".contains(byte);
        if !text.iter().all(is_text) {
            return Self::Binary;
        }
        let digits = hex_digits(text);
        if digits.iter().all(u8::is_ascii_hexdigit)
            && (digits.len() >= SHORTEST_ODD
                || digits.len().is_multiple_of(2) && !digits.is_empty())
        {
            return Self::Hex;
        }
        let letters = without_space(text);
        if !is_base64(&letters) {
            return Self::Binary;
        }
        match decode_base64(text) {
            Ok(inner) if Blocks::new(&inner).next().is_some() => Self::PemInBase64,
            Ok(inner) if inner.len() >= SHORTEST_ODD && Self::of(&inner) == Self::Hex => {
                Self::HexInBase64
            }
            // Words without padding are other text.
            Err(Error::Base64) if !letters.ends_with(b"=") => Self::Binary,
            _ => Self::Base64,
        }
    }

    /// The bytes that `bytes` represent in this encoding; for PEM, the content of the first block,
    /// whatever its label.
    ///
    /// Constant time in the content, but for the positions of white space, colons and what
    /// [`detect`](Self::detect) allows around the text.
    ///
    /// ```
    /// use kuaimi::encoding::{Error, TextEncoding};
    ///
    /// assert_eq!(*TextEncoding::Base64.decode(b"wP/u")?, [0xc0, 0xff, 0xee]);
    /// assert_eq!(TextEncoding::Base64.decode(b"wP/u*"), Err(Error::Base64));
    /// assert_eq!(TextEncoding::Hex.decode(b"c0ffe"), Err(Error::OddHex(5)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Hex`], [`Error::OddHex`], [`Error::Base64`], [`Error::PemEnd`],
    /// [`Error::PemHeaders`] and [`Error::LegacyEncryption`] for malformed text;
    /// [`Error::FeatureNeeded`] for any text if the library was built without the feature `pem`.
    pub fn decode(self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Binary => Ok(Zeroizing::new(bytes.to_vec())),
            _ => self.decode_plain(&PlainText::of(bytes)),
        }
    }

    /// As [`decode`](Self::decode), for text that has nothing around it.
    pub(super) fn decode_plain(self, text: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Binary => Ok(Zeroizing::new(text.to_vec())),
            Self::Pem => Blocks::new(text).next().ok_or(Error::PemEnd)??.decode(),
            Self::Hex => decode_hex(text),
            Self::Base64 => decode_base64(text),
            Self::HexInBase64 => decode_hex(&decode_base64(text)?),
            Self::PemInBase64 => Self::Pem.decode_plain(&decode_base64(text)?),
        }
    }
}

/// From so many hexadecimal digits on, an odd number of them is hexadecimal that lost a digit, and
/// no other text.
const SHORTEST_ODD: usize = 16;

/// Whether these are letters of one alphabet of Base64, and as many as it can have.
fn is_base64(letters: &[u8]) -> bool {
    let padding = letters
        .iter()
        .rev()
        .take_while(|letter| **letter == b'=')
        .count();
    let letters = &letters[..letters.len() - padding];
    let has = |bytes: &[u8]| letters.iter().any(|letter| bytes.contains(letter));
    let both_alphabets = has(b"+/") && has(b"-_");
    if letters.is_empty() || has(b"=:") || both_alphabets {
        return false;
    }
    match padding {
        0 => letters.len() % 4 != 1,
        1 | 2 => (letters.len() + padding).is_multiple_of(4),
        _ => false,
    }
}

fn is_space(byte: u8) -> Choice {
    // As `u8::is_ascii_whitespace`.
    let spaces = b" \t\n\x0c\r";
    spaces
        .iter()
        .fold(Choice::from(0), |found, space| found | byte.ct_eq(space))
}

fn without_space(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    without(bytes, is_space)
}

/// All but the bytes of one kind.
fn without(bytes: &[u8], is_left_out: impl Fn(u8) -> Choice) -> Zeroizing<Vec<u8>> {
    // Allocated once: a buffer that grows would leave copies behind.
    let mut out = Zeroizing::new(Vec::with_capacity(bytes.len()));
    // Where these bytes stand may show, and nothing else of the text.
    out.extend(bytes.iter().filter(|byte| !declassify(is_left_out(**byte))));
    out
}

/// The digits: without white space, `0x`, and colons that stand between two bytes.
fn hex_digits(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let bytes = bytes.trim_ascii_start();
    let letters = without_space(
        bytes
            .strip_prefix(b"0x")
            .or_else(|| bytes.strip_prefix(b"0X"))
            .unwrap_or(bytes),
    );
    let is_colon = |byte: u8| byte.ct_eq(&b':');
    // A digit left out before a colon would move all that follow: such text is not hexadecimal.
    let mut digits_before = 0_usize;
    for &letter in letters.iter() {
        if !declassify(is_colon(letter)) {
            digits_before += 1;
        } else if digits_before % 2 == 1 {
            return letters;
        }
    }
    match digits_before == letters.len() {
        true => letters,
        false => without(&letters, is_colon),
    }
}

#[cfg(feature = "pem")]
fn decode_hex(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let digits = hex_digits(bytes);
    if digits.len() % 2 == 1 {
        return Err(Error::OddHex(digits.len()));
    }
    let mut out = Zeroizing::new(alloc::vec![0; digits.len() / 2]);
    base16ct::mixed::decode(digits.as_slice(), &mut out).map_err(|_| Error::Hex)?;
    Ok(out)
}

/// The Base64 in PEM: the usual alphabet, with padding.
#[cfg(feature = "pem")]
pub(super) fn decode_pem_base64(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let letters = without_space(bytes);
    if !letters.len().is_multiple_of(4) {
        return Err(Error::Base64);
    }
    decode_letters::<base64ct::Base64Unpadded>(&letters)
}

#[cfg(feature = "pem")]
fn decode_base64(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let letters = without_space(bytes);
    // Which alphabet it is shows.
    let for_urls = letters.iter().fold(Choice::from(0), |found, letter| {
        found | letter.ct_eq(&b'-') | letter.ct_eq(&b'_')
    });
    match declassify(for_urls) {
        true => decode_letters::<base64ct::Base64UrlUnpadded>(&letters),
        false => decode_letters::<base64ct::Base64Unpadded>(&letters),
    }
}

/// Decodes letters with complete padding or with none.
#[cfg(feature = "pem")]
fn decode_letters<E: base64ct::Encoding>(letters: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    // How many bytes there are shows. Base64ct would compute it from the last characters, whatever
    // they are.
    let padding = letters.iter().rev().take(2);
    let padding = padding
        .take_while(|byte| declassify(byte.ct_eq(&b'=')))
        .count();
    if padding != 0 && !letters.len().is_multiple_of(4) {
        return Err(Error::Base64);
    }
    let letters = &letters[..letters.len() - padding];
    let mut out = Zeroizing::new(alloc::vec![0; letters.len().div_ceil(4) * 3]);
    let length = E::decode(letters, &mut out)
        .map_err(|_| Error::Base64)?
        .len();
    out.truncate(length);
    Ok(out)
}

#[cfg(not(feature = "pem"))]
fn decode_hex(_: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Err(Error::FeatureNeeded("pem"))
}

#[cfg(not(feature = "pem"))]
pub(super) fn decode_pem_base64(_: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Err(Error::FeatureNeeded("pem"))
}

#[cfg(not(feature = "pem"))]
fn decode_base64(_: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Err(Error::FeatureNeeded("pem"))
}
