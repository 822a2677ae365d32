//! A reader of BER in pieces of any size (X.690, clause 8.1): it keeps the open elements and no
//! content. Messages are read so.

use alloc::vec::Vec;

use super::{CONSTRUCTED, MAX_DEPTH};
use crate::Error;

/// What an error calls the bytes that are no BER.
const WHAT: &str = "message";
/// The longest header: a tag of four bytes, and a length of nine.
const MAX_HEADER: usize = 13;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// An element begins. `header` is its tag and length as they stand there.
    Start {
        tag: u8,
        header: ([u8; MAX_HEADER], usize),
    },
    /// Bytes of a primitive element.
    Bytes(&'a [u8]),
    /// The innermost element ends; `marked` if by two zero bytes, as its length was indefinite.
    End { marked: bool },
}

struct Open {
    constructed: bool,
    /// Where it ends, if its length is definite.
    end: Option<u64>,
    /// Where the innermost element of definite length ends, of this and those around it.
    limit: u64,
}

/// The state of the reader.
#[derive(Default)]
pub(crate) struct Tokens {
    open: Vec<Open>,
    position: u64,
    header: [u8; MAX_HEADER],
    header_len: usize,
    finished: bool,
}

impl Tokens {
    /// Whether the one element that a message is has ended.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// The next token of `input`, and how many bytes it took. No token: all bytes were taken, and
    /// more are needed.
    pub(crate) fn next<'a>(
        &mut self,
        input: &'a [u8],
    ) -> Result<(usize, Option<Token<'a>>), Error> {
        if self.finished {
            return match input {
                [] => Ok((0, None)),
                _ => Err(Error::Structure(WHAT, "is followed by other bytes")),
            };
        }
        let Some(top) = self.open.last() else {
            return self.read_header(input);
        };
        if top.end == Some(self.position) && self.header_len == 0 {
            self.close();
            return Ok((0, Some(Token::End { marked: false })));
        }
        if top.constructed {
            return self.read_header(input);
        }
        let left = top.limit.saturating_sub(self.position);
        let count = usize::try_from(left).map_or(input.len(), |left| left.min(input.len()));
        let (bytes, _) = input.split_at(count);
        if bytes.is_empty() {
            return Ok((0, None));
        }
        self.position = self.position.saturating_add(count as u64);
        Ok((count, Some(Token::Bytes(bytes))))
    }

    /// Takes the element that has just begun for bytes, whatever is inside, if its length is
    /// definite: its end is known.
    pub(crate) fn opaque(&mut self) {
        if let Some(open) = self.open.last_mut()
            && open.end.is_some()
        {
            open.constructed = false;
        }
    }

    fn close(&mut self) {
        self.open.pop();
        self.finished = self.open.is_empty();
    }

    fn read_header<'a>(&mut self, input: &'a [u8]) -> Result<(usize, Option<Token<'a>>), Error> {
        let limit = self.open.last().map_or(u64::MAX, |open| open.limit);
        for (place, &byte) in input.iter().enumerate() {
            if self.position >= limit {
                return Err(Error::Structure(
                    WHAT,
                    "has an element longer than the one around it",
                ));
            }
            let slot = self.header.get_mut(self.header_len);
            *slot.ok_or(Error::Structure(
                WHAT,
                "has a tag or a length of too many bytes",
            ))? = byte;
            self.header_len += 1;
            self.position = self.position.saturating_add(1);
            let header = self.header.get(..self.header_len).unwrap_or_default();
            if let Some((tag, length)) = parse_header(header)? {
                let token = self.begin(tag, length, limit)?;
                return Ok((place + 1, Some(token)));
            }
        }
        Ok((input.len(), None))
    }

    fn begin<'a>(&mut self, tag: u8, length: Option<u64>, limit: u64) -> Result<Token<'a>, Error> {
        let header = (self.header, self.header_len);
        self.header_len = 0;
        if tag == 0 {
            let indefinite = self.open.last().is_some_and(|open| open.end.is_none());
            if !indefinite || length != Some(0) {
                return Err(Error::Structure(WHAT, "has an end marker at a wrong place"));
            }
            self.close();
            return Ok(Token::End { marked: true });
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(Error::Limit("elements of a message inside each other"));
        }
        let constructed = tag & CONSTRUCTED != 0;
        let end = match length {
            Some(length) => {
                let end = self
                    .position
                    .checked_add(length)
                    .filter(|end| *end <= limit);
                Some(end.ok_or(Error::Structure(
                    WHAT,
                    "has an element longer than the one around it",
                ))?)
            }
            None if constructed => None,
            None => {
                return Err(Error::Structure(
                    WHAT,
                    "has an indefinite length of an element that has none inside",
                ));
            }
        };
        self.open.push(Open {
            constructed,
            end,
            limit: end.unwrap_or(limit),
        });
        Ok(Token::Start { tag, header })
    }
}

/// The first byte of the tag, and the length (none if it is indefinite), once all bytes are there.
fn parse_header(header: &[u8]) -> Result<Option<(u8, Option<u64>)>, Error> {
    let Some((&tag, mut rest)) = header.split_first() else {
        return Ok(None);
    };
    if tag & 0x1f == 0x1f {
        // A number above 30, in bytes of which all but the last have the highest bit.
        let Some(last) = rest.iter().take(3).position(|byte| byte & 0x80 == 0) else {
            return match rest.len() {
                0..3 => Ok(None),
                _ => Err(Error::Structure(WHAT, "has a tag of too many bytes")),
            };
        };
        rest = rest.get(last + 1..).unwrap_or_default();
    }
    let Some((&first, bytes)) = rest.split_first() else {
        return Ok(None);
    };
    match first {
        0..0x80 => Ok(Some((tag, Some(u64::from(first))))),
        0x80 => Ok(Some((tag, None))),
        0x81..=0x88 => {
            if bytes.len() < usize::from(first & 0x7f) {
                return Ok(None);
            }
            let length = bytes
                .iter()
                .fold(0, |all, &byte| (all << 8) | u64::from(byte));
            if length >> 63 != 0 {
                return Err(Error::Limit("a length in a message"));
            }
            Ok(Some((tag, Some(length))))
        }
        _ => Err(Error::Structure(WHAT, "has a length of too many bytes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(bytes: &[u8], piece: usize) -> Result<(alloc::string::String, bool), Error> {
        let mut tokens = Tokens::default();
        let mut out = alloc::string::String::new();
        for mut bytes in bytes.chunks(piece) {
            loop {
                let (count, token) = tokens.next(bytes)?;
                bytes = &bytes[count..];
                match token {
                    None => break,
                    Some(Token::Start { tag, .. }) => out += &alloc::format!("<{tag:x} "),
                    Some(Token::Bytes(bytes)) => {
                        bytes
                            .iter()
                            .for_each(|byte| out += &alloc::format!("{byte:x} "));
                    }
                    Some(Token::End { .. }) => out += "> ",
                }
            }
        }
        while let (_, Some(_)) = tokens.next(&[])? {
            out += "> ";
        }
        Ok((out, tokens.is_finished()))
    }

    #[test]
    fn any_pieces() {
        let message = [
            0x30, 0x80, 4, 0, 0x24, 0x80, 4, 0x81, 1, 7, 4, 0x83, 0, 0, 2, 8, 9, 0, 0, 0x31, 3, 2,
            1, 5, 0xbf, 0x87, 0x1, 2, 5, 0, 0, 0,
        ];
        let expected = "<30 <4 > <24 <4 7 > <4 8 9 > > <31 <2 5 > > <bf <5 > > > ";
        for piece in 1..=message.len() {
            let read = tokens(&message, piece).expect("BER");
            assert_eq!((read.0.as_str(), read.1), (expected, true), "{piece}");
        }
        for length in 0..message.len() {
            assert!(
                !tokens(&message[..length], 64).expect("a beginning").1,
                "{length}"
            );
        }
        let trailing = [&message[..], &[0]].concat();
        assert!(tokens(&trailing, 1).is_err());
    }

    #[test]
    fn refused() {
        for (bytes, why) in [
            (&[0x30, 2, 4, 1, 0][..], "a child longer than its parent"),
            (
                &[0x30, 3, 0x30, 0x80, 0, 0],
                "an indefinite child longer than its parent",
            ),
            (&[0x30, 1, 4, 0], "a header over the end"),
            (&[4, 0x80], "indefinite and primitive"),
            (&[0x30, 2, 0, 0], "an end marker in a definite length"),
            (&[0x30, 0x80, 0, 1], "an end marker with a length"),
            (&[0x30, 0x89, 0], "a length of nine bytes"),
            (&[0x30, 0xff], "the reserved length"),
            (&[0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0], "a length of 2^63"),
            (&[0x3f, 0x80, 0x80, 0x80, 1], "a tag of five bytes"),
            (&[0, 0], "an end marker alone"),
            (&[0x30, 0x80].repeat(MAX_DEPTH + 1), "too deep"),
        ] {
            assert!(tokens(bytes, 1).is_err(), "{why}");
        }
    }
}
