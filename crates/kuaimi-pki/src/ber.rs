//! BER (X.690, clause 8) written again as DER: lengths of the indefinite form are made definite,
//! and strings in pieces are joined. Banks, Windows and Java write files so.
//!
//! Only what a structure needs to be read is changed. The order of a SET stays, and so does all
//! that is inside a primitive element.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::Error;

/// How deep elements may be nested.
const MAX_DEPTH: usize = 32;

const CONSTRUCTED: u8 = 0x20;
const OCTET_STRING: u8 = 0x04;

/// The element `bytes`, after which nothing may follow, in DER. `what` names it in errors.
pub(crate) fn to_der(bytes: &[u8], what: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut out = buffer(bytes.len());
    let mut rest = bytes;
    Source { what }.element(&mut rest, MAX_DEPTH, &mut out)?;
    if rest.is_empty() {
        Ok(out)
    } else {
        Err(Error::Structure(what, "has bytes after its end"))
    }
}

/// Room for `length` bytes of BER in DER, so that no copy of a secret is left behind by growth. A
/// length takes up to four bytes more than the indefinite form only where it counts many bytes.
fn buffer(length: usize) -> Zeroizing<Vec<u8>> {
    let growth = (length >> 16)
        .saturating_add(1)
        .saturating_mul(2 * MAX_DEPTH);
    Zeroizing::new(Vec::with_capacity(length.saturating_add(growth)))
}

struct Source {
    what: &'static str,
}

impl Source {
    fn malformed(&self) -> Error {
        Error::Structure(self.what, "is malformed or was cut short")
    }

    /// Reads an element from the front of `rest`, and appends it to `out`.
    fn element(&self, rest: &mut &[u8], depth: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let depth = depth
            .checked_sub(1)
            .ok_or(Error::Limit("the depth of nested elements"))?;
        let tag = self.byte(rest)?;
        // Tags with numbers from 31 on have more bytes; nothing that is read here has them.
        if tag & 0x1f == 0x1f || tag == 0 {
            return Err(self.malformed());
        }
        let length = self.length(rest)?;
        if tag & CONSTRUCTED == 0 {
            let length = length.ok_or_else(|| self.malformed())?;
            let content = self.take(rest, length)?;
            append(tag, content, out);
            return Ok(());
        }
        let mut inner;
        match length {
            Some(length) => {
                let mut content = self.take(rest, length)?;
                inner = buffer(content.len());
                while !content.is_empty() {
                    self.element(&mut content, depth, &mut inner)?;
                }
            }
            None => {
                inner = buffer(rest.len());
                loop {
                    if let [0, 0, after @ ..] = *rest {
                        *rest = after;
                        break;
                    }
                    self.element(rest, depth, &mut inner)?;
                }
            }
        }
        if tag == OCTET_STRING | CONSTRUCTED {
            let whole = self.joined(&inner)?;
            append(OCTET_STRING, &whole, out);
        } else {
            append(tag, &inner, out);
        }
        Ok(())
    }

    /// The content of the OCTET STRINGs that `pieces` is a sequence of.
    fn joined(&self, mut pieces: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut whole = buffer(pieces.len());
        while !pieces.is_empty() {
            if self.byte(&mut pieces)? != OCTET_STRING {
                return Err(self.malformed());
            }
            let length = self.length(&mut pieces)?.ok_or_else(|| self.malformed())?;
            whole.extend_from_slice(self.take(&mut pieces, length)?);
        }
        Ok(whole)
    }

    fn byte(&self, rest: &mut &[u8]) -> Result<u8, Error> {
        match self.take(rest, 1)? {
            [byte] => Ok(*byte),
            _ => Err(self.malformed()),
        }
    }

    fn take<'a>(&self, rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], Error> {
        let (taken, after) = rest
            .split_at_checked(length)
            .ok_or_else(|| self.malformed())?;
        *rest = after;
        Ok(taken)
    }

    /// A length; `None` for the indefinite form.
    fn length(&self, rest: &mut &[u8]) -> Result<Option<usize>, Error> {
        let first = self.byte(rest)?;
        let count = match first {
            0..0x80 => return Ok(Some(first.into())),
            0x80 => return Ok(None),
            // More than four bytes that count are more than there can be.
            _ => usize::from(first & 0x7f),
        };
        let mut length = 0u32;
        for &byte in self.take(rest, count)? {
            if length >> 24 != 0 {
                return Err(self.malformed());
            }
            length = length << 8 | u32::from(byte);
        }
        usize::try_from(length)
            .map(Some)
            .map_err(|_| self.malformed())
    }
}

/// Appends an element of DER to `out`.
pub(crate) fn append(tag: u8, content: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    let length = content.len();
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let bytes = length.to_be_bytes();
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let digits = bytes.get(zeros..).unwrap_or_default();
        out.push(0x80 | digits.len() as u8);
        out.extend_from_slice(digits);
    }
    out.extend_from_slice(content);
}

/// An element of DER whose content is `parts`, one after the other. For what is not secret, and for
/// secrets whose owner wipes it: nothing is copied twice.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut content = Zeroizing::new(Vec::with_capacity(length));
    for part in parts {
        content.extend_from_slice(part);
    }
    let mut out = Vec::with_capacity(length.saturating_add(10));
    append(tag, &content, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(bytes: &[u8]) -> Result<Vec<u8>, Error> {
        to_der(bytes, "test").map(|der| der.to_vec())
    }

    #[test]
    fn indefinite_lengths_and_pieces() {
        // SEQUENCE (indefinite) { OCTET STRING in pieces { 01 02, { 03 } }, INTEGER 5 }
        let ber = [
            0x30, 0x80, 0x24, 0x80, 4, 2, 1, 2, 0x24, 3, 4, 1, 3, 0, 0, 2, 1, 5, 0, 0,
        ];
        let expected = [0x30, 8, 4, 3, 1, 2, 3, 2, 1, 5];
        assert_eq!(der(&ber).unwrap(), expected);
        assert_eq!(der(&expected).unwrap(), expected);
        for length in 0..ber.len() {
            assert!(der(&ber[..length]).is_err(), "cut to {length}");
        }
        assert!(der(&[&ber[..], &[0]].concat()).is_err());
        // A length that is not minimal.
        assert_eq!(
            der(&[0x30, 0x82, 0, 3, 2, 1, 5]).unwrap(),
            [0x30, 3, 2, 1, 5]
        );
        // Lengths of five bytes, of all bits, of a string of the indefinite form.
        assert!(der(&[0x30, 0x85, 1, 0, 0, 0, 3, 2, 1, 5]).is_err());
        assert!(der(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 2]).is_err());
        assert!(der(&[4, 0x80, 1, 0, 0]).is_err());
        // A piece that is no OCTET STRING.
        assert!(der(&[0x24, 3, 2, 1, 5]).is_err());
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| [[0x30, 0x80].repeat(depth), [0, 0].repeat(depth)].concat();
        assert!(der(&nested(MAX_DEPTH)).is_ok());
        let limit = Error::Limit("the depth of nested elements");
        assert_eq!(der(&nested(MAX_DEPTH + 1)), Err(limit.clone()));
        assert_eq!(der(&[0x30, 0x80].repeat(1 << 20)), Err(limit));
    }

    #[test]
    fn room_is_enough() {
        for length in [0, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x1_0000, 0x30_0000] {
            let content = element(OCTET_STRING, &[&alloc::vec![7; length]]);
            let ber = [[0x30, 0x80].repeat(20), content.clone(), [0, 0].repeat(20)].concat();
            let der = to_der(&ber, "test").unwrap();
            assert!(der.capacity() == buffer(ber.len()).capacity(), "{length}");
        }
    }
}
