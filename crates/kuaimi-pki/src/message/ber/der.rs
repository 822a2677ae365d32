//! One element in memory: DER made of its BER (X.690, clauses 10 and 11), and its parts.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::{
    CONSTRUCTED, INTEGER, OBJECT_IDENTIFIER, OCTET_STRING, Token, Tokens, WHAT, element, header,
};
use crate::Error;

/// `ber`, one element, in DER as far as the form of BER goes: lengths are definite and minimal, and
/// octet strings in one piece. The order of sets stays, and so do values.
pub(crate) fn to_der(ber: &[u8]) -> Result<Vec<u8>, Error> {
    let mut tokens = Tokens::default();
    let mut rest = ber;
    // The elements that are open: the header's tag, and what is inside so far.
    let mut open: Vec<(u8, Vec<u8>, Vec<u8>)> = Vec::new();
    loop {
        let (count, token) = tokens.next(rest)?;
        rest = rest.get(count..).unwrap_or_default();
        match token {
            None => return Err(Error::Structure(WHAT, "ends too early")),
            Some(Token::Start {
                tag,
                header: (bytes, len),
            }) => {
                // The bytes of the tag alone.
                let long = match tag & 0x1f {
                    0x1f => bytes
                        .iter()
                        .take(len)
                        .skip(1)
                        .position(|byte| byte & 0x80 == 0)
                        .map_or(0, |last| last + 1),
                    _ => 0,
                };
                let tag_bytes = bytes.get(..=long).unwrap_or_default();
                open.push((tag, tag_bytes.to_vec(), Vec::new()));
            }
            Some(Token::Bytes(bytes)) => {
                if let Some((_, _, content)) = open.last_mut() {
                    content.extend_from_slice(bytes);
                }
            }
            Some(Token::End { .. }) => {
                let Some((tag, mut tag_bytes, content)) = open.pop() else {
                    return Err(Error::Structure(WHAT, "ends too early"));
                };
                if tag == OCTET_STRING | CONSTRUCTED {
                    tag_bytes = [OCTET_STRING].to_vec();
                }
                let inside = open.last().map(|(tag, ..)| *tag);
                let in_string = inside == Some(OCTET_STRING | CONSTRUCTED);
                if in_string && tag & !CONSTRUCTED != OCTET_STRING {
                    return Err(Error::Structure(
                        WHAT,
                        "has an octet string of other pieces",
                    ));
                }
                let whole = if in_string {
                    content
                } else {
                    // The header's first byte is replaced by the whole tag.
                    let length = header(0, content.len() as u64);
                    let length = length.get(1..).unwrap_or_default();
                    [&tag_bytes, length, &content].concat()
                };
                match open.last_mut() {
                    Some((_, _, parent)) => parent.extend_from_slice(&whole),
                    None if rest.is_empty() => return Ok(whole),
                    None => return Err(Error::Structure(WHAT, "is followed by other bytes")),
                }
            }
        }
    }
}

/// An element of DER.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) tag: u8,
    pub(crate) content: &'a [u8],
    /// With its header.
    pub(crate) whole: &'a [u8],
}

/// The elements that follow each other in `.1`, which [`to_der`] has made; `.0` names the structure
/// for errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a>(pub(crate) &'static str, pub(crate) &'a [u8]);

impl<'a> Elements<'a> {
    /// The elements inside `whole`, which is one element.
    pub(crate) fn inside(what: &'static str, whole: &'a [u8], tag: u8) -> Result<Self, Error> {
        let mut outer = Self(what, whole);
        let inner = outer.need(tag)?;
        outer.finish()?;
        Ok(Self(what, inner.content))
    }

    pub(crate) fn next(&mut self) -> Result<Option<Element<'a>>, Error> {
        let Some((&tag, rest)) = self.1.split_first() else {
            return Ok(None);
        };
        let malformed = Error::Structure(self.0, "is no DER");
        let (&first, rest) = rest.split_first().ok_or(malformed.clone())?;
        let (length, rest) = match first {
            0..=0x7f if tag & 0x1f != 0x1f => (usize::from(first), rest),
            0x81..=0x84 if tag & 0x1f != 0x1f => {
                let (bytes, rest) = rest
                    .split_at_checked(usize::from(first & 0x7f))
                    .ok_or(malformed.clone())?;
                let length = bytes
                    .iter()
                    .fold(0, |all, &byte| (all << 8) | u64::from(byte));
                (usize::try_from(length).unwrap_or(usize::MAX), rest)
            }
            _ => return Err(malformed),
        };
        let (content, rest) = rest.split_at_checked(length).ok_or(malformed)?;
        let whole = self.1.get(..self.1.len() - rest.len()).unwrap_or_default();
        self.1 = rest;
        Ok(Some(Element {
            tag,
            content,
            whole,
        }))
    }

    pub(crate) fn need(&mut self, tag: u8) -> Result<Element<'a>, Error> {
        match self.next()? {
            Some(element) if element.tag == tag => Ok(element),
            Some(_) => Err(Error::Structure(
                self.0,
                "has another element than it should",
            )),
            None => Err(Error::Structure(self.0, "lacks an element")),
        }
    }

    /// The next element, if it has this tag.
    pub(crate) fn optional(&mut self, tag: u8) -> Result<Option<Element<'a>>, Error> {
        match self.1.first() {
            Some(first) if *first == tag => self.next(),
            _ => Ok(None),
        }
    }

    pub(crate) fn oid(&mut self) -> Result<ObjectIdentifier, Error> {
        let element = self.need(OBJECT_IDENTIFIER)?;
        ObjectIdentifier::from_bytes(element.content)
            .map_err(|_| Error::Structure(self.0, "has a malformed object identifier"))
    }

    /// A version: 0 to 127.
    pub(crate) fn version(&mut self) -> Result<u8, Error> {
        match self.need(INTEGER)?.content {
            [version @ 0..0x80] => Ok(*version),
            _ => Err(Error::Structure(self.0, "has a version that is not known")),
        }
    }

    /// An AlgorithmIdentifier: its name, and its parameters if they are not NULL.
    pub(crate) fn algorithm(&mut self) -> Result<(ObjectIdentifier, Option<Element<'a>>), Error> {
        let mut inside = Elements(self.0, self.need(super::SEQUENCE)?.content);
        let oid = inside.oid()?;
        let parameters = inside.next()?;
        inside.finish()?;
        Ok((oid, parameters.filter(|it| it.whole != [super::NULL, 0])))
    }

    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.1 {
            [] => Ok(()),
            _ => Err(Error::Structure(self.0, "has an element too many")),
        }
    }
}

impl Element<'_> {
    /// With another tag, as implicit tags and what is signed under them need.
    pub(crate) fn retagged(&self, tag: u8) -> Vec<u8> {
        element(tag, &[self.content])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ber_becomes_der() {
        let ber = [
            0x30, 0x80, 0x24, 0x80, 4, 0x81, 1, 7, 0x24, 4, 4, 2, 8, 9, 0, 0, 0xbf, 0x81, 1, 0x80,
            5, 0, 0, 0, 0, 0,
        ];
        let der = [0x30, 11, 4, 3, 7, 8, 9, 0xbf, 0x81, 1, 2, 5, 0];
        assert_eq!(to_der(&ber).expect("BER"), der[..]);
        assert_eq!(to_der(&der).expect("DER"), der[..]);
        let other = [0x24, 3, 2, 1, 7];
        assert!(to_der(&other).is_err(), "an integer in an octet string");
        for length in 0..ber.len() {
            assert!(to_der(&ber[..length]).is_err(), "{length}");
        }
    }
}
