//! A table becomes verdicts: the values are decoded, the keys looked up, and all signatures
//! verified together.

use std::borrow::Cow;
use std::sync::Arc;

use hashbrown::HashTable;
use kuaimi::sm2::batch::{Signer, VerifyItem, verify_batch};
use kuaimi::sm2::{DEFAULT_ID, Error, MAX_ID_LEN, PublicKey, Signature};

use crate::decode::{self, Value};
use crate::keys::{Entry, KeyLabel, Keys, Label};
use crate::options::Options;
use crate::quick;
use crate::signed::Signed;
use crate::table::{Column, Table};
use crate::verdict::{Fault, Verdict};

/// Verifies the rows of a table, part by part.
///
/// Keys that come again are remembered from part to part, within 100 MiB: they are decoded once,
/// and make their tables when that pays. Threads may share it and verify different parts at the
/// same time; the verdicts do not depend on how the rows are cut into parts or in which order these
/// are verified. Parts of a few thousand rows or more are best.
///
/// Variable time: all of it is public.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_bulk::{Cell, Column, Options, Table, Values, Verdict, Verifier};
///
/// let signer = SigningKey::new(PrivateKey::generate()?);
/// let key = signer.public_key().to_sec1_bytes();
/// let signature = signer.sign(b"a message")?.to_bytes();
///
/// let mut table = Table {
///     rows: 1,
///     ..Table::default()
/// };
/// let cell = |bytes: &[u8]| [Cell::Binary(0..bytes.len() as u32)];
/// let (keys, messages, signatures) = (cell(&key), cell(b"a message"), cell(&signature));
/// table.columns[Column::Key as usize] = Values::Cells { bytes: &key, cells: &keys };
/// table.columns[Column::Message as usize] = Values::Cells { bytes: b"a message", cells: &messages };
/// table.columns[Column::Signature as usize] = Values::Cells { bytes: &signature, cells: &signatures };
/// assert_eq!(Verifier::new(Options::new()).verify(&table), [Verdict::Valid]);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Debug)]
pub struct Verifier {
    options: Options,
    keys: Keys,
}

/// A row that can be verified.
struct Decoded<'a> {
    row: usize,
    /// Its place in the list of keys.
    key: usize,
    signed: Signed<'a>,
    signature: Signature,
}

/// A key of this part.
struct PartKey<'a> {
    hash: u64,
    key: KeyLabel<'a>,
    id: Cow<'a, [u8]>,
    value: Option<Value<'a>>,
    uses: u64,
}

impl PartKey<'_> {
    fn label(&self) -> Label<'_> {
        Label {
            key: self.key,
            id: &self.id,
        }
    }
}

/// The keys of this part, each once.
#[derive(Default)]
struct PartKeys<'a> {
    list: Vec<PartKey<'a>>,
    places: HashTable<usize>,
}

impl<'a> PartKeys<'a> {
    /// The place of a key, which is used once more.
    fn place(
        &mut self,
        keys: &Keys,
        key: KeyLabel<'a>,
        id: Cow<'a, [u8]>,
        value: Option<Value<'a>>,
    ) -> usize {
        let label = Label { key, id: &id };
        let hash = keys.hash(&label);
        let list = &mut self.list;
        if let Some(&place) = self
            .places
            .find(hash, |&place| list[place].label() == label)
        {
            list[place].uses += 1;
            return place;
        }
        let place = list.len();
        list.push(PartKey {
            hash,
            key,
            id,
            value,
            uses: 1,
        });
        self.places
            .insert_unique(hash, place, |&place| list[place].hash);
        place
    }
}

impl Verifier {
    /// A verifier that has seen no key yet.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            keys: Keys::new(),
        }
    }

    /// A verdict for each row, in their order.
    pub fn verify(&self, table: &Table<'_>) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::Invalid; table.rows];
        let mut keys = PartKeys::default();
        let mut decoded: Vec<Decoded<'_>> = Vec::with_capacity(table.rows);
        let mut buffer = Vec::new();
        let rows = table.read_rows(|row| self.decode(table, row, &mut keys, &mut buffer));
        for (verdict, row) in verdicts.iter_mut().zip(rows) {
            match row {
                Ok(row) => decoded.push(row),
                Err(fault) => *verdict = Verdict::Malformed(fault),
            }
        }
        let now = self.keys.pass(table.rows);
        let entries: Vec<Entry> = keys.list.iter().map(|key| self.entry(key, now)).collect();
        let mut places = Vec::with_capacity(decoded.len());
        let mut items = Vec::with_capacity(decoded.len());
        for row in &decoded {
            let (Some(entry), Some(key)) = (entries.get(row.key), keys.list.get(row.key)) else {
                continue;
            };
            let signer = match entry {
                Entry::Once(public) => Signer::Identity {
                    key: public,
                    id: &key.id,
                },
                Entry::Known(key) => Signer::Key(key),
                Entry::Malformed(fault) => {
                    verdicts[row.row] = Verdict::Malformed(Fault::clone(fault));
                    continue;
                }
            };
            let content = row.signed.content(&buffer);
            places.push(row.row);
            items.push(VerifyItem::new(signer, content, row.signature));
        }
        for (place, result) in places
            .into_iter()
            .zip(verify_batch(&items, self.options.threads))
        {
            if result.is_ok() {
                verdicts[place] = Verdict::Valid;
            }
        }
        verdicts
    }

    /// All of a row but its key, which is put into the list.
    #[inline]
    fn decode<'a>(
        &'a self,
        table: &Table<'a>,
        row: usize,
        keys: &mut PartKeys<'a>,
        buffer: &mut Vec<u8>,
    ) -> Result<Decoded<'a>, Fault> {
        let options = &self.options;
        let value = |column: Column| Value::of(table.get(column, row), column);
        let missing = |column: Column| Fault::of(column, "is missing");

        let key = value(Column::Key)?;
        if key.is_none() && options.key.is_none() {
            return Err(missing(Column::Key));
        }
        let id = match (&options.id, value(Column::Id)?) {
            (Some(id), _) => Cow::Borrowed(id.as_slice()),
            (None, Some(value)) if !(options.empty_id_is_none && value.bytes.is_empty()) => {
                let mut id = Vec::new();
                if decode::plain(value, options.id_encoding, Column::Id, &mut id)? {
                    Cow::Owned(id)
                } else {
                    Cow::Borrowed(value.bytes)
                }
            }
            _ => Cow::Borrowed(DEFAULT_ID),
        };
        let (message, digest) = (options.message_encoding, options.digest_encoding);
        let signed = Signed::of(table, row, message, digest, buffer)?
            .ok_or_else(|| missing(Column::Message))?;
        let signature = value(Column::Signature)?.ok_or_else(|| missing(Column::Signature))?;
        let (encoding, form) = (options.signature_encoding, options.signature_form);
        let signature = match quick::signature(signature, encoding, form) {
            Some(signature) => signature,
            None => decode::signature(signature, encoding, form)?,
        };
        let key_value = key.filter(|_| options.key.is_none());
        let label = match key_value {
            None => KeyLabel::One,
            Some(value) => match quick::coordinates(value, options.key_encoding) {
                Some(xy) => KeyLabel::Coordinates(xy),
                None if value.text => KeyLabel::Text(value.bytes),
                None => KeyLabel::Binary(value.bytes),
            },
        };
        Ok(Decoded {
            row,
            key: keys.place(&self.keys, label, id, key_value),
            signed,
            signature,
        })
    }

    fn entry(&self, key: &PartKey<'_>, now: u64) -> Entry {
        let label = key.label();
        let entry = self.keys.resolve(key.hash, &label, key.uses, now, || {
            self.public_key(key.key, key.value)
        });
        // A key that is used for the first time has not seen its identity.
        let length = label.id.len();
        if matches!(entry, Entry::Once(_)) && length > MAX_ID_LEN {
            let error = Error::IdTooLong(length);
            return Entry::Malformed(Arc::new(Fault::of(Column::Id, error)));
        }
        entry
    }

    fn public_key(
        &self,
        label: KeyLabel<'_>,
        value: Option<Value<'_>>,
    ) -> Result<PublicKey, Fault> {
        // What is wrong with a point is said by the function that knows all forms.
        if let KeyLabel::Coordinates(xy) = label
            && let Ok(key) = PublicKey::from_xy_bytes(&xy)
        {
            return Ok(key);
        }
        match (self.options.key, value) {
            (Some(key), _) => Ok(key),
            (None, Some(value)) => decode::key(value, self.options.key_encoding),
            (None, None) => Err(Fault::of(Column::Key, "is missing")),
        }
    }
}
