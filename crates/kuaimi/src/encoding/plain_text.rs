//! Text without what programs put around it: a byte order mark, UTF-16, quotes, and line ends
//! written as `\n`.
//!
//! Editors on Windows save a byte order mark, PowerShell's `>` writes UTF-16, and a key that is
//! taken out of JSON or of an environment variable often still has its quotes and escapes. The text
//! may be a private key: its letters are compared in constant time, except those that are removed,
//! and copies are wiped.

use alloc::vec::Vec;
use core::ops::Deref;

use kuaimi_platform::declassify;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::pem::Blocks;

/// No key, signature or text of one is longer; longer input is not looked at.
const LONGEST: usize = 1 << 20;

/// The text, or the bytes as they are if they are no such text.
pub(super) enum PlainText<'a> {
    Borrowed(&'a [u8]),
    Owned(Zeroizing<Vec<u8>>),
}

impl Deref for PlainText<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl<'a> PlainText<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        if bytes.len() > LONGEST {
            return Self::Borrowed(bytes);
        }
        if let Some(text) = from_utf16(bytes) {
            return match unescaped(unquoted(&text)) {
                Some(text) => Self::Owned(text),
                None => Self::Owned(Zeroizing::new(unquoted(&text).to_vec())),
            };
        }
        let text = unquoted(without_utf8_mark(bytes));
        unescaped(text).map_or(Self::Borrowed(text), Self::Owned)
    }
}

/// Whether all bytes are ASCII, without a branch on any of them.
pub(super) fn is_ascii(bytes: &[u8]) -> bool {
    let bits = bytes.iter().fold(0, |bits, byte| bits | byte);
    declassify((bits & 0x80).ct_eq(&0))
}

fn without_utf8_mark(bytes: &[u8]) -> &[u8] {
    match bytes.strip_prefix(b"\xef\xbb\xbf") {
        // Binary may begin with the same bytes.
        Some(text) if is_ascii(text) || Blocks::new(text).next().is_some() => text,
        _ => bytes,
    }
}

/// UTF-16 of either byte order as ASCII. All of its letters must be ASCII, or it must have a byte
/// order mark and a PEM block: other letters are then in the text around the block, and become `?`.
fn from_utf16(bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (marked, low, units) = match bytes {
        [0xff, 0xfe, units @ ..] => (true, 0, units),
        [0xfe, 0xff, units @ ..] => (true, 1, units),
        [_, 0, ..] => (false, 0, bytes),
        [0, _, ..] => (false, 1, bytes),
        _ => return None,
    };
    if units.is_empty() || units.len() % 2 == 1 {
        return None;
    }
    let mut all_ascii = Choice::from(1);
    let mut text = Zeroizing::new(Vec::with_capacity(units.len() / 2));
    for unit in units.chunks_exact(2) {
        let (letter, high) = (unit[low], unit[1 - low]);
        let ascii = high.ct_eq(&0) & (letter & 0x80).ct_eq(&0) & !letter.ct_eq(&0);
        all_ascii &= ascii;
        text.push(u8::conditional_select(&b'?', &letter, ascii));
    }
    let is_text = declassify(all_ascii) || marked && Blocks::new(&text).next().is_some();
    is_text.then_some(text)
}

/// What is between the quotes, if the text has them.
fn unquoted(text: &[u8]) -> &[u8] {
    match text.trim_ascii_start().split_first() {
        Some((quote @ (b'"' | b'\''), _)) => match text.trim_ascii() {
            [first, inner @ .., last] if first == last && last == quote && is_ascii(inner) => inner,
            _ => text,
        },
        _ => text,
    }
}

/// The text with white space in place of `\n`, `\r` and `\t`, and without the other backslashes of
/// JSON; nothing if it has none.
fn unescaped(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let is_backslash = |byte: &u8| byte.ct_eq(&b'\\');
    let found = text
        .iter()
        .fold(Choice::from(0), |found, byte| found | is_backslash(byte));
    if !declassify(found) || !is_ascii(text) {
        return None;
    }
    let mut out = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut escaped = false;
    // Where the backslashes are, and what follows each of them, shows.
    for byte in text {
        if declassify(is_backslash(byte)) {
            escaped = true;
        } else if escaped {
            escaped = false;
            out.push(match byte {
                b'n' | b'r' | b't' => b'\n',
                other => *other,
            });
        } else {
            out.push(*byte);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bytes: &[u8]) -> Vec<u8> {
        PlainText::of(bytes).to_vec()
    }

    fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
        let mark = mark.then_some('\u{feff}');
        let text: alloc::string::String = mark.into_iter().chain(text.chars()).collect();
        text.encode_utf16()
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn what_programs_put_around_text() {
        assert_eq!(plain(b"\xef\xbb\xbf0a0b"), b"0a0b");
        for (mark, big) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(plain(&utf16("0a0b\r\n", mark, big)), b"0a0b\r\n");
        }
        assert_eq!(plain(b" \"0a0b\"\n"), b"0a0b");
        assert_eq!(plain(b"'0a0b'"), b"0a0b");
        assert_eq!(plain(br#""a\nb\r\nc\/d""#), b"a\nb\n\nc/d");
        // As JSON within JSON.
        assert_eq!(plain(br#""a\\nb""#), b"a\nb");
        assert_eq!(plain(&utf16("\"a\\nb\"", true, false)), b"a\nb");
    }

    #[test]
    fn other_bytes_stay_as_they_are() {
        let mut marked = vec_of_random(61);
        marked.splice(0..0, [0xef, 0xbb, 0xbf]);
        let mut like_utf16 = vec_of_random(62);
        like_utf16.splice(0..0, [0xff, 0xfe]);
        for bytes in [
            &b""[..],
            b"\"",
            b"\"0a",
            b"0a\"",
            b"\xff\xfe",
            b"\xff\xfea\0b",
            b"\0",
            b"a\0\0\0",
            b"\\n\xff",
            &marked,
            &like_utf16,
        ] {
            assert_eq!(plain(bytes), bytes);
        }
    }

    fn vec_of_random(length: u8) -> Vec<u8> {
        (0..length).map(|i| i.wrapping_mul(151) ^ 0x9c).collect()
    }

    #[test]
    fn other_letters_around_a_block() {
        let text = "密钥\n-----BEGIN A-----\nAAAA\n-----END A-----\n";
        let read = plain(&utf16(text, true, false));
        assert!(read.starts_with(b"??\n-----BEGIN A-----\n"));
        assert!(plain(&utf16("密钥", true, false)).starts_with(b"\xff\xfe"));
        let read = plain(&[b"\xef\xbb\xbf", text.as_bytes()].concat());
        assert_eq!(read, text.as_bytes());
    }
}
