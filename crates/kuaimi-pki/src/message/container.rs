//! The frame that all messages have (GM/T 0010-2012, clauses 5 to 10; RFC 5652, clauses 3 to 8):
//! fields, a content, fields. The content passes; the fields are kept until they are whole.
//!
//! ```text
//! SEQUENCE { type, [0] SEQUENCE { fields…, SEQUENCE { type, …, [0] content }, fields… } }
//! ```

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::WHAT;
use super::types::Kind;
use crate::Error;
use crate::ber::{
    CONSTRUCTED, Elements, OCTET_STRING, OID, SEQUENCE, Token, Tokens, context, to_der,
};

/// The most bytes that the fields of a message may have together: certificates, lists, signers,
/// recipients.
pub const MAX_FIELDS_LEN: usize = 8 << 20;

/// What comes next in a message.
pub(crate) enum Part<'a> {
    /// The type.
    Kind(Kind, ObjectIdentifier),
    /// A field of the body, in BER; `after` if after the content.
    Field { tag: u8, ber: Vec<u8>, after: bool },
    /// The fields before the content inside its structure, in BER: type, algorithm.
    ContentInfo(Vec<Vec<u8>>),
    /// Bytes of the content.
    Content(&'a [u8]),
    /// All fields and the content have been read.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before the outermost SEQUENCE.
    Outer,
    /// In it: its type.
    Type,
    /// Before `[0]`.
    Explicit,
    /// Before the SEQUENCE of the body.
    Body,
    /// Among the fields of the body.
    Fields,
    /// Among the fields of the content's structure.
    Info,
    /// Before the OCTET STRING of the content, in its explicit tag.
    Octets,
    /// In the content, with the number of octet strings that are open.
    Content(usize),
    /// The explicit tag of the content ends.
    ContentTail,
    /// The structure of the content ends.
    InfoTail,
    /// The body has ended, and the elements around it end.
    Tail,
}

/// Reads the frame.
pub(crate) struct Container {
    tokens: Tokens,
    stage: Stage,
    kind: Kind,
    /// The field that is being kept: its tag, its bytes, the elements that are open in it.
    field: Option<(u8, Vec<u8>, usize)>,
    info: Vec<Vec<u8>>,
    content_seen: bool,
    has_content: bool,
    kept: usize,
    told: bool,
}

impl Container {
    pub(crate) fn new() -> Self {
        Self {
            tokens: Tokens::default(),
            stage: Stage::Outer,
            kind: Kind::Data,
            field: None,
            info: Vec::new(),
            content_seen: false,
            has_content: false,
            kept: 0,
            told: false,
        }
    }

    /// Whether the message has a content.
    pub(crate) fn has_content(&self) -> bool {
        self.has_content
    }

    /// The next part of `input`, and how many bytes were taken. No part: all bytes were taken, and
    /// more are needed.
    pub(crate) fn next<'a>(&mut self, input: &'a [u8]) -> Result<(usize, Option<Part<'a>>), Error> {
        let mut taken = 0;
        loop {
            let rest = input.get(taken..).unwrap_or_default();
            let (count, token) = self.tokens.next(rest)?;
            taken = taken.saturating_add(count);
            let Some(token) = token else {
                if self.tokens.is_finished() && !self.told {
                    self.told = true;
                    return Ok((taken, Some(Part::End)));
                }
                return Ok((taken, None));
            };
            if let Some(part) = self.token(token)? {
                return Ok((taken, Some(part)));
            }
        }
    }

    /// That the input has ended.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.told {
            true => Ok(()),
            false => Err(Error::Structure(WHAT, "ends too early")),
        }
    }

    fn token<'a>(&mut self, token: Token<'a>) -> Result<Option<Part<'a>>, Error> {
        if self.field.is_some() {
            return Ok(match self.keep(&token)? {
                Some((tag, ber)) => self.kept_field(tag, ber)?,
                None => None,
            });
        }
        let place = || Error::Structure(WHAT, "has an element at a wrong place");
        match (self.stage, token) {
            (Stage::Outer, Token::Start { tag: SEQUENCE, .. }) => self.stage = Stage::Type,
            (Stage::Outer, _) => return Err(Error::Structure(WHAT, "is no SEQUENCE")),
            (Stage::Type, token @ Token::Start { tag: OID, .. }) => self.begin(token)?,
            (Stage::Explicit, Token::Start { tag, .. }) if tag == context(0) => {
                self.stage = Stage::Body;
            }
            (Stage::Body, Token::Start { tag: SEQUENCE, .. }) => self.stage = Stage::Fields,
            (Stage::Fields, Token::Start { tag: SEQUENCE, .. }) if !self.content_seen => {
                self.content_seen = true;
                self.stage = Stage::Info;
            }
            (Stage::Fields, Token::End { .. }) => {
                if !self.content_seen {
                    return Err(Error::Structure(WHAT, "has no place for a content"));
                }
                self.stage = Stage::Tail;
            }
            (Stage::Fields, token @ Token::Start { .. }) => self.begin(token)?,
            (Stage::Info, Token::Start { tag, .. }) if self.explicit() && tag == context(0) => {
                self.stage = Stage::Octets;
                return Ok(Some(self.content_info()));
            }
            (Stage::Info, Token::Start { tag, .. })
                if !self.explicit() && tag & !CONSTRUCTED == 0x80 =>
            {
                self.stage = Stage::Content(1);
                return Ok(Some(self.content_info()));
            }
            (Stage::Info, Token::End { .. }) => {
                self.stage = Stage::Fields;
                return Ok(Some(Part::ContentInfo(core::mem::take(&mut self.info))));
            }
            (Stage::Info, token @ Token::Start { .. }) => {
                if self.info.len() >= 2 {
                    return Err(place());
                }
                self.begin(token)?;
            }
            (Stage::Octets, Token::Start { tag, .. }) if tag & !CONSTRUCTED == OCTET_STRING => {
                self.stage = Stage::Content(1);
            }
            (Stage::Octets, Token::Start { .. }) => {
                return Err(Error::Structure(
                    WHAT,
                    "has a content that is no OCTET STRING",
                ));
            }
            (Stage::Content(open), Token::Start { tag, .. })
                if tag & !CONSTRUCTED == OCTET_STRING =>
            {
                self.stage = Stage::Content(open.saturating_add(1));
            }
            (Stage::Content(_), Token::Bytes(bytes)) => return Ok(Some(Part::Content(bytes))),
            (Stage::Content(1), Token::End { .. }) => {
                self.stage = match self.explicit() {
                    true => Stage::ContentTail,
                    false => Stage::InfoTail,
                };
            }
            (Stage::Content(open), Token::End { .. }) => {
                self.stage = Stage::Content(open.saturating_sub(1));
            }
            (Stage::ContentTail, Token::End { .. }) => self.stage = Stage::InfoTail,
            (Stage::InfoTail, Token::End { .. }) => self.stage = Stage::Fields,
            (Stage::Tail, Token::End { .. }) => {}
            _ => return Err(place()),
        }
        Ok(None)
    }

    /// Whether the content is an OCTET STRING in an explicit tag, and not in its place.
    fn explicit(&self) -> bool {
        self.kind == Kind::Signed
    }

    fn content_info<'a>(&mut self) -> Part<'a> {
        self.has_content = true;
        Part::ContentInfo(core::mem::take(&mut self.info))
    }

    fn begin(&mut self, token: Token<'_>) -> Result<(), Error> {
        if let Token::Start { tag, .. } = token {
            self.field = Some((tag, Vec::new(), 0));
            self.keep(&token)?;
            // What is inside is looked at when it is whole.
            self.tokens.opaque();
        }
        Ok(())
    }

    /// Keeps the bytes of a field; the field if it is whole.
    fn keep(&mut self, token: &Token<'_>) -> Result<Option<(u8, Vec<u8>)>, Error> {
        let Some((_, ber, open)) = &mut self.field else {
            return Ok(None);
        };
        let bytes = match token {
            Token::Start { header, .. } => {
                *open = open.saturating_add(1);
                header.0.get(..header.1).unwrap_or_default()
            }
            Token::Bytes(bytes) => bytes,
            Token::End { marked } => {
                *open = open.saturating_sub(1);
                if *marked { &[0, 0][..] } else { &[] }
            }
        };
        self.kept = self.kept.saturating_add(bytes.len());
        if self.kept > MAX_FIELDS_LEN {
            return Err(Error::Limit("more than 8 MiB of fields in a message"));
        }
        ber.extend_from_slice(bytes);
        match *open {
            0 => Ok(self.field.take().map(|(tag, ber, _)| (tag, ber))),
            _ => Ok(None),
        }
    }

    fn kept_field<'a>(&mut self, tag: u8, ber: Vec<u8>) -> Result<Option<Part<'a>>, Error> {
        match self.stage {
            Stage::Type => {
                let oid = Elements::new(&to_der(&ber, WHAT)?, WHAT).oid()?;
                self.kind = Kind::from_oid(oid).ok_or(Error::Algorithm("a message", oid))?;
                self.stage = Stage::Explicit;
                match self.kind {
                    Kind::Data | Kind::KeyAgreement => Err(Error::Algorithm("a message", oid)),
                    kind => Ok(Some(Part::Kind(kind, oid))),
                }
            }
            Stage::Info => {
                self.info.push(ber);
                Ok(None)
            }
            _ => Ok(Some(Part::Field {
                tag,
                ber,
                after: self.content_seen,
            })),
        }
    }
}
