//! What the signature of a row is over.

use std::ops::Range;

use kuaimi::sm2::batch::Content;

use crate::decode::{self, Value};
use crate::options::{Encoding, PlainEncoding};
use crate::quick;
use crate::table::{Column, Table};
use crate::verdict::Fault;

/// A message as it stands, one that was decoded into a buffer, or a digest.
pub enum Signed<'a> {
    Message(&'a [u8]),
    Decoded(Range<usize>),
    Digest([u8; 32]),
}

impl<'a> Signed<'a> {
    /// Of a row, if it has a message or a digest. Decoded messages are appended to `buffer`.
    #[inline]
    pub fn of(
        table: &Table<'a>,
        row: usize,
        message_encoding: PlainEncoding,
        digest_encoding: Encoding,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<Self>, Fault> {
        let value = |column: Column| Value::of(table.get(column, row), column);
        match (value(Column::Message)?, value(Column::Digest)?) {
            (Some(message), None) => {
                let start = buffer.len();
                let decoded = decode::plain(message, message_encoding, Column::Message, buffer)?;
                Ok(Some(if decoded {
                    Self::Decoded(start..buffer.len())
                } else {
                    Self::Message(message.bytes)
                }))
            }
            (None, Some(digest)) => Ok(Some(Self::Digest(
                match quick::digest(digest, digest_encoding) {
                    Some(digest) => digest,
                    None => decode::digest(digest, digest_encoding)?,
                },
            ))),
            (Some(_), Some(_)) => Err(Fault::new(
                "has a message and a digest; one of them is expected",
            )),
            (None, None) => Ok(None),
        }
    }

    /// For the library, with the buffer that decoded messages are in.
    pub fn content<'b>(&'b self, buffer: &'b [u8]) -> Content<'b> {
        match self {
            Self::Message(message) => Content::Message(message),
            Self::Decoded(range) => Content::Message(buffer.get(range.clone()).unwrap_or_default()),
            Self::Digest(digest) => Content::Digest(digest),
        }
    }
}
