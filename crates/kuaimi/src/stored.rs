//! The frame of what this library stores for itself: states of key exchanges, and tables of secret
//! keys.
//!
//! `header (8 bytes) ‖ body ‖ tag (32 bytes)`, with `tag = HMAC-SM3(key, header ‖ body)`. The
//! header names the kind and the version.
//!
//! If the key of the tag is derived from a secret of the owner, nobody else can make the tag, and
//! every alteration is refused. If the key is empty, anyone can make the tag: it detects accidents
//! only, and nothing more may be promised of it.

use alloc::vec::Vec;

use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::sm3::{DIGEST_LEN, hmac_sm3};

/// Bytes of a header.
pub(crate) const HEADER_LEN: usize = 8;

/// Bytes of a frame without its body.
pub(crate) const FRAME_LEN: usize = HEADER_LEN + DIGEST_LEN;

/// The longest shared key whose state is read, in bytes. A state is of some hundred bytes, and
/// anyone can make one: it must not make its reader fill gigabytes.
pub(crate) const MAX_KEPT_KEY_LEN: usize = 16 << 20;

/// The key of a tag that detects accidents only.
pub(crate) const NO_KEY: &[u8] = &[];

/// Why bytes are not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// Another kind or version, or a body of another form.
    Form,
    /// The tag is not one under this key.
    Tag,
}

/// A frame around the parts of a body, which may be secret.
pub(crate) fn write(header: &[u8; HEADER_LEN], parts: &[&[u8]], key: &[u8]) -> Zeroizing<Vec<u8>> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    // In one piece from the start: growing would leave copies of the secrets behind.
    let mut out = Zeroizing::new(Vec::with_capacity(FRAME_LEN + length));
    out.extend_from_slice(header);
    for part in parts {
        out.extend_from_slice(part);
    }
    let tag = hmac_sm3(key, &out);
    out.extend_from_slice(&tag);
    out
}

/// The body of a frame with this header, once its tag is verified. Constant time but for the
/// result.
pub(crate) fn read<'a>(
    header: &[u8; HEADER_LEN],
    bytes: &'a [u8],
    key: &[u8],
) -> Result<Reader<'a>, Unreadable> {
    let (content, tag) = bytes
        .split_last_chunk::<DIGEST_LEN>()
        .ok_or(Unreadable::Form)?;
    let body = content.strip_prefix(header).ok_or(Unreadable::Form)?;
    // The error tells whether the tag is right, and nothing of how much of it is.
    if declassify(hmac_sm3(key, content).ct_eq(tag)) {
        Ok(Reader(body))
    } else {
        Err(Unreadable::Tag)
    }
}

/// What goes before a part of variable length, for [`Reader::part`]: its length in 8 bytes, most
/// significant first.
#[cfg(feature = "sm9")]
pub(crate) fn length_of(part: &[u8]) -> [u8; 8] {
    (part.len() as u64).to_be_bytes()
}

/// What is left of a body.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The next `N` bytes.
    pub(crate) fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], Unreadable> {
        let (first, rest) = self.0.split_first_chunk().ok_or(Unreadable::Form)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next `length` bytes.
    #[cfg(feature = "sm9")]
    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8], Unreadable> {
        let (first, rest) = self.0.split_at_checked(length).ok_or(Unreadable::Form)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next part of variable length, behind its length.
    #[cfg(feature = "sm9")]
    pub(crate) fn part(&mut self) -> Result<&'a [u8], Unreadable> {
        let length = u64::from_be_bytes(*self.take()?);
        self.bytes(usize::try_from(length).map_err(|_| Unreadable::Form)?)
    }

    /// That nothing is left.
    pub(crate) fn end(&self) -> Result<(), Unreadable> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Unreadable::Form)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8; 8] = b"KM-test1";

    #[test]
    fn every_byte_is_under_the_tag() {
        let bytes = write(HEADER, &[b"one", b"", b"three"], b"key");
        assert_eq!(bytes.len(), FRAME_LEN + 8);
        let mut body = read(HEADER, &bytes, b"key").expect("as written");
        assert_eq!(body.take::<3>(), Ok(b"one"));
        assert_eq!(body.end(), Err(Unreadable::Form));
        assert_eq!(body.take::<6>(), Err(Unreadable::Form));
        assert_eq!(body.take::<5>(), Ok(b"three"));
        assert_eq!(body.end(), Ok(()));
        for i in 0..bytes.len() {
            let mut altered = bytes.to_vec();
            altered[i] ^= 1;
            let expected = match i {
                0..8 => Unreadable::Form,
                _ => Unreadable::Tag,
            };
            let found = read(HEADER, &altered, b"key").err();
            assert_eq!(found, Some(expected), "byte {i}");
            assert!(read(HEADER, &bytes[..i], b"key").is_err(), "{i} bytes");
        }
        for key in [&b"kex"[..], NO_KEY] {
            assert_eq!(read(HEADER, &bytes, key).err(), Some(Unreadable::Tag));
        }
    }

    #[cfg(feature = "sm9")]
    #[test]
    fn lengths_that_are_not_there_are_refused() {
        for length in [4u64, 1 << 32, u64::MAX] {
            let bytes = write(HEADER, &[&length.to_be_bytes(), b"abc"], NO_KEY);
            let mut body = read(HEADER, &bytes, NO_KEY).expect("as written");
            assert_eq!(body.part(), Err(Unreadable::Form), "{length}");
        }
        let bytes = write(HEADER, &[&length_of(b"abc"), b"abc"], NO_KEY);
        let mut body = read(HEADER, &bytes, NO_KEY).expect("as written");
        assert_eq!(body.part(), Ok(&b"abc"[..]));
    }
}
