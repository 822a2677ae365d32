//! Bytes as text: hexadecimal, Base64 (RFC 4648) and PEM (RFC 7468).
//!
//! What is decoded may be a private key. Decoding is constant time in the content, but for the positions of white space, and
//! wipes the copies that it makes. Detection is not constant time: in text that is not PEM it looks for the first letter
//! that is no hexadecimal digit, and for the first that Base64 does not have.

use alloc::vec::Vec;
use core::fmt;

use kuaimi_platform::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use super::Error;
use super::pem::Blocks;

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
    /// Hexadecimal digits, two a byte, in upper or lower case, perhaps after `0x`. White space may stand anywhere.
    Hex,
    /// Base64 with padding. White space may stand anywhere.
    Base64,
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary",
            Self::Pem => "PEM",
            Self::Hex => "hexadecimal",
            Self::Base64 => "Base64",
        })
    }
}

impl TextEncoding {
    /// The encoding that `bytes` appear to have: PEM if a line starts with `-----BEGIN `; else hexadecimal, else Base64, if all
    /// characters and their number fit; else binary.
    ///
    /// Variable time: see [`decode`](Self::decode) for what is constant time.
    ///
    /// ```
    /// use kuaimi::encoding::TextEncoding;
    ///
    /// assert_eq!(TextEncoding::detect(b"c0 ff ee"), TextEncoding::Hex);
    /// assert_eq!(TextEncoding::detect(b"wP/u"), TextEncoding::Base64);
    /// assert_eq!(TextEncoding::detect(b"\xc0\xff\xee"), TextEncoding::Binary);
    /// ```
    pub fn detect(bytes: &[u8]) -> Self {
        if Blocks::new(bytes).next().is_some() {
            return Self::Pem;
        }
        // Binary input may be large: it is not copied.
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

    /// The bytes that `bytes` represent in this encoding; for PEM, the content of the first block, whatever its label.
    ///
    /// Constant time in the content, but for the positions of white space.
    ///
    /// ```
    /// use kuaimi::encoding::{Error, TextEncoding};
    ///
    /// assert_eq!(*TextEncoding::Base64.decode(b"wP/u")?, [0xc0, 0xff, 0xee]);
    /// assert_eq!(TextEncoding::Base64.decode(b"wP/u*"), Err(Error::Base64));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Hex`], [`Error::Base64`], [`Error::PemEnd`], [`Error::PemHeaders`] and [`Error::LegacyEncryption`] for malformed
    /// text; [`Error::FeatureNeeded`] for any text if the library was built without the feature `pem`.
    pub fn decode(self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Binary => Ok(Zeroizing::new(bytes.to_vec())),
            Self::Pem => Blocks::new(bytes).next().ok_or(Error::PemEnd)??.decode(),
            Self::Hex => decode_hex(bytes),
            Self::Base64 => decode_base64(bytes),
        }
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
    // Allocated once: a buffer that grows would leave copies behind.
    let mut out = Zeroizing::new(Vec::with_capacity(bytes.len()));
    // Where white space stands may show, and nothing else of the bytes.
    out.extend(bytes.iter().filter(|byte| !declassify(is_space(**byte))));
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

#[cfg(feature = "pem")]
fn decode_hex(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let digits = hex_digits(bytes);
    let mut out = Zeroizing::new(alloc::vec![0; digits.len() / 2]);
    base16ct::mixed::decode(digits.as_slice(), &mut out).map_err(|_| Error::Hex)?;
    Ok(out)
}

#[cfg(feature = "pem")]
pub(super) fn decode_base64(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    use base64ct::{Base64Unpadded, Encoding};

    let text = without_space(bytes);
    if !text.len().is_multiple_of(4) {
        return Err(Error::Base64);
    }
    // How many bytes there are shows. Base64ct would compute it from the last characters, whatever they are.
    let padding = text.iter().rev().take(2);
    let padding = padding
        .take_while(|byte| declassify(byte.ct_eq(&b'=')))
        .count();
    let text = &text[..text.len() - padding];
    let mut out = Zeroizing::new(alloc::vec![0; text.len().div_ceil(4) * 3]);
    let length = Base64Unpadded::decode(text, &mut out)
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
pub(super) fn decode_base64(_: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Err(Error::FeatureNeeded("pem"))
}
