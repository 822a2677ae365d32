//! BER in memory (X.690, clause 8) written again as DER: lengths of the indefinite form (clause
//! 8.1.3.6) are made definite, and strings in pieces (clause 8.7) are joined. Banks, Windows and
//! Java write files so.
//!
//! Only what a structure needs to be read is changed. The order of a SET stays, and so does all
//! that is inside a primitive element.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::write::{append_length, header_len};
use super::{CONSTRUCTED, MAX_DEPTH, OCTET_STRING};
use crate::Error;

/// The maximum number of elements.
const MAX_ELEMENTS: usize = 1 << 20;
/// The most bytes of a tag after its first.
const MAX_NUMBER_LEN: usize = 3;
/// The tag of an OCTET STRING in pieces.
const PIECES: u8 = OCTET_STRING | CONSTRUCTED;

/// The element `bytes`, after which nothing may follow, in DER. `what` names it in errors.
///
/// It is measured first and then written into room of the right size, so that neither time nor
/// memory depend on how it is nested, and growth leaves no copy of a secret behind.
pub(crate) fn to_der(bytes: &[u8], what: &'static str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let source = Source { what };
    let mut measured = Measured::default();
    let mut rest = bytes;
    let length = source.measure(&mut rest, MAX_DEPTH, Within::Structure, &mut measured)?;
    if !rest.is_empty() {
        return Err(Error::Structure(what, "has bytes after its end"));
    }
    let mut out = Zeroizing::new(Vec::with_capacity(length));
    let mut lengths = measured.lengths.iter();
    let mut rest = bytes;
    source.write(&mut rest, Within::Structure, &mut lengths, &mut out)?;
    Ok(out)
}

/// What is around an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Structure,
    /// A string in pieces, of which the contents are joined.
    String,
}

#[derive(Default)]
struct Measured {
    elements: usize,
    /// The lengths in DER of the contents of all constructed elements, in their order.
    lengths: Vec<usize>,
}

struct Source {
    what: &'static str,
}

impl Source {
    fn malformed(&self) -> Error {
        Error::Structure(self.what, "is malformed or was cut short")
    }

    /// Reads an element from the front of `rest`: the length that it adds to what it is within.
    fn measure(
        &self,
        rest: &mut &[u8],
        depth: usize,
        within: Within,
        measured: &mut Measured,
    ) -> Result<usize, Error> {
        let depth = depth
            .checked_sub(1)
            .ok_or(Error::Limit("the depth of nested elements"))?;
        measured.elements += 1;
        if measured.elements > MAX_ELEMENTS {
            return Err(Error::Limit("the number of elements"));
        }
        let (tag, length) = self.header(rest, within)?;
        let content = if tag.is_primitive() {
            let length = length.ok_or_else(|| self.malformed())?;
            self.take(rest, length)?.len()
        } else {
            let index = measured.lengths.len();
            measured.lengths.push(0);
            let mut total = 0usize;
            self.each(rest, length, |rest| {
                let length = self.measure(rest, depth, tag.inside(), measured)?;
                total = total.saturating_add(length);
                Ok(())
            })?;
            if let Some(length) = measured.lengths.get_mut(index) {
                *length = total;
            }
            total
        };
        Ok(match within {
            Within::String => content,
            Within::Structure => tag
                .after
                .len()
                .saturating_add(header_len(content).saturating_add(content)),
        })
    }

    /// Reads an element from the front of `rest`, and appends it to `out`. It was measured.
    fn write(
        &self,
        rest: &mut &[u8],
        within: Within,
        lengths: &mut core::slice::Iter<'_, usize>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let (tag, length) = self.header(rest, within)?;
        if tag.is_primitive() {
            let length = length.ok_or_else(|| self.malformed())?;
            let content = self.take(rest, length)?;
            if within == Within::Structure {
                tag.append(content.len(), out);
            }
            out.extend_from_slice(content);
            return Ok(());
        }
        let content_len = *lengths.next().ok_or_else(|| self.malformed())?;
        if within == Within::Structure {
            tag.append(content_len, out);
        }
        self.each(rest, length, |rest| {
            self.write(rest, tag.inside(), lengths, out)
        })
    }

    /// Calls `read` for each element of a constructed one.
    fn each(
        &self,
        rest: &mut &[u8],
        length: Option<usize>,
        mut read: impl FnMut(&mut &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(length) = length else {
            loop {
                if let [0, 0, after @ ..] = *rest {
                    *rest = after;
                    return Ok(());
                }
                read(rest)?;
            }
        };
        let mut content = self.take(rest, length)?;
        while !content.is_empty() {
            read(&mut content)?;
        }
        Ok(())
    }

    /// A tag and a length, which is `None` in the indefinite form.
    fn header<'a>(
        &self,
        rest: &mut &'a [u8],
        within: Within,
    ) -> Result<(Tag<'a>, Option<usize>), Error> {
        let first = self.byte(rest)?;
        let known = match within {
            Within::Structure => first != 0,
            Within::String => first & !CONSTRUCTED == OCTET_STRING,
        };
        if !known {
            return Err(self.malformed());
        }
        // The number follows if it is above 30, in bytes of which all but the last have the highest
        // bit.
        let after = match first & 0x1f {
            0x1f => {
                let mut number = rest.iter().take(MAX_NUMBER_LEN);
                let last = number.position(|byte| byte & 0x80 == 0);
                let last = last.ok_or_else(|| self.malformed())?;
                self.take(rest, last + 1)?
            }
            _ => &[],
        };
        Ok((Tag { first, after }, self.length(rest)?))
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

    fn length(&self, rest: &mut &[u8]) -> Result<Option<usize>, Error> {
        let first = self.byte(rest)?;
        let count = match first {
            0..0x80 => return Ok(Some(first.into())),
            0x80 => return Ok(None),
            _ => usize::from(first & 0x7f),
        };
        let mut length = 0u32;
        for &byte in self.take(rest, count)? {
            // More than four bytes that count are more than there can be.
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

/// A tag: its first byte, and the others.
#[derive(Clone, Copy)]
struct Tag<'a> {
    first: u8,
    after: &'a [u8],
}

impl Tag<'_> {
    const fn is_primitive(self) -> bool {
        self.first & CONSTRUCTED == 0
    }

    /// What the elements of a constructed element with this tag are within.
    const fn inside(self) -> Within {
        match self.first {
            PIECES => Within::String,
            _ => Within::Structure,
        }
    }

    /// Appends it, and the length of what is in it.
    fn append(self, length: usize, out: &mut Vec<u8>) {
        out.push(match self.first {
            PIECES => OCTET_STRING,
            first => first,
        });
        out.extend_from_slice(self.after);
        append_length(length as u64, out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::element;
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
    fn tags_of_more_bytes() {
        let ber = [
            0x30, 0x80, 0x24, 0x80, 4, 0x81, 1, 7, 0x24, 4, 4, 2, 8, 9, 0, 0, 0xbf, 0x81, 1, 0x80,
            5, 0, 0, 0, 0, 0,
        ];
        let expected = [0x30, 11, 4, 3, 7, 8, 9, 0xbf, 0x81, 1, 2, 5, 0];
        assert_eq!(der(&ber).unwrap(), expected);
        assert_eq!(der(&expected).unwrap(), expected);
        for length in 0..ber.len() {
            assert!(der(&ber[..length]).is_err(), "cut to {length}");
        }
        assert!(der(&[0x1f, 0x81, 0x81, 1, 0]).is_ok());
        assert!(der(&[0x1f, 0x81, 0x81, 0x81, 1, 0]).is_err());
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
    fn elements_are_counted() {
        let siblings = |count: usize| [&[0x30, 0x80], &[5, 0].repeat(count)[..], &[0, 0]].concat();
        assert!(der(&siblings(MAX_ELEMENTS - 1)).is_ok());
        let limit = Err(Error::Limit("the number of elements"));
        assert_eq!(der(&siblings(MAX_ELEMENTS)), limit);
        // Each of them as long as it likes: this takes no more time than the others.
        let open = [
            &[0x30, 0x80],
            &[0x30, 0x80, 0, 0].repeat(MAX_ELEMENTS - 1)[..],
            &[0, 0],
        ];
        assert!(der(&open.concat()).is_ok());
    }

    #[test]
    fn room_is_right() {
        for length in [0, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x1_0000, 0x30_0000] {
            let content = element(OCTET_STRING, &[&alloc::vec![7; length]]);
            assert_eq!(content.len(), content.capacity());
            let ber = [[0x30, 0x80].repeat(20), content, [0, 0].repeat(20)].concat();
            let der = to_der(&ber, "test").unwrap();
            assert_eq!(der.len(), der.capacity(), "{length}");
            assert_eq!(to_der(&der, "test").unwrap(), der);
        }
    }
}
