//! Tags, lengths and non-negative integers of DER (X.690, clauses 8.1, 8.3 and 10.1), for
//! signatures and ciphertexts.
//!
//! It differs from the `der` crate, which reads the keys, in two ways: lengths have 64 bits (`der`
//! ends at 256 MiB, a ciphertext at 128 GiB), and the rules may be relaxed to what some vendors
//! write.

#[cfg(any(feature = "sm4", feature = "sm9"))]
use alloc::vec::Vec;

use super::Error;

/// The tag of an INTEGER.
pub(crate) const INTEGER: u8 = 0x02;
/// The tag of a BIT STRING.
#[cfg(any(feature = "sm4", feature = "sm9"))]
pub(crate) const BIT_STRING: u8 = 0x03;
/// The tag of an OCTET STRING.
pub(crate) const OCTET_STRING: u8 = 0x04;
/// The tag of a NULL.
#[cfg(any(feature = "sm4", feature = "sm9"))]
pub(crate) const NULL: u8 = 0x05;
/// The tag of an OBJECT IDENTIFIER.
#[cfg(any(feature = "sm4", feature = "sm9"))]
pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;
/// The tag of a SEQUENCE.
pub(crate) const SEQUENCE: u8 = 0x30;

/// The most bytes that a tag and a length take.
pub(crate) const MAX_HEADER_LEN: usize = 10;

/// How strictly an encoding must follow DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// DER.
    Strict,
    /// Also lengths that are not minimal, integers padded or without the zero byte that makes them
    /// positive, and bytes after the end.
    Lenient,
}

/// Reads elements in order.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    rules: Rules,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], rules: Rules) -> Self {
        Self { rest: bytes, rules }
    }

    /// The number of bytes that were not read yet.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    fn byte(&mut self) -> Result<u8, Error> {
        let (&byte, rest) = self.rest.split_first().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(byte)
    }

    /// Reads the tag `expected` and a length. The content is next; it may be missing.
    pub(crate) fn header(&mut self, expected: u8) -> Result<u64, Error> {
        let found = self.byte()?;
        if found != expected {
            return Err(Error::UnexpectedTag { expected, found });
        }
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        // The number of bytes of the length. 0 is BER's indefinite form.
        let count = first & 0x7f;
        if !(1..=8).contains(&count) {
            return Err(Error::NonMinimalLength);
        }
        let mut length = 0;
        for _ in 0..count {
            length = length << 8 | u64::from(self.byte()?);
        }
        if self.rules == Rules::Strict && length_len(length) != 1 + usize::from(count) {
            return Err(Error::NonMinimalLength);
        }
        Ok(length)
    }

    /// Reads an element with the tag `expected`, and gives its content.
    pub(crate) fn value(&mut self, expected: u8) -> Result<&'a [u8], Error> {
        let length = self.header(expected)?;
        let (value, rest) = usize::try_from(length)
            .ok()
            .and_then(|length| self.rest.split_at_checked(length))
            .ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(value)
    }

    /// Reads an INTEGER, and gives it as 32 bytes, most significant first; `None` if it has more
    /// than 256 bits.
    pub(crate) fn unsigned(&mut self) -> Result<Option<[u8; 32]>, Error> {
        let mut out = [0; 32];
        Ok(self.unsigned_into(&mut out)?.then_some(out))
    }

    /// As [`unsigned`](Self::unsigned), into `out`, which for a secret is wiped by its owner;
    /// `false` if the number has more than 256 bits.
    pub(crate) fn unsigned_into(&mut self, out: &mut [u8; 32]) -> Result<bool, Error> {
        let mut digits = self.value(INTEGER)?;
        if self.rules == Rules::Strict {
            match digits {
                [] => return Err(Error::Truncated),
                [0x80..=0xff, ..] => return Err(Error::NegativeInteger),
                [0, 0..=0x7f, ..] => return Err(Error::NonMinimalInteger),
                _ => {}
            }
        }
        while let [0, rest @ ..] = digits {
            digits = rest;
        }
        let Some(padding) = out.len().checked_sub(digits.len()) else {
            return Ok(false);
        };
        out.fill(0);
        out[padding..].copy_from_slice(digits);
        Ok(true)
    }

    /// Checks that nothing follows.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::TrailingBytes)
        }
    }
}

/// The number of bytes that the length `length` takes.
fn length_len(length: u64) -> usize {
    match length {
        0..0x80 => 1,
        _ => 1 + significant(length).count(),
    }
}

/// The bytes of `length` without leading zeros.
fn significant(length: u64) -> impl Iterator<Item = u8> {
    length
        .to_be_bytes()
        .into_iter()
        .skip_while(|&byte| byte == 0)
}

/// The number of bytes of an element with `content` bytes of content, tag and length included.
pub(crate) fn element_len(content: u64) -> u64 {
    1 + length_len(content) as u64 + content
}

/// The number of bytes of the content of an INTEGER.
fn integer_content_len(value: &[u8; 32]) -> usize {
    let digits = digits(value);
    digits.len() + usize::from(needs_zero(digits))
}

/// The number of bytes of an INTEGER, tag and length included.
pub(crate) fn integer_len(value: &[u8; 32]) -> u64 {
    element_len(integer_content_len(value) as u64)
}

/// The bytes of `value` without leading zeros.
fn digits(value: &[u8; 32]) -> &[u8] {
    let zeros = value.iter().take_while(|&&byte| byte == 0).count();
    &value[zeros..]
}

/// Whether a zero byte must precede the digits, so that there is a byte at all and the number is
/// not negative.
fn needs_zero(digits: &[u8]) -> bool {
    digits.first().is_none_or(|&first| first >= 0x80)
}

/// Writes elements into a buffer of `N` bytes. The callers choose `N` large enough.
pub(crate) struct Writer<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Writer<N> {
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; N],
            len: 0,
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// A tag and a length, for content that follows.
    pub(crate) fn header(&mut self, tag: u8, length: u64) {
        let count = length_len(length) - 1;
        self.bytes(&[tag]);
        if count == 0 {
            self.bytes(&[length as u8]);
        } else {
            self.bytes(&[0x80 | count as u8]);
            self.bytes(&length.to_be_bytes()[8 - count..]);
        }
    }

    pub(crate) fn unsigned(&mut self, value: &[u8; 32]) {
        let digits = digits(value);
        self.header(INTEGER, integer_content_len(value) as u64);
        if needs_zero(digits) {
            self.bytes(&[0]);
        }
        self.bytes(digits);
    }

    pub(crate) fn into_parts(self) -> ([u8; N], usize) {
        (self.bytes, self.len)
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// An element whose content is `parts`, concatenated.
#[cfg(any(feature = "sm4", feature = "sm9"))]
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut header = Writer::<MAX_HEADER_LEN>::new();
    header.header(tag, length as u64);
    let mut out = Vec::with_capacity(header.as_slice().len() + length);
    out.extend_from_slice(header.as_slice());
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

/// An INTEGER.
#[cfg(any(feature = "encryption", all(feature = "sm9", feature = "pkcs8")))]
pub(crate) fn integer(value: u64) -> Vec<u8> {
    let mut wide = [0; 32];
    wide[24..].copy_from_slice(&value.to_be_bytes());
    let mut writer = Writer::<MAX_HEADER_LEN>::new();
    writer.unsigned(&wide);
    writer.as_slice().to_vec()
}
