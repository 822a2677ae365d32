//! The elements of DER in memory (X.690, clauses 8.1 and 10.1), borrowed in their order. Errors
//! name the structure that was read.
//!
//! Lengths are definite and have their shortest form, and tags have one byte, as in everything that
//! is read here. What is inside an element is not looked at before it is asked for.

use core::ops::Range;

use der::asn1::ObjectIdentifier;
use der::{Decode, ErrorKind, Length, Tag};

use super::{INTEGER, NULL, OCTET_STRING, SEQUENCE};
use crate::Error;
use crate::error::Reading;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    pub(crate) tag: u8,
    /// What is in it.
    pub(crate) content: &'a [u8],
    /// The element with its tag and its length.
    pub(crate) whole: &'a [u8],
}

/// Why bytes are not what they are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// The structure's name.
    pub(crate) what: &'static str,
    kind: ErrorKind,
}

impl Malformed {
    /// Well-formed elements that the structure `what` cannot have.
    pub(crate) const fn value(what: &'static str) -> Self {
        Self {
            what,
            kind: ErrorKind::Failed,
        }
    }
}

impl From<Malformed> for Error {
    fn from(Malformed { what, kind }: Malformed) -> Self {
        Self::Der(what, kind.into())
    }
}

/// The elements that are left of a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a> {
    rest: &'a [u8],
    what: &'static str,
}

impl<'a> Elements<'a> {
    /// Those that follow each other in `bytes`, of the structure `what`.
    pub(crate) const fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self { rest: bytes, what }
    }

    /// Those in the one element that `bytes` is, which has the tag `tag`.
    pub(crate) fn inside(bytes: &'a [u8], tag: u8, what: &'static str) -> Result<Self, Malformed> {
        let mut outer = Self::new(bytes, what);
        let inner = outer.enter(tag)?;
        outer.end()?;
        Ok(inner)
    }

    /// What is left.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The tag of the element that comes next.
    pub(crate) fn tag(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// That the structure has what it cannot have.
    pub(crate) const fn malformed(&self) -> Malformed {
        Malformed::value(self.what)
    }

    const fn fault(&self, kind: ErrorKind) -> Malformed {
        Malformed {
            what: self.what,
            kind,
        }
    }

    /// `needed` bytes are not there.
    fn incomplete(&self, needed: usize) -> Malformed {
        self.fault(ErrorKind::Incomplete {
            expected_len: length(needed),
            actual_len: length(self.rest.len()),
        })
    }

    /// An element with the tag `actual` is at the place of another.
    pub(crate) fn unexpected(&self, expected: Option<u8>, actual: u8) -> Malformed {
        self.fault(match known(actual) {
            Some(actual) => ErrorKind::TagUnexpected {
                expected: expected.and_then(known),
                actual,
            },
            None => ErrorKind::TagUnknown { byte: actual },
        })
    }

    /// The next element, whatever it is.
    pub(crate) fn element(&mut self) -> Result<Element<'a>, Malformed> {
        let [tag, first, after @ ..] = self.rest else {
            return Err(self.incomplete(2));
        };
        if tag & 0x1f == 0x1f {
            return Err(self.fault(ErrorKind::TagNumberInvalid));
        }
        let (length, after) = match *first {
            0..0x80 => (usize::from(*first), after),
            0x80 => return Err(self.fault(ErrorKind::IndefiniteLength)),
            0x81..=0x84 => {
                let count = usize::from(first & 0x7f);
                let (digits, after) = after
                    .split_at_checked(count)
                    .ok_or_else(|| self.incomplete(count.saturating_add(2)))?;
                let length = digits
                    .iter()
                    .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
                // The shortest form is the only one.
                if digits.first() == Some(&0) || length < 0x80 {
                    return Err(self.fault(match known(*tag) {
                        Some(tag) => ErrorKind::Noncanonical { tag },
                        None => ErrorKind::TagUnknown { byte: *tag },
                    }));
                }
                (usize::try_from(length).unwrap_or(usize::MAX), after)
            }
            _ => return Err(self.fault(ErrorKind::Overlength)),
        };
        let header = self.rest.len().saturating_sub(after.len());
        let (content, after) = after
            .split_at_checked(length)
            .ok_or_else(|| self.incomplete(header.saturating_add(length)))?;
        let used = self.rest.len().saturating_sub(after.len());
        let whole = self.rest.get(..used).unwrap_or_default();
        self.rest = after;
        Ok(Element {
            tag: *tag,
            content,
            whole,
        })
    }

    /// The next element, which must have the tag `tag`.
    pub(crate) fn take_element(&mut self, tag: u8) -> Result<Element<'a>, Malformed> {
        let element = self.element()?;
        if element.tag == tag {
            Ok(element)
        } else {
            Err(self.unexpected(Some(tag), element.tag))
        }
    }

    /// The content of the next element, which must have the tag `tag`.
    pub(crate) fn take(&mut self, tag: u8) -> Result<&'a [u8], Malformed> {
        Ok(self.take_element(tag)?.content)
    }

    /// The elements in the next element, which must have the tag `tag`.
    pub(crate) fn enter(&mut self, tag: u8) -> Result<Self, Malformed> {
        Ok(Self::new(self.take(tag)?, self.what))
    }

    /// The content of the next element if it has the tag `tag`.
    pub(crate) fn optional(&mut self, tag: u8) -> Result<Option<&'a [u8]>, Malformed> {
        if self.tag() == Some(tag) {
            self.take(tag).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The elements in the next element if it has the tag `tag`.
    pub(crate) fn enter_optional(&mut self, tag: u8) -> Result<Option<Self>, Malformed> {
        let content = self.optional(tag)?;
        Ok(content.map(|content| Self::new(content, self.what)))
    }

    /// The next element with its tag and its length, whatever it is.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        Ok(self.element()?.whole)
    }

    /// The content of the OCTET STRING that is next.
    pub(crate) fn octets(&mut self) -> Result<&'a [u8], Malformed> {
        self.take(OCTET_STRING)
    }

    /// The next element as a value of the type `T`.
    pub(crate) fn value<T: Decode<'a, Error = der::Error>>(&mut self) -> Result<T, Error> {
        T::from_der(self.bytes()?).of(self.what)
    }

    pub(crate) fn oid(&mut self) -> Result<ObjectIdentifier, Error> {
        self.value()
    }

    /// A version: 0 to 127.
    pub(crate) fn version(&mut self) -> Result<u8, Error> {
        match self.take(INTEGER)? {
            [version @ 0..0x80] => Ok(*version),
            _ => Err(Error::Structure(
                self.what,
                "has a version that is not known",
            )),
        }
    }

    /// An AlgorithmIdentifier: its name, and its parameters if they are not NULL.
    pub(crate) fn algorithm(&mut self) -> Result<(ObjectIdentifier, Option<Element<'a>>), Error> {
        let mut inside = self.enter(SEQUENCE)?;
        let oid = inside.oid()?;
        let parameters = match inside.is_empty() {
            true => None,
            false => Some(inside.element()?),
        };
        inside.end()?;
        Ok((oid, parameters.filter(|it| it.whole != [NULL, 0])))
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.is_empty() {
            return Ok(());
        }
        Err(self.fault(ErrorKind::TrailingData {
            decoded: Length::ZERO,
            remaining: length(self.rest.len()),
        }))
    }
}

impl<'a> Element<'a> {
    /// The elements in it, if it has the tag `tag`.
    pub(crate) fn enter(self, tag: u8, what: &'static str) -> Result<Elements<'a>, Malformed> {
        Elements::inside(self.whole, tag, what)
    }
}

/// A length as errors have it.
fn length(length: usize) -> Length {
    Length::try_from(length).unwrap_or(Length::MAX)
}

/// A tag as errors have it.
fn known(tag: u8) -> Option<Tag> {
    Tag::from_der(&[tag]).ok()
}

/// Whether `content` is an INTEGER in its shortest form.
pub(crate) fn is_integer(content: &[u8]) -> bool {
    match content {
        [] => false,
        [_] => true,
        [first, second, ..] => !matches!((first, second >> 7), (0, 0) | (0xff, 1)),
    }
}

/// The bytes of `whole` that the slice `part` of it takes. `part` must be a part of `whole`.
pub(crate) fn place(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    start..start.wrapping_add(part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_in_their_order() {
        let bytes = [0x30, 6, 2, 1, 5, 0xa0, 1, 7];
        let mut fields = Elements::inside(&bytes, SEQUENCE, "test").unwrap();
        assert_eq!(fields.optional(OCTET_STRING), Ok(None));
        let first = fields.take_element(INTEGER).unwrap();
        assert_eq!((first.content, first.whole), (&[5][..], &[2, 1, 5][..]));
        assert_eq!(place(&bytes, first.whole), 2..5);
        assert!(fields.end().is_err());
        assert_eq!(fields.optional(0xa0), Ok(Some(&[7][..])));
        assert_eq!(fields.end(), Ok(()));
        assert!(fields.element().is_err());
        let error = Error::from(Elements::inside(&bytes, INTEGER, "test").unwrap_err());
        assert!(matches!(error, Error::Der("test", _)));
    }

    #[test]
    fn der_alone() {
        let long = [&[4, 0x81, 0x80][..], &[0; 0x80]].concat();
        assert!(Elements::new(&long, "test").octets().is_ok());
        let cases: [(&[u8], &str); 10] = [
            (&[], "nothing"),
            (&[4], "a tag alone"),
            (&[4, 2, 0], "cut short"),
            (&[4, 0x81], "a length cut short"),
            (&[4, 0x81, 1, 0], "a length that is too long"),
            (
                &[&[4, 0x82, 0, 0x80][..], &[0; 0x80]].concat(),
                "a zero before it",
            ),
            (&[0x24, 0x80, 0, 0], "an indefinite length"),
            (&[4, 0x84, 0xff, 0xff, 0xff, 0xff], "more than there is"),
            (&[4, 0x85, 1, 0, 0, 0, 0], "a length of five bytes"),
            (&[0x1f, 0x21, 0], "a tag of two bytes"),
        ];
        for (bytes, why) in cases {
            let mut elements = Elements::new(bytes, "test");
            assert!(elements.element().is_err(), "{why}");
            assert_eq!(elements.rest(), bytes, "{why}");
        }
    }

    #[test]
    fn integers() {
        for content in [&[0][..], &[0x80], &[0, 0x80], &[0xff, 0x7f]] {
            assert!(is_integer(content));
        }
        for content in [&[][..], &[0, 0x7f], &[0xff, 0x80]] {
            assert!(!is_integer(content));
        }
    }
}
