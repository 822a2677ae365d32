//! A chunk of rows becomes a chunk of verdicts: the cells are decoded on all threads, the keys looked up, and all
//! signatures verified together.

use std::collections::HashMap;
use std::sync::Arc;

use kuaimi::sm2::batch::{Content, VerifyItem, verify_batch};
use kuaimi::sm2::{DEFAULT_ID, KeyCache, PublicKey, Signature, VerifyingKey};
use rayon::prelude::*;

use super::decode::{self, Bytes, EncodingArgs, Value};
use super::keys::{Entry, Keys, Label};
use super::rows::{Cell, Chunk, Column, Row};

/// What is found of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Valid,
    Invalid,
    /// Something in the row is not what it should be: the reason.
    Malformed(String),
}

/// What holds for all rows.
pub struct Settings {
    pub key: Option<PublicKey>,
    pub id: Option<Vec<u8>>,
    /// An empty identity is none: in CSV the one cannot be told from the other.
    pub empty_id_is_none: bool,
    pub encodings: EncodingArgs,
}

/// What a signature is over.
enum Signed<'a> {
    Message(Bytes<'a>),
    Digest([u8; 32]),
}

impl Signed<'_> {
    fn content(&self) -> Content<'_> {
        match self {
            Self::Message(message) => Content::Message(message),
            Self::Digest(digest) => Content::Digest(digest),
        }
    }
}

/// A row, but for its key.
struct Decoded<'a> {
    label: Label,
    key: Option<Value<'a>>,
    id: Bytes<'a>,
    signed: Signed<'a>,
    signature: Signature,
}

pub struct Checker {
    settings: Settings,
    keys: Keys,
    /// Tables of keys that come back, from chunk to chunk.
    tables: KeyCache,
}

/// Bytes of tables.
const TABLES: usize = 64 << 20;
/// How often a key must come in a chunk, in the mean, for its table to be kept.
const OFTEN: usize = 6;

impl Checker {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            keys: Keys::default(),
            tables: KeyCache::new(TABLES),
        }
    }

    /// A verdict for each row, in their order. Runs on the threads of the pool that it is called in.
    pub fn verify_chunk(&mut self, chunk: &Chunk) -> Vec<Verdict> {
        let Self {
            settings,
            keys,
            tables,
        } = self;
        let settings = &*settings;
        let decoded: Vec<Result<Decoded<'_>, String>> = chunk
            .rows
            .par_iter()
            .map(|row| decode_row(settings, chunk, row))
            .collect();
        let entries = resolve(settings, keys, &decoded);
        let mut verdicts = Vec::with_capacity(decoded.len());
        let (mut places, mut items) = (Vec::new(), Vec::new());
        for (place, row) in decoded.iter().enumerate() {
            let key = row.as_ref().map(|row| (row, entries.get(&row.label)));
            verdicts.push(match key {
                Err(reason) => Verdict::Malformed(reason.clone()),
                Ok((row, Some(entry))) => match entry.as_ref() {
                    Err(reason) => Verdict::Malformed(reason.clone()),
                    Ok(key) => {
                        places.push(place);
                        items.push(VerifyItem::new(key, row.signed.content(), row.signature));
                        Verdict::Invalid
                    }
                },
                Ok((_, None)) => Verdict::Malformed("key: was not read".to_owned()),
            });
        }
        // Tables for keys that come back pay; for keys that do not, they only cost.
        let results = if items.len() >= OFTEN * entries.len() {
            tables.verify_batch(&items)
        } else {
            verify_batch(&items)
        };
        for (place, result) in places.into_iter().zip(results) {
            if result.is_ok() {
                verdicts[place] = Verdict::Valid;
            }
        }
        verdicts
    }
}

/// The keys of a chunk: remembered ones, and the others read, each once.
fn resolve<'a>(
    settings: &Settings,
    keys: &mut Keys,
    rows: &'a [Result<Decoded<'_>, String>],
) -> HashMap<&'a Label, Entry> {
    let mut entries = HashMap::new();
    let mut unknown: HashMap<&Label, &Decoded<'_>> = HashMap::new();
    for row in rows.iter().flatten() {
        if entries.contains_key(&row.label) || unknown.contains_key(&row.label) {
            continue;
        }
        match keys.get(&row.label) {
            Some(entry) => {
                entries.insert(&row.label, entry);
            }
            None => {
                unknown.insert(&row.label, row);
            }
        }
    }
    let unknown: Vec<_> = unknown.into_iter().collect();
    let read: Vec<_> = unknown
        .into_par_iter()
        .map(|(label, row)| (label, Arc::new(verifying_key(settings, row))))
        .collect();
    for (label, entry) in read {
        keys.insert(label.clone(), entry.clone());
        entries.insert(label, entry);
    }
    entries
}

fn verifying_key(settings: &Settings, row: &Decoded<'_>) -> Result<VerifyingKey, String> {
    let public = match (settings.key, row.key) {
        (Some(key), _) => key,
        (None, Some(value)) => decode::key(value, settings.encodings.key_encoding)?,
        (None, None) => return Err("key: is missing".to_owned()),
    };
    VerifyingKey::with_id(public, &row.id).map_err(|error| format!("id: {error}"))
}

fn decode_row<'a>(
    settings: &'a Settings,
    chunk: &'a Chunk,
    row: &'a Row,
) -> Result<Decoded<'a>, String> {
    let cells = row.cells.as_ref().map_err(Clone::clone)?;
    let value = |column: Column| decode::value(chunk, &cells[column as usize], column);
    let encodings = &settings.encodings;
    let missing = |what: &str| format!("{what}: is missing");

    let key = value(Column::Key)?;
    if key.is_none() && settings.key.is_none() {
        return Err(missing("key"));
    }
    let id = match (&settings.id, value(Column::Id)?) {
        (Some(id), _) => Bytes::Kept(id),
        (None, Some(value)) if !(settings.empty_id_is_none && value.bytes.is_empty()) => {
            decode::plain(value, encodings.id_encoding, Column::Id)?
        }
        _ => Bytes::Kept(DEFAULT_ID),
    };
    let signed = match (value(Column::Message)?, value(Column::Digest)?) {
        (Some(message), None) => Signed::Message(decode::plain(
            message,
            encodings.message_encoding,
            Column::Message,
        )?),
        (None, Some(digest)) => Signed::Digest(decode::digest(digest, encodings.digest_encoding)?),
        (Some(_), Some(_)) => {
            return Err("has a message and a digest; one of them is expected".to_owned());
        }
        (None, None) => return Err(missing("message")),
    };
    let signature = value(Column::Signature)?.ok_or_else(|| missing("signature"))?;
    let signature = decode::signature(
        signature,
        encodings.signature_encoding,
        encodings.signature_form,
    )?;
    Ok(Decoded {
        label: Label::new(key.filter(|_| settings.key.is_none()), &id),
        key,
        id,
        signed,
        signature,
    })
}

/// Whether every message of the chunk is text that looks like hexadecimal: then it mostly stands for other bytes.
pub fn messages_look_hexadecimal(chunk: &Chunk) -> bool {
    let mut any = false;
    chunk
        .rows
        .iter()
        .flat_map(|row| row.cells.as_ref())
        .all(|cells| match &cells[Column::Message as usize] {
            Cell::Text(range) => {
                let bytes = chunk.slice(range);
                any |= bytes.len() >= 8;
                bytes.len().is_multiple_of(2) && bytes.iter().all(u8::is_ascii_hexdigit)
            }
            _ => false,
        })
        && any
}
