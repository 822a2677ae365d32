//! Messages or digests of a table become signatures.

use std::ops::Range;

use kuaimi::sm2::batch::{SignItem, sign_batch};
use kuaimi::sm2::{Signature, SigningKey};

use crate::decode::{self, Value};
use crate::options::{Encoding, PlainEncoding};
use crate::quick;
use crate::table::{Column, Table};
use crate::verdict::Fault;

/// Signs the rows of a table under one key, part by part. Threads may share it.
///
/// Each signature has a nonce of its own, hedged with randomness that is drawn for many of them at once. Constant time in the key
/// and the nonces.
///
/// ```
/// use kuaimi::sm2::{SecretKey, SigningKey};
/// use kuaimi_bulk::{Cell, Column, Signer, Table, Values};
///
/// let key = SigningKey::new(SecretKey::generate()?);
/// let cells = [Cell::Text(0..3), Cell::Absent, Cell::Text(3..6)];
/// let mut table = Table {
///     rows: 3,
///     ..Table::default()
/// };
/// table.columns[Column::Message as usize] = Values { bytes: b"onetwo", cells: &cells };
///
/// let results = Signer::new(key.clone()).sign(&table);
/// key.verifying_key().verify(b"two", results[2].as_ref().unwrap())?;
/// assert_eq!(results[1].as_ref().unwrap_err().reason, "has neither a message nor a digest");
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Debug)]
pub struct Signer {
    key: SigningKey,
    message_encoding: PlainEncoding,
    digest_encoding: Encoding,
}

/// What is signed: a message as it stands, one that was decoded, or a digest.
enum Content<'a> {
    Message(&'a [u8]),
    Decoded(Range<usize>),
    Digest([u8; 32]),
}

impl Signer {
    /// Signs messages as they stand, and digests in whichever form they are written.
    pub fn new(key: SigningKey) -> Self {
        Self {
            key,
            message_encoding: PlainEncoding::default(),
            digest_encoding: Encoding::default(),
        }
    }

    /// How messages are written.
    #[must_use]
    pub fn message_encoding(mut self, encoding: PlainEncoding) -> Self {
        self.message_encoding = encoding;
        self
    }

    /// How digests `e = SM3(Z ‖ M)` are written.
    #[must_use]
    pub fn digest_encoding(mut self, encoding: Encoding) -> Self {
        self.digest_encoding = encoding;
        self
    }

    /// A signature for each row, in their order, over its message or its digest.
    ///
    /// # Errors
    /// For a row, what is wrong with it; or that the random generator has failed.
    pub fn sign(&self, table: &Table<'_>) -> Vec<Result<Signature, Fault>> {
        let mut buffer = Vec::new();
        let mut faults = table.faults.iter().peekable();
        let contents: Vec<Result<Content<'_>, Fault>> = (0..table.rows)
            .map(|row| match faults.next_if(|(place, _)| *place == row) {
                Some((_, reason)) => Err(Fault::new(reason)),
                None => self.content(table, row, &mut buffer),
            })
            .collect();
        let items: Vec<SignItem<'_>> = contents
            .iter()
            .flatten()
            .map(|content| match content {
                Content::Message(message) => SignItem::new(&self.key, *message),
                Content::Decoded(range) => {
                    let message = buffer.get(range.clone()).unwrap_or_default();
                    SignItem::new(&self.key, message)
                }
                Content::Digest(digest) => {
                    SignItem::new(&self.key, kuaimi::sm2::batch::Content::Digest(digest))
                }
            })
            .collect();
        let mut signatures = sign_batch(&items).into_iter();
        let lost = || Fault::new("was not signed");
        contents
            .iter()
            .map(|content| match content {
                Err(fault) => Err(fault.clone()),
                Ok(_) => signatures.next().ok_or_else(lost)?.map_err(Fault::new),
            })
            .collect()
    }

    fn content<'a>(
        &self,
        table: &Table<'a>,
        row: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<Content<'a>, Fault> {
        let value = |column: Column| Value::of(table.get(column, row), column);
        match (value(Column::Message)?, value(Column::Digest)?) {
            (Some(message), None) => {
                let start = buffer.len();
                let encoding = self.message_encoding;
                Ok(
                    if decode::plain(message, encoding, Column::Message, buffer)? {
                        Content::Decoded(start..buffer.len())
                    } else {
                        Content::Message(message.bytes)
                    },
                )
            }
            (None, Some(digest)) => Ok(Content::Digest(
                match quick::digest(digest, self.digest_encoding) {
                    Some(digest) => digest,
                    None => decode::digest(digest, self.digest_encoding)?,
                },
            )),
            (Some(_), Some(_)) => Err(Fault::new(
                "has a message and a digest; one of them is expected",
            )),
            (None, None) => Err(Fault::new("has neither a message nor a digest")),
        }
    }
}
